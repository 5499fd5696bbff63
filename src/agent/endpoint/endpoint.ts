// An API in OpenAI's format over the agent: chat clients get the tools of all servers without knowing of them. Knows
// routes and models; the agent runs the loop.
// Invariant: a request gets one answer or one error object, and never more tools than its key may call.

import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type CodeMode,
  DiagnosticError,
  type HttpRoutes,
  type Log,
  type ModelConfig,
  type RoutedRequest,
  type Session,
  silentLog,
} from '../../index.js'
import { type Agent, type AgentTool, createAgent } from '../agent.js'
import type { AgentResult } from '../agent-result.js'
import { loadClient } from '../chat-completions.js'
import { ownTurn } from '../own-turn.js'
import { AnswerText, listening, outcomeOf } from './answer.js'
import { type Continuation, continued, placesOf } from './continuation.js'
import { EventStream } from './event-stream.js'
import { chatForm, type Form, responsesForm } from './forms.js'
import { HeldTurns } from './held-turns.js'
import { failureOf, Refusal, reasonOf, refusalOf, wrongInput } from './refusal.js'
import { isSelective, type SelectableTool, type Selection, select, wholeView, wordsOf } from './selection.js'
import { failureEvent, warningEvent } from './tool-events.js'

/**
 * The options of `chatEndpoint`.
 *
 * @example
 * import { modelsOf, stderrLog } from 'starbind'
 * import type { ChatEndpointOptions } from 'starbind/agent'
 *
 * export const options: ChatEndpointOptions = {
 *   models: modelsOf({ local: { baseUrl: 'http://127.0.0.1:11434/v1', name: 'qwen3' } }),
 *   log: stderrLog('info'),
 * }
 */
export interface ChatEndpointOptions {
  /** The models that clients may name. */
  readonly models: readonly ModelConfig[]
  /** Receives the failures of models. Default: nobody does. */
  readonly log?: Log | undefined
}

/**
 * The paths of OpenAI's API below `/v1`, for `CodeMode.serveHttp`: Chat Completions, Responses, models and tools. The
 * models call the tools of all servers.
 *
 * @example
 * import { CodeMode, modelsOf } from 'starbind'
 * import { chatEndpoint } from 'starbind/agent'
 *
 * const models = modelsOf({ local: { baseUrl: 'http://127.0.0.1:11434/v1', name: 'qwen3' } })
 * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } }, serve: { port: 8080 } })
 * await codeMode.serveHttp({ routes: chatEndpoint(codeMode, { models }) })
 */
export function chatEndpoint(codeMode: CodeMode, options: ChatEndpointOptions): HttpRoutes {
  const endpoint = new Endpoint(codeMode, options)
  loadClient()
  return {
    owns: (pathname) => pathname === '/v1' || pathname.startsWith('/v1/'),
    answer: (request) => endpoint.answer(request),
    refusal: (status, message) => ({ error: refusalOf(status, message).body }),
  }
}

const MODELS = '/v1/models/'
const PATIENCE_MS = 10_000
const EVENTS_HEADER = 'x-starbind-events'
const UNKNOWN_HEADER = 'x-starbind-unknown-tools'
const EXPOSED = 'Access-Control-Expose-Headers'

class Endpoint {
  readonly #codeMode: CodeMode
  readonly #models: ReadonlyMap<string, ModelConfig>
  readonly #log: Log
  readonly #held = new HeldTurns()

  constructor(codeMode: CodeMode, { models, log = silentLog }: ChatEndpointOptions) {
    this.#codeMode = codeMode
    this.#models = new Map(models.map((model) => [model.name, model]))
    this.#log = log
  }

  async answer(routed: RoutedRequest): Promise<void> {
    try {
      await this.#route(routed)
    } catch (error) {
      const refusal = error instanceof DiagnosticError ? wrongInput(error) : error
      if (!(refusal instanceof Refusal)) throw error
      sendJson(routed.response, refusal.status, { error: refusal.body })
    }
  }

