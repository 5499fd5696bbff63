// Where the contents of shared files are: in Redis, in a folder that all processes share, or in a bucket. Each content
// has a place of its own, which is never used again.

import { createReadStream } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { FileFacts } from '../../owned-files.js'
import { type StagedFile, stagedIn } from '../../staged-file.js'
import type { RedisConnection } from '../connection.js'

/** Both ends included. */
export interface ContentRange {
  readonly start: number
  readonly end: number
}

export interface Contents {
  /** The folder of this machine where contents arrive. */
  readonly arrivals: string
  /** The longest content. */
  readonly maxBytes: number
  /** All or nothing. Takes a content away from `arrivals`, or leaves it there. */
  store(place: string, content: Uint8Array | StagedFile, facts: FileFacts): Promise<void>
  /** Undefined: there is none. */
  read(place: string): Promise<Uint8Array | undefined>
  stream(place: string, range: ContentRange): Readable
  /** Does nothing if there is none. */
  remove(place: string): Promise<void>
}

/** A longer value would hold up the other users of the store. */
const MOST_IN_REDIS = 8_000_000

export class RedisContents implements Contents {
  readonly arrivals = ownFolder()
  readonly maxBytes = MOST_IN_REDIS
  readonly #connection: RedisConnection

  constructor(connection: RedisConnection) {
    this.#connection = connection
  }

  async store(place: string, content: Uint8Array | StagedFile): Promise<void> {
    const bytes = 'place' in content ? await readFile(content.place) : Buffer.from(content)
    await this.#connection.do((client) => client.set(this.#key(place), bytes))
  }

  async read(place: string): Promise<Uint8Array | undefined> {
    return (await this.#connection.do((client) => client.getBuffer(this.#key(place)))) ?? undefined
  }

  stream(place: string, { start, end }: ContentRange): Readable {
    return Readable.from(this.#pieces(place, start, end), { objectMode: false })
  }

  async remove(place: string): Promise<void> {
    await this.#connection.do((client) => client.unlink(this.#key(place)))
  }

  async *#pieces(place: string, start: number, end: number): AsyncGenerator<Buffer> {
    for (let from = start; from <= end; from += PIECE) {
      const to = Math.min(end, from + PIECE - 1)
      const piece = await this.#connection.do((client) => client.getrangeBuffer(this.#key(place), from, to))
      if (piece.length !== to - from + 1) throw new Error('the file has just been removed')
      yield piece
    }
  }

  #key(place: string): string {
    return this.#connection.key('files', 'content', place)
  }
}

const PIECE = 256 * 1024

export class FolderContents implements Contents {
  readonly arrivals: string
  readonly maxBytes = Number.POSITIVE_INFINITY

  constructor(folder: string) {
    this.arrivals = folder
  }

  async store(place: string, content: Uint8Array | StagedFile): Promise<void> {
    const { place: arrived } = 'place' in content ? content : await stagedIn(this.arrivals, [content])
    await rename(arrived, this.#fileOf(place))
  }

  async read(place: string): Promise<Uint8Array | undefined> {
    try {
      return await readFile(this.#fileOf(place))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  stream(place: string, range: ContentRange): Readable {
    return createReadStream(this.#fileOf(place), range)
  }

  remove(place: string): Promise<void> {
    return rm(this.#fileOf(place), { force: true })
  }

  #fileOf(place: string): string {
    return path.join(this.arrivals, place)
  }
}

/** For contents on their way to another machine. */
export function ownFolder(): string {
  return path.join(tmpdir(), `starbind-arrivals-${userInfo().username}`)
}
