// What a configuration says about a built-in server.

interface OfFolder {
  /** The folder that it works in, absolute. */
  readonly root: string
  /** Whether it may change anything. */
  readonly write: boolean
  /** Patterns, as in a `.gitignore`, of what it never shows. */
  readonly exclude: readonly string[]
  /** Absolute paths of files and folders that it never changes. */
  readonly unwritable: readonly string[]
}

export interface FilesSettings extends OfFolder {
  readonly builtin: 'files'
}

export type BuiltinSettings = FilesSettings

/** The names of the built-in servers. */
export const builtinNames = ['files'] as const
