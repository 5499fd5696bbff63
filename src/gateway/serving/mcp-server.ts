// The MCP server of one caller, over any transport. Requests are read by hand and answers passed on unchanged, because
// the SDK's schemas would drop unknown members.
// Invariant: every accepted request is answered or cancelled before `ended` resolves, and cancelling one cancels the
// work that it started.

import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  ErrorCode,
  type JSONRPCRequest,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { type Diagnostic, DiagnosticError, renderDiagnostics } from '../../diagnostics/index.js'
import { type Answer, metaTools, progressText, type RunListener } from '../../meta-tools/index.js'
import { RefusalError } from '../call-answer.js'
import type { CallerEnd } from '../caller-end.js'
import { faultOf } from '../error-words.js'
import type { RequestHeaders } from '../filter.js'
import { selfMark } from '../itself.js'
import type { Log } from '../log.js'
import { isLogLevel, logLevelNames } from '../log-levels.js'
import { ProtocolError } from '../protocol-error.js'
import type { DirectRequest } from './direct.js'
import { type DirectMethod, directMethods } from './direct-resources.js'
import type { Offers } from './offers.js'
import type { MetaToolCallOptions, ServedSession } from './served.js'

export interface McpServerOptions {
  readonly version: string
  /** Answers of meta-tools carry the same as data, too. */
  readonly structured: boolean
  readonly log: Log
  /** Makes the caller's session, when the caller first asks for something: `clientName` is how it calls itself. */
  readonly open: (clientName: string) => Promise<ServedSession>
  /** The methods besides those for tools. */
  readonly offers: Offers
  /** The maximum number of concurrent requests of the caller. */
  readonly maxRequests: number
  /** Those of a request's headers that servers may have. */
  readonly passable?: (headers: RequestHeaders) => RequestHeaders
}

type Params = Readonly<Record<string, unknown>>
type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>

/** Callers request every announced list, whether it is useful to them or not. */
function capabilitiesOf({ directTools, resources, prompts, inside = false }: Offers) {
  return {
    experimental: selfMark(inside),
    tools: directTools ? { listChanged: true } : {},
    ...(directTools ? { logging: {} } : {}),
    ...(resources ? { resources: { subscribe: true, listChanged: true } } : {}),
    ...(prompts ? { prompts: { listChanged: true } } : {}),
    ...(resources || prompts ? { completions: {} } : {}),
  }
}

/** The loosest form of a request, so that mistakes are reported in our words. */
const setLevel = z.looseObject({ method: z.literal('logging/setLevel'), params: z.looseObject({}).optional() })
const TRACE_KEYS = ['traceparent', 'tracestate', 'baggage']
const HEADER_VALUE = /^[\x20-\x7e]{1,8192}$/

export class McpServer {
  readonly #options: McpServerOptions
  readonly #server: Server
  #session: Promise<ServedSession> | undefined
  #transport: Transport | undefined
  #stopListening: (() => void) | undefined
  /** By the numbers that the caller gave its requests. */
  readonly #underway = new Map<string | number, AbortController>()
  readonly #answers = new Set<Promise<unknown>>()
  #least = 0

