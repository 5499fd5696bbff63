// The library's interface for serving a caller its files.

import type { Readable } from 'node:stream'
import type { FileFacts } from '../../state/index.js'

/** The files in `results/` of one caller. */
export interface ServedFiles {
  /** Asks for changes of other processes, if that takes a request. Never rejects. */
  fresh(): Promise<void>
  /** Oldest first. */
  list(): readonly FileFacts[]
  /** The content of a listed file. Rejects with a DiagnosticError if it can't be read now. */
  read(name: string): Promise<Uint8Array>
  /** A part of the content, in pieces. Both ends included. */
  stream(name: string, range: { readonly start: number; readonly end: number }): Readable
  /** False for names of runs' results. */
  mayBeNamed(name: string): boolean
  /** Streams a file and replaces the one of its name. Rejects like the source, and keeps nothing then. */
  receive(name: string, source: AsyncIterable<Uint8Array>, mimeType: string): Promise<FileFacts>
  /** The longest file. */
  readonly maxBytes: number
  /** Reports the names of added, changed and deleted files, until the returned function is called. */
  listen(listener: (names: ReadonlySet<string>) => void): () => void
}
