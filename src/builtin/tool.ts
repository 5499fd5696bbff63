// A tool of a built-in server, and the ways in which its call may end.

import type { z } from 'zod'
import type { Awaitable } from '../awaitable/index.js'

export interface BuiltinTool {
  readonly description: string
  readonly inputSchema: z.ZodType
  /** Absent: the answer is a file. */
  readonly outputSchema?: z.ZodType
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint?: boolean
    readonly idempotentHint?: boolean
    readonly openWorldHint: boolean
  }
  /** Throws a Failure with the reason why there is no answer. `args` are the output of the input schema. */
  call(args: unknown, context: BuiltinCall): Awaitable<BuiltinAnswer>
}

export interface BuiltinCall {
  readonly signal: AbortSignal
  /** What the caller keeps under `results/`: the files that the arguments mention, and the paths of all. */
  readonly kept?:
    | { readonly files: ReadonlyMap<string, { readonly content: Uint8Array }>; readonly paths: readonly string[] }
    | undefined
}

/**
 * `json`: the text of the value, in exactly the spelling that programs get. `text`: a value that is a text. `file`: a
 * file that is kept for the program, `data` in base64.
 */
export type BuiltinAnswer =
  | { readonly kind: 'json'; readonly json: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string; readonly mimeType: string; readonly data: string }

/** A server that runs in this process. Its owner closes it. */
export interface Builtin {
  /** One sentence for those who choose among servers. */
  readonly instructions: string
  readonly tools: Readonly<Record<string, BuiltinTool>>
  close(): Promise<void>
}

/** Why a call failed, in words for the program's author. */
export class Failure extends Error {}

/** Text from a value, as messages quote it. */
export function quoted(value: string): string {
  return JSON.stringify(value.length > 120 ? `${value.slice(0, 119)}…` : value)
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'the system does not permit it',
  EPERM: 'the system does not permit it',
  EROFS: 'its file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EEXIST: 'somebody has just made it',
  EXDEV: 'the two are on different file systems',
  EBUSY: 'it is in use',
  ENAMETOOLONG: 'its name is too long',
}

/** The failure in the system's refusal. Any other error is returned unchanged. */
export function failureOf(error: unknown, what: string): unknown {
  const { code } = error as { readonly code?: unknown }
  if (error instanceof Failure || typeof code !== 'string' || !/^E[A-Z]+$/.test(code)) return error
  if (code === 'ENOENT') return new Failure(`there is no ${what}`)
  // Somebody has put something else in its place meanwhile.
  if (code === 'ELOOP' || code === 'ENOTDIR' || code === 'ENXIO') return new Failure(`${what} has just been replaced`)
  return new Failure(`${what} can't be used: ${REASONS[code] ?? code}`)
}
