// What revision 2026-07-28 adds to an answer, and what it asks for besides tools, resources and prompts. Every request
// stands alone: it says who sends it, and notifications about it leave on its own stream.
// Invariant: nothing is kept between requests but what `held-requests.ts` holds.

import type { RequestHeaders } from '../../filter.js'
import { errorCodes, ProtocolError } from '../../protocol-error.js'
import { answerRequest, type CallerRequest, isRecord } from '../answer-request.js'
import { capabilitiesOf, type Offers } from '../offers.js'
import type { ServedSession } from '../served.js'
import { checkParameterHeaders, MODERN_REVISIONS, type ModernRequest, metaKey } from './envelope.js'
import type { Exchange } from './exchange.js'
import type { Work } from './held-request.js'
import type { HeldRequests } from './held-requests.js'
import { listen } from './listening.js'
import { TASKS } from './task-view.js'
import { answerTask, isTaskMethod } from './tasks.js'

export interface ModernOptions {
  readonly version: string
  /** Answers of meta-tools carry the same as data, too. */
  readonly structured: boolean
  readonly offers: Offers
}

type Result = Record<string, unknown>

/** What serves a caller of this revision. */
export interface ModernParts extends ModernOptions {
  readonly held: HeldRequests
  /** Who may answer what is asked. */
  readonly owner: string
}

/** Rejects with a ProtocolError where the request is refused. */
export async function answerModern(
  request: ModernRequest,
  exchange: Exchange,
  session: ServedSession,
  parts: ModernParts,
): Promise<Result> {
  const result = await resultOf(request, exchange, session, parts)
  const meta = isRecord(result._meta) ? result._meta : {}
  const server = { name: 'starbind', version: parts.version }
  return { resultType: 'complete', ...result, _meta: { ...meta, [metaKey.server]: server } }
}

async function resultOf(
  request: ModernRequest,
  exchange: Exchange,
  session: ServedSession,
  parts: ModernParts,
): Promise<Result> {
  if (request.method === 'server/discover') return discovered(parts)
  if (request.method === 'subscriptions/listen') return listen(request, exchange, session, parts.offers)
  const { held, owner, offers, structured } = parts
  const work: Work = (asked, end, signal) => answered(asked, { ...exchange, ...end, signal }, session, parts)
  const asker = { session, owner, work, structured, taskAfterMs: offers.taskAfterMs ?? TASK_MS }
  if (isTaskMethod(request.method)) return answerTask(request.method, request, held, asker)
  return held.answer(request, exchange, asker)
}

function discovered({ offers }: ModernOptions): Result {
  const { instructions } = offers
  return {
    supportedVersions: MODERN_REVISIONS,
    capabilities: { ...capabilitiesOf(offers), extensions: { [TASKS]: {} } },
    ...(instructions === undefined ? {} : { instructions }),
    ttlMs: FIXED_MS,
    cacheScope: 'private',
  }
}

async function answered(
  { method, params, logLevel }: ModernRequest,
  { signal, headers, notify, caller, onKept }: Omit<CallerRequest, 'method' | 'params'>,
  session: ServedSession,
  { structured, offers }: ModernOptions,
): Promise<Result> {
  if (WITH_SESSIONS.has(method)) throw new ProtocolError(errorCodes.methodNotFound, 'Method not found')
  const { inputResponses: _given, requestState: _state, ...own } = params
  const asked: CallerRequest = { method, params: own, signal, headers, notify, caller, onKept }
  if (method === 'tools/call' && headers !== undefined) checkArguments(asked, session, headers)
  if (logLevel !== undefined && offers.directTools) await session.direct.setLogLevel(caller.who, logLevel, { signal })
  try {
    // The result of a server in this revision says itself that it is whole.
    const { resultType: _type, ...result } = await answerRequest(asked, session, { structured })
    return withCaching(method, result, offers)
  } catch (error) {
    // Which of the two it was is told by a code of its own no longer.
    if (!(error instanceof ProtocolError) || error.code !== errorCodes.resourceNotFound) throw error
    throw new ProtocolError(errorCodes.invalidParams, error.message, error.data)
  } finally {
    if (logLevel !== undefined) await session.direct.forget(caller.who)
  }
}

/** What belonged to a session. */
const WITH_SESSIONS: ReadonlySet<string> = new Set(['resources/subscribe', 'resources/unsubscribe'])

function checkArguments({ params }: CallerRequest, session: ServedSession, headers: RequestHeaders): void {
  const named = session.direct.definitions().find(({ name }) => name === params.name)
  if (named !== undefined) checkParameterHeaders(headers, named.inputSchema, params.arguments)
}

/** A program that takes longer answers with a task where its caller knows them. */
const TASK_MS = 5000
/** How long a caller may keep what does not change while this process runs, and lists of servers that may. */
const FIXED_MS = 5 * 60_000
const LIST_MS = 5000

/** Never for others than this caller: its key and the headers of the request decide what it sees. */
function withCaching(method: string, result: Result, { directTools }: Offers): Result {
  const cacheScope = 'private'
  switch (method) {
    case 'tools/list':
      return { ...result, ttlMs: directTools ? LIST_MS : FIXED_MS, cacheScope }
    case 'resources/list':
    case 'resources/templates/list':
    case 'prompts/list':
      return { ...result, ttlMs: LIST_MS, cacheScope }
    case 'resources/read':
      return { ...result, ttlMs: wholeNumber(result.ttlMs), cacheScope }
    default:
      return result
  }
}

/** As long as its server says. */
function wholeNumber(raw: unknown): number {
  return Number.isSafeInteger(raw) && (raw as number) >= 0 ? (raw as number) : 0
}

/** A failure in the form of the protocol. */
export function errorOf(error: unknown): { readonly code: number; readonly message: string; readonly data?: unknown } {
  if (!(error instanceof ProtocolError))
    return { code: errorCodes.internalError, message: error instanceof Error ? error.message : 'this request failed' }
  const { code, message, data } = error
  return { code, message, ...(data === undefined ? {} : { data }) }
}
