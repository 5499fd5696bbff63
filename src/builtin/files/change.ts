// Changes files. A new content is written beside the old one and takes its place in one step, and what was there is
// handed back, so that the change can be undone.
// Invariant: a reader sees the old content or the new one, never a part of either.

import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { Failure, failureOf } from '../tool.js'
import { edited } from './edit.js'
import { bytesOf, decode } from './read.js'
import type { EditArguments, MoveArguments, PathArguments, WriteArguments } from './schemas.js'
import { slashed } from './walk.js'
import { type Folder, type PlaceInFolder, shown, type TargetOptions, type Wall } from './wall.js'

/** Of what is written, and of what is replaced and kept. */
const LARGEST = 16 * 1024 * 1024
const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants
/** The alphabets of RFC 4648. */
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/

/** A change that was made. Plain data. */
export type Changed =
  | {
      readonly action: 'created' | 'replaced' | 'removed'
      readonly path: string
      /** The former content; absent: there was nothing. */
      readonly before?: Uint8Array
      readonly mode?: number
      /** The digest of the new content; absent: there is nothing now. */
      readonly after?: string
      readonly bytes: number
    }
  | { readonly action: 'moved'; readonly path: string; readonly from: string; readonly bytes: number }
  | { readonly action: 'removed-folder'; readonly path: string; readonly bytes: 0 }

export function write(wall: Wall, { path: raw, text, content, append }: WriteArguments): Changed {
  if ((text === undefined) === (content === undefined)) throw new Failure('pass either text or content')
  if (content !== undefined && !BASE64.test(content.replace(/\s+/g, ''))) throw new Failure('content is no base64')
  const bytes = text === undefined ? Buffer.from(content!, 'base64') : Buffer.from(text)
  return inTarget(wall, { raw, follows: true, makes: true }, (target) => {
    const before = target.read()
    return target.put(append && before !== undefined ? Buffer.concat([before.bytes, bytes]) : bytes, before)
  })
}

export function edit(wall: Wall, args: EditArguments): Changed {
  return inTarget(wall, { raw: args.path, follows: true }, (target) => {
    const before = target.read()
    if (before === undefined) throw new Failure(`there is no ${shown(args.path)}`)
    const text = decode(before.bytes, args.path, 'utf-8')
    const mark = before.bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : Buffer.alloc(0)
    return target.put(Buffer.concat([mark, Buffer.from(edited(text, args))]), before)
  })
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

export function move(wall: Wall, { path: raw, to }: MoveArguments): Changed {
  const source = wall.openTarget(raw, {})
  try {
    const from = slashed(source.folder.below(source.name))
    const stats = statsIn(source)
    if (stats === undefined) throw new Failure(`there is no ${shown(raw)}`)
    return inTarget(wall, { raw: to, makes: true }, (target) => {
      if (target.exists) throw new Failure(`${shown(to)} is there already: nothing was moved`)
      const places = [source.folder.at(source.name), target.folder.at(target.name)] as const
      if (stats.isDirectory()) renameSync(...places)
      else giveName(...places)
      return { action: 'moved', path: target.path, from, bytes: stats.isFile() ? stats.size : 0 }
    })
  } finally {
    source.folder.close()
  }
}

/** Unlike renaming, it fails if somebody has made the target meanwhile, where the file system can do that. */
function giveName(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes((error as NodeJS.ErrnoException).code!)) throw error
    return renameSync(from, to)
  }
  unlinkSync(from)
}

export function remove(wall: Wall, { path: raw }: PathArguments): Changed {
  return inTarget(wall, { raw }, (target) => {
    if (!target.exists) throw new Failure(`there is no ${shown(raw)}`)
    if (!target.isFolder) return target.drop()
    try {
      rmdirSync(target.folder.at(target.name))
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code!)) throw error
      throw new Failure(`the folder ${shown(raw)} is not empty: remove its files first`)
    }
    return { action: 'removed-folder', path: target.path, bytes: 0 }
  })
}

