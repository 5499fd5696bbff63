// One connection to an upstream, from its start to its end. Nothing that the server sends is trusted.
// Invariant: `onLost` is called at most once, after the start and before `close`. From then on every call ends as
// `unsent`.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { Awaitable } from '../awaitable/index.js'
import type { KeptForCall } from '../bindings/index.js'
import type { Logins } from './authorization/token-store.js'
import { type CallerEnd, WaitingCallers } from './caller-end.js'
import type { Root, ServerConfig } from './configuration/index.js'
import { isTimeout, refusesUs, whyNotConnected } from './connecting-failed.js'
import { DEEPEST, isTooDeep } from './depth.js'
import { answerOf, briefly, codeOf, faultOf, statusWords, wordsOf } from './error-words.js'
import { FunctionCall } from './function-call.js'
import { guard } from './guard.js'
import { HandshakePeer } from './handshake-peer.js'
import { HttpError, isUnanswered } from './http-error.js'
import type { Intake } from './intake.js'
import { isItself, LeadsToItself } from './itself.js'
import type { KnownRevision } from './known-revision.js'
import type { LogLine } from './log.js'
import { quoteUpstream } from './messages.js'
import { OwnRequests } from './own-requests.js'
import { readPages } from './pages.js'
import type { Params } from './params.js'
import type { Asked, Peer, PeerOptions } from './peer.js'
import { ProtocolError } from './protocol-error.js'
import { UNREAD } from './reading/read-message.js'
import { type Readable, readableOf } from './resource-tools.js'
import { whyUnsendable } from './sendable.js'
import { openTransport } from './transports/open-transport.js'
import { UNSENT_MAX_BYTES, type UpstreamTransport } from './transports/transport.js'

interface LinkOptions {
  readonly version: string
  /** True: callers may be able to answer the server's requests. The handshake declares this. */
  readonly callersAnswer: boolean
  /** The timeout of the handshake, and of each page of the list of tools. */
  readonly connectTimeoutMs: number
  /** The budget for the server's messages. */
  readonly intake: Intake
  /** Where logins are. Default: in files. */
  readonly logins?: Logins | undefined
  /** A line of the server's error stream. */
  readonly onStderr: (line: string) => void
  /** Replaces the text of a long message by one that parses quickly, if possible. */
  readonly lighten: (text: string) => string | Promise<string>
  /** Called for odd behaviour that does not end the connection. */
  readonly onOddity: (what: string) => void
  /** Called when a part of a list was dropped. */
  readonly onListCut: (what: string | undefined) => void
  /** The server's own log messages. */
  readonly onLog: (level: LogLine['level'], words: string) => void
  readonly onToolsChanged: () => void
  /** Called if the server will not report changes of its tools. */
  readonly onUnheard: () => void
  /** The folders that the server may work in, as URIs. Empty: none are declared. */
  readonly roots: () => readonly Root[]
  /** Called for notifications that belong to no call. */
  readonly onNotification: (method: string, params: Readonly<Record<string, unknown>>) => void
  readonly onLost: (loss: Loss) => void
  /** The known revision of the server, from this process or an earlier one. */
  readonly known: KnownRevision
}

/** `needs-auth`: the server no longer accepts our credentials. The reason says what to do. */
export interface Loss {
  readonly state: 'failed' | 'needs-auth'
  readonly reason: string
}

/** How a call ended. `unsent`: the server certainly has not received it. `lost`: the server may have received it. */
export type CallEnd =
  | { readonly kind: 'answered'; readonly raw: unknown }
  /** `error`: the server's refusal, in the protocol's form. */
  | { readonly kind: 'refused'; readonly words: string; readonly error: RefusalEntry }
  /** `unauthorized`: the server requires other credentials and has done nothing. */
  /** The reply is not an answer, and `words` describes it. The server may have carried out the call. */
  | { readonly kind: 'malformed'; readonly words: string }
  /** The answer arrived but was not read. `words` has the reason. */
  | { readonly kind: 'unread'; readonly words: string }
  /** The request can't be written. `words` has the reason. */
  | { readonly kind: 'unwritable'; readonly words: string }
  | { readonly kind: 'timed-out' | 'cancelled' | 'lost' | 'unsent' | 'unauthorized' }

