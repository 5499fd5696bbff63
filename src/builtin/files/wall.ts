// The wall around the root: opens files and folders below it, and nothing else.
//
// A name is checked at the moment of use, because others may change folders into links at any time. A path is resolved
// to the real one, which must be inside, and opened without following a link at its end. Then the descriptor says what
// was opened: Linux names the real path of a descriptor, and that one must be inside as well. From there on names are
// resolved from the descriptor of their folder (`/proc/self/fd/N/name`), so no link on the way counts any more. Other
// systems have no such names. There the path is resolved once more after the opening, and must still lead to the same
// inode; a change and its reversal between two system calls would go unnoticed.
//
// Invariant: no descriptor that this file returns is of a file or folder outside of the root, or of anything but a
// regular file or a folder.

import {
  closeSync,
  constants,
  type Dirent,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs'
import path from 'node:path'
import ignore from 'ignore'
import { Failure, failureOf, quoted } from '../tool.js'

export interface WallSettings {
  /** The root; of a wall's own settings, its real path. */
  readonly root: string
  readonly exclude: readonly string[]
  readonly unwritable: readonly string[]
}

/** Throws an Error that says, for people, why there is no such folder. */
export function wallSettings({ root, exclude, unwritable }: WallSettings): WallSettings {
  return { root: realFolder(root), exclude, unwritable: unwritable.map(realIfThere) }
}

function realFolder(root: string): string {
  try {
    const real = realpathSync.native(root)
    if (statSync(real).isDirectory()) return real
  } catch {
    throw new Error(`there is no folder ${root}`)
  }
  throw new Error(`${root} is a file, want a folder`)
}

function realIfThere(place: string): string {
  try {
    return realpathSync.native(place)
  } catch {
    return place
  }
}

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_DIRECTORY = 0, O_NOCTTY = 0 } = constants
/** A pipe that nobody writes to is opened without waiting, and a terminal does not become ours. */
const CAREFULLY = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
const DESCRIPTORS = '/proc/self/fd'
const namesDescriptors = process.platform === 'linux' && existsSync(DESCRIPTORS)
const isWindows = process.platform === 'win32'
const LONGEST_PATH = 4096

/** Where starbind keeps runs and approvals. */
const OWN_STATE = '.starbind'
/** Files by which editors and hosts start programs, and the repository itself. */
const UNWRITABLE = /^(?:\.git|\.vscode|\.cursor|\.claude|starbind\.json|\.?mcp\.json)$/i

/** An open regular file. Its owner closes the descriptor. */
export interface OpenFile {
  readonly fd: number
  /** Its real path, below the root. */
  readonly path: string
  readonly stats: Stats
}

export interface TargetOptions {
  /** Whether a link at the end of the path stands for what it leads to. Default false. */
  readonly follows?: boolean
  /** Whether missing folders are made. Default false. */
  readonly makes?: boolean
}

export interface PlaceInFolder {
  readonly folder: Folder
  readonly name: string
}

export class Wall {
  readonly root: string
  readonly #unwritable: readonly string[]
  readonly #excluded: ReturnType<typeof ignore> | undefined

  constructor({ root, exclude, unwritable }: WallSettings) {
    this.root = root
    this.#unwritable = unwritable
    this.#excluded = exclude.length === 0 ? undefined : ignore({ ignorecase: true }).add([...exclude])
  }

