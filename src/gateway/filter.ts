// The filter of callable tools. It is immutable and can only be narrowed.
//
// A filter is a list of layers (configuration, API key, session, request) and allows what every layer allows. A layer
// can therefore only take away, and the order of layers does not matter. Within a layer, deny wins over allow.
// Invariant: for every filter, layer, server and tool, `filter.narrow(layer)` allows nothing that `filter` does not.

import { z } from 'zod'
import { type Declared, listOf, text } from './configuration/declared.js'

const texts = listOf(text, 'a list of strings')

export const filterEntry = z.strictObject(
  {
    /** Names and globs of servers. */
    servers: texts.optional(),
    /** `server/tool`, `server-tool` or `server_tool`, each part a name or a glob; `*` for everything. */
    toolsToExecute: texts.optional(),
    /** The part of them that needs no approval. */
    toolsToAutoExecute: texts.optional(),
    /** Tools that may not be called even if another list allows them; a server's name alone means all its tools. */
    toolsToDeny: texts.optional(),
  },
  { error: 'an object' },
)

/**
 * One layer of the filter. An absent list restricts nothing, an empty one allows nothing.
 *
 * @example
 * import { CodeMode, type FilterEntry } from 'starbind'
 *
 * const readers: FilterEntry = { servers: ['git', 'files'], toolsToExecute: ['files/read_*', 'git/log'], toolsToDeny: ['files/*secret*'] }
 * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } } })
 * console.log(await codeMode.session({ filters: readers }).listToolFiles())
 */
export interface FilterEntry extends Declared<typeof filterEntry> {}

/** The same for one server, with its tools' own names. */
type ServerFilterEntry = Omit<FilterEntry, 'servers'>

export class ToolFilter {
  /** Allows everything. */
  static readonly all = new ToolFilter([])
  readonly #layers: readonly Narrowing[]

  private constructor(layers: readonly Narrowing[]) {
    this.#layers = layers
  }

