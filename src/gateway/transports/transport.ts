// The interface of all transports: an SDK transport to one upstream, with further facts about the other side.

import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Awaitable } from '../../awaitable/index.js'
import type { ToolCallOptions } from '../../bindings/index.js'
import type { Logins } from '../authorization/token-store.js'
import type { InProcessCall } from '../configuration/index.js'
import type { Intake } from '../intake.js'

export interface UpstreamTransport {
  readonly sdk: Transport
  /** The last line of the other side's error stream, or the fault of the connection; empty if there is neither. */
  lastWords(): string
  /** The line of its output that explains its failure; empty if there is none. Default: unknown. */
  reasonLine?(): string
  /**
   * The end of a process that starbind did not end: `ended with status 1`, `was ended by SIGKILL`. Otherwise empty;
   * absent if there is no process.
   */
  howItEnded?(): string
  /** True if the server keeps a session for this transport, which it may forget. */
  hasSession(): boolean
  /** True if the transport itself reports the end of the other side. */
  readonly showsItsEnd: boolean
  /** True if the other side can be a server of the revision without a handshake. */
  readonly mayBeModern: boolean
  /** Texts that became secret after the configuration was read, such as tokens. Default: none. */
  secrets?(): readonly string[]
  /** Sends with headers of the request's caller. Absent if the connection has no headers. */
  withHeaders?<T>(headers: Readonly<Record<string, string>>, send: () => T): T
  /** Calls a tool without a message, if the server is a set of functions. Throws for an unknown tool. */
  call?(name: string, args: unknown, context: InProcessCall & Pick<ToolCallOptions, 'kept'>): Awaitable<unknown>
  /** Ends the connection; for a child process: asks, then insists. Resolves when nothing is left. */
  stop(): Promise<void>
}

export interface TransportOptions {
  /** The budget for incoming messages. */
  readonly intake: Intake
  /** Where logins are. Default: in files. */
  readonly logins?: Logins | undefined
  /** Receives whole lines. */
  readonly onStderr: (line: string) => void
  /** Turns the text of a long message into one that is parsed quickly, if possible. Otherwise returns it unchanged. */
  readonly lighten: (text: string) => string | Promise<string>
}

/** The maximum of bytes that wait for a server that does not read. Further messages are refused. */
export const UNSENT_MAX_BYTES = 64 * 1024 * 1024

/** A number of bytes in words. */
export function mebibytes(bytes: number): string {
  return `${Math.round((bytes / 1024 / 1024) * 10) / 10} MiB`
}

/**
 * True if `done` resolves before the timer. After a pause of this process a timer may fire before events that came
 * earlier. One further turn of the loop lets them through.
 */
export async function within(ms: number, done: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => setImmediate(resolve, false), ms)
  })
  try {
    return await Promise.race([done.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
