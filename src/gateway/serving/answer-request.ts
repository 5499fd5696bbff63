// Answers one request of a caller, for all revisions of the protocol. Requests are read by hand, and answers are passed on
// unchanged, because schemas would drop unknown members.
// Invariant: nothing here remembers a request.

import { type Diagnostic, DiagnosticError, renderDiagnostics } from '../../diagnostics/index.js'
import { type Answer, metaTools, progressText, type RunListener } from '../../meta-tools/index.js'
import { RefusalError } from '../call-answer.js'
import type { CallerEnd } from '../caller-end.js'
import type { RequestHeaders } from '../filter.js'
import type { Params } from '../params.js'
import { errorCodes, ProtocolError, RelayedError } from '../protocol-error.js'
import { APP_URI, answerTool, answerWaitingRun, readApp, runMeta, toolsWithApp } from './app.js'
import type { DirectRequest } from './direct.js'
import { type DirectMethod, directMethods } from './direct-resources.js'
import type { MetaToolCallOptions, ProgramTool, ServedSession } from './served.js'

/** One request of a caller. */
export interface CallerRequest {
  readonly method: string
  readonly params: Params
  /** Aborts when the caller cancels it or is gone. */
  readonly signal: AbortSignal
  /** The headers that may be passed on to servers. Undefined for transports without headers. */
  readonly headers: RequestHeaders | undefined
  readonly caller: CallerEnd
  /** Receives the name of a program's run, which is then kept and may outlast the request. */
  readonly onKept?: ((runId: string) => void) | undefined
  /** Sends a notification about this request. Resolves when there is room for the next one. */
  notify(method: string, params: Params): Promise<void>
}

interface AnswerTerms {
  /** Answers of meta-tools have structured content beside their text. */
  readonly structured: boolean
  /** The caller is a host that shows apps. */
  readonly apps: boolean
}

const TRACE_KEYS = ['traceparent', 'tracestate', 'baggage']
const HEADER_VALUE = /^[\x20-\x7e]{1,8192}$/

/** Rejects with a ProtocolError if the request is refused. */
export async function answerRequest(
  request: CallerRequest,
  session: ServedSession,
  terms: AnswerTerms,
): Promise<Record<string, unknown>> {
  const { method } = request
  const seen = session.narrowed(request.headers ?? {})
  return refusing(async () => {
    if (method === 'tools/list') return listTools(seen, terms)
    if (method === 'tools/call') return callTool(request, seen, terms)
    if (terms.apps && method === 'resources/read' && request.params.uri === APP_URI && seen.usesPrograms)
      return readApp()
    if (isDirectMethod(method)) return ask(method, request, seen)
    throw new ProtocolError(errorCodes.methodNotFound, 'Method not found')
  })
}

/** Turns a DiagnosticError of the work into a ProtocolError. */
export async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asProtocolError(error)
  }
}

async function callTool(request: CallerRequest, session: ServedSession, { structured, apps }: AnswerTerms) {
  const { name, arguments: args, _meta } = request.params
  if (typeof name !== 'string') throw new ProtocolError(errorCodes.invalidParams, 'the name of the tool is missing')
  if (args !== undefined && !isRecord(args))
    throw new ProtocolError(errorCodes.invalidParams, 'arguments are not an object')
  const trace = traceOf(_meta, request.headers)
  if (session.usesPrograms && metaTools.some((tool) => tool.name === name)) {
    const answer = await callMetaTool(name, args ?? {}, session, { ...request, trace })
    const meta = apps && name === 'executeToolCode' ? await runMeta(answer, session.runs) : {}
    return { ...toResult(answer, structured), ...meta }
  }
  if (apps && session.usesPrograms && name === answerTool.name) return answerWaitingRun(args ?? {}, session.runs)
  const programs = await session.programTools()
  if (programs.some((tool) => tool.name === name)) {
    const call = { program: name, arguments: args ?? {} }
    return programResult(await callMetaTool('executeToolCode', call, session, { ...request, trace }))
  }
  if (!session.direct.tools().some((tool) => tool.name === name)) throw unknownTool(name, session, programs)
  try {
    return await session.direct.call(name, { arguments: args, ...metaOf(_meta) }, { ...directRequest(request), trace })
  } catch (error) {
    if (error instanceof RefusalError || !(error instanceof DiagnosticError)) throw error
    return toolError(error.diagnostics)
  }
}

async function callMetaTool(
  name: string,
  args: Params,
  session: ServedSession,
  { trace, signal, caller, headers, onKept, ...request }: CallerRequest & Pick<MetaToolCallOptions, 'trace'>,
) {
  const progress = progressOf(tokenOf(request.params), (params) => request.notify('notifications/progress', params))
  const answer = await session.call(name, args, { signal, caller, trace, headers, onKept, onEvent: progress?.tell })
  await progress?.sent()
  return answer
}

async function ask(method: DirectMethod, request: CallerRequest, session: ServedSession) {
  const answer = await session.direct.ask(method, ownParams(request.params), directRequest(request))
  return (isRecord(answer) ? answer : {}) as Record<string, unknown>
}

