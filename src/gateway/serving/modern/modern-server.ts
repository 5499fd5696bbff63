// Answers requests of revision 2026-07-28: `server/discover`, `subscriptions/listen` and tasks here, the others through
// `answer-request.ts`. Adds the fields that the revision requires of a result.
// Invariant: only `held-requests.ts` keeps anything between requests.

import type { RequestHeaders } from '../../filter.js'
import { metaKey } from '../../meta-keys.js'
import { errorCodes, ProtocolError } from '../../protocol-error.js'
import { answerRequest, type CallerRequest, isRecord } from '../answer-request.js'
import { showsApps } from '../app.js'
import { capabilitiesOf, type Offers } from '../offers.js'
import type { ServedSession } from '../served.js'
import { checkParameterHeaders, MODERN_REVISIONS, type ModernRequest } from './envelope.js'
import type { Exchange } from './exchange.js'
import type { Work } from './held-request.js'
import type { HeldRequests } from './held-requests.js'
import { listen } from './listening.js'
import { TASKS } from './task-view.js'
import { answerTask, isTaskMethod } from './tasks.js'

export interface ModernOptions {
  readonly version: string
  /** Answers of meta-tools have structured content beside their text. */
  readonly structured: boolean
  readonly offers: Offers
}

type Result = Record<string, unknown>

/** The parts that serve a caller of this revision. */
interface ModernParts extends ModernOptions {
  readonly held: HeldRequests
  /** Identifies the caller, who alone may answer the questions. */
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
  { method, params, capabilities, logLevel }: ModernRequest,
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
    // A server of this revision has set `resultType` itself.
    const { resultType: _type, ...result } = await answerRequest(asked, session, {
      structured,
      apps: showsApps(capabilities),
    })
    return withCaching(method, result, offers)
  } catch (error) {
    // This revision has no error code of its own for missing resources.
    if (!(error instanceof ProtocolError) || error.code !== errorCodes.resourceNotFound) throw error
    throw new ProtocolError(errorCodes.invalidParams, error.message, error.data)
  } finally {
    if (logLevel !== undefined) await session.direct.forget(caller.who)
  }
}

/** Methods that need a session. */
const WITH_SESSIONS: ReadonlySet<string> = new Set(['resources/subscribe', 'resources/unsubscribe'])

function checkArguments({ params }: CallerRequest, session: ServedSession, headers: RequestHeaders): void {
  const named = session.direct.definitions().find(({ name }) => name === params.name)
  if (named !== undefined) checkParameterHeaders(headers, named.inputSchema, params.arguments)
}

/** Programs that take longer are answered with a task, if the caller supports tasks. */
const TASK_MS = 5000
/** How long callers may cache answers: those that are fixed while this process runs, and lists that servers may change. */
const FIXED_MS = 5 * 60_000
const LIST_MS = 5000

/** Answers depend on the caller and on the headers of the request, so they are always private. */
function withCaching(method: string, result: Result, { directTools, programs = false }: Offers): Result {
  const cacheScope = 'private'
  switch (method) {
    case 'tools/list':
      return { ...result, ttlMs: directTools || programs ? LIST_MS : FIXED_MS, cacheScope }
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

/** The `ttlMs` of a server, or 0. */
function wholeNumber(raw: unknown): number {
  return Number.isSafeInteger(raw) && (raw as number) >= 0 ? (raw as number) : 0
}

/** The JSON-RPC error for a failure. */
export function errorOf(error: unknown): { readonly code: number; readonly message: string; readonly data?: unknown } {
  if (!(error instanceof ProtocolError))
    return { code: errorCodes.internalError, message: error instanceof Error ? error.message : 'this request failed' }
  const { code, message, data } = error
  return { code, message, ...(data === undefined ? {} : { data }) }
}
