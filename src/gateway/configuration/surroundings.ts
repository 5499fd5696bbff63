// The environment and the folder in which a configuration is read.

import type { Environment } from './configuration.js'

/** The place of a key, for people: a file and a line. */
export type PlaceOf = (key: readonly PropertyKey[]) => string

/** The notation of keys in complaints. */
export interface KeyNames {
  readonly placeOf: PlaceOf
  /** The key as the configuration's author wrote it. Absent: as in a file. */
  keyOf?(key: readonly PropertyKey[]): readonly PropertyKey[]
}

export interface ReadOptions {
  readonly environment?: Environment
  /** The default `cwd` of stdio servers; absent: the folder that starbind was started in. */
  readonly startIn?: string
}

export interface CheckOptions extends ReadOptions, KeyNames {
  /** The base of a relative `cwd`. */
  readonly folder: string
  /** The same for one server, where that differs. */
  folderOf?(server: string): string
  /** Roots of servers that name none. */
  readonly roots?: readonly string[] | undefined
  /**
   * True: a server whose entry is wrong can't be started, and everything else is as it would be without it. Default:
   * nothing is.
   */
  readonly toleratesEntries?: boolean
  /** The values of `${input:id}` that the file itself defines. */
  readonly inputs?: Readonly<Record<string, string>>
}