export interface RefusalEntry {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

export interface AskOptions {
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  /** Receives the server's questions and messages during the call. */
  readonly caller?: CallerEnd | undefined
  /** Headers of the call, for transports with headers. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * True: some of these headers are the caller's credentials, so a refusal of credentials concerns the caller and not
   * us.
   */
  readonly isForCaller?: boolean
  /** Receives progress. If present, the server is asked for it. */
  readonly onProgress?: ((progress: Readonly<Record<string, unknown>>) => void) | undefined
  /** For functions of this process alone. */
  readonly kept?: KeptForCall | undefined
}

/** The time in which a suspect connection must answer: the longer of this and a fraction of the connect timeout. */
const PROBE_MS = 5000
/** If listing resources or prompts takes longer, programs get none of them. */
const READABLE_MS = 2000
const PROBE_PART = 1 / 6

export class Link {
  readonly #server: ServerConfig
  readonly #options: LinkOptions
  readonly #own = new OwnRequests()
  readonly #waiting = new WaitingCallers()
  #transport: UpstreamTransport | undefined
  #peer: Peer | undefined
  #phase: 'connecting' | 'open' | 'over' = 'connecting'
  #closed: Promise<void> | undefined
  #isProbing = false
  /** Aborts the function calls in flight. */
  readonly #functions = new Set<() => void>()
  /** The first output of a child that is not a message. */
  #noise = ''

  constructor(server: ServerConfig, options: LinkOptions) {
    this.#server = server
    this.#options = options
  }