  constructor(options: McpServerOptions) {
    this.#options = options
    this.#server = new Server(
      { name: 'starbind', version: options.version },
      {
        capabilities: capabilitiesOf(options.offers),
        ...(options.offers.instructions === undefined ? {} : { instructions: options.offers.instructions }),
      },
    )
    this.#server.fallbackRequestHandler = (request, extra) => this.#accept(request, extra as Extra)
    if (options.offers.directTools)
      this.#server.setRequestHandler(setLevel, (request, extra) =>
        this.#accept({ ...request, jsonrpc: '2.0', id: extra.requestId } as JSONRPCRequest, extra),
      )
    this.#server.onerror = (error) =>
      options.log({ level: 'debug', message: `the caller sent something unexpected: ${faultOf(error)}` })
  }

  async connect(transport: Transport): Promise<void> {
    this.#transport = transport
    await this.#server.connect(transport)
  }

  /** Cancels one request, as if the caller had. */
  cancel(id: string | number): void {
    this.#underway.get(id)?.abort()
  }

  /** The number of requests in progress. */
  get underway(): number {
    return this.#answers.size
  }

  /** Resolves when all of those are answered. */
  async answered(): Promise<void> {
    await Promise.all(this.#answers)
  }

  /** Cancels everything and ends the connection. Resolves when no request is in progress. */
  async close(): Promise<void> {
    this.#stopListening?.()
    for (const controller of this.#underway.values()) controller.abort()
    await this.#server.close()
    await Promise.all(this.#answers)
    const session = await this.#session?.catch(() => undefined)
    await session?.direct.forget(this)
    session?.end()
  }

  #accept(request: JSONRPCRequest, extra: Extra): Promise<Record<string, unknown>> {
    if (this.#answers.size >= this.#options.maxRequests) {
      throw new ProtocolError(
        TOO_MANY,
        `${this.#options.maxRequests} requests of this session are underway; wait for one`,
      )
    }
    const controller = new AbortController()
    const abort = () => controller.abort()
    extra.signal.addEventListener('abort', abort, { once: true })
    this.#underway.set(extra.requestId, controller)
    const answered = this.#answer(request, extra, controller.signal).finally(() => {
      extra.signal.removeEventListener('abort', abort)
      if (this.#underway.get(extra.requestId) === controller) this.#underway.delete(extra.requestId)
      // Over HTTP, the stream of a cancelled request gets no further messages.
      if (extra.signal.aborted) closeStream(this.#transport, extra.requestId)
    })
    const settled = answered.then(none, none).finally(() => this.#answers.delete(settled))
    this.#answers.add(settled)
    return answered
  }

  async #answer({ method, params = {} }: JSONRPCRequest, extra: Extra, signal: AbortSignal) {
    const session = (await this.#opened()).narrowed(extra.requestInfo?.headers ?? {})
    try {
      if (method === 'tools/list') return listTools(session)
      if (method === 'tools/call') return await this.#call(params, session, extra, signal)
      if (method === 'logging/setLevel' && this.#options.offers.directTools)
        return await this.#setLevel(params, session, signal)
      if (isDirectMethod(method)) return await this.#ask(method, params, session, extra, signal)
    } catch (error) {
      throw asProtocolError(error)
    }
    throw new ProtocolError(ErrorCode.MethodNotFound, 'Method not found')
  }

  #opened(): Promise<ServedSession> {
    this.#session ??= this.#options.open(this.#server.getClientVersion()?.name ?? '').then((session) => {
      this.#listen(session)
      return session
    })
    return this.#session
  }

  async #call(params: Params, session: ServedSession, extra: Extra, signal: AbortSignal) {
    const { name, arguments: args, _meta } = params
    if (typeof name !== 'string') throw new ProtocolError(ErrorCode.InvalidParams, 'the name of the tool is missing')
    if (args !== undefined && !isRecord(args))
      throw new ProtocolError(ErrorCode.InvalidParams, 'arguments are not an object')
    const trace = traceOf(_meta, extra.requestInfo?.headers)
    if (session.usesPrograms && metaTools.some((tool) => tool.name === name)) {
      return this.#callMetaTool(name, args ?? {}, session, { signal, extra, trace })
    }
    if (!session.direct.tools().some((tool) => tool.name === name)) throw unknownTool(name, session)
    try {
      const request = this.#directRequest(extra, signal)
      return await session.direct.call(name, { arguments: args, ...metaOf(_meta) }, { ...request, trace })
    } catch (error) {
      if (error instanceof RefusalError || !(error instanceof DiagnosticError)) throw error
      return toolError(error.diagnostics)
    }
  }

  async #callMetaTool(
    name: string,
    args: Params,
    session: ServedSession,
    { signal, extra, trace }: { signal: AbortSignal; extra: Extra; trace: MetaToolCallOptions['trace'] },
  ) {
    const progress = progressOf(extra._meta?.progressToken, extra.sendNotification)
    const caller = this.#callerEnd(extra)
    const headers = this.#headersOf(extra)
    const answer = await session.call(name, args, { signal, caller, trace, headers, onEvent: progress?.tell })
    await progress?.sent()
    return toResult(answer, this.#options.structured)
  }

  async #ask(method: DirectMethod, params: Params, session: ServedSession, extra: Extra, signal: AbortSignal) {
    const { _meta, ...rest } = params
    const own = { ...rest, ...metaOf(_meta) }
    const request = this.#directRequest(extra, signal)
    if (method === 'resources/subscribe') return session.direct.subscribe(this, own, request).then(() => ({}))
    if (method === 'resources/unsubscribe') return session.direct.unsubscribe(this, own, request).then(() => ({}))
    const answer = await session.direct.ask(method, own, request)
    return (isRecord(answer) ? answer : {}) as Record<string, unknown>
  }

  async #setLevel({ level }: Params, session: ServedSession, signal: AbortSignal) {
    if (!isLogLevel(level))
      throw new ProtocolError(ErrorCode.InvalidParams, `level is one of ${logLevelNames.join(', ')}`)
    this.#least = levelNumber(level)
    await session.direct.setLogLevel(this, level, { signal })
    return {}
  }

  // The notifications during a request.

  #directRequest(extra: Extra, signal: AbortSignal): DirectRequest {
    const progressToken = extra._meta?.progressToken
    const headers = this.#headersOf(extra)
    return {
      signal,
      caller: this.#callerEnd(extra),
      ...(headers === undefined ? {} : { headers }),
      ...(progressToken === undefined
        ? {}
        : {
            onProgress: (progress) => {
              const params = { ...progress, progressToken }
              extra.sendNotification({ method: 'notifications/progress', params } as ServerNotification).catch(none)
            },
          }),
    }
  }

  /** Undefined where requests have none. */
  #headersOf({ requestInfo }: Extra): RequestHeaders | undefined {
    const { passable = (headers) => headers } = this.#options
    return requestInfo === undefined ? undefined : passable(requestInfo.headers)
  }

  #callerEnd(extra: Extra): CallerEnd {
    return {
      who: this,
      ask: (method, params, signal) => {
        const capability = method === 'elicitation/create' ? 'elicitation' : 'sampling'
        if (this.#server.getClientCapabilities()?.[capability] === undefined)
          throw new Error(`the caller can't answer ${method}`)
        // People take their time.
        const options = { signal, timeout: ANSWER_MS }
        return extra.sendRequest({ method, params } as unknown as ServerRequest, z.unknown(), options)
      },
      tell: (method, params) => {
        if (levelNumber(params.level) < this.#least) return
        extra.sendNotification({ method, params } as unknown as ServerNotification).catch(none)
      },
    }
  }

  #listen(session: ServedSession): void {
    this.#stopListening = session.direct.listen(this, (news) => {
      const notification =
        news.kind === 'resource'
          ? { method: 'notifications/resources/updated', params: news.params }
          : { method: `notifications/${news.kind}/list_changed` }
      this.#server.notification(notification as ServerNotification).catch(none)
    })
  }
}