/** Takes a change back, unless somebody has changed the file since. */
export function undo(wall: Wall, { changed }: { readonly changed: Changed }): Changed {
  if (changed.action === 'moved') return move(wall, { path: changed.path, to: changed.from })
  if (changed.action === 'removed-folder') {
    wall.openTarget(`${changed.path}/it`, { makes: true }).folder.close()
    return { ...changed, action: 'created' }
  }
  return inTarget(wall, { raw: changed.path, makes: true }, (target) => {
    const now = target.read()
    if ((now && digestOf(now.bytes)) !== changed.after)
      throw new Failure(`${shown(changed.path)} has changed since: nothing was undone`)
    return changed.before === undefined ? target.drop() : target.put(changed.before, now, changed.mode)
  })
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function statsIn({ folder, name }: PlaceInFolder) {
  try {
    return folder.stats(name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

interface Asked extends TargetOptions {
  readonly raw: string
}

function inTarget(wall: Wall, { raw, ...options }: Asked, work: (target: Target) => Changed): Changed {
  const place = wall.openTarget(raw, options)
  try {
    return work(new Target(raw, place))
  } catch (error) {
    throw failureOf(error, shown(raw))
  } finally {
    place.folder.close()
  }
}

interface Former {
  readonly bytes: Buffer
  readonly mode: number
  /** Changes with each writing. */
  readonly version: string
}

/** A name in an open folder. */
class Target {
  readonly folder: Folder
  readonly name: string
  readonly #raw: string

  constructor(raw: string, { folder, name }: PlaceInFolder) {
    this.#raw = raw
    this.folder = folder
    this.name = name
  }

  get path(): string {
    return slashed(this.folder.below(this.name))
  }

  get exists(): boolean {
    return statsIn(this) !== undefined
  }

  get isFolder(): boolean {
    return statsIn(this)?.isDirectory() === true
  }

  read(): Former | undefined {
    const stats = statsIn(this)
    if (stats === undefined) return undefined
    if (stats.isDirectory()) throw new Failure(`${shown(this.#raw)} is a folder, not a file`)
    const file = stats.isFile() ? this.folder.open(this.name) : undefined
    if (file === undefined) throw new Failure(`${shown(this.#raw)} is neither a file nor a folder`)
    try {
      const { size, mode } = file.stats
      if (size > LARGEST)
        throw new Failure(`${shown(this.#raw)} has ${size} bytes, more than can be kept for files.undo`)
      return { bytes: bytesOf(file, size), mode: mode & 0o777, version: versionOf(file.stats) }
    } finally {
      closeSync(file.fd)
    }
  }

  /** Puts a new content in place of the former one. */
  put(content: Uint8Array, former: Former | undefined, mode = former?.mode ?? 0o666): Changed {
    if (content.length > LARGEST)
      throw new Failure(`${content.length} bytes are more than a file may have (${LARGEST})`)
    const beside = `.${randomBytes(8).toString('hex')}.starbind`
    this.folder.check()
    const fd = openSync(this.folder.at(beside), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
    try {
      for (let at = 0; at < content.length; ) at += writeSync(fd, content, at)
      // The mask of this process is for new files.
      if (former !== undefined) fchmodSync(fd, mode)
      fsyncSync(fd)
      this.#requireSame(former)
      const places = [this.folder.at(beside), this.folder.at(this.name)] as const
      if (former === undefined) giveName(...places)
      else renameSync(...places)
    } finally {
      closeSync(fd)
      if (statsIn({ folder: this.folder, name: beside }) !== undefined) unlinkSync(this.folder.at(beside))
    }
    const facts = { path: this.path, after: digestOf(content), bytes: content.length }
    if (former === undefined) return { action: 'created', ...facts }
    return { action: 'replaced', ...facts, before: former.bytes, mode: former.mode }
  }

  /** Removes the file. */
  drop(): Changed {
    // Of a link only the link goes, which has no content.
    const former = statsIn(this)?.isFile() === true ? this.read() : undefined
    if (former !== undefined) this.#requireSame(former)
    unlinkSync(this.folder.at(this.name))
    const kept = former === undefined ? {} : { before: former.bytes, mode: former.mode }
    return { action: 'removed', path: this.path, bytes: former?.bytes.length ?? 0, ...kept }
  }

  #requireSame(former: Former | undefined): void {
    const stats = statsIn(this)
    if (stats?.isSymbolicLink() || (stats && versionOf(stats)) !== former?.version)
      throw new Failure(`${shown(this.#raw)} has just been changed by somebody else: nothing was written`)
  }
}

function versionOf({ ino, size, mtimeMs, ctimeMs }: { ino: number; size: number; mtimeMs: number; ctimeMs: number }) {
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`
}
