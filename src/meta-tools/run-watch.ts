// Watches the runs of many callers: each watcher gets the news of those that it may see. Knows who may see a run.
// Invariant: a watcher can't break a run, and hears nothing of a run that it may not see.

import type { RunEvent } from './run-events.js'

/** The caller who asks for a run or answers. */
export interface Viewer {
  readonly name: string
  /** The caller sees all runs and may answer for each. */
  readonly seesAll: boolean
}

/**
 * News of a run. `event`: one of its events. `place`: what is known of a call that has begun: its line in the program,
 * if that was asked for, and whether the program may have run ahead of it. `state`: it waits for a person, somebody has
 * answered, or it has ended; `SessionRuns.show` has the rest.
 *
 * @example
 * import type { RunNews } from 'starbind'
 *
 * export const line = ({ runId, owner, ...news }: RunNews) => `${runId} of ${owner}: ${news.type}`
 */
export type RunNews = {
  readonly runId: string
  /** The caller. */
  readonly owner: string
} & (
  | {
      readonly type: 'event'
      readonly event: RunEvent
      readonly program: { readonly text: string; readonly language: string }
    }
  | { readonly type: 'place'; readonly callId: string; readonly line: number | null; readonly ahead: boolean }
  | { readonly type: 'state' }
)

/**
 * Receives the news of runs. Its exceptions are ignored.
 *
 * @example
 * import { CodeMode, type RunWatcher } from 'starbind'
 *
 * const watcher: RunWatcher = (news) => console.log(news.runId, news.type)
 * await using codeMode = await CodeMode.open()
 * const stop = codeMode.runs.watch(watcher)
 * await codeMode.run('print("hello")')
 * stop()
 */
export type RunWatcher = (news: RunNews) => void

interface Watching {
  readonly viewer: Viewer
  readonly watcher: RunWatcher
  readonly wantsLines: () => boolean
  /** The watcher wants the news of other processes, too. */
  readonly wantsOthers: () => boolean
}

export class RunWatchers {
  readonly #all = new Set<Watching>()

  get isEmpty(): boolean {
    return this.#all.size === 0
  }

  /** Lasts until the returned function is called. */
  add(watching: Watching): () => void {
    this.#all.add(watching)
    return () => void this.#all.delete(watching)
  }

  /** Some watcher of this owner's runs wants to know the lines of calls. */
  wantLines(owner: string): boolean {
    return this.#of(owner).some(({ wantsLines }) => wantsLines())
  }

  /** Some watcher may see this owner's runs. */
  see(owner: string): boolean {
    return this.#of(owner).length > 0
  }

  /** The viewers of those watchers who want the news of other processes. */
  viewersOfOthers(): Viewer[] {
    return this.#wantingOthers().map(({ viewer }) => viewer)
  }

  wantLinesOfOthers(): boolean {
    return this.#wantingOthers().some(({ wantsLines }) => wantsLines())
  }

  tell(news: RunNews): void {
    for (const { watcher } of this.#of(news.owner)) {
      try {
        watcher(news)
      } catch {
        // A watcher's exceptions do not concern the run.
      }
    }
  }

  #wantingOthers(): Watching[] {
    return [...this.#all].filter(({ wantsOthers }) => wantsOthers())
  }

  #of(owner: string): Watching[] {
    return [...this.#all].filter(({ viewer }) => viewer.seesAll || viewer.name === owner)
  }
}
