// The in-memory files that a model can read: stubs, generated on first read, and results too long for an answer.
// Invariant: nothing outside this volume is touched, a generated file is made once until it is dropped, and `results/`
// stays within its quota.

import { Superblock } from '@jsonjoy.com/fs-core'
import { constants } from '@jsonjoy.com/fs-node-utils'
import { nearestNames } from '../diagnostics/index.js'
import { type Artifact, describeArtifact } from './artifact.js'
import { foldPath, normalPath, safeFileName, shortPath } from './paths.js'
import type { Keeper, Room } from './room.js'

/** A file whose text is made when it is first read. */
export interface GeneratedFile {
  readonly path: string
  /** Other paths that mean this file. */
  readonly aliases?: readonly string[]
  /** Found under its whole path alone, and never suggested. */
  readonly aside?: boolean
  /** The text; or a generator that makes it in pieces, for callers that yield to others meanwhile. */
  readonly make: () => string | Generator<void, string, void>
}

export interface ResultsQuota {
  readonly maxBytes: number
  readonly maxFiles: number
}

export interface VfsOptions {
  /** Room for `results/`, or the file system whose `results/` this one has, too. */
  readonly results?: Partial<ResultsQuota> | { readonly of: Vfs }
  /** The shared quota of kept files. */
  readonly room?: Room
}

/** The meaning of a path. */
export type FoundFile =
  | { readonly path: string }
  /** Nothing, or more than one file: the nearest paths, or those that it may mean. */
  | { readonly path: undefined; readonly near: readonly string[]; readonly ambiguous: boolean }

export interface Vfs {
  /** Puts a group of generated files in, in place of the group of that name. */
  mount(group: string, files: readonly GeneratedFile[]): void
  /** Drops a group's generated files; they are generated again when read. */
  refresh(group: string): void
  /** Takes a group away. */
  unmount(group: string): void
  /**
   * The file that a path means: `servers/` and the ending may be omitted, and case is ignored where it is unambiguous.
   */
  find(path: string): FoundFile
  /** Makes the file if it is not there yet, in pieces. */
  ready(path: string): Generator<void, void, void>
  /** The text of a file that `find` gave; undefined when it is not text. */
  read(path: string): string | undefined
  /** The bytes of a file that `find` gave. */
  readBytes(path: string): Uint8Array
  /** Every path, sorted; beneath a folder if one is named. */
  list(folder?: string): readonly string[]
  /** Keeps something in `results/` under a name like this one and returns its path. The oldest files make room. */
  keep(name: string, content: Uint8Array | string, mimeType?: string): string
  /** The same under exactly this name, in place of what had it. */
  replace(name: string, content: Uint8Array | string, mimeType?: string): string
  /** Lets go of a kept file. */
  remove(path: string): void
  /** What is known of a kept file; undefined: there is none at this path. */
  artifact(path: string): Artifact | undefined
  /** The path that `keep` would return now. */
  pathFor(name: string): string
}

export const defaultQuota: ResultsQuota = { maxBytes: 32_000_000, maxFiles: 200 }
const RESULTS = 'results'
/** Longer than any file's path; a longer path matches none. */
const LONGEST_PATH = 1_000