  /**
   * Starts the server and performs the handshake. If it rejects, `explain` has the reason, and `close` must be called.
   */
  async connect(signal: AbortSignal): Promise<void> {
    const peer = await this.#meet(await this.#start(), signal)
    if (isItself(peer.capabilities)) throw new LeadsToItself()
    this.#peer = peer
    if (this.#phase === 'connecting') this.#phase = 'open'
  }

  /** Starts the transport and connects its messages. */
  async #start(): Promise<PeerOptions> {
    const { intake, onStderr, lighten, logins, version, callersAnswer, roots, onOddity, onUnheard } = this.#options
    const transport = await openTransport(this.#server.connection, { intake, onStderr, lighten, logins })
    if (this.#phase !== 'connecting') throw new Error('it was closed')
    this.#transport = transport
    const { sdk } = transport
    const onChanged = (method: string) => this.#changed(method)
    guard(sdk, { intake, onChanged, own: this.#own })
    const options: PeerOptions = {
      transport,
      own: this.#own,
      version,
      capabilities: { ...(callersAnswer ? CAPABILITIES : {}), ...(roots().length > 0 ? { roots: {} } : {}) },
      onRequest: (asked) => this.#answer(asked),
      onNotification: (method, params) => this.#tellOn(method, params),
      onChanged,
      onOddity,
      onUnheard,
      onClose: () => {
        if (this.#transport !== transport) return
        this.#lose()
        this.#own.close()
      },
      onError: (error) => this.#suspect(error),
    }
    sdk.onmessage = () => {}
    sdk.onclose = options.onClose
    sdk.onerror = options.onError
    await sdk.start()
    return options
  }

  /** Finds out the server's revision, if unknown, over the connection that is used afterwards. */
  async #meet(options: PeerOptions, signal: AbortSignal): Promise<Peer> {
    const { protocol = 'auto' } = this.#server
    const { known, connectTimeoutMs: timeoutMs } = this.#options
    const revision = protocol === 'auto' ? known.revision : protocol
    if (!options.transport.mayBeModern || revision === '2025') return this.#shakeHands(options, signal)
    const { askRevision, ModernPeer, notModern } = await import('./modern/index.js')
    const isPatient = revision === '2026'
    const answer = await askRevision(options, { timeoutMs, signal, isPatient }).catch((error: unknown) => {
      known.forget()
      throw error
    })
    if (answer.kind === 'modern') {
      known.learn('2026', answer.discovered.version)
      return new ModernPeer(answer.discovered, options)
    }
    if (protocol === '2026') throw notModern(answer)
    if (answer.kind === 'older') return this.#shakeHands(options, signal)
    if (answer.kind === 'ended') {
      await options.transport.stop()
      return this.#shakeHands(await this.#start(), signal)
    }
    try {
      const peer = await this.#shakeHands(options, signal)
      // A server that supports both eras is now in the older one. The next connection can use the newer one.
      const late = answer.late()
      if (late !== undefined) known.learn('2026', late.version)
      return peer
    } catch (error) {
      // A server that refuses the handshake has already told its revision; reading that takes another turn.
      await nextTurn()
      const late = answer.late()
      if (late === undefined) throw error
      known.learn('2026', late.version)
      return new ModernPeer(late, options)
    } finally {
      answer.stop()
    }
  }

  async #shakeHands(options: PeerOptions, signal: AbortSignal): Promise<Peer> {
    const peer = new HandshakePeer(options)
    await peer.connect(this.#options.connectTimeoutMs, signal)
    this.#options.known.learn('2025', peer.version)
    return peer
  }

  /** Texts that became secret after the configuration was read. */
  secrets(): readonly string[] {
    return this.#transport?.secrets?.() ?? []
  }

  /** True if the server reports changes of its tools. */
  get tellsChanges(): boolean {
    return (this.capabilities.tools as Params | undefined)?.listChanged === true
  }

  /** Rejects if the server does not answer. */
  async ping(timeoutMs: number): Promise<void> {
    try {
      await this.#peer?.ping(timeoutMs)
    } catch (error) {
      if (isTimeout(error) || !this.#isSpoken(error)) throw error
    }
  }

  /** Gives up a broken connection. */
  drop(): void {
    this.#lose()
  }

  /** The server's instructions for use. */
  get instructions(): string | undefined {
    return this.#peer?.instructions?.slice(0, INSTRUCTIONS_MAX_CHARS)
  }

  /** The last output of an ended server, or how its process ended. For people; may be empty. */
  get lastWords(): string {
    const said = this.#transport?.lastWords() ?? ''
    const ended = this.#transport?.howItEnded?.() ?? ''
    const parts = [
      said !== '' && `its last output was ${quoteUpstream(said)}`,
      said === '' && this.#noise !== '' && `it printed ${this.#noise}, which is not MCP`,
      // A killed process prints nothing about it. A process that exits has usually printed the reason.
      ended !== '' && (said === '' || ended.startsWith('was')) && `its process ${ended}`,
    ]
    return parts.filter((part) => part !== false).join('; ')
  }

  /** The line of the error stream that names the cause of a failure. May be empty. */
  get reasonLine(): string {
    return this.#transport?.reasonLine?.() ?? ''
  }

  /** All pages of the list of tools, with unchanged entries. `signal` must not outlive the listing. */
  async listTools(signal?: AbortSignal): Promise<unknown[]> {
    const peer = this.#peer
    if (peer?.capabilities.tools === undefined) return []
    const { connectTimeoutMs, intake, onListCut } = this.#options
    const ask = async (params: object, timeoutMs: number) =>
      toolPage.parse(await peer.request('tools/list', { ...params }, { timeoutMs, signal }))
    const bounds = { maxBytes: intake.partMaxBytes, timeoutMs: connectTimeoutMs }
    const { entries, cut } = await readPages(ask, 'tools', bounds)
    onListCut(cut === undefined ? undefined : `the list of tools ${cut}`)
    return entries.map((tool) => (isTooDeep(tool) ? shallow(tool) : tool))
  }

  /** Finds out which of the server's other lists have entries. `signal` must not outlive this. Never rejects. */
  readable(signal?: AbortSignal): Promise<Readable> {
    const timeoutMs = Math.min(READABLE_MS, this.#options.connectTimeoutMs)
    return readableOf(this.capabilities, async (method) => this.#peer?.request(method, {}, { timeoutMs, signal }))
  }

  /** The server's capabilities, in the protocol's form. */
  get capabilities(): Params {
    return this.#peer?.capabilities ?? {}
  }

  /** Sends a request of any method. Never rejects. */
  ask(method: string, params: Params, options: AskOptions): Awaitable<CallEnd> {
    if (this.#phase === 'over') return { kind: 'unsent' }
    // A failure during writing would break the shared connection.
    const fault = whyUnsendable(params, UNSENT_MAX_BYTES)
    if (fault !== undefined) return { kind: 'unwritable', words: fault }
    return method === 'tools/call' && this.#transport?.call !== undefined
      ? this.#callFunction(this.#transport.call, params, options)
      : this.#send(method, params, options)
  }

  async #send(method: string, params: Params, options: AskOptions): Promise<CallEnd> {
    const [peer, transport] = [this.#peer, this.#transport]
    const { signal, caller, headers = {} } = options
    if (signal?.aborted) return { kind: 'cancelled' }
    if (peer === undefined) return { kind: 'unsent' }
    const done = this.#waiting.add(caller)
    const send = () => peer.request(method, params, options)
    try {
      return { kind: 'answered', raw: await (transport?.withHeaders?.(headers, send) ?? send()) }
    } catch (error) {
      return signal?.aborted ? { kind: 'cancelled' } : this.#endOf(error, options)
    } finally {
      done()
    }
  }

  /** Calls a function of this process without a message. */
  #callFunction(
    call: NonNullable<UpstreamTransport['call']>,
    { name, arguments: args }: Readonly<Record<string, unknown>>,
    options: AskOptions,
  ): Awaitable<CallEnd> {
    if (options.signal?.aborted) return { kind: 'cancelled' }
    const context = new FunctionCall(options)
    let answer: Awaitable<unknown>
    try {
      answer = call(name as string, args ?? {}, context)
    } catch {
      return { kind: 'lost' }
    }
    if (!(answer instanceof Promise)) return { kind: 'answered', raw: answer }
    return this.#whenAnswered(answer, ({ kind }) => context.end(kind === 'answered'), options)
  }

  /** Waits for a function, with a timeout. */
  #whenAnswered(
    answer: Promise<unknown>,
    over: (how: CallEnd) => void,
    { timeoutMs, signal }: AskOptions,
  ): Promise<CallEnd> {
    return new Promise((resolve) => {
      const end = (how: CallEnd): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', cancel)
        this.#functions.delete(lose)
        over(how)
        resolve(how)
      }
      const cancel = (): void => end({ kind: 'cancelled' })
      const lose = (): void => end({ kind: 'lost' })
      const timer = setTimeout(() => end({ kind: 'timed-out' }), timeoutMs)
      signal?.addEventListener('abort', cancel, { once: true })
      this.#functions.add(lose)
      answer.then((raw) => end({ kind: 'answered', raw }), lose)
      if (signal?.aborted) cancel()
      if (this.#phase === 'over') lose()
    })
  }

  /**
   * Passes a request of the server to the caller for whom the server works, if there is exactly one. Declines it
   * otherwise.
   */
  async #answer({ method, params, signal, caller }: Asked): Promise<Params> {
    const { intake, roots, onOddity } = this.#options
    const only = caller === undefined ? this.#waiting.only : caller === null ? undefined : { end: caller, over: signal }
    if (method === 'roots/list' && roots().length > 0) return { roots: roots().map((root) => ({ ...root })) }
    if (!CALLERS_ANSWER.has(method)) throw new ProtocolError(ErrorCode.MethodNotFound, 'Method not found')
    const leave = intake.takesRequest()
    try {
      if (leave === undefined) throw new ProtocolError(REJECTED, 'too many requests are waiting for an answer')
      if (only !== undefined) return await this.#askCaller(only, method, params, signal)
    } catch (error) {
      onOddity(`${method} was not answered: ${briefly(error)}`)
      if (error instanceof ProtocolError) throw error
      if (error instanceof McpError) throw new ProtocolError(error.code, wordsOf(error), error.data)
    } finally {
      leave?.()
    }
    if (method === 'elicitation/create') return { action: 'decline' }
    throw new ProtocolError(REJECTED, 'no caller can answer this')
  }

  async #askCaller(
    { end, over }: NonNullable<WaitingCallers['only']>,
    method: string,
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<Record<string, unknown>> {
    const asked = whyUnsendable(params, this.#options.intake.partMaxBytes)
    if (asked !== undefined) throw new ProtocolError(REJECTED, `what is asked ${asked}`)
    // When the call ends, its caller is no longer asked, and other questions are not blocked.
    const answer = (await end.ask(method, params, AbortSignal.any([over, signal]))) as Record<string, unknown>
    const answered = whyUnsendable(answer, UNSENT_MAX_BYTES)
    if (answered !== undefined) throw new ProtocolError(REJECTED, `the answer ${answered}`)
    return answer
  }

  /** Passes a notification to the caller for whom the server works, or to all. */
  #tellOn(method: string, params: Readonly<Record<string, unknown>>): void {
    const { only } = this.#waiting
    const { intake, onOddity, onNotification } = this.#options
    const fault = whyUnsendable(params, TOLD_MAX_BYTES)
    if (fault !== undefined) return onOddity(`${method} is not passed on: it ${fault}`)
    if (method === 'notifications/message' && intake.takesWords()) this.#log(params)
    if (only !== undefined && method === 'notifications/message') only.end.tell(method, params)
    else onNotification(method, params)
  }

  /** Notes that a list of the server has changed. */
  #changed(method: string): void {
    this.#peer?.note?.(method)
    if (method === TOOLS_CHANGED) this.#options.onToolsChanged()
    else if (this.#phase !== 'over') this.#options.onNotification(method, {})
  }

  #endOf(error: unknown, { timeoutMs, isForCaller = false }: AskOptions): CallEnd {
    // Servers use the SDK's own error codes for their errors: only our clock and our state show where an error comes
    // from.
    if (isTimeout(error, timeoutMs)) return { kind: 'timed-out' }
    if (refusesUs(error) && isForCaller) return refusalWith("HTTP 401; it was sent with the caller's own headers")
    if (refusesUs(error)) {
      this.#lose({ needsAuth: this.explain(error, false).reason })
      return { kind: 'unauthorized' }
    }
    if (this.#isSpoken(error)) {
      if (!(error instanceof McpError)) return refusalWith(statusWords(error))
      const { code, data } = error
      if (data === UNREAD) return { kind: 'unread', words: wordsOf(error) }
      const entry = { code, message: wordsOf(error), ...(data === undefined ? {} : { data }) }
      return { kind: 'refused', words: entry.message, error: entry }
    }
    // Without a connection, or in a session that the server does not know, nothing was carried out.
    if (UNREACHED.has(codeOf(error)) || isHttp(error, 404)) {
      this.#lose({ words: briefly(error) })
      return { kind: 'unsent' }
    }
    // Over HTTP requests are independent: a failure of this one need not affect the others in flight.
    if (this.#transport?.showsItsEnd === false && this.#phase === 'open') this.#probe()
    else this.#lose()
    const answer = answerOf(error)
    return answer === undefined ? { kind: 'lost' } : { kind: 'malformed', words: answer }
  }

  /** True for a refusal by the server over a working connection. */
  #isSpoken(error: unknown): error is McpError | HttpError {
    if (this.#phase === 'over' || isUnanswered(error)) return false
    if (error instanceof McpError) return true
    if (!(error instanceof HttpError)) return false
    const isSessionGone = error.status === 404 && this.#transport?.hasSession() === true
    return error.status >= 400 && error.status < 500 && !isSessionGone
  }

  /** Why connecting failed. `isLate`: our timeout ended it. */
  explain(error: unknown, isLate: boolean): Loss {
    return {
      state: refusesUs(error) ? 'needs-auth' : 'failed',
      reason: whyNotConnected(error, this.#server, { isLate, timeoutMs: this.#options.connectTimeoutMs }),
    }
  }

  /** Ends the connection. Calls in flight are lost. Resolves when the server's process and streams are gone. */
  close(): Promise<void> {
    this.#phase = 'over'
    this.#peer?.close?.()
    for (const lose of this.#functions) lose()
    this.#closed ??= this.#transport?.stop() ?? Promise.resolve()
    return this.#closed
  }

  /** `words`: how the loss was noticed, if known. */
  #lose({ words, needsAuth }: { readonly words?: string; readonly needsAuth?: string } = {}): void {
    if (this.#phase !== 'open') return
    void this.close().catch(() => {})
    const reason = `the connection was lost${words === undefined ? '' : `: ${words}`}`
    this.#options.onLost(
      needsAuth === undefined ? { state: 'failed', reason } : { state: 'needs-auth', reason: needsAuth },
    )
  }

  #log({ level, logger, data }: Readonly<Record<string, unknown>>): void {
    const words = typeof data === 'string' ? data : JSON.stringify(data)
    const from = typeof logger === 'string' ? `${logger}: ` : ''
    this.#options.onLog(LEVELS[String(level)] ?? 'info', `${from}${words ?? ''}`.slice(0, LOGGED_MAX_CHARS))
  }

  /**
   * A child that ends closes its pipes. Over HTTP nothing closes: only a request shows whether the server still exists.
   */
  #suspect(error: Error): void {
    const shows = this.#transport?.showsItsEnd !== false
    if (shows) this.#noise ||= printedInstead(error)
    this.#options.onOddity(`a message went wrong: ${faultOf(error)}`)
    if (!shows) this.#probe()
  }

  /** Pings the server, and gives up the connection if it does not answer. */
  #probe(): void {
    if (this.#phase !== 'open' || this.#isProbing) return
    this.#isProbing = true
    const alive = () => {
      this.#isProbing = false
    }
    const timeout = Math.max(PROBE_MS, this.#options.connectTimeoutMs * PROBE_PART)
    const answered = this.#peer?.ping(timeout) ?? Promise.resolve()
    answered.then(alive, (refusal: unknown) => {
      alive()
      if (isTimeout(refusal)) this.#lose({ words: 'it does not answer' })
      else if (refusesUs(refusal)) this.#lose({ needsAuth: this.explain(refusal, false).reason })
      else if (!this.#isSpoken(refusal)) this.#lose({ words: briefly(refusal) })
    })
  }
}

const LOGGED_MAX_CHARS = 4000
/** The longest notification. */
const TOLD_MAX_BYTES = 256 * 1024
const INSTRUCTIONS_MAX_CHARS = 64 * 1024
const TOOLS_CHANGED = 'notifications/tools/list_changed'
/** The protocol's levels and ours. */
const LEVELS: Readonly<Record<string, LogLine['level']>> = {
  debug: 'debug',
  warning: 'warn',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
}

/** The requests that callers may be able to answer. */
const CALLERS_ANSWER: ReadonlySet<string> = new Set(['sampling/createMessage', 'elicitation/create'])
const CAPABILITIES = { sampling: {}, elicitation: { form: {}, url: {} } }
/** The protocol's code for a person's refusal of sampling. */
const REJECTED = -1

/** A server's message, in the loosest usable form. */
const toolPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().nullish() })

/** Codes of errors with which no connection came about. */
const UNREACHED: ReadonlySet<unknown> = new Set(
  'ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH UND_ERR_CONNECT_TIMEOUT'.split(' '),
)

function isHttp(error: unknown, status: number): boolean {
  return error instanceof HttpError && error.status === status
}

/** A tool whose definition is nested too deep: enough of it to report it by name. */
function shallow(tool: unknown): unknown {
  const { name } = tool as { readonly name?: unknown }
  return { name: typeof name === 'string' ? name : '', inputSchema: `more than ${DEEPEST} levels deep` }
}

/** True for a refusal by HTTP itself. */
function refusalWith(words: string): CallEnd {
  return { kind: 'refused', words, error: { code: ErrorCode.InternalError, message: words } }
}

/**
 * The text that a child printed to the message stream, as far as the transport's error has it. Empty for other errors.
 */
function printedInstead(error: Error): string {
  if (error.name === 'ZodError') return 'something'
  if (!(error instanceof SyntaxError)) return ''
  const snippet = /"(.*)"(?:\.\.\.)? is not valid JSON$/s.exec(error.message)?.[1]
  return snippet === undefined ? 'something' : quoteUpstream(snippet)
}
