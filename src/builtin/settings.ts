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
  /** Whether it may write the rows of queries into files. */
  readonly write: boolean
  /** The most time of a query. Milliseconds. */
  readonly timeoutMs: number
}

/** The server `sql` over a database instead of a folder. */
export interface DatabaseSettings {
  readonly builtin: 'sql'
  readonly place:
    | { readonly kind: 'sqlite'; readonly file: string }
    | { readonly kind: 'postgres'; readonly url: string }
  /** The database in words, without its secrets. */
  readonly shown: string
  readonly write: boolean
  /** The most time of a statement. Milliseconds. */
  readonly timeoutMs: number
}

export interface ShellSettings extends Pick<OfFolder, 'root' | 'unwritable'> {
  readonly builtin: 'shell'
  /** Variables of the commands, besides `PATH` and the like. */
  readonly env: Readonly<Record<string, string>>
  /** The most time of a command. Milliseconds. */
  readonly timeoutMs: number
  /** `bwrap`: no command runs without it. `none`: it is not used. Absent: it is used where it works. */
  readonly sandbox?: 'bwrap' | 'none'
}

export interface WebSettings {
  readonly builtin: 'web'
  /** Names, `*.` names, addresses and blocks of addresses (`10.0.0.0/8`) that may be reached; a port may follow. */
  readonly hosts: readonly string[]
  /** The most time of a request with its redirects. Milliseconds. */
  readonly timeoutMs: number
  /** The most bytes of an answer. */
  readonly maxBytes: number
}

export type BuiltinSettings = FilesSettings | SqlSettings | DatabaseSettings | ShellSettings | WebSettings

/**
 * The built-in servers: the values of `builtin` in a server's entry.
 *
 * @example
 * import { builtinNames } from 'starbind'
 *
 * console.log(builtinNames.join(', '))
 */
export const builtinNames = ['files', 'sql', 'shell', 'web'] as const
