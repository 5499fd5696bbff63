// Work on files in host workers, so that nobody waits for it on the event loop.

import { type HostWorkers, openHostWorkers } from '../../sandbox/index.js'
import { Failure } from '../tool.js'
import type { WallSettings } from './wall.js'
import type { TaskName, WorkOutput } from './work.js'

const WITHIN_MS = 60_000
const WORK_MS = 30_000
export const THREADS = 2

export class FileWork {
  readonly #settings: WallSettings | undefined
  readonly #workers: HostWorkers

  /** Without settings there are no files, only texts. */
  constructor(settings?: WallSettings) {
    this.#settings = settings
    this.#workers = openHostWorkers({ module: new URL('./work.js', import.meta.url).href, maxThreads: THREADS })
  }

  /** Rejects with a Failure. Without a signal the work is not ended half-way. */
  async run(task: TaskName, args: unknown, signal?: AbortSignal): Promise<unknown> {
    const input = { wall: this.#settings, task, args }
    const cancelling = signal === undefined ? {} : { signal }
    const end = await this.#workers.run({ input, withinMs: WITHIN_MS, workMs: WORK_MS, ...cancelling })
    if (end.kind === 'done') {
      const output = end.value as WorkOutput
      if (output.kind === 'done') return output.value
      throw new Failure(output.words)
    }
    if (end.kind === 'fault') throw new Failure(`it went wrong: ${end.message}`)
    throw new Failure(ENDS[end.kind])
  }

  close(): Promise<void> {
    return this.#workers.close()
  }
}

const ENDS = {
  late: 'it took too long: ask for less, such as a smaller folder or a narrower pattern',
  memory: 'it needed too much memory: ask for less',
  cancelled: 'it was cancelled',
  busy: 'too many calls are waiting',
  lost: 'it was cut off',
} as const
