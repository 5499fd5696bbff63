// Files of several processes: their records in Redis, and their contents where `Contents` puts them.
//
// A content is stored under a place that nothing else ever has, and then a script enters the record, together with the
// place. So a record never lacks its content, and an interrupted process leaves a place without a record, which is noted
// beforehand and cleared later. Records with an equal content share its place.
// Invariant: an owner's files are found by that owner's records only, never by a digest.

import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { DiagnosticError } from '../../../diagnostics/index.js'
import { reasonOf } from '../../database.js'
import { contentUnreadable } from '../../messages.js'
import type { AllFiles, FileBounds, FileFacts, OwnedFiles } from '../../owned-files.js'
import { type StagedFile, stagedIn, sweepFolder } from '../../staged-file.js'
import type { RedisConnection } from '../connection.js'
import type { ContentRange, Contents } from './contents.js'
import { LIST, PUT, REMOVE } from './shelf-scripts.js'

interface RedisShelfOptions extends FileBounds {
  readonly contents: Contents
}

/** A content without a record is removed after this time. */
const ARRIVAL_MS = 3_600_000
/** The loaded contents of all owners. */
const MOST_LOADED = 64_000_000
/** Beyond this number, changes to an owner's files are noticed at the next request only. */
const MOST_OWNERS = 10_000
const CHANNEL = 'files'

export class RedisShelf implements AllFiles {
  readonly #connection: RedisConnection
  readonly #options: RedisShelfOptions
  readonly #scripts: Record<'list' | 'put' | 'remove', ReturnType<RedisConnection['script']>>
  readonly #owned = new Map<string, RedisFiles>()
  readonly #loaded = new Loaded(MOST_LOADED)
  readonly #underway = new Set<Promise<unknown>>()
  #stop: (() => void) | undefined

  /** Follows the changes of other processes. */
  static async open(connection: RedisConnection, options: RedisShelfOptions): Promise<RedisShelf> {
    const shelf = new RedisShelf(connection, options)
    shelf.#stop = await connection.listen(CHANNEL, (text) => shelf.#heard(text))
    return shelf
  }

