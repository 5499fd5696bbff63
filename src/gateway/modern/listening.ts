// The stream of a server's notifications (`subscriptions/listen`) about changed lists and watched resources. There is one
// stream for all of them. When the wanted notifications change, another stream replaces it.
// Invariant: the old stream ends after the new one is acknowledged, so nothing is missed in between.

import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { backOffMs } from '../back-off.js'
import { briefly } from '../error-words.js'
import { isUnanswered } from '../http-error.js'
import { metaKey } from '../meta-keys.js'
import type { OwnRequest } from '../own-requests.js'
import type { Params } from '../params.js'

const FOREVER_MS = 2 ** 31 - 1
/** A stream that lasted this long resets the backoff. */
const LASTING_MS = 60_000

/** The flags of lists that may change, by capability. */
const LISTS = { tools: 'toolsListChanged', prompts: 'promptsListChanged', resources: 'resourcesListChanged' } as const

interface ListeningOptions {
  readonly capabilities: Params
  readonly send: (method: string, params: Params, options: OwnRequest) => Promise<unknown>
  /** Called for each list that may have changed while there was no stream, with the method of its notification. */
  readonly onChanged: (method: string) => void
  /** Called for other notifications that may have been missed. */
  readonly onMissed: (method: string, params: Params) => void
  /** Called if the server will not report changes of its tools. */
  readonly onUnheard: () => void
  readonly onOddity: (what: string) => void
}

interface Stream {
  readonly stop: AbortController
  readonly id: number
}

export class Listening {
  readonly #options: ListeningOptions
  readonly #lists: Readonly<Record<string, true>>
  readonly #uris = new Set<string>()
  readonly #acknowledged = new Map<unknown, (agreed: Params) => void>()
  #stream: Stream | undefined
  #failures = 0
  #isOver = false

  constructor(options: ListeningOptions) {
    this.#options = options
    const told = Object.entries(LISTS).filter(([kind]) => (options.capabilities[kind] as Params)?.listChanged === true)
    this.#lists = Object.fromEntries(told.map(([, flag]) => [flag, true]))
  }

  /** Listens for changes of lists, if the server reports any. */
  async begin(): Promise<void> {
    if (Object.keys(this.#lists).length > 0) await this.#try()
  }

  async #try(): Promise<boolean> {
    try {
      const agreed = await this.#open()
      if (this.#lists.toolsListChanged && agreed.toolsListChanged !== true) this.#options.onUnheard()
      return true
    } catch (error) {
      if (this.#isOver) return false
      this.#options.onOddity(`it is not listened to: ${briefly(error)}`)
      // After a refusal, another attempt would be refused as well.
      if (error instanceof McpError && !isUnanswered(error)) this.#options.onUnheard()
      else this.#again()
      return false
    }
  }

  /** Watches a resource. Rejects if the server does not report its changes. */
  async watch(uri: string): Promise<void> {
    this.#uris.add(uri)
    try {
      const { resourceSubscriptions } = await this.#open()
      if (Array.isArray(resourceSubscriptions) && resourceSubscriptions.includes(uri)) return
    } catch (error) {
      this.#uris.delete(uri)
      throw error
    }
    this.#uris.delete(uri)
    throw new McpError(ErrorCode.MethodNotFound, 'it does not tell changes of this resource')
  }

  async unwatch(uri: string): Promise<void> {
    if (this.#uris.delete(uri)) await this.#open()
  }

  /** Handles a message about the stream itself. False: it is another message. */
  takes(method: string, params: Params): boolean {
    if (method === 'notifications/cancelled') {
      if (params.requestId === this.#stream?.id) this.#stream?.stop.abort()
      return true
    }
    if (method !== 'notifications/subscriptions/acknowledged') return false
    const meta = params._meta as Params | undefined
    this.#acknowledged.get(meta?.[metaKey.subscription])?.((params.notifications ?? {}) as Params)
    return true
  }

  close(): void {
    this.#isOver = true
  }

  /** Opens a stream. Resolves to the notifications that the server acknowledged. */
  async #open(): Promise<Params> {
    const before = this.#stream
    const notifications = {
      ...this.#lists,
      ...(this.#uris.size > 0 ? { resourceSubscriptions: [...this.#uris] } : {}),
    }
    if (Object.keys(notifications).length === 0) {
      this.#stream = undefined
      before?.stop.abort()
      return {}
    }
    const stop = new AbortController()
    let id = 0
    const onNumber = (number: number) => {
      id = number
    }
    const options = { timeoutMs: FOREVER_MS, signal: stop.signal, onNumber }
    const ended = this.#options.send('subscriptions/listen', { notifications }, options)
    const agreed = await new Promise<Params>((resolve, reject) => {
      this.#acknowledged.set(id, resolve)
      ended.then(() => reject(new McpError(ErrorCode.InvalidRequest, 'it ended the stream at once')), reject)
    }).finally(() => this.#acknowledged.delete(id))
    this.#stream = { stop, id }
    before?.stop.abort()
    const began = performance.now()
    const end = () => {
      if (this.#stream?.id !== id || this.#isOver) return
      this.#stream = undefined
      if (performance.now() - began > LASTING_MS) this.#failures = 0
      this.#again()
    }
    ended.then(end, end)
    return agreed
  }

  /** Opens another stream after backoff. Notifications are lost meanwhile. */
  #again(): void {
    this.#failures++
    const timer = setTimeout(async () => {
      if (!this.#isOver && this.#stream === undefined && (await this.#try())) this.#tellMissed()
    }, backOffMs(this.#failures))
    timer.unref()
  }

  #tellMissed(): void {
    for (const [kind, flag] of Object.entries(LISTS))
      if (this.#lists[flag]) this.#options.onChanged(`notifications/${kind}/list_changed`)
    for (const uri of this.#uris) this.#options.onMissed('notifications/resources/updated', { uri })
  }
}
