// `subscriptions/listen`: reports changes until the caller ends the request.
// Invariant: unsent notifications are bounded, however much changes and however slowly the caller reads.

import { metaKey } from '../../meta-keys.js'
import type { Params } from '../../params.js'
import { errorCodes, ProtocolError } from '../../protocol-error.js'
import { isRecord } from '../answer-request.js'
import type { Direct, DirectNews } from '../direct.js'
import { capabilitiesOf, type Offers } from '../offers.js'
import type { ServedSession } from '../served.js'
import type { ModernRequest } from './envelope.js'
import type { Exchange } from './exchange.js'

const MOST_RESOURCES = 1000
const FLAGS = { tools: 'toolsListChanged', prompts: 'promptsListChanged', resources: 'resourcesListChanged' } as const

/** Resolves when the caller or the process ends the request, or when there is nothing to listen to. */
export async function listen(
  request: ModernRequest,
  exchange: Exchange,
  session: ServedSession,
  offers: Offers,
): Promise<Record<string, unknown>> {
  const { direct } = session.narrowed(exchange.headers ?? {})
  const { flags, uris } = wanted(request.params.notifications, offers)
  const _meta = { [metaKey.subscription]: request.id }
  const who = {}
  const news = new News((method, params) => exchange.notify(method, { ...params, _meta }))
  const stop = direct.listen(who, (one) => {
    if (one.kind === 'resource' || flags[FLAGS[one.kind]] === true) news.tell(one)
  })
  try {
    const heard = await subscribed(direct, who, uris, exchange.signal)
    const notifications = { ...flags, ...(heard.length === 0 ? {} : { resourceSubscriptions: heard }) }
    await exchange.notify('notifications/subscriptions/acknowledged', { notifications, _meta })
    if (Object.keys(notifications).length === 0) return { _meta }
    news.begin()
    await Promise.race([aborted(exchange.signal), aborted(exchange.closing)])
    return { _meta }
  } finally {
    stop()
    await direct.forget(who)
  }
}

/** The requested notifications that are available. */
function wanted(raw: unknown, offers: Offers) {
  if (!isRecord(raw)) throw new ProtocolError(errorCodes.invalidParams, 'notifications are not an object')
  const { resourceSubscriptions: uris = [] } = raw
  if (!Array.isArray(uris) || uris.length > MOST_RESOURCES || uris.some((uri) => typeof uri !== 'string'))
    throw new ProtocolError(
      errorCodes.invalidParams,
      `resourceSubscriptions are no list of up to ${MOST_RESOURCES} URIs`,
    )
  const offered: Params = capabilitiesOf(offers)
  const kinds = Object.entries(FLAGS).filter(([kind, flag]) => {
    const capability = offered[kind]
    return raw[flag] === true && isRecord(capability) && capability.listChanged === true
  })
  return {
    flags: Object.fromEntries(kinds.map(([, flag]) => [flag, true])) as Readonly<Record<string, true>>,
    uris: offers.resources ? (uris as string[]) : [],
  }
}

/** Subscribes to resources. Resolves to the URIs of those that exist. */
async function subscribed(
  direct: Direct,
  who: object,
  uris: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const made = await Promise.all(
    uris.map((uri) =>
      direct.subscribe(who, { uri }, { signal }).then(
        () => [uri],
        () => [],
      ),
    ),
  )
  return made.flat()
}

/** Sends notifications one by one. Equal notifications that wait together are sent once. */
class News {
  readonly #send: (method: string, params: Params) => Promise<void>
  readonly #unsent = new Map<string, DirectNews>()
  #isReady = false
  #isSending = false

  constructor(send: (method: string, params: Params) => Promise<void>) {
    this.#send = send
  }

  /** Allows sending from now on. */
  begin(): void {
    this.#isReady = true
    void this.#sendAll()
  }

  tell(news: DirectNews): void {
    this.#unsent.set(news.kind === 'resource' ? String(news.params.uri) : news.kind, news)
    void this.#sendAll()
  }

  async #sendAll(): Promise<void> {
    if (this.#isSending || !this.#isReady) return
    this.#isSending = true
    for (const [key, news] of this.#unsent) {
      this.#unsent.delete(key)
      if (news.kind === 'resource') await this.#send('notifications/resources/updated', news.params).catch(none)
      else await this.#send(`notifications/${news.kind}/list_changed`, {}).catch(none)
    }
    this.#isSending = false
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function none(): void {}