  /** Opens a regular file for reading. */
  openFile(raw: string): OpenFile {
    const real = this.#existing(raw)
    return this.#opened(raw, real, () => {
      const found = lstatSync(real)
      if (found.isDirectory()) throw new Failure(`${shown(raw)} is a folder: files.list(${shown(raw)}) names its files`)
      if (!found.isFile()) throw new Failure(`${shown(raw)} is neither a file nor a folder`)
      const fd = openSync(real, CAREFULLY)
      return { fd, path: this.#below(real), stats: this.#verified(fd, real) }
    })
  }

  /** A path by which other libraries and processes of this user read an open file, and no other. */
  placeOf({ fd, path: below }: OpenFile): string {
    return namesDescriptors ? `/proc/${process.pid}/fd/${fd}` : path.join(this.root, below)
  }

  openFolder(raw: string): Folder {
    const real = this.#existing(raw)
    return this.#opened(raw, real, () => {
      if (!lstatSync(real).isDirectory()) throw new Failure(`${shown(raw)} is a file, not a folder`)
      return this.#folder(real)
    })
  }

  /** The folder of something that exists, and its name there; the root has none. */
  openAround(raw: string): { readonly folder: Folder; readonly name: string | undefined } {
    const real = this.#existing(raw)
    if (real === this.root) return { folder: this.#opened(raw, real, () => this.#folder(real)), name: undefined }
    const folder = this.#opened(raw, real, () => this.#folder(path.dirname(real)))
    return { folder, name: path.basename(real) }
  }

  /** The folder of something that is to be changed, and its name there. */
  openTarget(raw: string, { follows = false, makes = false }: TargetOptions): PlaceInFolder {
    const asked = path.join(this.root, normal(raw)).replace(/[\\/]$/, '')
    this.#requireWritable(raw, asked)
    if (asked === this.root) throw new Failure("the root can't be changed itself")
    const missing: string[] = follows ? [] : [path.basename(asked)]
    let here = follows ? asked : path.dirname(asked)
    let real = realOrMissing(here)
    for (; real === undefined; real = realOrMissing(here)) {
      if (isThere(here)) throw new Failure(`${shown(raw)} is a link to nothing`)
      missing.unshift(path.basename(here))
      here = path.dirname(here)
    }
    this.#requireInside(raw, real)
    if (missing.length > 0 && !lstatSync(real).isDirectory())
      throw new Failure(`${shown(this.#below(real))} is a file, not a folder`)
    const target = path.join(real, ...missing)
    this.#requireWritable(raw, target)
    if (target === this.root) throw new Failure(`${shown(raw)} is a folder, not a file`)
    if (missing.length > 1 && !makes) throw new Failure(`there is no ${shown(raw)}`)
    const name = path.basename(target)
    const steps = missing.slice(0, -1)
    const start = missing.length === 0 ? path.dirname(real) : real
    return {
      folder: this.#opened(raw, real, () => steps.reduce((folder, step) => folder.made(step), this.#folder(start))),
      name,
    }
  }

  /** Refuses what starts programs, what starbind itself relies on, and what the entry excludes. */
  #requireWritable(raw: string, real: string): void {
    const below = this.#below(real)
    if (this.isExcluded(below)) throw new Failure(`${shown(raw)} is not for programs`)
    const isOurs = below.split(path.sep).some((part) => UNWRITABLE.test(part.normalize('NFKC')))
    if (isOurs || this.#unwritable.some((own) => real === own || real.startsWith(`${own}${path.sep}`)))
      throw new Failure(`${shown(raw)} can't be changed: other programs take their orders from it`)
  }

  /** `below`: a path below the root. */
  isExcluded(below: string, isFolder = false): boolean {
    if (below.split(path.sep).some((part) => part.toLowerCase() === OWN_STATE)) return true
    if (this.#excluded === undefined || below === '') return false
    const name = below.replaceAll(path.sep, '/')
    return this.#excluded.ignores(name) || (isFolder && this.#excluded.ignores(`${name}/`))
  }

  /** The path below the root of a real path. */
  #below(real: string): string {
    return path.relative(this.root, real)
  }

  /** The real path of something that exists and may be seen. */
  #existing(raw: string): string {
    const real = realOrMissing(path.join(this.root, normal(raw)))
    if (real === undefined) throw new Failure(`there is no ${shown(raw)}`)
    this.#requireInside(raw, real)
    if (this.isExcluded(this.#below(real), true)) throw new Failure(`${shown(raw)} is not for programs`)
    return real
  }

  #requireInside(raw: string, real: string): void {
    if (!this.#isInside(real)) throw new Failure(`${shown(raw)} leads out of the root`)
  }

  #isInside(real: string): boolean {
    const below = this.#below(real)
    return below === '' || !(below === '..' || below.startsWith(`..${path.sep}`) || path.isAbsolute(below))
  }

  #folder(real: string): Folder {
    const fd = openSync(real, CAREFULLY | O_DIRECTORY)
    this.#verified(fd, real)
    return new Folder(this, { fd, path: this.#below(real) })
  }

  #opened<T>(raw: string, real: string, open: () => T): T {
    try {
      return open()
    } catch (error) {
      throw failureOf(error, real === this.root ? 'the root' : shown(raw))
    }
  }

  /** Closes the descriptor and throws if it is of something that may not be opened. */
  #verified(fd: number, real: string): Stats {
    try {
      return this.verify(fd, real)
    } catch (error) {
      closeSync(fd)
      throw error
    }
  }

  /** Throws if the descriptor is of something else than a file or a folder below the root. */
  verify(fd: number, real: string): Stats {
    const stats = fstatSync(fd)
    const replaced = () => new Failure(`${shown(this.#below(real))} has just been replaced`)
    if (!stats.isFile() && !stats.isDirectory()) throw replaced()
    if (namesDescriptors) {
      const actual = readlinkSync(`${DESCRIPTORS}/${fd}`)
      if (!this.#isInside(actual) || this.isExcluded(this.#below(actual), true)) throw replaced()
      return stats
    }
    const again = realOrMissing(real)
    const { dev, ino } = again === undefined ? { dev: -1, ino: -1 } : statSync(again)
    if (again !== real || dev !== stats.dev || ino !== stats.ino) throw replaced()
    return stats
  }
}

