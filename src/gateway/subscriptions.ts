// Counts which callers subscribe to which resource. Callers share a connection, on which a resource is subscribed once.
// A new connection subscribes again.
// Invariant: a resource is unsubscribed when its last subscriber leaves, and only then.

export class Subscriptions {
  readonly #wanted = new Map<string, Wanted>()

  /** `who`: always the same object for the same caller. */
  take(who: object, server: string, uri: string): void {
    const key = keyOf(server, uri)
    const wanted = this.#wanted.get(key) ?? { server, uri, callers: new Set(), isMade: false }
    wanted.callers.add(who)
    this.#wanted.set(key, wanted)
  }

  /** The server has accepted the subscription. */
  made(server: string, uri: string): void {
    const wanted = this.#wanted.get(keyOf(server, uri))
    if (wanted !== undefined) wanted.isMade = true
  }

  /** True if there is no subscriber left. */
  leave(who: object, server: string, uri: string): boolean {
    const key = keyOf(server, uri)
    const wanted = this.#wanted.get(key)
    wanted?.callers.delete(who)
    if (wanted === undefined || wanted.callers.size > 0) return false
    return this.#wanted.delete(key)
  }

  /** The subscriptions that a server has accepted, of all callers. */
  madeAt(server: string): string[] {
    const all = [...this.#wanted.values()].filter((one) => one.server === server && one.isMade)
    return all.map(({ uri }) => uri)
  }

  wants(who: object, server: string, uri: string): boolean {
    return this.#wanted.get(keyOf(server, uri))?.callers.has(who) ?? false
  }

  /** The subscriptions of a caller. */
  of(who: object): { readonly server: string; readonly uri: string }[] {
    return [...this.#wanted.values()].filter(({ callers }) => callers.has(who))
  }
}

interface Wanted {
  readonly server: string
  readonly uri: string
  readonly callers: Set<object>
  isMade: boolean
}

function keyOf(server: string, uri: string): string {
  return JSON.stringify([server, uri])
}
