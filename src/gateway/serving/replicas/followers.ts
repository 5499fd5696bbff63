// The streams of this replica whose callers have come back at another one.
// Invariant: a stream has one follower at most, and one that says nothing for a while has left.

import type { SessionLine } from './kept-sessions.js'
import { NEWS_STREAM, type SharedEvent, type SharedEvents } from './shared-events.js'

interface FollowersOptions {
  readonly line: SessionLine
  readonly events: SharedEvents
  /** A caller is back on a stream of requests; it has left again. */
  readonly onCome: () => void
  readonly onLeave: () => void
  /** The stream for notifications is at another replica now. */
  readonly onNewsLeft: () => void
}

/** How often a follower says that it is still there. */
export const STAY_MS = 5_000

interface Follower {
  readonly by: string
  readonly timer: NodeJS.Timeout
}

export class Followers {
  readonly #options: FollowersOptions
  readonly #all = new Map<string, Follower>()

  constructor(options: FollowersOptions) {
    this.#options = options
  }

  /** Sends what came after an event, and from now on what comes. */
  add(by: string, last: string): void {
    const { events, line, onNewsLeft } = this.#options
    const { stream, events: rest = [] } = events.after(last) ?? {}
    const open = stream === undefined ? [] : events.openIn(stream)
    if (stream === NEWS_STREAM) onNewsLeft()
    else if (stream !== undefined && open.length > 0) this.#enter(stream, by)
    const { processId: process } = line
    const sent = rest.map(({ id, message }) => ({ id, message }))
    line.tell({ type: 'events', by, stream: stream ?? null, events: sent, open, process }).catch(() => {})
  }

  tell({ id, stream, message, open, process }: SharedEvent): void {
    const follower = this.#all.get(stream)
    if (follower === undefined) return
    const { by } = follower
    this.#options.line.tell({ type: 'events', by, stream, events: [{ id, message }], open, process }).catch(() => {})
    if (open.length === 0) this.leave(by)
  }

  stay(by: string): void {
    for (const follower of this.#all.values()) if (follower.by === by) follower.timer.refresh()
  }

  leave(by: string): void {
    for (const [stream, follower] of this.#all) {
      if (follower.by !== by) continue
      clearTimeout(follower.timer)
      this.#all.delete(stream)
      this.#options.onLeave()
    }
  }

  close(): void {
    for (const { timer } of this.#all.values()) clearTimeout(timer)
    this.#all.clear()
  }

  /** Ends the stream of a follower whose place another one takes. */
  #end(stream: string, by: string): void {
    const { processId: process } = this.#options.line
    this.#options.line.tell({ type: 'events', by, stream, events: [], open: [], process }).catch(() => {})
  }

  #enter(stream: string, by: string): void {
    const before = this.#all.get(stream)
    if (before !== undefined && before.by !== by) this.#end(stream, before.by)
    if (before !== undefined) this.leave(before.by)
    this.#all.set(stream, { by, timer: setTimeout(() => this.leave(by), 3 * STAY_MS).unref() })
    this.#options.onCome()
  }
}
