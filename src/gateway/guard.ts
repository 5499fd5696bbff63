// Filters incoming messages of one connection. Answers to our requests pass; unsolicited messages pass within the
// server's budget; list-changed notifications are merged.
// Invariant: the last list-changed notification is not lost, and an answer does not overtake earlier messages.

import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Intake } from './intake.js'
import type { OwnRequests } from './own-requests.js'

const CHANGED = /^notifications\/\w+\/list_changed$/
const QUIET_MS = 500

interface GuardOptions {
  readonly intake: Intake
  /** Receives the notification. */
  readonly onChanged: (method: string) => void
  readonly own: OwnRequests
}

/** Must be called before any listener is added. */
export function guard(transport: Transport, { intake, onChanged, own }: GuardOptions): void {
  const asked = new Set<string | number>()
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    if ('method' in message && 'id' in message) asked.add(message.id)
    if ('method' in message && message.method === 'notifications/cancelled')
      asked.delete(message.params?.requestId as string | number)
    return send(message, options)
  }
  const changes = new Changes(onChanged)
  let take: Transport['onmessage']
  const guarded: NonNullable<Transport['onmessage']> = (message, extra) => {
    if ('method' in message) {
      if (CHANGED.test(message.method)) changes.note(message.method)
      else if (intake.takesMessage() && !own.takeProgress(message)) take?.(message, extra)
      return
    }
    const isWanted = message.id !== undefined && asked.delete(message.id)
    // The client takes notifications in a later turn than they come in, and answers at once: answers that came with the
    // last notice of progress would overtake it.
    if (isWanted || intake.takesMessage()) queueMicrotask(() => own.take(message) || take?.(message, extra))
  }
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => (take === undefined ? undefined : guarded),
    set: (listener: Transport['onmessage']) => {
      take = listener
    },
  })
}

/** Reports the first notification of each kind at once, and only the last of those that follow soon. */
class Changes {
  readonly #tell: (method: string) => void
  /** The recently reported kinds; true if there is a newer change. */
  readonly #recent = new Map<string, boolean>()

  constructor(tell: (method: string) => void) {
    this.#tell = tell
  }

  note(method: string): void {
    if (this.#recent.has(method)) {
      this.#recent.set(method, true)
      return
    }
    // The protocol has few kinds; invented ones are ignored.
    if (this.#recent.size >= MOST_KINDS) return
    this.#recent.set(method, false)
    setTimeout(() => {
      const isMore = this.#recent.get(method) === true
      this.#recent.delete(method)
      if (isMore) this.note(method)
    }, QUIET_MS).unref()
    this.#tell(method)
  }
}

const MOST_KINDS = 8
