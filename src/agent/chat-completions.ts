// A model behind an endpoint that speaks OpenAI's Chat Completions, through the package `openai`.
// Invariant: half a reply is a failure and never a reply.

import type OpenAI from 'openai'
import { boundedFetch, type ReplyBounds } from './bounded-fetch.js'
import { type ContentBlock, type Message, textOf } from './conversation.js'
import {
  modelBroke,
  modelKeyRefused,
  modelNotApi,
  modelPackageMissing,
  modelRefused,
  modelReplyTooLong,
  modelTimedOut,
  modelUnreachable,
} from './messages.js'
import type { ModelEndpoint, ModelFunction, ModelRequest, RequestContext } from './model.js'
import { ModelError } from './model-error.js'
import { ownTurn } from './own-turn.js'
import { type RawCompletion, ReplyParts } from './reply-parts.js'

const TIMEOUT_MS = 120_000
const RETRIES = 2
/** Bytes on the wire for each character of a reply: in all, because most of an event is not its text, and at once. */
const BYTES_PER_CHAR = { inAll: 100, atOnce: 4 }
/** What an event may have beside the reply. */
const BYTES_BESIDE = 65_536

type Params = OpenAI.ChatCompletionCreateParamsStreaming

/** The endpoint as a function. The package is loaded with the first request. */
export function endpointModel(endpoint: ModelEndpoint, maxReplyChars: number): ModelFunction {
  const where = placeOf(endpoint.baseUrl)
  const { timeoutMs = TIMEOUT_MS } = endpoint
  let client: Promise<OpenAI> | undefined
  return async (request, context) => {
    client ??= openClient(endpoint, {
      where,
      timeoutMs,
      maxBytes: maxReplyChars * BYTES_PER_CHAR.inAll + BYTES_BESIDE,
      maxBytesAtOnce: maxReplyChars * BYTES_PER_CHAR.atOnce + BYTES_BESIDE,
    })
    try {
      return await requestReply(await client, { endpoint, where, request, context, maxReplyChars })
    } catch (error) {
      throw failureOf(error, { endpoint, where, timeoutMs })
    }
  }
}

/** Loads the package ahead of the first request, because loading it holds the event loop for a moment. */
export function loadClient(): void {
  // Requests say that it is missing.
  import('openai').catch(() => {})
}

async function openClient(
  { baseUrl, apiKey, headers, retries = RETRIES }: ModelEndpoint,
  bounds: ReplyBounds,
): Promise<OpenAI> {
  const { default: Client } = await import('openai').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ERR_MODULE_NOT_FOUND' ? new ModelError(modelPackageMissing(), 500) : error
  })
  return new Client({
    baseURL: baseUrl,
    // Nothing is taken from the environment: the configuration says everything.
    apiKey: apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    defaultHeaders: { ...(apiKey === undefined ? { authorization: null } : {}), ...headers },
    timeout: bounds.timeoutMs,
    maxRetries: retries,
    logLevel: 'off',
    fetch: boundedFetch(bounds),
  })
}

interface Asking {
  readonly endpoint: ModelEndpoint
  readonly where: string
  readonly request: ModelRequest
  readonly context: RequestContext
  readonly maxReplyChars: number
}

async function requestReply(client: OpenAI, { endpoint, where, request, context, maxReplyChars }: Asking) {
  const { signal, onDelta } = context
  await ownTurn()
  const params = paramsOf(endpoint, request)
  const { data, response } = await client.chat.completions.create(params, { signal }).withResponse()
  let held: Promise<void> | undefined
  const parts = new ReplyParts((delta) => {
    held = onDelta(delta) ?? held
  })
  const add = (raw: unknown) => {
    parts.add((raw ?? {}) as RawCompletion)
    if (parts.chars > maxReplyChars) throw new ModelError(modelReplyTooLong(where, maxReplyChars), 502)
  }
  const type = response.headers.get('content-type')?.split(';')[0] ?? 'no content type'
  if (type === 'text/event-stream') {
    for await (const chunk of data) {
      add(chunk)
      if (held !== undefined) await unlessAborted(held, signal)
      held = undefined
    }
    signal.throwIfAborted()
    if (!parts.isWhole) throw new ModelError(modelBroke(where, 'no finish_reason came'), 502)
  } else add(completionIn(params.stream ? await response.text() : data, { where, type }))
  return parts.reply()
}

/** Waits for a listener. Its promise is never rejected. */
function unlessAborted(held: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error)
    signal.addEventListener('abort', abort, { once: true })
    void held.then(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    })
    if (signal.aborted) abort()
  })
}

