// One upstream: an MCP server that we call. Knows the protocol's client side and this server's state; knows neither the other upstreams nor
// who calls. Nothing that a server sends is trusted: each tool is checked on its own and set aside with a reason when it is malformed.
// Invariant: `tools` are the checked tools of the connection at hand, and empty unless the state is `ready`.

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { type ContentBlock, type QuarantinedTool, sortOut, type Tool, type ToolOutcome } from '../bindings/index.js'
import { DiagnosticError } from '../diagnostics/index.js'
import type { ServerConfig } from './config.js'
import { openWire, type Wire } from './connection.js'
import type { Log } from './log.js'
import {
  answerMalformed,
  callCancelled,
  callRefused,
  callTimedOut,
  connectionLost,
  quoteUpstream,
  upstreamNotReady,
} from './messages.js'

export type UpstreamState = 'connecting' | 'ready' | 'failed' | 'disabled' | 'closed'

export interface UpstreamOptions {
  readonly log: Log
  readonly version: string
  readonly connectTimeoutMs: number
}

export interface CallOptions {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
}

const CALL_TIMEOUT_MS = 60_000
const PAGES_MAX = 1000

export class Upstream {
  readonly config: ServerConfig
  state: UpstreamState = 'connecting'
  /** Why the state is `failed` or `disabled`. */
  reason = ''
  /** What the server itself said about that. For the people who run it, not for models: error streams hold all kinds of things. */
  lastWords = ''
  tools: readonly Tool[] = []
  /** What the server says of itself and how to use it. */
  instructions: string | undefined
  quarantined: readonly QuarantinedTool[] = []
  private readonly options: UpstreamOptions
  private readonly client: Client
  private wire: Wire | undefined
  /** The first thing it printed that is not a message. */
  private noise = ''

  constructor(config: ServerConfig, options: UpstreamOptions) {
    this.config = config
    this.options = options
    this.client = new Client({ name: 'starbind', version: options.version }, { capabilities: {} })
    this.client.onclose = () => this.lost()
    this.client.onerror = (error) => {
      if (config.connection.type === 'stdio') this.noise ||= printedInstead(error)
      this.say('debug', `a message went wrong: ${cause(error)}`)
    }
    if (config.toolsToAutoExecute !== undefined) {
      this.say(
        'warn',
        'toolsToAutoExecute is set, but nobody can be asked here: every tool that may be called is called without asking',
      )
    }
    if (config.disabled) this.enter('disabled', 'it is disabled in the configuration')
  }

