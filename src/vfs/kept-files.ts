// The files in `results/` of one owner: in memory, or on a shelf that outlives the process.
// Invariant: the files stay within their quota of number, bytes and time; the oldest are deleted first.

import { Readable } from 'node:stream'
import { type Artifact, describeArtifact, factsOf, type KnownContent, measured, tellingType } from './artifact.js'
import { safeFileName } from './paths.js'
import type { Keeper, Room } from './room.js'

export interface ResultsQuota {
  readonly maxBytes: number
  readonly maxFiles: number
  /** The maximum age of a file, in milliseconds. */
  readonly maxAgeMs: number
}

const DAY_MS = 86_400_000

export const defaultQuota: ResultsQuota = { maxBytes: 32_000_000, maxFiles: 200, maxAgeMs: 30 * DAY_MS }

/** A file on a shelf. */
interface ShelvedFile extends Omit<Artifact, 'path'> {
  /** In milliseconds since 1970. */
  readonly keptAt: number
}

/** A received content without a name. */
interface Staged {
  readonly place: string
}

/** One owner's files that outlive the process. Other processes may change them at any time. */
export interface Shelf {
  /** Oldest first; the same object until something has changed. */
  files(): readonly ShelvedFile[]
  /** Asks for changes of other processes, if that takes a request. Never rejects. */
  fresh(): Promise<void> | undefined
  /** Stores a file, replaces the one of its name, and deletes others. Resolves when that is stored. */
  put(file: ShelvedFile, content: Uint8Array | Staged, gone: readonly string[]): Promise<void>
  /** Receives a content in pieces. Rejects like the source, and keeps nothing then. */
  stage(pieces: AsyncIterable<Uint8Array>): Promise<Staged>
  remove(names: readonly string[]): Promise<void> | undefined
  /** Fetches a content, if that takes a request. Rejects if that fails. */
  load(sha256: string): Promise<void> | undefined
  /** Undefined: it was not loaded, or another process has just removed it. */
  read(sha256: string): Uint8Array | undefined
  stream(sha256: string, range: ByteRange): Readable
  /** The longest content; absent: any. */
  readonly maxBytes?: number
  /** The clock of the moments of files; absent: that of this machine. */
  now?(): number
}

/** Both ends included. */
interface ByteRange {
  readonly start: number
  readonly end: number
}

interface KeptFile {
  readonly path: string
  readonly keptAt: number
  readonly bytes: number
  readonly mimeType: string | undefined
  /** Undefined if the content is on the shelf. */
  content: Uint8Array | undefined
  /** Computed on first use. */
  artifact: Artifact | undefined
}

interface KeptFilesOptions {
  readonly quota?: Partial<ResultsQuota>
  /** The shared quota of files in memory. */
  readonly room?: Room | undefined
  readonly shelf?: Shelf | undefined
}

/** Receives the path of an added, changed or deleted file. */
type KeptListener = (path: string) => void

const RESULTS = 'results'

export class KeptFiles implements Keeper {
  /** Every added or deleted file changes the version. */
  version = 0
  /** The size of the files in memory. */
  held = 0
  /** The size of all files. */
  #bytes = 0
  /** Oldest first. */
  readonly #kept = new Map<string, KeptFile>()
  readonly #quota: ResultsQuota
  readonly #room: Room | undefined
  readonly #shelf: Shelf | undefined
  readonly #listeners = new Set<KeptListener>()
  /** The shelf's files as last read; undefined if some were not read. */
  #shelved: readonly ShelvedFile[] | undefined
  #latest = 0
  /** Resolves when all files so far are written. */
  #written: Promise<void> = Promise.resolve()

  constructor({ quota, room, shelf }: KeptFilesOptions = {}) {
    this.#quota = { ...defaultQuota, ...quota }
    this.#room = shelf === undefined ? room : undefined
    this.#shelf = shelf
    this.#room?.enter(this)
  }

  /** The longest file. */
  get maxBytes(): number {
    return this.#quota.maxBytes
  }

