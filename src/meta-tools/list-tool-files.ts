// listToolFiles: the tree of stub files, or the tools that match a query.
// Invariant: the tree stays small for any number of tools, and a folded part names the call that shows it.

import {
  atOnce,
  type BoundServer,
  type BoundTool,
  describedIn,
  firstSentence,
  type Pieces,
  toolWords,
} from '../bindings/index.js'
import { type Diagnostic, renderDiagnostics } from '../diagnostics/index.js'
import type { Answer } from './answer.js'
import { ambiguousName, noServers, nothingMatches, unknownServer } from './messages.js'
import { readArguments } from './raw-arguments.js'
import {
  asksAbout,
  levelOf,
  notationOf,
  stubEnding,
  stubPath,
  syncToolFiles,
  type ToolFiles,
  unreachable,
} from './tool-files.js'

/** The longest tree, in tokens as `roughTokens` counts them. */
const TREE_TOKENS = 900
/** The longest listing of one server. */
const SERVER_CHARS = 12_000
const MOST_HITS = 10
/** The topic of a server is derived from the names of its first tools. */
const MOST_TOPICS = 1_000
/** A longer text never fits into the tree. */
const LONGEST_COUNTED = 20 * TREE_TOKENS

/** Answers `listToolFiles({query?, server?})`. */
export function listToolFiles(raw: Readonly<Record<string, unknown>>, files: ToolFiles): Answer {
  return atOnce(listing(raw, files))
}

/** The same in pieces: the search index is built tool by tool. */
export function* listing(raw: Readonly<Record<string, unknown>>, files: ToolFiles): Pieces<Answer> {
  const read = readArguments('listToolFiles', raw, { query: 'text', server: 'text' })
  if (!read.ok) return failure(read.diagnostic)
  syncToolFiles(files)
  yield
  const { query, server: name } = read.values
  if (query !== undefined) yield* files.bindings.readyToSearch()
  if (name === undefined) return query === undefined ? listTree(files) : listMatches(query, files)
  const found = files.bindings.findServer(name.replace(/^servers\/|\.(?:pyi|d\.ts)$|\/$/g, ''))
  if (found.found === undefined) {
    const gone = unreachable(name, files)
    if (gone !== undefined) return failure(gone)
    const known = files.bindings.servers.map((server) => server.name)
    return failure(found.ambiguous ? ambiguousName('server', name, found.near) : unknownServer(name, found.near, known))
  }
  return query === undefined ? listServer(found.found, files) : listMatches(query, files, found.found)
}

function failure(diagnostic: Diagnostic): Answer {
  return { text: renderDiagnostics([diagnostic]), isError: true }
}

// ---- search ----

/**
 * A tool in the results of a search.
 *
 * @example
 * import { Catalogues, type ToolResult } from 'starbind'
 *
 * const best: ToolResult | undefined = Catalogues.openFolder('saved').search('open a pull request')[0]
 * console.log(best?.server, best?.tool, best?.signature, best?.score)
 */
export interface ToolResult {
  /** The server's name in the configuration. */
  readonly server: string
  /** The tool's own name. */
  readonly tool: string
  /** The path of the stub file. */
  readonly path: string
  readonly signature: string
  /** The score of the match; 0 without a search. */
  readonly score: number
}

/** The best ten tools for a query, or all tools without one. */
export function findTools(files: ToolFiles, query?: string, server?: BoundServer): ToolResult[] {
  const servers = server === undefined ? files.bindings.servers : [server]
  if (query === undefined) return servers.flatMap((one) => one.tools).map((tool) => toolResult(tool, 0, files))
  return files.bindings.search(query, MOST_HITS, server).map(({ tool, score }) => toolResult(tool, score, files))
}

function toolResult(tool: BoundTool, score: number, files: ToolFiles): ToolResult {
  return {
    server: tool.server.source.name,
    tool: tool.tool.name,
    path: stubPath(tool, files),
    signature: describedIn(notationOf(files)).signature(tool, files.bindings.observations),
    score: Math.round(score * 100) / 100,
  }
}

