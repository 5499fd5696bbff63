// Serves one caller over stdin and stdout, in whichever revision of the protocol each of its messages is.
// Invariant: every accepted request is answered or cancelled before `serveStdio` resolves.

import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Log } from '../log.js'
import { McpServer } from './mcp-server.js'
import { StdioCaller } from './modern/stdio-caller.js'
import type { Offers } from './offers.js'
import type { OpenSession } from './served.js'
import { StdioTransport } from './stdio-transport.js'

/**
 * The options of the MCP server over stdio.
 *
 * @example
 * import { CodeMode, type ServeOptions, serveStdio, silentLog, version } from 'starbind'
 *
 * await using codeMode = await CodeMode.open()
 * const options: ServeOptions = {
 *   version,
 *   offers: { directTools: false, resources: false, prompts: false },
 *   open: async (facts) => codeMode.accept(facts),
 *   log: silentLog,
 * }
 * await serveStdio(options)
 */
export interface ServeOptions {
  readonly version: string
  readonly open: OpenSession
  readonly offers: Offers
  /** Answers carry the same as data, too. Default false: many hosts would show a model both. */
  readonly structured?: boolean
  readonly log: Log
  /** Ends serving at once: calls in flight are cancelled. */
  readonly signal?: AbortSignal
}

const MESSAGE_MAX_BYTES = 8 * 1024 * 1024
/** One caller on this machine may ask much at once. */
const MAX_REQUESTS = 1000

/**
 * Serves one caller over stdin and stdout. Resolves when the caller has closed stdin and its last call is answered,
 * when its end of stdout is gone, or when `signal` aborts.
 *
 * @example
 * import { CodeMode, offersOf, readConfiguration, serveStdio, stderrLog, version } from 'starbind'
 *
 * const configuration = readConfiguration('starbind.json')
 * const log = stderrLog('warn')
 * await using codeMode = await CodeMode.open({ configuration, log, callersAnswer: true })
 * await serveStdio({ version, log, offers: offersOf(configuration), open: async (facts) => codeMode.accept(facts) })
 */
export async function serveStdio(options: ServeOptions): Promise<void> {
  const { version, structured = false, log, offers } = options
  let session: ReturnType<OpenSession> | undefined
  const open = (clientName: string) => {
    session ??= options.open({ clientName, headers: {}, name: 'stdio', results: 'named' })
    return session
  }
  const common = { version, structured, log, offers, maxRequests: MAX_REQUESTS, open }
  const transport = new StdioTransport(MESSAGE_MAX_BYTES)
  const modern = new StdioCaller({ ...common, send: (message) => transport.send(message as JSONRPCMessage) })
  const server = new McpServer(common)
  const caller = callerGone(options.signal)
  await server.connect(transport)
  const { onmessage } = transport
  transport.onmessage = (message) => {
    if (!modern.take(message)) onmessage?.(message)
  }
  let stopped = false
  void caller.atOnce.then(() => {
    stopped = true
  })
  await Promise.race([caller.soon, caller.atOnce])
  // A request that has just been read starts in a later turn of the loop, and its answer leaves in one.
  const both = [server, modern]
  for (await nextTurn(); both.some(({ underway }) => underway > 0) && !stopped; await nextTurn()) {
    await Promise.race([Promise.all(both.map((one) => one.answered())), caller.atOnce])
  }
  await Promise.all(both.map((one) => one.close()))
}

/**
 * How the caller leaves. `soon`: it sends no more requests but may wait for answers. `atOnce`: answers are no longer
 * read, or the process has to exit.
 */
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

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