  async #route(routed: RoutedRequest): Promise<void> {
    const { pathname, response } = routed
    switch (pathname) {
      case '/v1/chat/completions':
        mustBe('POST', routed)
        return this.#complete(routed, chatForm(await bodyOf(routed)))
      case '/v1/responses':
        mustBe('POST', routed)
        return this.#complete(routed, responsesForm(await bodyOf(routed)))
      case '/v1/models':
        mustBe('GET', routed)
        return sendJson(response, 200, { object: 'list', data: [...this.#models.keys()].map(modelObject) })
      case '/v1/tools':
        mustBe('GET', routed)
        return sendJson(response, 200, (await this.#listed(routed)).map(toolObject))
    }
    if (!pathname.startsWith(MODELS)) throw refusalOf(404, `there is nothing at ${pathname.slice(0, 100)}`)
    mustBe('GET', routed)
    return sendJson(response, 200, modelObject(this.#model(decoded(pathname.slice(MODELS.length))).name))
  }

  /** Waits for servers whose tools are not known yet: at the beginning, and for a while only. */
  async #known({ signal }: RoutedRequest): Promise<void> {
    const isKnown = this.#codeMode.servers
      .status()
      .every(({ state, tools }) => state !== 'connecting' && (state !== 'idle' || tools.length > 0))
    if (isKnown) return
    await this.#codeMode.servers.started({ signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]) })
  }

  /** The tools that a request's key and headers leave. */
  async #listed(routed: RoutedRequest): Promise<readonly AgentTool[]> {
    await this.#known(routed)
    const { caller } = routed
    return toolsOf(this.#codeMode.accept(caller))
  }

  /** The model of a name, usable or not. Throws a Refusal if there is none. */
  #model(name: string): ModelConfig {
    const model = this.#models.get(name)
    if (model !== undefined) return model
    const known = [...this.#models.keys()].slice(0, 20).join(', ')
    const message = `there is no model ${JSON.stringify(name.slice(0, 100))}; the models are ${known}`
    throw new Refusal(404, message, { param: 'model', code: 'model_not_found' })
  }

  async #complete(routed: RoutedRequest, form: Form): Promise<void> {
    const { name, words } = wordsOf(form.question.model)
    const model = this.#model(name)
    if (model.faults.length > 0)
      throw new Refusal(
        503,
        `the configuration of the model ${name} is incomplete; the log of this server has the reason`,
      )
    const sendsEvents = wantsEvents(routed.request, model)
    await this.#known(routed)
    const chosen = words ?? (model.tools === 'none' ? ['none'] : undefined)
    const { session, unknown } = await this.#selection(routed, chosen)
    if (unknown.length > 0) tellUnknown(routed.response, unknown)
    const agent = createAgent({
      codeMode: session,
      model: { baseUrl: model.baseUrl, apiKey: model.apiKey, name: model.model, headers: model.headers },
      // A view without tools would still offer programs.
      mode: chosen?.every((word) => word === 'none') ? 'direct' : model.mode,
      maxTurns: model.maxTurns,
    })
    await this.#run(routed, form, { agent, model, sendsEvents, unknown })
  }

  async #selection({ caller }: RoutedRequest, model: readonly string[] | undefined): Promise<Selection> {
    const whole = wholeView(this.#codeMode, caller)
    const words = { model, headers: caller.headers }
    if (!isSelective(words)) return { session: whole, unknown: [] }
    return select(whole, await toolsOf(whole), words)
  }

  async #run(routed: RoutedRequest, form: Form, { agent, model, sendsEvents, unknown }: Answering): Promise<void> {
    const { response, signal, caller } = routed
    const { question } = form
    const { messages, approvals } = this.#continuation(caller.name, form)
    const stream = question.streams ? new EventStream(response) : undefined
    const reply = stream && form.reply(stream, { showsReasoning: sendsEvents })
    const text = new AnswerText((piece) => reply?.text(piece))
    if (sendsEvents && unknown.length > 0)
      reply?.event(warningEvent('tool_selection', 'these names select no tool', { unknown }))
    let runId = ''
    const tell = listening(reply, text, sendsEvents)
    try {
      const result = await agent.run(messages, {
        signal,
        tools: question.tools,
        toolChoice: question.toolChoice,
        settings: question.settings,
        approvals,
        headers: caller.headers,
        onEvent: (event) => {
          runId = event.runId
          tell(event)
          // The model waits for a client that does not read.
          return stream?.room()
        },
      })
      const outcome = outcomeOf(result, text, () => this.#failure(result, model))
      this.#hold(caller.name, form, { result, given: messages.length })
      if (reply === undefined) sendJson(response, 200, form.whole(outcome))
      else reply.end(outcome)
    } catch (error) {
      const refusal = error instanceof DiagnosticError ? wrongInput(error) : error
      if (!(refusal instanceof Refusal) || !stream?.isOpen) throw refusal
      reply?.fail(refusal, sendsEvents ? failureEvent(refusal, runId) : undefined)
    }
  }

  #continuation(caller: string, { question, previousId, instructions }: Form): Continuation {
    const before = previousId === undefined ? [] : this.#held.find(caller, previousId)
    if (before === undefined)
      throw new Refusal(400, `there is no response ${JSON.stringify(previousId)}: send the whole input`, {
        param: 'previous_response_id',
        code: 'previous_response_not_found',
      })
    return continued(question.messages, {
      instructions,
      before,
      ownTools: new Set(question.tools.map(({ name }) => name)),
      held: (place) => this.#held.find(caller, place),
    })
  }

  #hold(caller: string, form: Form, { result, given }: { readonly result: AgentResult; readonly given: number }): void {
    const { messages, pending } = result
    if (form.id !== undefined) this.#held.keep(caller, [form.id], messages.slice(form.instructions))
    if (pending.length === 0) return
    const calls = pending.map(({ call }) => call)
    this.#held.keep(caller, placesOf(calls, form.question.messages.slice(form.instructions)), messages.slice(given))
  }

  #failure({ error }: AgentResult, model: ModelConfig): Refusal {
    this.#log({ level: 'warn', message: `the model ${model.name} gave no answer: ${reasonOf(error!, model)}` })
    return failureOf(error!, model)
  }
}

interface Answering {
  readonly agent: Agent
  readonly model: ModelConfig
  readonly sendsEvents: boolean
  readonly unknown: readonly string[]
}

/** All tools of a session, as models call them directly. */
async function toolsOf(session: Session): Promise<readonly (AgentTool & SelectableTool)[]> {
  const nobody = () => Promise.reject(new Error('nobody asks this model'))
  const tools = await createAgent({ codeMode: session, model: nobody, mode: 'direct' }).tools()
  return tools.filter(
    (tool): tool is AgentTool & SelectableTool => tool.server !== undefined && tool.tool !== undefined,
  )
}

async function bodyOf(routed: RoutedRequest): Promise<unknown> {
  const body = await routed.body()
  await ownTurn()
  return body
}

function mustBe(method: 'GET' | 'POST', { request, response, pathname }: RoutedRequest): void {
  if (request.method === method || (method === 'GET' && request.method === 'HEAD')) return
  response.setHeader('Allow', method)
  throw refusalOf(405, `there is no ${request.method} at ${pathname.slice(0, 100)}`)
}

function wantsEvents({ headers }: IncomingMessage, { events = false }: ModelConfig): boolean {
  const wanted = headers[EVENTS_HEADER]
  if (wanted === undefined) return events
  if (wanted === 'all' || wanted === 'none') return wanted === 'all'
  throw new Refusal(400, `${EVENTS_HEADER}: got ${JSON.stringify(String(wanted).slice(0, 60))}, want all or none`, {
    param: EVENTS_HEADER,
  })
}

function tellUnknown(response: ServerResponse, unknown: readonly string[]): void {
  response.setHeader(UNKNOWN_HEADER, unknown.map(headerSafe).join(', '))
  // Pages of other origins read no further headers.
  const exposed = response.getHeader(EXPOSED)
  if (exposed !== undefined) response.setHeader(EXPOSED, `${exposed}, ${UNKNOWN_HEADER}`)
}

function modelObject(id: string): object {
  return { id, object: 'model', created: 0, owned_by: 'starbind' }
}

/** With capitals for clients that were written for other hosts. */
function toolObject({ name, description = '', server, tool, parameters, needsApproval }: AgentTool): object {
  const plain = { name, description, server, tool, parameters, needs_approval: needsApproval }
  return { Name: name, Description: description, Protocol: 'MCP', Server: server, ...plain }
}

const LONGEST_IN_HEADER = 100

/** Headers are printable ASCII. */
function headerSafe(word: string): string {
  return word.slice(0, LONGEST_IN_HEADER).replace(/[^ -~]/g, '?')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  })
  response.end(JSON.stringify(body))
}