  private constructor(connection: RedisConnection, options: RedisShelfOptions) {
    this.#connection = connection
    this.#options = options
    this.#scripts = {
      list: connection.script(LIST),
      put: connection.script(PUT),
      remove: connection.script(REMOVE),
    }
    sweepFolder(options.contents.arrivals)
  }

  of(owner: string): OwnedFiles {
    const known = this.#owned.get(owner)
    if (known !== undefined) return known
    const files = new RedisFiles(this, JSON.stringify(owner).slice(1, -1))
    if (this.#owned.size >= MOST_OWNERS) this.#owned.delete(this.#owned.keys().next().value!)
    this.#owned.set(owner, files)
    return files
  }

  async close(): Promise<void> {
    this.#stop?.()
    await Promise.allSettled(this.#underway)
  }

  get contents(): Contents {
    return this.#options.contents
  }

  get loaded(): Loaded {
    return this.#loaded
  }

  now(): number {
    return this.#connection.now()
  }

  get isReachable(): boolean {
    return this.#connection.isReachable
  }

  complain(message: string): void {
    this.#options.complain(message)
  }

  /** Carries out a script and clears places, if there are any to clear. */
  async script(name: 'list' | 'put' | 'remove', args: readonly (string | number)[]): Promise<readonly unknown[]> {
    const keys = [this.#connection.key('files'), this.#connection.key('channel', CHANNEL)]
    const [owner, ...rest] = args
    const reply = (await this.#scripts[name]([...keys, owner!, this.#connection.now(), ...rest])) as readonly unknown[]
    if (Number(reply[0]) > 0) this.#track(this.#clear())
    return reply
  }

  async put(owner: string, { file, content, gone }: Put): Promise<readonly unknown[]> {
    const { quota, maxBytes, contents } = this.#options
    const { name, bytes, sha256, keptAt } = file
    if (bytes > contents.maxBytes) throw new Error(tooLong(bytes, contents.maxBytes))
    const since = this.#connection.now() - quota.maxAgeMs
    const bounds = [since, maxBytes, quota.maxBytes, quota.maxFiles]
    const enter = (place: string) =>
      this.script('put', [owner, place, sha256, name, bytes, keptAt, JSON.stringify(file), ...bounds, ...gone])
    const known = await enter('')
    if (known[0] !== 'content') return known
    const place = `${sha256}.${randomBytes(8).toString('hex')}`
    await this.#connection.do((client) => client.zadd(this.#garbage, this.#connection.now() + ARRIVAL_MS, place))
    await contents.store(place, content, file)
    const entered = await enter(place)
    if (entered[0] === 'late') throw new Error('it took too long to arrive')
    return entered
  }

  /** Removes the contents that no record has any more. */
  async #clear(): Promise<void> {
    const due = await this.#connection.do((client) =>
      client.zrangebyscore(this.#garbage, '-inf', this.#connection.now(), 'LIMIT', 0, 100),
    )
    await Promise.all(due.map((place) => this.#options.contents.remove(place)))
    if (due.length > 0) await this.#connection.do((client) => client.zrem(this.#garbage, ...due))
  }

  get #garbage(): string {
    return this.#connection.key('files', 'garbage')
  }

  #heard(text: string): void {
    const [, change, owner] = /^(\d+) (.*)$/s.exec(text) ?? []
    const files = owner === undefined ? undefined : this.#owned.get(JSON.parse(`"${owner}"`) as string)
    if (files !== undefined && files.change !== change) this.#track(files.fresh())
  }

  #track(work: Promise<unknown>): void {
    const settled = work
      .catch((error: unknown) => this.complain(reasonOf(error)))
      .finally(() => this.#underway.delete(settled))
    this.#underway.add(settled)
  }
}

export interface Put {
  readonly file: FileFacts
  readonly content: Uint8Array | StagedFile
  readonly gone: readonly string[]
}

class RedisFiles implements OwnedFiles {
  /** The number of the last known change. */
  change = 'unknown'
  readonly #shelf: RedisShelf
  readonly #owner: string
  #files: readonly FileFacts[] = []
  /** The places of contents, by digest. */
  #places: ReadonlyMap<string, string> = new Map()

  constructor(shelf: RedisShelf, owner: string) {
    this.#shelf = shelf
    this.#owner = owner
  }

  get maxBytes(): number {
    return this.#shelf.contents.maxBytes
  }

  now(): number {
    return this.#shelf.now()
  }

  files(): readonly FileFacts[] {
    return this.#files
  }

  async fresh(): Promise<void> {
    // Whoever asks goes on with what is known.
    if (!this.#shelf.isReachable) return
    await this.#attempt('list', this.change)
  }

  async put(file: FileFacts, content: Uint8Array | StagedFile, gone: readonly string[]): Promise<void> {
    try {
      this.#take(await this.#shelf.put(this.#owner, { file, content, gone }))
      const place = this.#places.get(file.sha256)
      if (place !== undefined && !('place' in content)) this.#shelf.loaded.add(place, content)
    } catch (error) {
      this.#shelf.complain(`${file.name} is kept in the memory of one process only: ${reasonOf(error)}`)
      throw error
    } finally {
      if ('place' in content) rmSync(content.place, { force: true })
    }
  }

  stage(pieces: AsyncIterable<Uint8Array>): Promise<StagedFile> {
    const { arrivals, maxBytes } = this.#shelf.contents
    return stagedIn(arrivals, bounded(pieces, maxBytes))
  }

  remove(names: readonly string[]): Promise<void> {
    if (names.length === 0) return Promise.resolve()
    this.#files = this.#files.filter(({ name }) => !names.includes(name))
    return this.#attempt('remove', ...names)
  }

  load(sha256: string): Promise<void> | undefined {
    const place = this.#places.get(sha256)
    return place === undefined || this.#shelf.loaded.get(place) !== undefined ? undefined : this.#load(place, sha256)
  }

  async #load(place: string, sha256: string): Promise<void> {
    const { name, bytes } = this.#files.find((file) => file.sha256 === sha256)!
    try {
      if (bytes > MOST_LOADED) throw new Error(`it has ${bytes} bytes, more than ${MOST_LOADED}`)
      const content = await this.#shelf.contents.read(place)
      if (content !== undefined) this.#shelf.loaded.add(place, content)
    } catch (error) {
      throw new DiagnosticError(contentUnreadable(name, reasonOf(error)))
    }
  }

  read(sha256: string): Uint8Array | undefined {
    const place = this.#places.get(sha256)
    return place === undefined ? undefined : this.#shelf.loaded.get(place)
  }

  stream(sha256: string, range: ContentRange): Readable {
    const place = this.#places.get(sha256)
    return place === undefined ? Readable.from([]) : this.#shelf.contents.stream(place, range)
  }

  async #attempt(script: 'list' | 'remove', ...args: readonly string[]): Promise<void> {
    try {
      this.#take(await this.#shelf.script(script, [this.#owner, ...args]))
    } catch (error) {
      this.#shelf.complain(reasonOf(error))
    }
  }

  /** Takes over the reply of a script: what it has to clear, and if something changed, the change and the records. */
  #take([, change, ...records]: readonly unknown[]): void {
    if (change === undefined) return
    const read = (records as readonly string[]).map((record) => {
      const space = record.indexOf(' ')
      return { place: record.slice(0, space), file: JSON.parse(record.slice(space + 1)) as FileFacts }
    })
    this.change = String(change)
    this.#places = new Map(read.map(({ place, file }) => [file.sha256, place]))
    this.#files = read.map(({ file }) => file).sort((a, b) => a.keptAt - b.keptAt || (a.name < b.name ? -1 : 1))
  }
}

/** Contents that were read a short while ago. */
class Loaded {
  readonly #maxBytes: number
  readonly #contents = new Map<string, Uint8Array>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get(place: string): Uint8Array | undefined {
    return this.#contents.get(place)
  }

  add(place: string, content: Uint8Array): void {
    this.#drop(place)
    this.#contents.set(place, content)
    this.#bytes += content.length
    for (const oldest of this.#contents.keys()) {
      if (this.#bytes <= this.#maxBytes || oldest === place) break
      this.#drop(oldest)
    }
  }

  #drop(place: string): void {
    this.#bytes -= this.#contents.get(place)?.length ?? 0
    this.#contents.delete(place)
  }
}

async function* bounded(pieces: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const piece of pieces) {
    bytes += piece.length
    if (bytes > maxBytes) throw new Error(tooLong(bytes, maxBytes))
    yield piece
  }
}

function tooLong(bytes: number, maxBytes: number): string {
  return `it has ${bytes} bytes; without "stateFiles", the store takes files of up to ${maxBytes} bytes`
}
