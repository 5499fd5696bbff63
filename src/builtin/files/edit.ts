// A text with one place replaced, or with a unified diff applied.

import { applyPatch, parsePatch } from 'diff'
import { Failure } from '../tool.js'
import type { EditArguments } from './schemas.js'
import { shown } from './wall.js'

const MOST_NAMED = 5

export function edited(text: string, { path: raw, old, new: fresh, all, diff }: EditArguments): string {
  const isDiff = diff !== undefined
  if (isDiff === (old !== undefined) || isDiff === (fresh !== undefined))
    throw new Failure('pass either old and new, or diff')
  return isDiff ? patched(text, raw, diff) : replaced(text, raw, { old: old!, fresh: fresh!, all })
}

interface Replacement {
  readonly old: string
  readonly fresh: string
  readonly all: boolean
}

function replaced(text: string, raw: string, { old, fresh, all }: Replacement): string {
  // Models write line feeds, whatever the file has.
  if (!text.includes(old) && text.includes('\r\n') && text.includes(withReturns(old)))
    return replaced(text, raw, { old: withReturns(old), fresh: withReturns(fresh), all })
  const places = placesOf(text, old)
  if (places.length === 0) throw new Failure(`old is not in ${shown(raw)}${almost(text, old)}`)
  if (places.length > 1 && !all) {
    const lines = places.slice(0, MOST_NAMED).map((place) => lineAt(text, place))
    const more = places.length > MOST_NAMED ? ', …' : ''
    throw new Failure(
      `old is in ${shown(raw)} ${places.length} times, at lines ${lines.join(', ')}${more}: make it longer until it is there once, or pass all=True`,
    )
  }
  return text.split(old).join(fresh)
}

function withReturns(text: string): string {
  return text.replace(/\r?\n/g, '\r\n')
}

function placesOf(text: string, old: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(old); at >= 0; at = text.indexOf(old, at + old.length)) places.push(at)
  return places
}

function lineAt(text: string, place: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < place; at = text.indexOf('\n', at + 1)) line++
  return line
}

/** Names the place that differs from `old` in nothing but spaces. */
function almost(text: string, old: string): string {
  const words = (line: string) => line.replace(/\s+/g, '')
  const wanted = old.split('\n').map(words)
  const lines = text.split('\n').map(words)
  const at = lines.findIndex((_, i) => wanted.every((line, k) => lines[i + k] === line))
  return at < 0 || wanted.every((line) => line === '') ? '' : `; line ${at + 1} differs from it in spaces only`
}

function patched(text: string, raw: string, diff: string): string {
  const patches = parsed(diff).filter(({ hunks }) => hunks.length > 0)
  const [patch] = patches
  if (patch === undefined) throw new Failure('diff has no hunk: a hunk begins with a line such as @@ -1,3 +1,4 @@')
  if (patches.length > 1) throw new Failure(`diff is about ${patches.length} files: call files.edit for each`)
  const result = applyPatch(text, patch)
  if (result !== false) return result
  const wrong = patch.hunks.find((_, i) => applyPatch(text, { ...patch, hunks: patch.hunks.slice(0, i + 1) }) === false)
  throw new Failure(`the hunk at line ${wrong?.oldStart ?? 1} of diff does not fit ${shown(raw)}: nothing was changed`)
}

function parsed(diff: string) {
  try {
    return parsePatch(diff)
  } catch (error) {
    throw new Failure(`diff is no unified diff: ${(error as Error).message.split('\n')[0]}`)
  }
}