function listMatches(query: string, files: ToolFiles, server?: BoundServer): Answer {
  const hits = files.bindings.search(query, MOST_HITS, server)
  const results = hits.map(({ tool, score }) => toolResult(tool, score, files))
  if (hits.length === 0) return { text: nothingMatches(query), isError: false, structured: { results } }
  const sign = notationOf(files) === 'typescript' ? '//' : '#'
  const lines = results.flatMap((result, i) => {
    const words = toolWords(hits[i]!.tool, 80, asksAbout(hits[i]!.tool, files))
    const line = words === '' ? result.signature : `${result.signature}  ${sign} ${words}`
    return i > 0 && results[i - 1]!.path === result.path ? [line] : [`${sign} ${result.path}`, line]
  })
  return { text: lines.join('\n'), isError: false, structured: { results } }
}

// ---- one server ----

function listServer(server: BoundServer, files: ToolFiles): Answer {
  const level = levelOf(files, server)
  const count = server.tools.length
  const head = `${level === 'server' ? `servers/${server.name}${stubEnding(files)}` : `servers/${server.name}/`}  ${countOf(server)}`
  const ending = level === 'server' ? '' : stubEnding(files)
  const forms: ((tool: BoundTool) => string)[] = [
    (tool) => described(tool, ending, { length: 100, asks: asksAbout(tool, files) }),
    (tool) => described(tool, ending, { length: 40, asks: asksAbout(tool, files) }),
    (tool) => `  ${tool.name}${ending}`,
  ]
  const structured = { server: server.source.name, tools: server.tools.map((tool) => tool.tool.name) }
  for (const form of forms) {
    const lines = linesOf(server.tools, form, SERVER_CHARS - head.length)
    if (lines !== undefined) return { text: [head, ...lines].join('\n'), isError: false, structured }
  }
  const lines = fitting(
    server.tools.map((tool) => `  ${tool.name}${ending}`),
    SERVER_CHARS - 200,
  )
  const rest = `  … ${count - lines.length} more: listToolFiles(server="${server.name}", query="…") searches them`
  return { text: [head, ...lines, rest].join('\n'), isError: false, structured }
}

/** A line for each tool; undefined if the lines exceed the limit. */
function linesOf(
  tools: readonly BoundTool[],
  form: (tool: BoundTool) => string,
  maxChars: number,
): string[] | undefined {
  const lines: string[] = []
  let left = maxChars
  for (const tool of tools) {
    const line = form(tool)
    left -= line.length + 1
    if (left < 0) return undefined
    lines.push(line)
  }
  return lines
}

function described(
  tool: BoundTool,
  ending: string,
  { length, asks }: { readonly length: number; readonly asks: boolean },
): string {
  const words = toolWords(tool, length, asks)
  return `  ${tool.name}${ending}${words === '' ? '' : `  # ${words}`}`
}

// ---- the tree ----

function listTree(files: ToolFiles): Answer {
  const { servers } = files.bindings
  const structured = {
    servers: servers.map((server) => ({
      server: server.source.name,
      tools: server.tools.length,
      path:
        levelOf(files, server) === 'server' ? `servers/${server.name}${stubEnding(files)}` : `servers/${server.name}/`,
    })),
  }
  if (servers.length === 0) return { text: noServers, isError: false, structured }
  const tools = servers.reduce((sum, server) => sum + server.tools.length, 0)
  const foot = [
    'guide.md  # how to write programs',
    ...resultsLine(files),
    `# ${countWord(tools, 'tool')}. Search: listToolFiles(query="words"). One server: listToolFiles(server="${servers[0]!.name}").`,
  ]
  const room = TREE_TOKENS - roughTokens(`servers/\n${foot.join('\n')}\n`)
  const width = (server: BoundServer, most: number): number => Math.min(most, 50 + server.tools.length)
  for (const most of [250, 90, 45, 0]) {
    const lines = servers.map((server) => serverLine(server, files, most === 0 ? 0 : width(server, most)))
    const left = room - roughTokens(lines.join('\n'))
    if (left < 0) continue
    return {
      text: ['servers/', ...withFiles(servers, lines, files, left), ...foot].join('\n'),
      isError: false,
      structured,
    }
  }
  const lines = fitting(
    servers.map((server) => serverLine(server, files, 0)),
    room - 30,
    (line) => roughTokens(`${line}\n`),
  )
  const rest = `  … ${countWord(servers.length - lines.length, 'more server')}: listToolFiles(query="words") searches all`
  return { text: ['servers/', ...lines, rest, ...foot].join('\n'), isError: false, structured }
}