const TOO_MANY = -32000
const ANSWER_MS = 10 * 60_000
const RESOURCE_NOT_FOUND = -32002

function levelNumber(level: unknown): number {
  return (logLevelNames as readonly unknown[]).indexOf(level)
}

function isDirectMethod(method: string): method is DirectMethod {
  return (directMethods as readonly string[]).includes(method)
}

function listTools(session: ServedSession): Record<string, unknown> {
  return { tools: [...(session.usesPrograms ? metaTools : []), ...session.direct.definitions()] }
}

function unknownTool(name: string, session: ServedSession): ProtocolError {
  const ours = session.usesPrograms ? metaTools.map((tool) => tool.name) : []
  const known = [...ours, ...session.direct.tools().map((tool) => tool.name)]
  const some = known.length > 20 ? `${known.slice(0, 20).join(', ')} and ${known.length - 20} more` : known.join(', ')
  const shown = name.length > 100 ? `${name.slice(0, 100)}…` : name
  return new ProtocolError(ErrorCode.InvalidParams, `there is no tool ${shown}; the tools are ${some || 'none'}`)
}

/** Everything that came as `_meta` but the token, which is between the caller and us. */
function metaOf(raw: unknown): { readonly _meta?: Params } {
  if (!isRecord(raw)) return {}
  const { progressToken: _, ...rest } = raw
  return Object.keys(rest).length === 0 ? {} : { _meta: rest }
}

