// Watches a configuration file. Editors write in place or replace the file; several notices are one edit.
// Invariant: an invalid file changes nothing, and `stop` leaves no watcher.

import { type FSWatcher, watch } from 'node:fs'
import path from 'node:path'
import { DiagnosticError } from '../../diagnostics/index.js'
import type { Configuration } from './configuration.js'
import { configurationFiles, readConfiguration } from './files.js'
import type { ReadOptions } from './surroundings.js'

/**
 * The options for following a configuration file.
 *
 * @example
 * import { type FollowOptions, followConfiguration } from 'starbind'
 *
 * const options: FollowOptions = {
 *   onChange: ({ servers }) => console.log(servers.length),
 *   onWrong: ({ diagnostics }) => console.error(diagnostics[0]?.message),
 * }
 * const stop = followConfiguration('starbind.json', options)
 * stop()
 */
export interface FollowOptions extends ReadOptions {
  /** Receives each configuration that differs from the one before. The next call waits for the returned promise. */
  readonly onChange: (configuration: Configuration) => unknown
  /** Receives the reasons why an edited file can't be used. */
  readonly onWrong: (error: DiagnosticError) => void
}

const QUIET_MS = 100

/**
 * Follows a file that was just read, with its includes. Returns a function that stops it.
 *
 * @example
 * import { CodeMode, followConfiguration, readConfiguration } from 'starbind'
 *
 * await using codeMode = await CodeMode.open({ configuration: readConfiguration('starbind.json') })
 * const stop = followConfiguration('starbind.json', {
 *   onChange: (configuration) => codeMode.servers.become(configuration),
 *   onWrong: (error) => console.error(error.message),
 * })
 * process.once('SIGINT', stop)
 */
export function followConfiguration(file: string, options: FollowOptions): () => void {
  const follower = new Follower(file, options)
  return () => follower.stop()
}

class Follower {
  readonly #file: string
  readonly #options: FollowOptions
  #watchers: FSWatcher[] = []
  #timer: NodeJS.Timeout | undefined
  #telling: Promise<unknown> = Promise.resolve()
  #isStopped = false
  /** The last reported configuration, as text. */
  #known: string

  constructor(file: string, options: FollowOptions) {
    this.#file = path.resolve(file)
    this.#options = options
    this.#watch()
    this.#known = this.#read()?.text ?? ''
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    for (const watcher of this.#watchers) watcher.close()
  }

  /** Watches folders, because an editor may replace the file. */
  #watch(): void {
    for (const watcher of this.#watchers) watcher.close()
    const files = new Set(configurationFiles(this.#file))
    const folders = new Set([...files].map((one) => path.dirname(one)))
    this.#watchers = [...folders, ...files].flatMap((folder) => {
      try {
        const watcher = watch(folder, { persistent: false }, () => this.#note())
        return [watcher.on('error', () => {})]
      } catch {
        return []
      }
    })
  }

  #note(): void {
    if (this.#isStopped) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#look(), QUIET_MS)
    this.#timer.unref()
  }

  /** Starts to watch before it reads, so it misses no change. */
  #look(): void {
    this.#watch()
    const found = this.#read(this.#options.onWrong)
    if (found === undefined || found.text === this.#known) return
    this.#known = found.text
    this.#telling = this.#telling.then(() =>
      this.#isStopped ? undefined : this.#options.onChange(found.configuration),
    )
  }

  #read(onWrong: (error: DiagnosticError) => void = () => {}) {
    try {
      const configuration = readConfiguration(this.#file, this.#options)
      return { configuration, text: JSON.stringify(configuration) }
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error
      onWrong(error)
      return undefined
    }
  }
}
