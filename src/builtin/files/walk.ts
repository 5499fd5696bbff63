// Walks the files below a folder, from descriptor to descriptor, so that no link is followed on the way.

import { closeSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ignore from 'ignore'
import { Failure } from '../tool.js'
import { type Folder, shown } from './wall.js'

export interface WalkOptions {
  /** Also what begins with a dot, except repositories (`.git`). */
  readonly hidden: boolean
  /** Also what a `.gitignore` leaves out. */
  readonly ignored: boolean
}

/** `here`: the path below the folder that the walk began at, with slashes. Returning false ends the walk. */
export type Visit = (file: { readonly folder: Folder; readonly name: string; readonly here: string }) => boolean

const DEEPEST = 64
const LARGEST_GITIGNORE = 256 * 1024

interface Rules {
  /** The folder of the rules: a path below the start, with a slash at its end, or ''. */
  readonly base: string
  readonly rules: ReturnType<typeof ignore>
}

/** Visits every regular file, in the order of paths. The folder is the caller's to close. */
export function walk(start: Folder, options: WalkOptions, visit: Visit): void {
  within({ folder: start, here: '', rules: [], depth: 0 }, options, visit)
}

interface Place {
  readonly folder: Folder
  readonly here: string
  readonly rules: readonly Rules[]
  readonly depth: number
}

function within({ folder, here, rules: above, depth }: Place, options: WalkOptions, visit: Visit): boolean {
  const entries = folder.entries()
  const rules =
    options.ignored || !entries.some(({ name }) => name === '.gitignore') ? above : withRules(folder, here, above)
  for (const entry of entries) {
    const { name } = entry
    if (name === '.git' || (!options.hidden && name.startsWith('.'))) continue
    const isFolder = entry.isDirectory()
    if ((!isFolder && !entry.isFile()) || isIgnored(`${here}${name}${isFolder ? '/' : ''}`, rules)) continue
    if (!isFolder) {
      if (!visit({ folder, name, here: `${here}${name}` })) return false
    } else {
      if (depth >= DEEPEST) throw new Failure(`${shown(folder.below(name))} is more than ${DEEPEST} folders deep`)
      const inner = unlessReplaced(() => folder.folder(name))
      if (inner === undefined) continue
      try {
        if (!within({ folder: inner, here: `${here}${name}/`, rules, depth: depth + 1 }, options, visit)) return false
      } finally {
        inner.close()
      }
    }
  }
  return true
}

function withRules(folder: Folder, base: string, above: readonly Rules[]): readonly Rules[] {
  const file = unlessReplaced(() => folder.open('.gitignore'))
  if (file === undefined) return above
  try {
    if (file.stats.size > LARGEST_GITIGNORE) return above
    return [{ base, rules: ignore().add(readFileSync(file.fd, 'utf8')) }, ...above]
  } finally {
    closeSync(file.fd)
  }
}

/** The nearest folder with a rule about it decides. */
function isIgnored(here: string, rules: readonly Rules[]): boolean {
  for (const { base, rules: own } of rules) {
    const { ignored, unignored } = own.test(here.slice(base.length))
    if (ignored || unignored) return ignored
  }
  return false
}

/** Undefined for what has gone, or may not be read, since its folder was listed. */
export function unlessReplaced<T>(open: () => T): T | undefined {
  try {
    return open()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== undefined && ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'ENXIO'].includes(code)) return undefined
    throw error
  }
}

/** A path below the root, as programs write it. */
export function slashed(below: string): string {
  return below.replaceAll(path.sep, '/')
}
