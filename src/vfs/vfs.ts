// The files that a model can read: stubs, generated on first read, and the files in `results/`.
// Invariant: no file of the host is touched, and a generated file is generated once until it is dropped.

import { createRequire } from 'node:module'
import type * as Memfs from '@jsonjoy.com/fs-core'
import type { Awaitable } from '../awaitable/index.js'
import { nearestNames } from '../diagnostics/index.js'
import type { Artifact, KnownContent } from './artifact.js'
import { freePath, KeptFiles, type ResultsQuota } from './kept-files.js'
import { foldPath, normalPath, shortPath } from './paths.js'
import type { Room } from './room.js'

/** A file whose text is generated on first read. */
export interface GeneratedFile {
  readonly path: string
  /** Other paths of this file. */
  readonly aliases?: readonly string[]
  /** The file is found by its whole path only, and never suggested. */
  readonly aside?: boolean
  /** The text, or a generator of it whose caller lets others work between its steps. */
  readonly make: () => string | Generator<void, string, void>
}

interface VfsOptions {
  /** The quota of `results/`, or another file system whose `results/` this one shares. */
  readonly results?: Partial<ResultsQuota> | { readonly of: Vfs }
  /** The shared quota of kept files. */
  readonly room?: Room
  /** Artifacts that this file system shares with others. Default: its own. */
  readonly artifacts?: KeptFiles | undefined
  /** The same for answers. */
  readonly answers?: KeptFiles | undefined
}

/** The file that a path means. */
type FoundFile =
  | { readonly path: string }
  /**
   * `ambiguous`: the path means several files, those in `near`. Otherwise it means none, and `near` are suggestions.
   */
  | { readonly path: undefined; readonly near: readonly string[]; readonly ambiguous: boolean }

export interface Vfs {
  /** Adds a group of generated files, or replaces the group of that name. */
  mount(group: string, files: readonly GeneratedFile[]): void
  /** Drops a group's generated files; they are generated again when read. */
  refresh(group: string): void
  /** Removes a group. */
  unmount(group: string): void
  /**
   * Finds a file. `servers/` and the extension may be omitted, and case does not matter if the path stays unambiguous.
   */
  find(path: string): FoundFile
  /** Generates the file step by step, if it has not been generated yet. */
  ready(path: string): Generator<void, void, void>
  /** The text of a file that `find` returned; undefined if it is not text. */
  read(path: string): string | undefined
  /** Asks for changes of other processes to the kept files, if that takes a request. Never rejects. */
  fresh(): Awaitable<void>
  /** Fetches the content of a kept file, if that takes a request, for `read` and `readBytes`. Rejects if that fails. */
  load(path: string): Awaitable<void>
  /** Resolves when all kept files are stored. */
  settled(): Promise<void>
  /** The bytes of a file that `find` returned. */
  readBytes(path: string): Uint8Array
  /** Every path, or every path in a folder, sorted. */
  list(folder?: string): readonly string[]
  /**
   * Stores a text that is too long for an answer in `results/` and returns its path. A taken name gets a number. The
   * oldest files are deleted if necessary.
   */
  keep(name: string, content: Uint8Array | string): string
  /** The path that `keep` would return now. */
  pathFor(name: string): string
  /** The same for an artifact, which may outlive these files. */
  keepArtifact(name: string, content: Uint8Array | string, known?: KnownContent): string
  /** The same under exactly this name. Replaces the artifact that had it. */
  replace(name: string, content: Uint8Array | string, known?: KnownContent): string
  /** Deletes a file in `results/`. */
  remove(path: string): void
  /** The description of a file in `results/`; undefined if there is none at this path. */
  artifact(path: string): Artifact | undefined
  /** All kept files that are not answers. */
  readonly artifacts: KeptFiles
  /** The kept answers; the same object if artifacts are not separate. */
  readonly answers: KeptFiles
}

/** No path of a file is as long. */
const LONGEST_PATH = 1_000

