// How much callers want to hear of what servers tell for logs. Callers share the connection to a server, which knows
// one level: it gets the most talkative of those that its callers want, and each caller is told no more than it wants.
// A new connection has forgotten the level. Knows levels and callers; asks nobody.
// Invariant: a server's level is one that somebody wants who reaches it, and nobody who reaches it wants a more
// talkative one.

/** The protocol's levels, from the least important. */
export const logLevelNames = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const

export type UpstreamLogLevel = (typeof logLevelNames)[number]

export function isLogLevel(level: unknown): level is UpstreamLogLevel {
  return logLevelNames.some((known) => known === level)
}

export class LogLevels {
  readonly #wanted = new Map<
    object,
    { readonly level: UpstreamLogLevel; readonly reaches: (server: string) => boolean }
  >()

  /**
   * `who`: the same object each time for the same caller. `reaches`: whether what a server tells is for this caller.
   */
  want(who: object, level: UpstreamLogLevel, reaches: (server: string) => boolean): void {
    this.#wanted.set(who, { level, reaches })
  }

  forget(who: object): void {
    this.#wanted.delete(who)
  }

  /** The level of a server; undefined when nobody has said what to hear of it. */
  of(server: string): UpstreamLogLevel | undefined {
    const levels = [...this.#wanted.values()].filter(({ reaches }) => reaches(server)).map(({ level }) => level)
    return logLevelNames.find((level) => levels.includes(level))
  }
}