  /** Starts the server and lists its tools. Never rejects: a failure becomes the state `failed` with a reason. */
  async connect(): Promise<void> {
    if (this.state !== 'connecting') return
    // Not AbortSignal.timeout: the SDK goes on listening after the connection stands and would then cancel what is long over.
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), this.options.connectTimeoutMs)
    try {
      this.wire = openWire(this.config.connection, (line) => this.say('info', line))
      await this.client.connect(this.wire.transport, {
        timeout: this.options.connectTimeoutMs,
        signal: deadline.signal,
      })
      const raw = await this.listTools(deadline.signal)
      if (this.isClosed()) return
      const sorted = sortOut(raw)
      this.tools = sorted.tools
      this.instructions = this.client.getInstructions()
      this.quarantined = sorted.quarantined
      this.state = 'ready'
      this.say('debug', `ready with ${this.tools.length} tools`)
      for (const tool of this.quarantined) this.say('warn', `the tool ${tool.name} is set aside: ${tool.reason}`)
    } catch (error) {
      if (this.isClosed()) return
      this.fail(this.explainConnect(error, deadline.signal.aborted))
      await this.wire?.stop()
    } finally {
      clearTimeout(timer)
    }
  }

  /** Calls a tool. Rejects with a DiagnosticError when no answer came. */
  async call(tool: string, args: Readonly<Record<string, unknown>>, options: CallOptions = {}): Promise<ToolOutcome> {
    if (this.state !== 'ready') throw new DiagnosticError(upstreamNotReady(this.config.name, this.reason || this.state))
    const timeoutMs = options.timeoutMs ?? this.config.timeoutMs ?? CALL_TIMEOUT_MS
    // The SDK leaves its listener on the signal it is given, and a late abort would cancel calls that are long over: each call has its own.
    const own = new AbortController()
    const abort = () => own.abort()
    if (options.signal?.aborted) abort()
    options.signal?.addEventListener('abort', abort, { once: true })
    let raw: unknown
    try {
      const request = { method: 'tools/call' as const, params: { name: tool, arguments: args } }
      raw = await this.client.request(request, anything, { timeout: timeoutMs, signal: own.signal })
    } catch (error) {
      throw new DiagnosticError(this.explainCall(error, tool, timeoutMs, own.signal.aborted))
    } finally {
      options.signal?.removeEventListener('abort', abort)
    }
    return this.outcome(raw, tool)
  }

  /** Ends the connection. Calls in flight fail. */
  async close(): Promise<void> {
    if (this.state !== 'failed' && this.state !== 'disabled') this.enter('closed', 'it was closed')
    await this.wire?.stop()
  }

  private isClosed(): boolean {
    return this.state === 'closed'
  }

  private async listTools(signal: AbortSignal): Promise<unknown[]> {
    if (this.client.getServerCapabilities()?.tools === undefined) return []
    const tools: unknown[] = []
    const cursors = new Set<string>()
    let cursor: string | undefined
    do {
      const request = { method: 'tools/list' as const, params: cursor === undefined ? {} : { cursor } }
      const page = await this.client.request(request, toolPage, { timeout: this.options.connectTimeoutMs, signal })
      tools.push(...page.tools)
      cursor = page.nextCursor ?? undefined
      if (cursor !== undefined && (cursors.has(cursor) || cursors.size >= PAGES_MAX)) {
        this.say('warn', `the list of tools repeats itself after ${tools.length} tools and was cut there`)
        break
      }
      if (cursor !== undefined) cursors.add(cursor)
    } while (cursor !== undefined)
    return tools
  }

  private outcome(raw: unknown, tool: string): ToolOutcome {
    const answer = toolAnswer.safeParse(raw)
    if (!answer.success) {
      const issue = answer.error.issues[0]
      const reason = `${issue?.path.join('.') || 'the answer'} is not ${issue?.message}`
      throw new DiagnosticError(answerMalformed(this.config.name, tool, reason))
    }
    const { isError, content, structuredContent } = answer.data
    return {
      isError: isError ?? false,
      content: content as readonly ContentBlock[],
      ...(structuredContent === undefined || structuredContent === null ? {} : { structuredContent }),
    }
  }

  private lost(): void {
    if (this.state === 'ready') this.fail('the connection was lost')
  }

  private explainConnect(error: unknown, late: boolean): string {
    const { connection } = this.config
    if (late || isMcp(error, ErrorCode.RequestTimeout)) {
      return `it did not answer within ${this.options.connectTimeoutMs} ms`
    }
    const code = (error as NodeJS.ErrnoException).code
    if (connection.type === 'stdio' && code === 'ENOENT') return `there is no command ${connection.command}`
    if (connection.type === 'stdio' && code === 'EACCES') return `${connection.command} is not executable`
    if (isMcp(error, ErrorCode.ConnectionClosed) || code === 'EPIPE') {
      return 'it ended before it answered'
    }
    if (error instanceof McpError) return `it refused: ${quoteUpstream(words(error))}`
    if (error instanceof z.ZodError) return 'it answered with something that is not MCP'
    return connection.type === 'http'
      ? `${new URL(connection.url).origin} can't be reached: ${cause(error)}`
      : cause(error)
  }

  private explainCall(error: unknown, tool: string, timeoutMs: number, aborted: boolean) {
    const server = this.config.name
    if (aborted) return callCancelled(server, tool)
    // Servers use the SDK's own error codes for errors of theirs: only our clock and our state tell who speaks.
    if (isMcp(error, ErrorCode.RequestTimeout) && isRecord(error.data) && error.data.timeout === timeoutMs) {
      return callTimedOut(server, tool, timeoutMs)
    }
    if (error instanceof McpError && this.state === 'ready') return callRefused(server, tool, this.redact(words(error)))
    return connectionLost(server, tool)
  }

  private fail(reason: string): void {
    const said = this.wire?.lastWords() ?? ''
    if (said !== '') this.lastWords = this.redact(`its last words were ${quoteUpstream(said)}`)
    else if (this.noise !== '') this.lastWords = this.redact(`it printed ${this.noise}, which is not MCP`)
    this.enter('failed', this.redact(reason))
    this.say('warn', ['is not available: ', this.reason, this.lastWords && `; ${this.lastWords}`].join(''))
  }

  private enter(state: UpstreamState, reason: string): void {
    this.state = state
    this.reason = reason
    this.tools = []
  }

  private say(level: 'debug' | 'info' | 'warn', message: string): void {
    this.options.log({ level, server: this.config.name, message: this.redact(message) })
  }

  private redact(message: string): string {
    return this.config.secrets
      .filter((secret) => secret.length >= 4)
      .sort((a, b) => b.length - a.length)
      .reduce((text, secret) => text.replaceAll(secret, '[hidden]'), message)
  }
}