export function openVfs(options: VfsOptions = {}): Vfs {
  const { results = {}, room } = options
  if ('of' in results) return new MemoryFiles((results.of as MemoryFiles).kept)
  return new MemoryFiles(new KeptFiles({ ...defaultQuota, ...results }, room))
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

interface Generated extends GeneratedFile {
  readonly group: string
}

class MemoryFiles implements Vfs {
  readonly kept: KeptFiles
  readonly #files = new Files()
  readonly #generated = new Map<string, Generated>()
  /** Generated files that the volume holds. */
  readonly #made = new Set<string>()
  #index: PathIndex | undefined
  #keptIndex: PathIndex | undefined
  /** The state of `results/` when its index was made. */
  #indexed = 0

  /** The number of times that generated files were dropped. */
  #refreshed = 0

  constructor(kept: KeptFiles) {
    this.kept = kept
  }

  mount(group: string, files: readonly GeneratedFile[]): void {
    this.unmount(group)
    for (const file of files) this.#generated.set(file.path, { ...file, group })
    this.#index = undefined
  }

  refresh(group: string): void {
    this.#refreshed++
    for (const [path, file] of this.#generated) {
      if (file.group !== group || !this.#made.delete(path)) continue
      this.#files.remove(path)
    }
  }

  unmount(group: string): void {
    this.refresh(group)
    for (const [path, file] of this.#generated) if (file.group === group) this.#generated.delete(path)
    this.#index = undefined
  }

  find(raw: string): FoundFile {
    const path = normalPath(raw)
    if (path === undefined || path.length > LONGEST_PATH) return { path: undefined, near: [], ambiguous: false }
    if (this.#generated.has(path) || this.kept.has(path)) return { path }
    this.#index ??= new PathIndex(this.#generated.values())
    if (this.#keptIndex === undefined || this.#indexed !== this.kept.version)
      this.#keptIndex = new PathIndex(this.kept.paths.map((path) => ({ path })))
    this.#indexed = this.kept.version
    return findPath(path, [this.#index, this.#keptIndex])
  }

  *ready(path: string): Generator<void, void, void> {
    const generated = this.#generated.get(path)
    if (generated === undefined || this.#made.has(path)) return
    const refreshed = this.#refreshed
    const made = generated.make()
    const text = typeof made === 'string' ? made : yield* made
    // A file that has replaced it meanwhile is generated when it is read.
    if (this.#refreshed === refreshed) this.#hold(path, text)
    yield
  }

  read(path: string): string | undefined {
    try {
      return decoder.decode(this.readBytes(path))
    } catch {
      return undefined
    }
  }

  readBytes(path: string): Uint8Array {
    const pieces = this.ready(path)
    while (!pieces.next().done);
    return (this.#generated.has(path) ? this.#files : this.kept.files).read(path)
  }

  #hold(path: string, text: string): void {
    this.#files.write(path, text)
    this.#made.add(path)
  }

  list(folder?: string): readonly string[] {
    const all = [...this.#generated.keys(), ...this.kept.paths].sort()
    return folder === undefined ? all : all.filter((path) => path.startsWith(`${folder}/`))
  }

  keep(name: string, content: Uint8Array | string, mimeType?: string): string {
    return this.kept.keep(this.kept.freePath(name), content, mimeType)
  }

  replace(name: string, content: Uint8Array | string, mimeType?: string): string {
    return this.kept.keep(`${RESULTS}/${safeFileName(name)}`, content, mimeType)
  }

  remove(path: string): void {
    if (this.kept.has(path)) this.kept.drop(path)
  }

  artifact(path: string): Artifact | undefined {
    return this.kept.artifact(path)
  }

  pathFor(name: string): string {
    return this.kept.freePath(name)
  }
}

/** The files in `results/`. */
class KeptFiles implements Keeper {
  readonly files = new Files()
  /** Changes with every file that comes or goes. */
  version = 0
  /** Sizes, and what is said of the content; oldest first. */
  readonly #kept = new Map<string, KeptFile>()
  held = 0
  readonly #quota: ResultsQuota
  readonly #room: Room | undefined

  constructor(quota: ResultsQuota, room: Room | undefined) {
    this.#quota = quota
    this.#room = room
    room?.enter(this)
  }

  get paths(): string[] {
    return [...this.#kept.keys()]
  }

  has(path: string): boolean {
    return this.#kept.has(path)
  }

  keep(path: string, content: Uint8Array | string, mimeType: string | undefined): string {
    const bytes = Buffer.from(content as Uint8Array).subarray(0, this.#quota.maxBytes)
    if (this.has(path)) this.drop(path)
    const { maxBytes, maxFiles } = this.#quota
    while (this.#kept.size > 0 && (this.held + bytes.length > maxBytes || this.#kept.size >= maxFiles))
      this.dropOldest()
    this.files.write(path, bytes)
    this.#kept.set(path, { size: bytes.length, mimeType, artifact: undefined })
    this.held += bytes.length
    this.version++
    this.#room?.settle()
    return path
  }

  freePath(raw: string): string {
    const name = safeFileName(raw)
    const dot = name.lastIndexOf('.')
    const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
    let path = `${RESULTS}/${name}`
    for (let n = 2; this.#kept.has(path); n++) path = `${RESULTS}/${stem}-${n}${ending}`
    return path
  }

  artifact(path: string): Artifact | undefined {
    const file = this.#kept.get(path)
    if (file === undefined) return undefined
    file.artifact ??= describeArtifact(path, this.files.read(path), file.mimeType)
    return file.artifact
  }

  dropOldest(): void {
    this.drop(this.#kept.keys().next().value!)
  }

  drop(path: string): void {
    this.files.remove(path)
    this.held -= this.#kept.get(path)!.size
    this.#kept.delete(path)
    this.version++
  }
}

interface KeptFile {
  readonly size: number
  readonly mimeType: string | undefined
  /** Made when it is first asked for. */
  artifact: Artifact | undefined
}

const { O_CREAT, O_TRUNC, O_WRONLY } = constants
const OVERWRITE = O_CREAT | O_TRUNC | O_WRONLY
const OURS = 0o700

/** Files by path, in memory. */
class Files {
  readonly #disk = new Superblock()
  readonly #folders = new Set<string>()

  /** A copy. */
  read(path: string): Buffer {
    return this.#disk.getResolvedLinkOrThrow(`/${path}`).getNode().getBuffer() as Buffer
  }

  write(path: string, content: string | Uint8Array): void {
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    if (!this.#folders.has(folder)) this.#disk.mkdirp(`/${folder}`, OURS)
    this.#folders.add(folder)
    this.#disk.writeFile(`/${path}`, Buffer.from(content as Uint8Array), OVERWRITE, OURS)
  }

  remove(path: string): void {
    // Not `rm`, which keeps the content of removed files.
    if (this.#disk.getResolvedLink(`/${path}`) !== null) this.#disk.unlink(`/${path}`)
  }
}

/** Every spelling of every path. Made when a path is first spelt in another way than its own. */
class PathIndex {
  readonly bySpelling: Spellings = new Map()
  readonly byFolded: Spellings = new Map()
  /** Suggestions, by their short forms. */
  readonly suggested = new Map<string, string>()

  constructor(files: Iterable<Pick<GeneratedFile, 'path' | 'aliases' | 'aside'>>) {
    for (const { path, aliases = [], aside } of files) {
      if (!aside) this.suggested.set(shortPath(path), path)
      this.#add(path, path, aside)
      for (const alias of aliases) if (alias !== path) this.#add(alias, path, aside)
    }
  }

  #add(spelling: string, path: string, aside = false): void {
    add(this.bySpelling, spelling, path)
    add(this.byFolded, foldPath(spelling), path)
    if (!aside) this.#add(shortPath(spelling), path, true)
  }
}

/** Paths by how they may be spelt; most spellings are of one path. */
type Spellings = Map<string, string | Set<string>>

function findPath(path: string, indexes: readonly PathIndex[]): FoundFile {
  // With its ending before without: a server has stubs of two endings.
  const spellings = [path, `servers/${path}`, shortPath(path)]
  const folded = spellings.map(foldPath)
  for (const [map, keys] of [['bySpelling', spellings] as const, ['byFolded', folded] as const])
    for (const key of keys) {
      const files = indexes.flatMap((index) => spelt(index[map].get(key))).sort()
      if (files.length === 1) return { path: files[0]! }
      if (files.length > 1) return { path: undefined, near: files.slice(0, MOST_AMBIGUOUS), ambiguous: true }
    }
  return { path: undefined, near: nearestPaths(shortPath(path), indexes), ambiguous: false }
}

const MOST_AMBIGUOUS = 20

/** In the folder that was named, then of the same name elsewhere, then like the whole path. */
function nearestPaths(short: string, indexes: readonly PathIndex[]): string[] {
  const paths = indexes.flatMap(({ suggested }) => [...suggested.keys()])
  const folder = short.slice(0, short.lastIndexOf('/') + 1)
  const name = short.slice(folder.length)
  const beside = paths.filter((path) => folder !== '' && path.startsWith(folder))
  const names = beside.map((path) => path.slice(folder.length))
  let near = nearestNames(name, names, 5).map((one) => folder + one)
  if (near.length === 0) near = paths.filter((path) => path.endsWith(`/${name}`))
  if (near.length === 0) near = nearestNames(short, paths, 5)
  return near.slice(0, 5).flatMap((path) => indexes.flatMap(({ suggested }) => suggested.get(path) ?? []).slice(0, 1))
}

function add(map: Spellings, key: string, path: string): void {
  const paths = map.get(key)
  if (paths === undefined) map.set(key, path)
  else if (typeof paths !== 'string') paths.add(path)
  else if (paths !== path) map.set(key, new Set([paths, path]))
}

function spelt(paths: string | Set<string> | undefined): string[] {
  if (paths === undefined) return []
  return typeof paths === 'string' ? [paths] : [...paths]
}