  /** The longest file that can be received. */
  get mostReceived(): number {
    return Math.min(this.#quota.maxBytes, this.#shelf?.maxBytes ?? Number.POSITIVE_INFINITY)
  }

  /** Asks for changes of other processes, if that takes a request. Otherwise they are noticed at once. Never rejects. */
  fresh(): Promise<void> | undefined {
    return this.#shelf?.fresh()
  }

  /** Fetches the content of a file, if that takes a request, for `read`. Rejects if that fails. */
  load(path: string): Promise<void> | undefined {
    const file = this.#now().get(path)
    return file === undefined || file.content !== undefined ? undefined : this.#shelf?.load(file.artifact!.sha256)
  }

  get paths(): string[] {
    return [...this.#now().keys()]
  }

  has(path: string): boolean {
    return this.#now().has(path)
  }

  /** The same content under the same name is one file; other content gets a numbered name. */
  keep(raw: string, content: Uint8Array | string, known: KnownContent = {}): string {
    const bytes = this.#fitting(content)
    const path = freePath(raw, (taken) => this.has(taken) && !this.#holds(taken, bytes))
    return this.#put(path, bytes, known)
  }

  /** Replaces the file of that name. */
  replace(raw: string, content: Uint8Array | string, known: KnownContent = {}): string {
    return this.#put(`${RESULTS}/${safeFileName(raw)}`, this.#fitting(content), known)
  }

  /**
   * Streams a file and replaces the one of its name. Rejects like the source, and keeps nothing then. `said` is its
   * declared type, which may be a client's default.
   */
  async receive(raw: string, source: AsyncIterable<Uint8Array>, said: string): Promise<string> {
    const path = `${RESULTS}/${safeFileName(raw)}`
    const mimeType = tellingType(raw, said)
    const { pieces, facts: measure } = measured(source)
    if (this.#shelf === undefined) {
      const content: Uint8Array[] = []
      for await (const piece of pieces) content.push(piece)
      return this.#put(path, Buffer.concat(content), { mimeType, ...measure() })
    }
    const staged = await this.#shelf.stage(pieces)
    const { bytes, facts } = measure()
    const { path: _, ...artifact } = describeArtifact(path, { mimeType, bytes, facts })
    this.#now()
    const gone = this.#makeRoom(path, bytes)
    await this.#inTurn((shelf) => shelf.put({ ...artifact, keptAt: this.#moment() }, staged, gone))
    this.#tell(path)
    return path
  }

  artifact(path: string): Artifact | undefined {
    const file = this.#now().get(path)
    if (file === undefined) return undefined
    file.artifact ??= describeArtifact(path, { ...file, facts: factsOf(file.content!) })
    return file.artifact
  }

  keptAt(path: string): number {
    return this.#now().get(path)?.keptAt ?? 0
  }

  /** Empty if another process has just removed the file, or if it is not loaded. */
  read(path: string): Uint8Array {
    const file = this.#now().get(path)
    return file?.content ?? (file && this.#shelf?.read(file.artifact!.sha256)) ?? new Uint8Array()
  }

  /** A part of the content, in pieces. */
  stream(path: string, { start, end }: ByteRange): Readable {
    const { content, artifact } = this.#now().get(path)!
    if (end < start) return Readable.from([])
    if (content === undefined) return this.#shelf!.stream(artifact!.sha256, { start, end })
    return Readable.from(pieces(content.subarray(start, end + 1)), { objectMode: false })
  }

  remove(path: string): void {
    if (!this.#drop(path)) return
    const removed = this.#shelf?.remove([nameOf(path)])
    if (removed !== undefined) this.#written = this.#written.then(() => removed)
    this.#tell(path)
  }

  dropOldest(): void {
    this.remove(this.#kept.keys().next().value!)
  }

  /** Reports changes of this process at once, and those of others when they are noticed. */
  listen(listener: KeptListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #tell(path: string): void {
    for (const listener of this.#listeners) listener(path)
  }

  /** Resolves when all files so far are written. */
  settled(): Promise<void> {
    return this.#written
  }

  #fitting(content: Uint8Array | string): Uint8Array {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    return bytes.length > this.#quota.maxBytes ? bytes.subarray(0, this.#quota.maxBytes) : bytes
  }

  #holds(path: string, bytes: Uint8Array): boolean {
    const file = this.#kept.get(path)
    if (file?.bytes !== bytes.length) return false
    const { content, artifact } = file
    return content === undefined ? artifact?.sha256 === factsOf(bytes).sha256 : Buffer.compare(content, bytes) === 0
  }

  #put(path: string, content: Uint8Array, { mimeType, sha256, ...known }: KnownContent): string {
    this.#now()
    const gone = this.#makeRoom(path, content.length)
    const facts = known.facts ?? (sha256 === undefined ? undefined : factsOf(content, sha256))
    const artifact = facts && describeArtifact(path, { mimeType, bytes: content.length, facts })
    const file: KeptFile = {
      path,
      keptAt: this.#moment(),
      bytes: content.length,
      mimeType,
      content,
      artifact,
    }
    this.#add(file)
    if (this.#shelf !== undefined) this.#shelve(file, gone)
    this.#tell(path)
    this.#room?.settle()
    return path
  }

  #time(): number {
    return this.#shelf?.now?.() ?? Date.now()
  }

  /** A time that increases with each file, even within a millisecond. */
  #moment(): number {
    this.#latest = Math.max(this.#time(), this.#latest + 1)
    return this.#latest
  }

  /** Makes room for a file. Returns the names of the deleted ones. */
  #makeRoom(path: string, bytes: number): string[] {
    const { maxBytes, maxFiles } = this.#quota
    const gone: string[] = []
    this.#drop(path)
    while (this.#kept.size > 0 && (this.#bytes + bytes > maxBytes || this.#kept.size >= maxFiles)) {
      const oldest = this.#kept.keys().next().value!
      this.#drop(oldest)
      gone.push(nameOf(oldest))
    }
    return gone
  }

  /** Writes one file at a time, because a later one may replace it. */
  #shelve(file: KeptFile, gone: readonly string[]): void {
    const { path: _, ...facts } = this.artifact(file.path)!
    const { keptAt, content } = file
    // If it fails, the shelf has reported it, and the file stays in memory.
    this.#inTurn(async (shelf) => {
      if (this.#kept.get(file.path) !== file) return void (await shelf.remove(gone))
      await shelf.put({ ...facts, keptAt }, content!, gone)
      file.content = undefined
    }).catch(() => {})
  }

