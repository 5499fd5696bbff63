// The environment and the folder in which a configuration is read.

import type { Environment } from './configuration.js'

/** The place of a key in words for people: a file and a line. */
export type PlaceOf = (key: readonly PropertyKey[]) => string

/** The notation of keys in messages. */
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
  /** The same for one server, if it differs. */
  folderOf?(server: string): string
  /** The files and folders that starbind itself relies on, absolute: no built-in server may change them. */
  readonly ownFiles?: readonly string[]
  /** Roots of servers that name none. */
  readonly roots?: readonly string[] | undefined
  /** True: a server with a wrong entry can't be started, and everything else works. Default: nothing does. */
  readonly toleratesEntries?: boolean
  /** Where runs are kept, if `codeMode.state` does not say so. */
  readonly state?: string | false | undefined
  /** The values of `${input:id}` that the file itself defines. */
  readonly inputs?: Readonly<Record<string, string>>
}
