// Whether a server is starbind itself. A project's `.mcp.json` names starbind for the host that starts it, and starbind
// reads that file: it would start itself, that one would start itself again, and so on without end. Two marks end that.
// A process that we start is told in its environment by which entries it was started; who finds one of them in its own
// configuration serves nothing. And whoever serves says in `initialize` who it is and whether that happened; who meets
// itself leaves the server out.
// Invariant: a chain of processes is never longer than one that was started by a person or a host, and one below it.

import { createHash, randomUUID } from 'node:crypto'
import type { ServerConfig, StdioConnection } from './configuration/index.js'

/** Marks of the entries by which this process was started, the outermost first. */
const INSIDE = 'STARBIND_INSIDE'

const instance = randomUUID()

/** What a process that is started by this connection finds in its environment. */
export function insideOf(connection: StdioConnection): Readonly<Record<string, string>> {
  return { [INSIDE]: [...marks(), markOf(connection)].join(' ') }
}

/** Was this process started, directly or not, by one of these entries? */
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

/** Does a server with these capabilities serve this process, or is it this starbind once more? */
export function isItself(capabilities: { readonly experimental?: unknown } | undefined): boolean {
  const { starbind } = (capabilities?.experimental ?? {}) as { starbind?: { instance?: unknown; inside?: unknown } }
  return starbind?.instance === instance || starbind?.inside === true
}

/** What a connection fails with that leads to this starbind. */
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