  #inTurn(work: (shelf: Shelf) => Promise<void>): Promise<void> {
    const done = this.#written
      .then(() => work(this.#shelf!))
      .finally(() => {
        this.#shelved = undefined
      })
    this.#written = done.catch(() => {})
    return done
  }

  /** The current files, without those that are too old. */
  #now(): ReadonlyMap<string, KeptFile> {
    this.#follow()
    const since = this.#time() - this.#quota.maxAgeMs
    for (const { path, keptAt } of this.#kept.values()) {
      if (keptAt >= since) break
      this.remove(path)
    }
    return this.#kept
  }

  /** Takes over changes of other processes. Files that are being written stay. */
  #follow(): void {
    const shelved = this.#shelf?.files()
    if (shelved === undefined || shelved === this.#shelved) return
    this.#shelved = shelved
    const before = new Map(this.#kept)
    const writing = [...this.#kept.values()].filter(({ content }) => content !== undefined)
    this.#kept.clear()
    this.#bytes = 0
    this.held = 0
    for (const file of shelved) this.#take(file)
    for (const file of writing) {
      this.#drop(file.path)
      this.#add(file)
    }
    for (const path of new Set([...before.keys(), ...this.#kept.keys()]))
      if (before.get(path)?.keptAt !== this.#kept.get(path)?.keptAt) this.#tell(path)
  }

  #take({ keptAt, ...facts }: ShelvedFile): void {
    const { name, bytes, mimeType } = facts
    const path = `${RESULTS}/${name}`
    this.#add({ path, keptAt, bytes, mimeType, content: undefined, artifact: { ...facts, path } })
  }

  #add(file: KeptFile): void {
    this.#kept.set(file.path, file)
    this.#bytes += file.bytes
    if (file.content !== undefined) this.held += file.bytes
    this.version++
  }

  #drop(path: string): boolean {
    const file = this.#kept.get(path)
    if (file === undefined) return false
    this.#kept.delete(path)
    this.#bytes -= file.bytes
    if (file.content !== undefined) this.held -= file.bytes
    this.version++
    return true
  }
}

/** A similar path that is not taken. */
export function freePath(raw: string, isTaken: (path: string) => boolean): string {
  const name = safeFileName(raw)
  const dot = name.lastIndexOf('.')
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  let path = `${RESULTS}/${name}`
  for (let n = 2; isTaken(path); n++) path = `${RESULTS}/${stem}-${n}${ending}`
  return path
}

function nameOf(path: string): string {
  return path.slice(RESULTS.length + 1)
}

const PIECE = 64 * 1024

function* pieces(content: Uint8Array): Generator<Uint8Array> {
  for (let i = 0; i < content.length; i += PIECE) yield content.subarray(i, i + PIECE)
}