/** The parameters that are passed on to a server. */
export function ownParams({ _meta, ...rest }: Params): Params {
  return { ...rest, ...metaOf(_meta) }
}

export function directRequest(request: CallerRequest): DirectRequest {
  const { signal, caller, headers } = request
  const progressToken = tokenOf(request.params)
  return {
    signal,
    caller,
    ...(headers === undefined ? {} : { headers }),
    ...(progressToken === undefined
      ? {}
      : {
          onProgress: (progress) => {
            request.notify('notifications/progress', { ...progress, progressToken }).catch(none)
          },
        }),
  }
}

function tokenOf({ _meta }: Params): string | number | undefined {
  const token = isRecord(_meta) ? _meta.progressToken : undefined
  return typeof token === 'string' || typeof token === 'number' ? token : undefined
}

function isDirectMethod(method: string): method is DirectMethod {
  return (directMethods as readonly string[]).includes(method)
}

async function listTools(session: ServedSession, { apps }: AnswerTerms): Promise<Record<string, unknown>> {
  const ours = session.usesPrograms ? (apps ? toolsWithApp : metaTools) : []
  const isFree = ({ name }: { readonly name?: unknown }) => ours !== toolsWithApp || name !== answerTool.name
  const programs = (await session.programTools()).filter(isFree)
  const direct = session.direct.definitions().filter(({ name }) => programs.every((program) => program.name !== name))
  return { tools: [...ours, ...programs, ...direct.filter(isFree)] }
}

function unknownTool(name: string, session: ServedSession, programs: readonly ProgramTool[]): ProtocolError {
  const ours = session.usesPrograms ? metaTools.map((tool) => tool.name) : []
  const known = [...ours, ...[...programs, ...session.direct.tools()].map((tool) => tool.name)]
  const some = known.length > 20 ? `${known.slice(0, 20).join(', ')} and ${known.length - 20} more` : known.join(', ')
  const shown = name.length > 100 ? `${name.slice(0, 100)}…` : name
  return new ProtocolError(errorCodes.invalidParams, `there is no tool ${shown}; the tools are ${some || 'none'}`)
}

/** The keys of `_meta` that are not passed on to servers. */
const OURS: ReadonlySet<string> = new Set([
  'progressToken',
  ...['protocolVersion', 'clientInfo', 'clientCapabilities', 'logLevel'].map((key) => `io.modelcontextprotocol/${key}`),
])

function metaOf(raw: unknown): { readonly _meta?: Params } {
  const rest = isRecord(raw) ? Object.entries(raw).filter(([key]) => !OURS.has(key)) : []
  return rest.length === 0 ? {} : { _meta: Object.fromEntries(rest) }
}

function traceOf(meta: unknown, headers: RequestHeaders | undefined): Readonly<Record<string, string>> | undefined {
  const found = TRACE_KEYS.flatMap((key) => {
    const value = (isRecord(meta) ? meta[key] : undefined) ?? headers?.[key]
    // Over HTTP it becomes a header, so it must be valid as one.
    return typeof value === 'string' && HEADER_VALUE.test(value) ? [[key, value]] : []
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

function asProtocolError(error: unknown): unknown {
  if (error instanceof RefusalError) {
    const { code, message, data } = error.refusal
    return new RelayedError(code, message, data)
  }
  if (!(error instanceof DiagnosticError)) return error
  const [first] = error.diagnostics
  const code = first?.code === 'not-here' ? errorCodes.resourceNotFound : errorCodes.internalError
  return new ProtocolError(code, error.message)
}

function toolError(diagnostics: readonly Diagnostic[]): Record<string, unknown> {
  return { content: [{ type: 'text', text: renderDiagnostics(diagnostics) }], isError: true }
}

/**
 * Sends progress notifications for a run: one for each finished call, all of them before the answer, and those of calls
 * in progress. A slow caller gets only the newest of the latter.
 */
function progressOf(
  progressToken: string | number | undefined,
  send: (params: Params) => Promise<void>,
): { readonly tell: RunListener; readonly sent: () => Promise<void> } | undefined {
  if (progressToken === undefined) return undefined
  let progress = 0
  let sending = Promise.resolve()
  let newest: string | undefined
  const queue = (message: () => string | undefined): void => {
    sending = sending.then(() => {
      const text = message()
      if (text === undefined) return undefined
      return send({ progressToken, progress: ++progress, message: text }).catch(none)
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

export function toResult(answer: Answer, structured: boolean): Record<string, unknown> {
  const data = answer.brief ?? answer.structured
  return {
    content: [{ type: 'text', text: answer.text }, ...(answer.files ?? [])],
    ...(structured && isRecord(data) ? { structuredContent: data } : {}),
    ...(answer.isError ? { isError: true } : {}),
  }
}

/** The result as structured content, if the text has all of it. */
function programResult(answer: Answer): Record<string, unknown> {
  const { result } = answer.brief ?? {}
  return {
    ...toResult(answer, false),
    ...(result === undefined || answer.isError ? {} : { structuredContent: { result } }),
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function none(): void {}