  /** This filter with one more layer. */
  narrow(entry: FilterEntry): ToolFilter {
    return new ToolFilter([...this.#layers, new EntryLayer(entry)])
  }

  /** This filter, restricted to the tools that pass a test at the moment of the call. */
  only(test: (server: string, tool: string) => boolean): ToolFilter {
    return new ToolFilter([
      ...this.#layers,
      { allows: test, autoExecutes: test, coversServer: () => false, reaches: () => true },
    ])
  }

  allows(server: string, tool: string): boolean {
    return this.#layers.every((layer) => layer.allows(server, tool))
  }

  /** True if the tool may be called without approval. */
  autoExecutes(server: string, tool: string): boolean {
    return this.#layers.every((layer) => layer.autoExecutes(server, tool))
  }

  /** True if the whole server is allowed: then its other parts, such as resources, are allowed, too. */
  coversServer(server: string): boolean {
    return this.#layers.every((layer) => layer.coversServer(server))
  }

  /** False if no tool of the server can be allowed; then the server itself is hidden. */
  reaches(server: string): boolean {
    return this.#layers.every((layer) => layer.reaches(server))
  }
}

/** A layer of the filter. */
type Narrowing = Pick<ToolFilter, 'allows' | 'autoExecutes' | 'coversServer' | 'reaches'>

class EntryLayer implements Narrowing {
  readonly #servers: readonly Glob[] | undefined
  readonly #execute: ToolPatterns | undefined
  readonly #auto: ToolPatterns | undefined
  readonly #deny: ToolPatterns

  constructor({ servers, toolsToExecute, toolsToAutoExecute, toolsToDeny = [] }: FilterEntry) {
    this.#servers = servers?.map(glob)
    this.#execute = toolsToExecute && new ToolPatterns(toolsToExecute)
    this.#auto = toolsToAutoExecute && new ToolPatterns(toolsToAutoExecute)
    // A denied "github" means the whole server; an allowing list is read literally.
    this.#deny = new ToolPatterns(toolsToDeny.flatMap((text) => [text, `${text}/*`]))
  }

  allows(server: string, tool: string): boolean {
    if (this.#servers?.some((pattern) => pattern.test(server)) === false) return false
    if (this.#execute?.matches(server, tool) === false) return false
    return !this.#deny.matches(server, tool)
  }

  autoExecutes(server: string, tool: string): boolean {
    return this.allows(server, tool) && this.#auto?.matches(server, tool) !== false
  }

  coversServer(server: string): boolean {
    if (this.#servers?.some((pattern) => pattern.test(server)) === false) return false
    if (this.#execute?.coversServer(server) === false) return false
    return !this.#deny.reaches(server)
  }

  reaches(server: string): boolean {
    if (this.#servers?.some((pattern) => pattern.test(server)) === false) return false
    if (this.#execute?.reaches(server) === false) return false
    return !this.#deny.coversServer(server)
  }
}

const SEPARATORS = /[/_.-]/g

/** Alternative patterns. Those without a star are looked up in constant time. */
class ToolPatterns {
  readonly #names = new Map<string, Set<string>>()
  readonly #globs: readonly ToolPattern[]

  constructor(texts: readonly string[]) {
    this.#globs = texts.filter((text) => text.includes('*')).map((text) => new ToolPattern(text))
    for (const text of texts) if (!text.includes('*')) this.#note(text)
  }

  matches(server: string, tool: string): boolean {
    return this.#names.get(server)?.has(tool) === true || this.#globs.some((pattern) => pattern.matches(server, tool))
  }

  reaches(server: string): boolean {
    return this.#names.has(server) || this.#globs.some((pattern) => pattern.reaches(server))
  }

  coversServer(server: string): boolean {
    return this.#globs.some((pattern) => pattern.coversServer(server))
  }

  #note(text: string): void {
    for (const at of placesIn(text)) {
      const server = text.slice(0, at)
      const tools = this.#names.get(server) ?? new Set()
      this.#names.set(server, tools.add(text.slice(at + 1)))
    }
  }
}

const matchers = new WeakMap<readonly string[], ToolPatterns>()

/**
 * A test whether one of the patterns of `toolsToExecute` matches a tool of a server.
 *
 * @example
 * import { toolMatcher } from 'starbind'
 *
 * const reads = toolMatcher(['files/read_*', 'git-log'])
 * console.log(reads('files', 'read_file'), reads('git', 'push'))
 */
export function toolMatcher(texts: readonly string[]): (server: string, tool: string) => boolean {
  const patterns = matchers.get(texts) ?? new ToolPatterns(texts)
  matchers.set(texts, patterns)
  return (server, tool) => patterns.matches(server, tool)
}

/** The possible ends of the server's name. */
function placesIn(text: string): readonly number[] {
  const slash = text.indexOf('/')
  return slash >= 0 ? [slash] : [...text.matchAll(SEPARATORS)].map((match) => match.index)
}

/**
 * A pattern for tools of any server. `/` can't be mistaken for a part of a name; the other separators are tried at each
 * of their places, and one counts only when the text before it is the whole name of the server: `git_*` does not reach
 * a server `git_hub`.
 */
class ToolPattern {
  readonly #all: boolean
  /** The two patterns that each place of a separator makes. */
  readonly #splits: readonly { readonly server: Glob; readonly tool: Glob; readonly isWhole: boolean }[]

  constructor(text: string) {
    this.#all = /^\*+(\/\*+)?$/.test(text)
    this.#splits = placesIn(text).map((at) => ({
      server: glob(text.slice(0, at)),
      tool: glob(text.slice(at + 1)),
      isWhole: /^\*+$/.test(text.slice(at + 1)),
    }))
  }

  matches(server: string, tool: string): boolean {
    return this.#all || this.#splits.some((split) => split.server.test(server) && split.tool.test(tool))
  }

  /** True if a tool of the server may match. */
  reaches(server: string): boolean {
    return this.#all || this.#splits.some((split) => split.server.test(server))
  }

  /** True if every tool of the server matches. */
  coversServer(server: string): boolean {
    return this.#all || this.#splits.some((split) => split.isWhole && split.server.test(server))
  }
}

/** The tools that a server's own entry allows, by their own names. */
export function allowsTool({ toolsToExecute, toolsToDeny = [] }: ServerFilterEntry, tool: string): boolean {
  return listAllows(toolsToExecute, tool) && !toolsToDeny.some((pattern) => glob(pattern).test(tool))
}

/** The tools that a server's own entry allows without approval. */
export function autoExecutesTool(entry: ServerFilterEntry, tool: string): boolean {
  return allowsTool(entry, tool) && listAllows(entry.toolsToAutoExecute, tool)
}

function listAllows(list: readonly string[] | undefined, tool: string): boolean {
  return list === undefined || list.some((pattern) => glob(pattern).test(tool))
}

/** `*` matches any characters; everything else matches itself. */
class Glob {
  readonly #parts: readonly string[]

  constructor(pattern: string) {
    this.#parts = pattern.split(/\*+/)
  }

  // Not a regular expression: with many stars it takes long to fail, and callers send patterns, too.
  test(name: string): boolean {
    const [first = '', ...rest] = this.#parts
    const last = rest.pop()
    if (last === undefined) return name === first
    if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false
    const end = name.length - last.length
    let at = first.length
    for (const part of rest) {
      const found = name.indexOf(part, at)
      if (found < 0 || found + part.length > end) return false
      at = found + part.length
    }
    return true
  }
}

/** True if a name matches a pattern, in which `*` is any characters. */
export function matchesGlob(pattern: string, name: string): boolean {
  return new Glob(pattern).test(name)
}

function glob(pattern: string): Glob {
  return new Glob(pattern)
}

// The headers of a request.

/** Longer or further patterns match no tool, because callers may send anything. */
const LONGEST_PATTERN = 300
const MOST_PATTERNS = 1000
/** The limit on places at which patterns with a star may be split: each is tried with each tool. */
const MOST_TRIES = 100

/** The headers that narrow one request, by their plain names. Each is also accepted with `x-bf-mcp-` for `x-mcp-`. */
const INCLUDE_CLIENTS = ['x-mcp-include-clients', 'x-bf-mcp-include-clients']
const INCLUDE_TOOLS = ['x-mcp-include-tools', 'x-bf-mcp-include-tools']
export const narrowingHeaders: readonly string[] = [...INCLUDE_CLIENTS, ...INCLUDE_TOOLS]

/**
 * The headers of a caller's request, by lower-case name.
 *
 * @example
 * import { CodeMode, type RequestHeaders } from 'starbind'
 *
 * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } } })
 * const headers: RequestHeaders = { 'x-mcp-include-tools': 'files-read_file' }
 * console.log(codeMode.session({ headers }).bindings())
 */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** The filter layers of a request's headers, one for each. An empty header allows nothing. */
export function filterOfHeaders(headers: RequestHeaders): FilterEntry[] {
  const named = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const lists = (names: readonly string[]) =>
    names.flatMap((name) => {
      const value = named.get(name)
      return value === undefined ? [] : [patternsOf(value)]
    })
  return [
    ...lists(INCLUDE_CLIENTS).map((servers): FilterEntry => ({ servers })),
    ...lists(INCLUDE_TOOLS).map((toolsToExecute): FilterEntry => ({ toolsToExecute })),
  ]
}

function patternsOf(value: string | readonly string[]): string[] {
  const patterns = [value]
    .flat()
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '' && text.length <= LONGEST_PATTERN)
    .slice(0, MOST_PATTERNS)
  let tries = 0
  return patterns.filter((text) => {
    if (!text.includes('*')) return true
    tries += Math.max(1, placesIn(text).length)
    return tries <= MOST_TRIES
  })
}