/** An estimate of a text's tokens, rather too high than too low. */
function roughTokens(text: string): number {
  let tokens = 0
  for (const [part] of text.matchAll(/[A-Za-z]+|\d+|\n\s*|[\u0080-\u{10ffff}]|[!-/:-@[-`{-~]+/gu)) {
    if (/^[A-Za-z]/.test(part)) tokens += Math.ceil(part.length / 8) + (part.length > 4 ? 0.2 : 0)
    else if (/^\d/.test(part)) tokens += Math.ceil(part.length / 3)
    else if (part.startsWith('\n')) tokens += 1.2
    else if (part > '\u007f')
      tokens += /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u.test(part) ? 1.6 : 0.7
    else tokens += Math.ceil(part.length / 2)
  }
  return Math.ceil(tokens)
}

function serverLine(server: BoundServer, files: ToolFiles, words: number): string {
  const about = words === 0 ? '' : aboutServer(server, words)
  const ending = levelOf(files, server) === 'tool' ? '/' : stubEnding(files)
  return `  ${server.name}${ending}  # ${countOf(server)}${about === '' ? '' : `: ${about}`}`
}

/** At tool level, the files of as many servers as fit into the budget of tokens, those with few tools first. */
function withFiles(
  servers: readonly BoundServer[],
  lines: readonly string[],
  files: ToolFiles,
  tokens: number,
): string[] {
  let left = tokens
  const unfolded = new Map<BoundServer, string[]>()
  const candidates = servers.filter((server) => levelOf(files, server) === 'tool')
  for (const server of [...candidates].sort((a, b) => a.tools.length - b.tools.length)) {
    const names = server.tools.map((tool) => `    ${tool.name}${stubEnding(files)}`)
    const text = `${names.join('\n')}\n`
    left -= text.length > LONGEST_COUNTED ? text.length : roughTokens(text)
    if (left < 0) break
    unfolded.set(server, names)
  }
  return servers.flatMap((server, i) => [lines[i]!, ...(unfolded.get(server) ?? [])])
}

/** The server's own description, else the topics of its tools. */
function aboutServer(server: BoundServer, length: number): string {
  const own = firstSentence(server.source.description ?? '', length)
  if (own !== '') return own
  const names = namesIn(server)
  if (names.all.length <= length) return names.all
  return fitting(names.topics, length - 1).join(', ')
}

interface Names {
  readonly all: string
  readonly topics: readonly string[]
}

/** A server with other tools is another object. */
const named = new WeakMap<BoundServer, Names>()

function namesIn(server: BoundServer): Names {
  const known = named.get(server)
  if (known !== undefined) return known
  const listed = server.tools.filter(({ tool }) => tool.isProvided !== true)
  const names = listed.slice(0, MOST_TOPICS).map((tool) => tool.name)
  const made = { all: names.join(', '), topics: topicsOf(names) }
  named.set(server, made)
  return made
}

/** Words for actions, which are not topics. */
const VERBS = new Set(
  (
    'get list create update delete add remove set search find read write run execute start stop show describe check fetch make send edit move ' +
    'copy open close put post view take use is by for of to and or in on with all from the new my bulk batch'
  ).split(' '),
)

/** The words that tools' names share, the most frequent first; of a word and its plural, the first one counts. */
function topicsOf(names: readonly string[]): string[] {
  const topics = new Map<string, { readonly word: string; count: number }>()
  for (const name of names) {
    const words = name
      .replace(/([a-z])([A-Z])/g, '$1_$2')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
    for (const word of new Set(words)) {
      if (word.length < 3 || VERBS.has(word)) continue
      const root = word.replace(/ies$/, 'y').replace(/s$/, '')
      const topic = topics.get(root)
      if (topic === undefined) topics.set(root, { word, count: 1 })
      else topic.count++
    }
  }
  // A word in nearly every name is the server's own.
  const telling = [...topics.values()].filter(({ count }) => count < names.length * 0.8)
  return telling.sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1)).map(({ word }) => word)
}

function resultsLine({ vfs }: ToolFiles): string[] {
  const kept = vfs.list('results')
  if (kept.length === 0) return []
  return [`results/  # ${countWord(kept.length, 'file')}, the last is ${kept.at(-1)}`]
}

/** The first items that fit, each with a separator of two characters unless its size is counted otherwise. */
function fitting(items: readonly string[], room: number, sizeOf = (item: string): number => item.length + 2): string[] {
  const kept: string[] = []
  let left = room
  for (const item of items) {
    left -= sizeOf(item)
    if (left < 0) break
    kept.push(item)
  }
  return kept
}

function countOf(server: BoundServer): string {
  return countWord(server.tools.length, 'tool')
}

function countWord(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