export function openVfs(options: VfsOptions = {}): Vfs {
  const { results = {}, room, artifacts } = options
  if ('of' in results) return new MemoryFiles(results.of as MemoryFiles)
  const answers = options.answers ?? new KeptFiles({ quota: results, room })
  return new MemoryFiles({ answers, artifacts: artifacts ?? answers })
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

interface Generated extends GeneratedFile {
  readonly group: string
}

class MemoryFiles implements Vfs {
  readonly answers: KeptFiles
  readonly artifacts: KeptFiles
  readonly #files = new Files()
  readonly #generated = new Map<string, Generated>()
  /** The paths that have been generated. */
  readonly #made = new Set<string>()
  #index: PathIndex | undefined
  #keptIndex: PathIndex | undefined
  /** The state of `results/` that the index describes. */
  #indexed = ''

  /** The number of times that generated files were dropped. */
  #refreshed = 0

  constructor({ answers, artifacts }: Pick<MemoryFiles, 'answers' | 'artifacts'>) {
    this.answers = answers
    this.artifacts = artifacts
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
    if (this.#generated.has(path) || this.#holderOf(path) !== undefined) return { path }
    this.#index ??= new PathIndex(this.#generated.values())
    return findPath(path, [this.#index, this.#indexOfKept()])
  }

  *ready(path: string): Generator<void, void, void> {
    const generated = this.#generated.get(path)
    if (generated === undefined || this.#made.has(path)) return
    const refreshed = this.#refreshed
    const made = generated.make()
    const text = typeof made === 'string' ? made : yield* made
    // If the group was replaced meanwhile, this text is old.
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
    return this.#generated.has(path) ? this.#files.read(path) : this.#holderOf(path)!.read(path)
  }

  fresh(): Awaitable<void> {
    const asked = [...new Set([this.answers, this.artifacts])].flatMap((files) => files.fresh() ?? [])
    return asked.length === 0 ? undefined : Promise.all(asked).then(() => {})
  }

  load(path: string): Awaitable<void> {
    return this.#holderOf(path)?.load(path)
  }

  async settled(): Promise<void> {
    await Promise.all([this.answers.settled(), this.artifacts.settled()])
  }

  #hold(path: string, text: string): void {
    this.#files.write(path, text)
    this.#made.add(path)
  }

  list(folder?: string): readonly string[] {
    const all = [...this.#generated.keys(), ...this.#keptPaths()]
    return (folder === undefined ? all : all.filter((path) => path.startsWith(`${folder}/`))).sort()
  }

  keep(name: string, content: Uint8Array | string): string {
    return this.answers.replace(nameIn(this.pathFor(name)), content)
  }

  pathFor(name: string): string {
    return freePath(name, (path) => this.#holderOf(path) !== undefined)
  }

  keepArtifact(name: string, content: Uint8Array | string, known?: KnownContent): string {
    return this.artifacts.keep(name, content, known)
  }

  replace(name: string, content: Uint8Array | string, known?: KnownContent): string {
    return this.artifacts.replace(name, content, known)
  }

  remove(path: string): void {
    this.#holderOf(path)?.remove(path)
  }

  artifact(path: string): Artifact | undefined {
    return this.#holderOf(path)?.artifact(path)
  }

  #holderOf(path: string): KeptFiles | undefined {
    if (!path.startsWith('results/')) return undefined
    return [this.answers, this.artifacts].find((files) => files.has(path))
  }

  #keptPaths(): string[] {
    const answers = this.answers === this.artifacts ? [] : this.answers.paths
    return [...answers, ...this.artifacts.paths]
  }

  #indexOfKept(): PathIndex {
    const paths = this.#keptPaths()
    const state = `${this.answers.version} ${this.artifacts.version}`
    if (this.#keptIndex === undefined || this.#indexed !== state)
      this.#keptIndex = new PathIndex(paths.map((path) => ({ path })))
    this.#indexed = state
    return this.#keptIndex
  }
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** O_WRONLY | O_CREAT | O_TRUNC, with the numbers that memfs gives them on every system. */
const OVERWRITE = 1 | 64 | 512
const OURS = 0o700

/** Files by path, in memory. memfs is loaded with the first of them, because most runs read none. */
class Files {
  #opened: Memfs.Superblock | undefined
  readonly #folders = new Set<string>()

  get #disk(): Memfs.Superblock {
    if (this.#opened !== undefined) return this.#opened
    const { Superblock } = createRequire(import.meta.url)('@jsonjoy.com/fs-core') as typeof Memfs
    this.#opened = new Superblock()
    return this.#opened
  }

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
    // `rm` would keep the content of removed files.
    if (this.#disk.getResolvedLink(`/${path}`) !== null) this.#disk.unlink(`/${path}`)
  }
}

/** Every spelling of every path. It is built when somebody first looks for an inexact path. */
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

/** Paths by spelling. Most spellings belong to one path. */
type Spellings = Map<string, string | Set<string>>

function findPath(path: string, indexes: readonly PathIndex[]): FoundFile {
  // The path with its extension comes first, because a server has stubs with two extensions.
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

/** Names like this one in its folder; else files of this name in other folders; else paths like the whole path. */
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
