// A gateway with the chat endpoint, a scripted model behind it, and the official client in front of it.

import OpenAI from 'openai'
import { afterAll } from 'vitest'
import { chatEndpoint } from '../../dist/agent/index.js'
import { CodeMode, type LogLine, type ModelEntry, modelsOf, type OpenOptions } from '../../dist/index.js'
import { openScriptedModel, type RecordedRequest, type ScriptedReply } from '../fixtures/scripted-model.js'

export interface ChatService {
  /** What the model says from now on. */
  says(...replies: readonly ScriptedReply[]): void
  /** The requests to the model since then. */
  asked(): readonly RecordedRequest[]
  readonly codeMode: CodeMode
  readonly baseUrl: string
  readonly client: OpenAI
  readonly log: LogLine[]
  readonly port: number
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** The same with a key or headers of its own. */
  clientWith(apiKey: string, headers?: Record<string, string>): OpenAI
}

export interface ChatServiceOptions extends Omit<OpenOptions, 'log'> {
  /** Of the model `m`. */
  readonly entry?: Partial<ModelEntry>
  readonly more?: Readonly<Record<string, ModelEntry>>
}

const opened: { close(): Promise<unknown> }[] = []
afterAll(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

/** Ends with the file's tests. */
export async function openChat(options: ChatServiceOptions = {}): Promise<ChatService> {
  const { entry = {}, more = {}, serve, ...rest } = options
  let script: readonly ScriptedReply[] = []
  let since = 0
  const model = await openScriptedModel(
    (_, place) => script[place - since] ?? { status: 500, body: 'not in the script' },
  )
  opened.push(model)
  const log: LogLine[] = []
  const codeMode = await CodeMode.open({
    warm: false,
    ...rest,
    serve: { port: 0, ...serve },
    log: (line) => log.push(line),
  })
  opened.push(codeMode)
  const models = modelsOf({ m: { baseUrl: model.baseUrl, ...entry }, ...more })
  const routes = chatEndpoint(codeMode, { models, log: (line) => log.push(line) })
  const serving = await codeMode.serveHttp({ routes })
  const { origin } = new URL(serving.url)
  const clientWith = (apiKey: string, headers: Record<string, string> = {}) =>
    new OpenAI({ apiKey, baseURL: `${origin}/v1`, maxRetries: 0, defaultHeaders: headers })
  return {
    says: (...replies) => {
      script = replies
      since = model.requests.length
    },
    asked: () => model.requests.slice(since),
    codeMode,
    baseUrl: model.baseUrl,
    log,
    port: serving.port,
    client: clientWith('anything'),
    clientWith,
    fetch: (path, init) => fetch(`${origin}${path}`, init),
  }
}

/** The events of a stream, as objects; `[DONE]` is a text. */
export async function eventsOf(response: Response): Promise<unknown[]> {
  const events: unknown[] = []
  for (const block of (await response.text()).split('\n\n')) {
    const line = block.split('\n').find((one) => one.startsWith('data: '))
    if (line !== undefined) events.push(line === 'data: [DONE]' ? '[DONE]' : JSON.parse(line.slice(6)))
  }
  return events
}

export async function collected<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of stream) all.push(one)
  return all
}
