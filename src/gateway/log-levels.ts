// The log level of each server. Callers share a connection, which has one level: the most verbose that any of them
// wants. Each caller receives only its own level, and a new connection gets the level again.
// Invariant: a server's level is the most verbose among the callers that reach it.

/** The protocol's levels, from the least important. */
export const logLevelNames = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const

export type UpstreamLogLevel = (typeof logLevelNames)[number]

export function isLogLevel(level: unknown): level is UpstreamLogLevel {
  return logLevelNames.some((known) => known === level)
}

/** True for messages that are as important as `least`, or more; undefined: for all that have a level. */
export function isAtLeast(level: unknown, least: UpstreamLogLevel | undefined): boolean {
  const number = (logLevelNames as readonly unknown[]).indexOf(level)
  return number >= Math.max(0, logLevelNames.indexOf(least ?? 'debug'))
}

export class LogLevels {
  readonly #wanted = new Map<
    object,
    { readonly level: UpstreamLogLevel; readonly reaches: (server: string) => boolean }
  >()

  /**
   * `who`: always the same object for the same caller. `reaches`: whether a server's notifications are for this caller.
   */
  want(who: object, level: UpstreamLogLevel, reaches: (server: string) => boolean): void {
    this.#wanted.set(who, { level, reaches })
  }

  forget(who: object): void {
    this.#wanted.delete(who)
  }

  /** The level of a server; undefined if no caller has set one. */
  of(server: string): UpstreamLogLevel | undefined {
    const levels = [...this.#wanted.values()].filter(({ reaches }) => reaches(server)).map(({ level }) => level)
    return logLevelNames.find((level) => levels.includes(level))
  }
}
