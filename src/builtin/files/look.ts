// What there is: the entries of a folder, one file's facts, and the files that match a pattern.

import type { Stats } from 'node:fs'
import path from 'node:path'
import picomatch from 'picomatch'
import { Failure, quoted } from '../tool.js'
import type { Entry, Facts, GlobArguments, PathArguments } from './schemas.js'
import { slashed, walk } from './walk.js'
import { shown, type Wall } from './wall.js'

const MOST_ENTRIES = 10_000
const MOST_FILES = 50_000
/** Of patterns that a library turns into regular expressions. */
const LONGEST_GLOB = 1_000

export function list(wall: Wall, { path: raw }: PathArguments): Entry[] {
  const folder = wall.openFolder(raw)
  try {
    const entries = folder.entries()
    if (entries.length > MOST_ENTRIES)
      throw new Failure(`${shown(raw)} has ${entries.length} entries, more than ${MOST_ENTRIES}: use files.glob`)
    return entries.map(({ name }) => {
      const stats = folder.stats(name)
      return { name, path: slashed(folder.below(name)), ...sizeAndKind(stats) }
    })
  } finally {
    folder.close()
  }
}

export function stat(wall: Wall, { path: raw }: PathArguments): Facts {
  const { folder, name } = wall.openAround(raw)
  try {
    const stats = folder.stats(name ?? '.')
    const below = name === undefined ? '.' : folder.below(name)
    return { path: slashed(below), ...sizeAndKind(stats), modified: stats.mtime.toISOString() }
  } finally {
    folder.close()
  }
}

function sizeAndKind(stats: Stats): Pick<Entry, 'kind' | 'size'> {
  if (stats.isDirectory()) return { kind: 'folder', size: 0 }
  if (stats.isSymbolicLink()) return { kind: 'link', size: 0 }
  return stats.isFile() ? { kind: 'file', size: stats.size } : { kind: 'other', size: 0 }
}

export function glob(wall: Wall, { pattern, path: raw, limit, ...options }: GlobArguments): string[] {
  const matches = globTest(pattern)
  const folder = wall.openFolder(raw)
  const found: string[] = []
  try {
    walk(folder, options, ({ folder: inner, name, here }) => {
      if (!matches(here)) return true
      if (found.length >= (limit ?? MOST_FILES)) {
        if (limit !== undefined) return false
        throw new Failure(`more than ${MOST_FILES} files match ${quoted(pattern)}: narrow it, or pass limit`)
      }
      return found.push(slashed(inner.below(name))) > 0
    })
  } finally {
    folder.close()
  }
  return found
}

/** `byName`: a pattern without a slash is about names, in all folders. */
export function globTest(pattern: string, byName = false): (here: string) => boolean {
  if (pattern.length > LONGEST_GLOB) throw new Failure('the pattern is too long')
  if (path.posix.isAbsolute(pattern)) throw new Failure(`${quoted(pattern)} is absolute: patterns are relative to path`)
  try {
    // What may be matched at all was decided before, names with dots included.
    return picomatch(pattern.replace(/^\.\//, ''), { dot: true, basename: byName && !pattern.includes('/') })
  } catch (error) {
    throw new Failure(`${quoted(pattern)} is no pattern: ${(error as Error).message}`)
  }
}
