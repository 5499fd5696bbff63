// What a configuration says about a built-in server.

interface OfFolder {
  /** The folder that it works in, absolute. */
  readonly root: string
  /** Patterns, as in a `.gitignore`, of what it never shows. */
  readonly exclude: readonly string[]
  /** Absolute paths of files and folders that it never changes. */
  readonly unwritable: readonly string[]
}

export interface FilesSettings extends OfFolder {
  readonly builtin: 'files'
  /** Whether it may change anything. */
  readonly write: boolean
}

export interface SqlSettings extends OfFolder {
  readonly builtin: 'sql'
}

export type BuiltinSettings = FilesSettings | SqlSettings

/**
 * The built-in servers: the values of `builtin` in a server's entry.
 *
 * @example
 * import { builtinNames } from 'starbind'
 *
 * console.log(builtinNames.join(', '))
 */
export const builtinNames = ['files', 'sql'] as const
