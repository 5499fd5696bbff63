// The MCP server that we are: our meta-tools, offered to a caller over stdio. Knows the protocol's server side; what a meta-tool does is
// given to it. Invariant: every request that was accepted is answered or cancelled before `serveStdio` resolves.

import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type ServerNotification,
} from '@modelcontextprotocol/sdk/types.js'
import type { Answer, MetaToolDefinition, RunListener } from '../meta-tools/index.js'
import type { Log } from './log.js'

export interface ServeOptions {
  readonly version: string
  readonly tools: readonly MetaToolDefinition[]
  /** Answers one call of a meta-tool. */
  readonly call: (
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: MetaToolCallOptions,
  ) => Promise<Answer>
  /** Answers carry the same as data, too. Default false: many hosts would show a model both. */
  readonly structured?: boolean
  readonly log: Log
  /** Ends serving at once: calls in flight are cancelled. */
  readonly signal?: AbortSignal
}

export interface MetaToolCallOptions {
  /** Aborts when the caller cancels the call or is gone. */
  readonly signal: AbortSignal
  /** Is told what happens in a run, when the caller asked to be told. */
  readonly onEvent?: RunListener
}

const MESSAGE_MAX_BYTES = 64 * 1024 * 1024

/**
 * Serves one caller over stdin and stdout. Resolves when the caller has closed stdin and its last call is answered, when its end of stdout
 * is gone, or when `signal` aborts.
 */
export async function serveStdio(options: ServeOptions): Promise<void> {
  const server = new Server({ name: 'starbind', version: options.version }, { capabilities: { tools: {} } })
  const inFlight = new Set<Promise<unknown>>()
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: options.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
  }))
  server.setRequestHandler(CallToolRequestSchema, (request, { signal, sendNotification }) => {
    const { name, arguments: args = {}, _meta } = request.params
    if (!options.tools.some((tool) => tool.name === name)) {
      const known = options.tools.map((tool) => tool.name).join(', ')
      throw new McpError(ErrorCode.InvalidParams, `there is no tool ${name}; here are ${known}`)
    }
    const progress = progressOf(_meta?.progressToken, sendNotification)
    const answered = options
      .call(name, args, { signal, ...(progress === undefined ? {} : { onEvent: progress.tell }) })
      .then(async (answer) => {
        await progress?.sent()
        return toResult(answer, options.structured ?? false)
      })
    const settled = answered.then(none, none)
    inFlight.add(settled)
    void settled.then(() => inFlight.delete(settled))
    return answered
  })
  server.onerror = (error) =>
    options.log({ level: 'debug', message: `the caller sent something unexpected: ${error.message}` })

  const caller = callerGone(options.signal)
  await server.connect(new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MESSAGE_MAX_BYTES }))
  let stopped = false
  void caller.atOnce.then(() => {
    stopped = true
  })
  await Promise.race([caller.soon, caller.atOnce])
  // A request that has just been read starts in a later turn of the loop, and its answer leaves in one.
  for (await nextTurn(); inFlight.size > 0 && !stopped; await nextTurn()) {
    await Promise.race([Promise.all(inFlight), caller.atOnce])
  }
  await server.close()
  await Promise.all(inFlight)
}

/** How the caller leaves. `soon`: it asks nothing more but may wait for answers. `atOnce`: nobody reads answers, or we have to go. */
function callerGone(signal: AbortSignal | undefined): { soon: Promise<void>; atOnce: Promise<void> } {
  const soon = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) process.stdin.once(event, () => resolve())
  })
  const atOnce = new Promise<void>((resolve) => {
    for (const event of ['close', 'error']) process.stdout.once(event, () => resolve())
    if (signal?.aborted) resolve()
    signal?.addEventListener('abort', () => resolve(), { once: true })
  })
  return { soon, atOnce }
}

/** One notification for each finished call of a run; all of them leave before the answer does. */
function progressOf(
  progressToken: string | number | undefined,
  send: (notification: ServerNotification) => Promise<void>,
): { readonly tell: RunListener; readonly sent: () => Promise<void> } | undefined {
  if (progressToken === undefined) return undefined
  let progress = 0
  let sending = Promise.resolve()
  return {
    tell: (event) => {
      if (event.type !== 'call.finished') return
      const { server, tool, record } = event
      const outcome = record.ok ? `${record.bytes} bytes` : record.outcome
      const message = `${server}.${tool}: ${outcome} in ${Math.round(record.ms)} ms`
      progress++
      const params = { progressToken, progress, message }
      sending = sending.then(() => send({ method: 'notifications/progress', params })).catch(none)
    },
    sent: () => sending,
  }
}

function toResult(answer: Answer, structured: boolean): CallToolResult {
  const data = answer.brief ?? answer.structured
  return {
    content: [{ type: 'text', text: answer.text }],
    ...(structured && isObject(data) ? { structuredContent: data } : {}),
    ...(answer.isError ? { isError: true } : {}),
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function none(): void {}