/** An open folder below the root. Names are looked up in the folder itself, wherever it is by now. */
export class Folder {
  readonly fd: number
  /** Its path below the root. */
  readonly path: string
  readonly #wall: Wall

  constructor(wall: Wall, { fd, path: below }: { readonly fd: number; readonly path: string }) {
    this.#wall = wall
    this.fd = fd
    this.path = below
  }

  /** A path that leads to that name in this folder. */
  at(name: string): string {
    return namesDescriptors ? `${DESCRIPTORS}/${this.fd}/${name}` : path.join(this.#wall.root, this.path, name)
  }

  /** The path below the root of that name. */
  below(name: string): string {
    return this.path === '' ? name : `${this.path}${path.sep}${name}`
  }

  /** Throws if this folder is no longer where it was opened. */
  check(): void {
    if (!namesDescriptors) this.#wall.verify(this.fd, path.join(this.#wall.root, this.path))
  }

  /** What is in it, without what may not be seen, by name. */
  entries(): Dirent[] {
    const found = readdirSync(namesDescriptors ? `${DESCRIPTORS}/${this.fd}` : this.at('.'), { withFileTypes: true })
    this.check()
    return found
      .filter((one) => !this.#wall.isExcluded(this.below(one.name), one.isDirectory()))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** Of a link: about the link itself. */
  stats(name: string): Stats {
    const stats = lstatSync(this.at(name))
    this.check()
    return stats
  }

  /** Opens a regular file for reading; undefined for anything else. The caller closes the descriptor. */
  open(name: string): { readonly fd: number; readonly stats: Stats } | undefined {
    const fd = openSync(this.at(name), CAREFULLY)
    try {
      const stats = namesDescriptors ? fstatSync(fd) : this.#verify(fd, name)
      if (stats.isFile()) return { fd, stats }
    } catch (error) {
      closeSync(fd)
      throw error
    }
    closeSync(fd)
    return undefined
  }

  folder(name: string): Folder {
    const fd = openSync(this.at(name), CAREFULLY | O_DIRECTORY)
    try {
      if (!namesDescriptors) this.#verify(fd, name)
    } catch (error) {
      closeSync(fd)
      throw error
    }
    return new Folder(this.#wall, { fd, path: this.below(name) })
  }

  /** The folder of that name in it, made if it is missing. This one is closed. */
  made(name: string): Folder {
    try {
      this.check()
      mkdirSync(this.at(name), { recursive: false })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    try {
      return this.folder(name)
    } finally {
      this.close()
    }
  }

  close(): void {
    closeSync(this.fd)
  }

  #verify(fd: number, name: string): Stats {
    return this.#wall.verify(fd, path.join(this.#wall.root, this.below(name)))
  }
}

/** The path below the root that a program names, in normal form. */
function normal(raw: string): string {
  if (raw.includes('\0') || /\p{Surrogate}/u.test(raw)) throw new Failure(`${shown(raw)} is no path`)
  if (Buffer.byteLength(raw) > LONGEST_PATH) throw new Failure('the path is too long')
  if (path.isAbsolute(raw))
    throw new Failure(`${shown(raw)} is absolute: paths are relative to the root, such as "a/b.txt"`)
  // Windows: another drive, a stream of a file.
  if (isWindows && raw.includes(':')) throw new Failure(`${shown(raw)} is no path below the root`)
  const below = path.normalize(raw === '' ? '.' : raw)
  if (below === '..' || below.startsWith(`..${path.sep}`)) throw new Failure(`${shown(raw)} leads out of the root`)
  return below
}

function realOrMissing(place: string): string | undefined {
  try {
    return realpathSync.native(place)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw failureOf(error, 'the path')
  }
}

function isThere(place: string): boolean {
  try {
    return lstatSync(place, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

/** A path as messages and results show it. */
export function shown(raw: string): string {
  return quoted(raw.replaceAll(path.sep, '/'))
}
