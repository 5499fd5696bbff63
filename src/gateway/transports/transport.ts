// An SDK transport to one upstream, with what we know of the other side beyond it.

import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Soon } from '../../soon/index.js'
import type { Intake } from '../intake.js'

export interface UpstreamTransport {
  readonly sdk: Transport
  /** What the other side said last on its error stream, or what was wrong with it; empty when nothing. */
  lastWords(): string
  /** Of what it said, the one line that tells why it failed; empty where none does. Default: nothing is known. */
  lineThatSaysWhy?(): string
  /**
   * How a process ended that nobody here has ended: `ended with status 1`, `was ended by SIGKILL`. Empty otherwise;
   * absent where there is no process.
   */
  howItEnded?(): string
  /** True when the server keeps a session for this transport, which it may forget. */
  hasSession(): boolean
  /** True when the end of the other side shows by itself, and need not be asked for. */
  readonly showsItsEnd: boolean
  /** Texts that became secret after the configuration was read, such as tokens. Absent: there are none. */
  secrets?(): readonly string[]
  /** Sends with headers of the caller on whose behalf a request is made. Absent where the connection has no headers. */
  withHeaders?<T>(headers: Readonly<Record<string, string>>, send: () => T): T
  /** Calls a tool without a message, where the server is a set of functions. Throws for a tool that there is not. */
  call?(name: string, args: unknown, signal: () => AbortSignal): Soon<unknown>
  /** Ends the connection; for a child process: asks, then insists. Resolves when nothing is left. */
  stop(): Promise<void>
}

export interface TransportOptions {
  /** How much of what comes is listened to. */
  readonly intake: Intake
  /** Is given whole lines. */
  readonly onStderr: (line: string) => void
  /** Makes the text of a long message one that is parsed quickly, where it can; else it is the same text. */
  readonly lighten: (text: string) => string | Promise<string>
}

/** What a server does not read waits up to so many bytes; then nothing more is sent to it. */
export const UNSENT_MAX_BYTES = 64 * 1024 * 1024

/** A number of bytes for people. */
export function mebibytes(bytes: number): string {
  return `${Math.round((bytes / 1024 / 1024) * 10) / 10} MiB`
}

/**
 * True when `done` came first. After a pause of this process a timer may be told before what happened long before: one
 * turn of the loop lets that through.
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