function traceOf(meta: unknown, headers: RequestHeaders | undefined): Readonly<Record<string, string>> | undefined {
  const found = TRACE_KEYS.flatMap((key) => {
    const value = (isRecord(meta) ? meta[key] : undefined) ?? headers?.[key]
    // As a header can have it: it becomes one where a server is reached over HTTP.
    return typeof value === 'string' && HEADER_VALUE.test(value) ? [[key, value]] : []
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

function asProtocolError(error: unknown): unknown {
  if (error instanceof RefusalError) {
    const { code, message, data } = error.refusal
    return new ProtocolError(code, message, data)
  }
  if (!(error instanceof DiagnosticError)) return error
  const [first] = error.diagnostics
  const code = first?.code === 'not-here' ? RESOURCE_NOT_FOUND : ErrorCode.InternalError
  return new ProtocolError(code, error.message)
}

function toolError(diagnostics: readonly Diagnostic[]): Record<string, unknown> {
  return { content: [{ type: 'text', text: renderDiagnostics(diagnostics) }], isError: true }
}

/**
 * Notifications for each finished call of a run, all of which leave before the answer does, and for the progress of calls:
 * where the caller is slow to take one, it gets the newest next.
 */
function progressOf(
  progressToken: string | number | undefined,
  send: (notification: ServerNotification) => Promise<void>,
): { readonly tell: RunListener; readonly sent: () => Promise<void> } | undefined {
  if (progressToken === undefined) return undefined
  let progress = 0
  let sending = Promise.resolve()
  let newest: string | undefined
  const queue = (message: () => string | undefined): void => {
    sending = sending.then(() => {
      const text = message()
      if (text === undefined) return undefined
      const params = { progressToken, progress: ++progress, message: text }
      return send({ method: 'notifications/progress', params }).catch(none)
    })
  }
  const queueNewest = (): void =>
    queue(() => {
      const text = newest
      newest = undefined
      return text
    })
  return {
    tell: (event) => {
      if (event.type === 'call.finished') {
        const { server, tool, record } = event
        const outcome = record.ok ? `${record.bytes} bytes` : record.outcome
        queue(() => `${server}.${tool}: ${outcome} in ${Math.round(record.ms)} ms`)
      } else if (event.type === 'call.progress') {
        if (newest === undefined) queueNewest()
        newest = `${event.server}.${event.tool}: ${progressText(event)}`
      }
    },
    sent: () => sending,
  }
}

function toResult(answer: Answer, structured: boolean): Record<string, unknown> {
  const data = answer.brief ?? answer.structured
  return {
    content: [{ type: 'text', text: answer.text }, ...(answer.files ?? [])],
    ...(structured && isRecord(data) ? { structuredContent: data } : {}),
    ...(answer.isError ? { isError: true } : {}),
  }
}

/** Over HTTP each request has its own stream. */
function closeStream(transport: Transport | undefined, id: string | number): void {
  const streams = transport as { closeSSEStream?: (id: string | number) => void } | undefined
  streams?.closeSSEStream?.(id)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function none(): void {}
