// The tools of one server: raw lists to validated tools, and the changes between lists.
// Invariant: a late list never replaces a newer one, and unchanged tools stay the same objects, because derived data is
// kept for them.

import { firstSentence, type QuarantinedTool, sortOut, type Tool, type ToolServer } from '../bindings/index.js'
import type { ServerConfig } from './configuration/index.js'
import { allowsTool } from './filter.js'
import { Turns } from './reading/json-in-turns.js'
import { RefusedTool } from './refused-tool.js'
import { leavesToPrograms, type Readable, withResourceTools } from './resource-tools.js'

const DESCRIPTION_CHARS = 300
/** The number of entries between two turns of the event loop. */
const BATCH = 50

type Entry = Readonly<Record<string, unknown>>

/** A validated list of tools. */
export interface ReadList {
  readonly tools: readonly Tool[]
  readonly quarantined: readonly QuarantinedTool[]
  readonly entries: ReadonlyMap<string, Entry>
  /** All entries, without secrets. */
  readonly shown: readonly unknown[]
}

/** A server's entry, and its own description. */
export interface Described {
  readonly instructions: string
  readonly readable: Readable
  readonly config: ServerConfig
}

/** The changes in a list of tools. */
export type Taken =
  | { readonly kind: 'late' | 'same' | 'first' }
  | { readonly kind: 'changed'; readonly now: number; readonly added: number; readonly removed: number }

export class ServerCatalogue {
  #tools: readonly Tool[] | undefined
  #description = ''
  #entries: ReadonlyMap<string, Readonly<Record<string, unknown>>> = new Map()
  #quarantined: readonly QuarantinedTool[] = []
  #server: ToolServer | undefined
  /** The names of its tools. */
  #shown: ReadonlySet<string> = new Set()
  /** The numbers of the last requested list and of the list in use. */
  #asked = 0
  #used = 0

  /** The callable tools: the same object until they change. Undefined before the first list. */
  get server(): ToolServer | undefined {
    return this.#server
  }

  get quarantined(): readonly QuarantinedTool[] {
    return this.#quarantined
  }

  get count(): number {
    return this.#tools?.length ?? 0
  }

  /** The server's entry of a tool; undefined if the tool may not be called. */
  entryOf(name: string): Readonly<Record<string, unknown>> | undefined {
    return this.#shown.has(name) ? this.#entries.get(name) : undefined
  }

  /** A number for the list that is requested now. */
  ask(): number {
    return ++this.#asked
  }

  isLast(asked: number): boolean {
    return asked === this.#asked
  }

  /** Validates a list in turns with other work. `shown` removes secrets from an entry. */
  async read(raw: readonly unknown[], shown: (entry: unknown) => unknown): Promise<ReadList> {
    const turns = new Turns()
    const known = new Map(this.#tools?.map((tool) => [tool.name, tool]))
    const tools = new Map<string, Tool>()
    const entries = new Map<string, Entry>()
    const quarantined: QuarantinedTool[] = []
    const all: unknown[] = []
    for (let from = 0; from < raw.length; from += BATCH) {
      const given = raw.slice(from, from + BATCH)
      for (const one of given) if (one instanceof RefusedTool) quarantined.push({ name: one.name, reason: one.reason })
      const batch = given.filter((one) => !(one instanceof RefusedTool)).map(shown)
      all.push(...batch)
      const sorted = sortOut(batch, from, tools)
      for (const tool of sorted.tools) tools.set(tool.name, keepSame(known.get(tool.name), tool))
      quarantined.push(...sorted.quarantined)
      for (const entry of batch) noteEntry(entries, entry)
      if (turns.isOver) await turns.next()
    }
    return { tools: [...tools.values()], quarantined, entries, shown: all }
  }

  /** Takes the list for the request of that number. */
  take(
    asked: number,
    { tools: own, quarantined, entries }: Omit<ReadList, 'shown'>,
    { instructions, readable, config }: Described,
  ): Taken {
    if (asked < this.#used) return { kind: 'late' }
    this.#used = asked
    const tools = withResourceTools(own, readable)
    const before = this.#tools
    const known = new Map(before?.map((tool) => [tool.name, tool]))
    const description = firstSentence(instructions, DESCRIPTION_CHARS)
    const isSame =
      before?.length === tools.length &&
      this.#description === description &&
      tools.every((tool) => known.get(tool.name) === tool)
    this.#entries = entries
    this.#quarantined = quarantined
    if (isSame) return { kind: 'same' }
    this.#tools = tools
    this.#description = description
    this.show(config)
    return before === undefined ? { kind: 'first' } : { kind: 'changed', now: tools.length, ...changeOf(before, tools) }
  }

  /** Gives the callable tools to programs. */
  show(config: ServerConfig): void {
    if (this.#tools === undefined) return
    this.#server = {
      name: config.name,
      tools: allowedTools(this.#tools, config),
      ...(this.#description === '' ? {} : { description: this.#description }),
    }
    this.#shown = new Set(this.#server.tools.map((tool) => tool.name))
  }

  forget(): void {
    this.#tools = undefined
    this.#server = undefined
    this.#shown = new Set()
    this.#quarantined = []
    this.#entries = new Map()
  }
}

/** The tools that a server's own entry leaves to programs. */
export function allowedTools(tools: readonly Tool[], config: ServerConfig): Tool[] {
  return tools.filter((tool) => allowsTool(config, tool.name) && leavesToPrograms(config, tool))
}

/** The first entry of each name counts; the others are set aside. */
function noteEntry(entries: Map<string, Entry>, entry: unknown): void {
  if (typeof entry !== 'object' || entry === null) return
  const { name } = entry as { readonly name?: unknown }
  if (typeof name === 'string' && !entries.has(name)) entries.set(name, entry as Entry)
}

/** The known tool, if it has not changed. */
function keepSame(before: Tool | undefined, now: Tool): Tool {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(now) ? before : now
}

function changeOf(before: readonly Tool[], now: readonly Tool[]): { added: number; removed: number } {
  const names = (tools: readonly Tool[]) => new Set(tools.map((tool) => tool.name))
  const [old, fresh] = [names(before), names(now)]
  return {
    added: [...fresh].filter((name) => !old.has(name)).length,
    removed: [...old].filter((name) => !fresh.has(name)).length,
  }
}
