// Files of named owners that outlive a process, whoever stores them.

import type { Readable } from 'node:stream'
import type { StagedFile } from './staged-file.js'

/** The properties of a file. */
export interface FileFacts {
  readonly name: string
  readonly mimeType: string
  readonly bytes: number
  /** The digest of the content, hexadecimal. */
  readonly sha256: string
  readonly width?: number
  readonly height?: number
  /** In milliseconds since 1970. */
  readonly keptAt: number
}

/** One owner's files. */
export interface OwnedFiles {
  /** Oldest first; the same object until something has changed. */
  files(): readonly FileFacts[]
  /** Asks for changes of other processes, if that takes a request. Never rejects. */
  fresh(): Promise<void> | undefined
  put(file: FileFacts, content: Uint8Array | StagedFile, gone: readonly string[]): Promise<void>
  stage(pieces: AsyncIterable<Uint8Array>): Promise<StagedFile>
  remove(names: readonly string[]): Promise<void> | undefined
  /**
   * Fetches a content of these files, if that takes a request, so that `read` has it for a while. Rejects with a
   * DiagnosticError.
   */
  load(sha256: string): Promise<void> | undefined
  /** Undefined for a content that is not of these files, was not loaded, or has just been removed. */
  read(sha256: string): Uint8Array | undefined
  stream(sha256: string, range: { readonly start: number; readonly end: number }): Readable
  /** The longest content; absent: any. */
  readonly maxBytes?: number
  /** The clock of the moments of files; absent: that of this machine. */
  now?(): number
}

/** Files of several owners. */
export interface AllFiles {
  of(owner: string): OwnedFiles
  /** Resolves when all files are stored. */
  close(): Promise<void>
}

/** The bounds of the files. */
export interface FileBounds {
  /** The bounds of one owner. */
  readonly quota: { readonly maxBytes: number; readonly maxFiles: number; readonly maxAgeMs: number }
  /** The maximum size of the files of all owners. The owner with the most bytes loses its oldest file first. */
  readonly maxBytes: number
  /** Receives failures; the affected file stays in memory. */
  readonly complain: (message: string) => void
}

/** A bucket, and who may use it. The names are those of the AWS tools. */
export interface Bucket {
  /** `s3://BUCKET[/PREFIX]` */
  readonly url: string
  /** The address of a store other than Amazon's. */
  readonly endpoint?: string | undefined
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
}