/** The whole completion of an endpoint that does not stream; `raw` is its text where the client has not parsed it. */
function completionIn(raw: unknown, { where, type }: { readonly where: string; readonly type: string }): unknown {
  try {
    const completion = (typeof raw === 'string' ? JSON.parse(raw) : raw) as { readonly choices?: unknown } | null
    if (Array.isArray(completion?.choices)) return completion
  } catch {
    // It is no JSON.
  }
  const words = typeof raw === 'string' ? raw : (JSON.stringify(raw) ?? '')
  throw new ModelError(modelNotApi(where, type, wordsOf(words)), 502)
}

function paramsOf({ name, settings }: ModelEndpoint, request: ModelRequest): Params {
  const { messages, tools, toolChoice } = request
  const params = {
    model: name,
    messages: wireMessages(messages),
    stream: true,
    stream_options: { include_usage: true },
    ...(tools.length === 0 ? {} : { tools: tools.map((definition) => ({ type: 'function', function: definition })) }),
    ...(toolChoice === undefined ? {} : { tool_choice: choiceOf(toolChoice) }),
    ...settings,
    ...request.settings,
  }
  // What settings say is the endpoint's affair.
  return params as unknown as Params
}

function choiceOf(choice: NonNullable<ModelRequest['toolChoice']>) {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } }
}

/**
 * Messages as the API takes them. Texts are strings, because not every endpoint takes lists. Tools answer with text
 * only, so their pictures follow in a message of the user.
 */
function wireMessages(messages: readonly Message[]): unknown[] {
  const lastQuestion = messages.findLastIndex(({ role }) => role === 'user')
  const wire: unknown[] = []
  let pictures: ContentBlock[] = []
  for (const [i, message] of messages.entries()) {
    if (message.role !== 'tool' && pictures.length > 0) {
      wire.push({ role: 'user', content: pictures })
      pictures = []
    }
    switch (message.role) {
      case 'tool': {
        const { tool_call_id, content } = message
        const shown = content.filter(({ type }) => type !== 'text')
        if (shown.length > 0)
          pictures.push({ type: 'text', text: `From the answer to the call ${tool_call_id}:` }, ...shown)
        wire.push({ role: 'tool', tool_call_id, content: wireContent(content.filter(({ type }) => type === 'text')) })
        break
      }
      case 'assistant': {
        const { name, content, tool_calls, reasoning_content } = message
        wire.push({
          role: 'assistant',
          ...(name === undefined ? {} : { name }),
          content: textOf(message) === '' && tool_calls !== undefined ? null : wireContent(content),
          ...(tool_calls === undefined ? {} : { tool_calls }),
          // Endpoints that show their reasoning want it back until the question is answered.
          ...(reasoning_content === undefined || i < lastQuestion ? {} : { reasoning_content }),
        })
        break
      }
      default: {
        const { role, name, content } = message
        wire.push({ role, ...(name === undefined ? {} : { name }), content: wireContent(content) })
      }
    }
  }
  return pictures.length > 0 ? [...wire, { role: 'user', content: pictures }] : wire
}

/** Blocks that have more than their text, such as a mark for the provider's cache, stay as they are. */
function wireContent(content: readonly ContentBlock[]): string | readonly ContentBlock[] {
  const isPlain = content.every((block) => block.type === 'text' && Object.keys(block).length === 2)
  return isPlain ? textOf({ content }) : content
}

interface Asked {
  readonly endpoint: ModelEndpoint
  readonly where: string
  readonly timeoutMs: number
}

/** A failure of the client in our words, without the key. */
function failureOf(error: unknown, { endpoint: { apiKey }, where, timeoutMs }: Asked): unknown {
  if (error instanceof ModelError || !(error instanceof Error)) return error
  const { status, cause } = error as Error & { readonly status?: unknown }
  if (cause instanceof ModelError) return cause
  const said = wordsOf((cause instanceof Error && status === undefined ? deepest(cause) : error).message)
  const words = apiKey === undefined || apiKey === '' ? said : said.replaceAll(apiKey, '…')
  switch (error.constructor.name) {
    case 'APIUserAbortError':
      return error
    case 'APIConnectionTimeoutError':
      return new ModelError(modelTimedOut(where, timeoutMs), 504)
    case 'APIConnectionError':
      return new ModelError(modelUnreachable(where, words), 502)
  }
  if (status === 401 || status === 403)
    return new ModelError(modelKeyRefused(where, apiKey === undefined, words), status)
  if (typeof status === 'number') return new ModelError(modelRefused(where, status, words), status)
  return new ModelError(modelBroke(where, words), 502)
}

function deepest(error: Error): Error {
  return error.cause instanceof Error ? deepest(error.cause) : error
}

/** A page is not quoted. */
function wordsOf(text: string): string {
  const start = text.slice(0, 2000)
  return /<(?:!doctype|html)/i.test(start) ? 'an HTML page' : start
}

/** The address without what may be secret in it. */
export function placeOf(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl)
  return origin + pathname.replace(/\/$/, '')
}
