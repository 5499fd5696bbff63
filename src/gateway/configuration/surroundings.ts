// The environment and the folder in which a configuration is read.

import type { Environment } from './configuration.js'

/** Where a key stands, for people: a file and a line. */
export type PlaceOf = (key: readonly PropertyKey[]) => string

/** How complaints speak of a key. */
export interface KeyNames {
  readonly placeOf: PlaceOf
  /** The key as whoever gave the configuration knows it. Absent: as it is in a file. */
  keyOf?(key: readonly PropertyKey[]): readonly PropertyKey[]
}

export interface ReadOptions {
  readonly environment?: Environment
  /** Where stdio servers start that name no `cwd`; absent: the folder that starbind was started in. */
  readonly startIn?: string
}

export interface CheckOptions extends ReadOptions, KeyNames {
  /** What a relative `cwd` is relative to. */
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
  /** What `${input:id}` stands for where the file itself says so. */
  readonly inputs?: Readonly<Record<string, string>>
}
