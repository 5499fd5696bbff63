// Finds out whether a server supports revision 2026-07-28. Sends `server/discover` over the connection that is used
// afterwards.
//
// An older server answers with an error or not at all, or it exits because its SDK expects the handshake first. Only an
// answer that the new revision defines counts as support.

import { McpError } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { isConnectionClosed, isTimeout, refusesUs, WrongRevision } from '../connecting-failed.js'
import { isTooDeep, roughBytes } from '../depth.js'
import { answerOf, wordsOf } from '../error-words.js'
import { quoteUpstream } from '../messages.js'
import { REVISION } from '../meta-keys.js'
import type { Params } from '../params.js'
import type { PeerOptions } from '../peer.js'
import { enveloped, serverVersionIn } from './envelope.js'

/** A server of the new revision, as it introduces itself. */
export interface Discovered {
  readonly capabilities: Params
  readonly instructions: string | undefined
  readonly version: string
}

/** `words`: how the answer differs from one of the new revision, worded to follow "it". */
export type Answer =
  | { readonly kind: 'modern'; readonly discovered: Discovered }
  | { readonly kind: 'older'; readonly words: string }
  /** `late`: the answer, if it arrives after all. `stop`: stops waiting for it. */
  | { readonly kind: 'silent'; readonly late: () => Discovered | undefined; readonly stop: () => void }
  /** Its process is gone. */
  | { readonly kind: 'ended' }

interface QuestionOptions {
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** True: waits for the answer until the timeout, because the server must support the revision. */
  readonly isPatient: boolean
}

/** After this time without an answer the handshake is sent. Most servers have started by then. */
const SILENT_MS = 3000

/** The maximum size of the answer, which is kept as long as the connection. */
const MOST_BYTES = 1024 * 1024

/** Error codes that only the new revision has. */
const UNSUPPORTED_VERSION = -32_022
const OF_REVISION: ReadonlySet<number> = new Set([-32_020, -32_021, UNSUPPORTED_VERSION])

/** Rejects if the server can't be reached, or supports no revision that we support. */
export async function askRevision(
  peer: PeerOptions,
  { timeoutMs, signal, isPatient }: QuestionOptions,
): Promise<Answer> {
  const stop = new AbortController()
  const abort = () => stop.abort()
  signal.addEventListener('abort', abort, { once: true })
  const answer = ask(peer, timeoutMs, stop.signal).finally(() => signal.removeEventListener('abort', abort))
  if (isPatient) return answer
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, SILENT_MS, undefined)
  })
  const first = await Promise.race([answer, silence]).finally(() => clearTimeout(timer))
  if (first !== undefined) return first
  let late: Discovered | undefined
  const take = (found: Answer): void => {
    if (found.kind === 'modern') late = found.discovered
  }
  answer.then(take, () => {})
  return { kind: 'silent', late: () => late, stop: abort }
}

async function ask(peer: PeerOptions, timeoutMs: number, signal: AbortSignal, isAgain = false): Promise<Answer> {
  const { own, transport } = peer
  const request = { method: 'server/discover', params: enveloped({}, peer) }
  try {
    return answerIn(await own.send(transport.sdk, request, { timeoutMs, signal }))
  } catch (error) {
    if (signal.aborted || refusesUs(error) || isTimeout(error, timeoutMs)) throw error
    if (isConnectionClosed(error)) return { kind: 'ended' }
    // The server refuses the revision but lists it as supported: asks once more.
    if (error instanceof McpError && supportedIn(error)?.includes(REVISION) && !isAgain)
      return ask(peer, timeoutMs, signal, true)
    if (error instanceof McpError && OF_REVISION.has(error.code)) return refused(error)
    const words = error instanceof McpError ? quoteUpstream(wordsOf(error)) : answerOf(error)
    if (words !== undefined) return { kind: 'older', words: `answered ${words} when it was asked for it` }
    if (transport.showsItsEnd) return { kind: 'ended' }
    throw error
  }
}

const discoverResult = z.looseObject({
  supportedVersions: z.array(z.string()),
  capabilities: z.record(z.string(), z.unknown()).catch({}),
  instructions: z.string().optional().catch(undefined),
})

function answerIn(raw: unknown): Answer {
  if (isTooDeep(raw) || roughBytes(raw, MOST_BYTES) > MOST_BYTES)
    return { kind: 'older', words: 'says more of itself than anybody can need' }
  const { data, success } = discoverResult.safeParse(raw)
  if (!success) return { kind: 'older', words: 'does not say which revisions it speaks' }
  if (!data.supportedVersions.includes(REVISION)) return ofOthers(data.supportedVersions)
  const { capabilities, instructions } = data
  return { kind: 'modern', discovered: { capabilities, instructions, version: serverVersionIn(data) } }
}

function refused(error: McpError): Answer {
  const supported = supportedIn(error)
  if (supported === undefined) throw error
  return ofOthers(supported)
}

/** The supported revisions in a server's refusal. */
function supportedIn({ code, data }: McpError): readonly string[] | undefined {
  const { supported } = (data ?? {}) as { readonly supported?: unknown }
  if (code !== UNSUPPORTED_VERSION || !Array.isArray(supported)) return undefined
  return supported.filter((version) => typeof version === 'string')
}

/** Revisions are dates. The earlier ones begin with the handshake. */
function ofOthers(versions: readonly string[]): Answer {
  const words = `speaks only the revisions ${versions.slice(0, 10).join(', ').slice(0, 200)}`
  if (versions.some((version) => version < REVISION)) return { kind: 'older', words }
  throw new WrongRevision(`it ${words} of the protocol`)
}

/** The error of a server that must support the new revision and does not. */
export function notModern(answer: Exclude<Answer, { readonly kind: 'modern' }>): Error {
  const why = answer.kind === 'older' ? answer.words : 'ended when it was asked for it'
  return new WrongRevision(`it does not speak revision ${REVISION} of the protocol: it ${why}`)
}
