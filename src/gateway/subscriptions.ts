// Who wants to hear of which resource. Callers share the connection to a server, which counts a subscription once: it must not end with the first caller
// who has heard enough. Invariant: a resource is given up when, and only when, nobody wants it any more.

export class Subscriptions {
  readonly #wanted = new Map<string, Set<object>>()

  /** `who`: the same object each time for the same caller. */
  take(who: object, server: string, uri: string): void {
    const key = keyOf(server, uri)
    const all = this.#wanted.get(key) ?? new Set()
    this.#wanted.set(key, all.add(who))
  }

  /** True when nobody is left who wants it. */
  leave(who: object, server: string, uri: string): boolean {
    const key = keyOf(server, uri)
    const all = this.#wanted.get(key)
    all?.delete(who)
    if (all === undefined || all.size > 0) return false
    return this.#wanted.delete(key)
  }

  wants(who: object, server: string, uri: string): boolean {
    return this.#wanted.get(keyOf(server, uri))?.has(who) ?? false
  }

  /** What somebody wants. */
  of(who: object): { readonly server: string; readonly uri: string }[] {
    return [...this.#wanted].flatMap(([key, all]) => {
      const [server = '', uri = ''] = JSON.parse(key) as string[]
      return all.has(who) ? [{ server, uri }] : []
    })
  }
}

function keyOf(server: string, uri: string): string {
  return JSON.stringify([server, uri])
}
