// The interface of the library for those who serve a caller its files.

import type { Readable } from 'node:stream'

/** A file in `results/`. */
export interface ServedFile {
  readonly name: string
  readonly mimeType: string
  readonly bytes: number
  /** In hexadecimal digits. */
  readonly sha256: string
  /** Of a picture, in pixels. */
  readonly width?: number
  readonly height?: number
  /** In milliseconds since 1970. */
  readonly keptAt: number
}

/** The files in `results/` of one caller. */
export interface ServedFiles {
  /** Oldest first. */
  list(): readonly ServedFile[]
  /** The content of one that is listed. */
  read(name: string): Uint8Array
  /** A part of it, in pieces. Both ends included. */
  stream(name: string, range: { readonly start: number; readonly end: number }): Readable
  /** False for names of results. */
  mayBeNamed(name: string): boolean
  /** Streams a file into the place of the one of its name. Rejects as the source does, and keeps nothing then. */
  receive(name: string, source: AsyncIterable<Uint8Array>, mimeType: string): Promise<ServedFile>
  /** The longest file. */
  readonly maxBytes: number
  /** Calls back with the names of files that came, changed or went, until the returned function is called. */
  listen(listener: (names: ReadonlySet<string>) => void): () => void
}
