// What a configuration is read in: the environment, the folder, and how places in it are named. Knows no keys.

import type { Environment } from './configuration.js'

/** Where a key stands, for people: a file and a line. */
export type PlaceOf = (key: readonly PropertyKey[]) => string

export interface ReadOptions {
  readonly environment?: Environment
  /** Where stdio servers start that name no `cwd`; absent: the folder that starbind was started in. */
  readonly startIn?: string
}

export interface CheckOptions extends ReadOptions {
  /** What a relative `cwd` is relative to. */
  readonly folder: string
  readonly placeOf: PlaceOf
  /** The same for one server, where that differs. */
  folderOf?(server: string): string
  /** Roots of servers that name none. */
  readonly roots?: readonly string[] | undefined
  /** What `${input:id}` stands for where the file itself says so. */
  readonly inputs?: Readonly<Record<string, string>>
}
