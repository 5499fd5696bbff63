// Detects that a server is starbind itself. A project's `.mcp.json` often names starbind for the host that starts it;
// starbind reads the same file and would start itself without end. Two marks prevent that. A process that we start
// finds in its environment which entries started it, and serves nothing if one of them is in its own configuration. A
// serving process identifies itself in `initialize`, and a client that recognises itself leaves that server out.
// Invariant: a person or a host starts one process, and at most one more is started below it.

import { createHash, randomUUID } from 'node:crypto'
import type { ServerConfig, StdioConnection } from './configuration/index.js'

/** Marks of the entries by which this process was started, the outermost first. */
const INSIDE = 'STARBIND_INSIDE'

const instance = randomUUID()

/** The value in the environment of a process that this connection starts. */
export function insideOf(connection: StdioConnection): Readonly<Record<string, string>> {
  return { [INSIDE]: [...marks(), markOf(connection)].join(' ') }
}

/** True if one of these entries started this process, directly or not. */
export function isInsideItself(servers: readonly Pick<ServerConfig, 'connection'>[]): boolean {
  const known = marks()
  return (
    known.length > 0 &&
    servers.some(({ connection }) => connection.type === 'stdio' && known.includes(markOf(connection)))
  )
}

/** For `capabilities.experimental` of `initialize`. */
export function selfMark(isInside: boolean): {
  readonly starbind: { readonly instance: string; readonly inside: boolean }
} {
  return { starbind: { instance, inside: isInside } }
}

/** True if a server with these capabilities is this starbind itself. */
export function isItself(capabilities: { readonly experimental?: unknown } | undefined): boolean {
  const { starbind } = (capabilities?.experimental ?? {}) as { starbind?: { instance?: unknown; inside?: unknown } }
  return starbind?.instance === instance || starbind?.inside === true
}

/** The error of a connection that leads to this starbind. */
export class LeadsToItself extends Error {
  constructor() {
    super('it is starbind itself, by this configuration: it is left out')
  }
}

function marks(): string[] {
  return (process.env[INSIDE] ?? '').split(' ').filter((mark) => mark !== '')
}

function markOf({ command, args, cwd }: StdioConnection): string {
  return createHash('sha256')
    .update(JSON.stringify([command, args, cwd ?? null]))
    .digest('hex')
    .slice(0, 16)
}
