// Transfers the names and schemas of servers to another thread, in pieces small enough to be copied in a moment.
// Invariant: the assembled server binds the same names to the same schemas.

import type { ForeignNamespace } from '../interpreter/index.js'
import { boundServer, foreignNamespace } from './bindings.js'
import type { BoundServer, BoundTool } from './bound.js'
import type { Observations } from './observed.js'
import { forgetPatterns } from './patterns.js'
import type { Tool } from './tool.js'

export interface ServerPiece {
  readonly name: string
  readonly source: string
  readonly tools: readonly { readonly name: string; readonly tool: Tool }[]
}

const PIECE_TOOLS = 20

/** The lessons about a server, piece by piece; at least one. */
export function* serverPieces({ name, source, tools }: BoundServer): Iterable<ServerPiece> {
  for (let at = 0; at === 0 || at < tools.length; at += PIECE_TOOLS)
    yield { name, source: source.name, tools: tools.slice(at, at + PIECE_TOOLS).map(taughtTool) }
}

function taughtTool({ name, tool }: BoundTool): { name: string; tool: Tool } {
  const { name: own, inputSchema, outputSchema } = tool
  return { name, tool: { name: own, inputSchema, ...(outputSchema === undefined ? {} : { outputSchema }) } }
}

/** The lessons of a thread, by number. */
export class TaughtServers {
  readonly #pieces = new Map<number, ServerPiece[]>()
  readonly #servers = new Map<number, { readonly bound: BoundServer; readonly namespace: ForeignNamespace }>()

  learn(lesson: number, piece: ServerPiece): void {
    const pieces = this.#pieces.get(lesson)
    if (pieces === undefined) this.#pieces.set(lesson, [piece])
    else pieces.push(piece)
  }

  forget(lesson: number): void {
    this.#pieces.delete(lesson)
    this.#servers.delete(lesson)
  }

  forgetAll(): void {
    this.#pieces.clear()
    this.#servers.clear()
    forgetPatterns()
  }

  bound(lessons: readonly number[]): BoundServer[] {
    return lessons.map((lesson) => this.#server(lesson).bound)
  }

  /**
   * The tools as the compiler needs them. `distrusted`: tools whose declared return types are ignored, by
   * `server.tool`.
   */
  foreign(lessons: readonly number[], distrusted: readonly string[]): ForeignNamespace[] {
    return lessons.map((lesson) => {
      const { bound, namespace } = this.#server(lesson)
      if (!distrusted.some((path) => path.startsWith(`${bound.name}.`))) return namespace
      const names = new Set(distrusted)
      const own = new Set(
        bound.tools.filter(({ name }) => names.has(`${bound.name}.${name}`)).map(({ tool }) => tool.name),
      )
      const isDistrusted: Observations['isDistrusted'] = (_, { name }) => own.has(name)
      return foreignNamespace(bound, { isDistrusted })
    })
  }

  #server(lesson: number) {
    let server = this.#servers.get(lesson)
    if (server === undefined) {
      const pieces = this.#pieces.get(lesson) ?? []
      const tools = pieces.flatMap((piece) => piece.tools)
      const [{ name, source } = { name: '', source: '' }] = pieces
      const bound = boundServer(name, { name: source, tools: tools.map(({ tool }) => tool) }, tools)
      server = { bound, namespace: foreignNamespace(bound, undefined) }
      this.#servers.set(lesson, server)
    }
    return server
  }
}
