// What the processes of one deployment share besides their runs: small texts under names, and messages to whoever
// listens. Knows no use of either.

import type { AllFiles, Bucket, FileBounds } from './owned-files.js'
import type { RunQueue } from './run-queue.js'
import type { Store } from './store.js'
import type { TraceStore } from './traces.js'

/** Texts under names, which any process may replace. */
export interface Documents {
  /** Undefined: there is none. */
  read(name: string): Promise<string | undefined>
  /** `ttlMs`: it is forgotten after that time without another write. */
  write(name: string, text: string, options?: { readonly ttlMs?: number }): Promise<void>
  remove(name: string): Promise<void>
}

/** Messages between processes. A message reaches the listeners of that moment, in every process, and nobody later. */
export interface Channels {
  publish(channel: string, text: string): Promise<void>
  /** Lasts until the returned function is called. A listener hears the messages of its own process, too. */
  listen(channel: string, listener: (text: string) => void): Promise<() => void>
}

export interface JournalBounds {
  readonly most: number
  readonly mostBytes: number
  /** All of it is forgotten after that time without another text. */
  readonly ttlMs: number
}

/** The latest texts under a name, from all processes. After a lost connection a text may be there twice. */
export interface Journals {
  add(name: string, text: string, bounds: JournalBounds): Promise<void>
  /** The oldest first. */
  read(name: string): Promise<readonly string[]>
}

export interface Rate {
  readonly name: string
  readonly calls: number
  readonly perMs: number
}

/** Counts calls over all processes. While they have no common store, each counts alone. */
export interface Rates {
  /** Counts a call of `who`. Resolves with the time to wait in milliseconds; 0: the call is within the rate. */
  count(who: string, rate: Rate): Promise<number>
}

export interface Locks {
  /** Does work that no other process does at the same time under this name. Waits for the other. */
  alone<T>(name: string, work: () => Promise<T>): Promise<T>
}

/** The processes of one deployment, which keep their state in one place. */
export interface Deployment {
  readonly store: Store
  readonly traces: TraceStore
  readonly documents: Documents
  readonly channels: Channels
  readonly journals: Journals
  readonly rates: Rates
  readonly locks: Locks
  readonly queue: RunQueue
  /** Names this process. */
  readonly processId: string
  /** True if the process of that name has given a sign of life a short while ago. */
  isAlive(processId: string): Promise<boolean>
  /** True while the state can be read and written. Asking sends nothing. */
  isReachable(): boolean
  /** Files of several owners, with their contents in a folder that all processes share, in a bucket, or in the store. */
  openFiles(place: string | Bucket | undefined, bounds: FileBounds): Promise<AllFiles>
  /** Compares settings with those of the other processes from now on: a digest by the name of each part. */
  compareSettings(digests: Readonly<Record<string, string>>): Promise<void>
  /** The parts in which a living process differed a short while ago. Asking sends nothing. */
  differentSettings(): readonly string[]
  /** The moment in milliseconds since 1970, by the clock that all processes have in common. */
  now(): number
  close(): Promise<void>
}

export interface RedisAddress {
  /** `redis://…` or `rediss://…` */
  readonly url: string
  /** The beginning of every key. */
  readonly prefix: string
}