// What servers send, as loosely as it can still be used.

const anything = z.unknown()
const toolPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().nullish() })

const string = z.string({ error: 'a string' })
const block = z.looseObject({ type: string }, { error: 'an object' }).superRefine((value, context) => {
  const wants: Record<string, readonly string[]> = {
    text: ['text'],
    image: ['data', 'mimeType'],
    audio: ['data', 'mimeType'],
    resource_link: ['uri'],
  }
  for (const key of wants[value.type] ?? []) {
    if (typeof value[key] !== 'string') context.addIssue({ code: 'custom', path: [key], message: 'a string' })
  }
  const resource = value.type === 'resource' ? value.resource : undefined
  if (value.type === 'resource' && typeof (resource as { uri?: unknown } | null | undefined)?.uri !== 'string') {
    context.addIssue({ code: 'custom', path: ['resource'], message: 'a resource with a uri' })
  }
})

const toolAnswer = z.looseObject(
  {
    isError: z.boolean({ error: 'true or false' }).nullish(),
    content: z.array(block, { error: 'a list' }).default([]),
    structuredContent: z.unknown().optional(),
  },
  { error: 'an object' },
)

// Errors.

function isMcp(error: unknown, code: ErrorCode): error is McpError {
  return error instanceof McpError && error.code === code
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** What a child printed where only messages belong, as far as the transport's complaint tells; empty when it is about something else. */
function printedInstead(error: Error): string {
  if (error.name === 'ZodError') return 'something'
  if (!(error instanceof SyntaxError)) return ''
  const snippet = /"(.*)"(?:\.\.\.)? is not valid JSON$/s.exec(error.message)?.[1]
  return snippet === undefined ? 'something' : quoteUpstream(snippet)
}

/** The server's own words, without the SDK's prefix. */
function words(error: McpError): string {
  return error.message.replace(/^(MCP error -?\d+: )+/, '')
}

/** The innermost reason: fetch says only "fetch failed". */
function cause(error: unknown): string {
  let inner = error
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause
  const code = (inner as NodeJS.ErrnoException).code
  if (code === 'ECONNREFUSED') return 'connection refused'
  if (code === 'ENOTFOUND') return 'unknown host'
  return inner instanceof Error ? (inner.message.split('\n')[0] ?? '').slice(0, 300) : String(inner)
}
