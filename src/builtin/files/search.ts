// Searches files for a regular expression, without backtracking.
//
// Most files contain no match, and the cheapest test that proves it comes first: the bytes of a text that every match
// contains, then the expression on the lines that contain it, or on the whole text if no such text is known. A match is
// within a line unless the caller says otherwise.

import { closeSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { RE2JS } from 're2js'
import { Failure, failureOf, quoted } from '../tool.js'
import { globTest } from './look.js'
import { bytesOf, isBinary } from './read.js'
import type { Match, SearchArguments } from './schemas.js'
import { slashed, unlessReplaced, walk } from './walk.js'
import { type Folder, shown, type Wall } from './wall.js'

const LONGEST_PATTERN = 2_000
const MOST_MATCHES = 10_000
const LARGEST_FILE = 64 * 1024 * 1024
/** Of all lines together, in characters. */
const MOST_TEXT = 4 * 1024 * 1024

/** A part of the files of a search, so that threads share the work. */
export interface Part {
  /** Only files that come later in the order of paths. */
  readonly after?: string
  /** Only files whose paths fall to this one of `of` parts. */
  readonly index: number
  readonly of: number
  /** The most files; the search has more parts if there are more. */
  readonly mostFiles?: number
}

/** What is found in a part. */
export interface Found {
  /** The matches of each file as JSON texts, in the order of paths. */
  readonly files: readonly { readonly path: string; readonly matches: readonly string[] }[]
  readonly chars: number
  /** The last file that was looked at, if there are more. */
  readonly last?: string
}

export function search(wall: Wall, { part, ...args }: SearchArguments & { readonly part: Part }): Found {
  const found = new Matches(args)
  const matches = args.glob === undefined ? () => true : globTest(args.glob, true)
  const { folder, name } = wall.openAround(args.path)
  try {
    const isFolder = name === undefined || folder.stats(name).isDirectory()
    if (isFolder) return searchBelow(wall, args, { found, matches, part })
    found.addFrom(folder, name)
    return found.inAll()
  } finally {
    folder.close()
  }
}

function searchBelow(
  wall: Wall,
  args: SearchArguments,
  {
    found,
    matches,
    part,
  }: { readonly found: Matches; readonly matches: (here: string) => boolean; readonly part: Part },
): Found {
  let { after } = part
  let files = 0
  let last = ''
  let isMore = false
  walkBelow(wall, args, ({ folder, name, here }) => {
    if (after !== undefined && inOrder(here, after) <= 0) return true
    after = undefined
    if (!matches(here) || (part.of > 1 && shareOf(here) % part.of !== part.index)) return true
    if (files++ === part.mostFiles) {
      isMore = true
      return false
    }
    last = here
    return found.addFrom(folder, name)
  })
  return { ...found.inAll(), ...(isMore ? { last } : {}) }
}

/** All parts as one JSON text, in the order of paths. Throws if there are too many matches together. */
export function joined(
  parts: readonly Found[],
  { limit, pattern }: Pick<SearchArguments, 'limit' | 'pattern'>,
): string {
  const matches = parts
    .flatMap(({ files }) => files)
    .sort((a, b) => inOrder(a.path, b.path))
    .flatMap((file) => file.matches)
  if (limit === undefined && matches.length > MOST_MATCHES) throw tooMany(pattern)
  if (limit === undefined && parts.reduce((sum, { chars }) => sum + chars, 0) > MOST_TEXT) throw tooLong(pattern)
  return `[${matches.slice(0, limit).join(',')}]`
}

/** The order of a walk: by the names of folders, from the root on. */
function inOrder(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')]
  const i = left.findIndex((part, at) => part !== right[at])
  if (i < 0) return left.length - right.length
  return right[i] === undefined || left[i]! > right[i]! ? 1 : -1
}

/** A number that spreads paths evenly. */
function shareOf(path: string): number {
  let sum = 0
  for (let i = Math.max(0, path.length - 12); i < path.length; i++) sum = (sum * 31 + path.charCodeAt(i)) % 65_521
  return sum
}

function tooMany(pattern: string): Failure {
  return new Failure(`more than ${MOST_MATCHES} matches of ${quoted(pattern)}: narrow it, or pass limit`)
}

function tooLong(pattern: string): Failure {
  return new Failure(
    `the matches of ${quoted(pattern)} have more than ${MOST_TEXT} characters: narrow it, or pass limit`,
  )
}

function walkBelow(wall: Wall, { path, hidden, ignored }: SearchArguments, visit: Parameters<typeof walk>[2]): void {
  const folder = wall.openFolder(path)
  try {
    walk(folder, { hidden, ignored }, visit)
  } finally {
    folder.close()
  }
}

class Matches {
  readonly #files: { readonly path: string; readonly matches: string[] }[] = []
  #count = 0
  readonly #args: SearchArguments
  readonly #pattern: RE2JS
  /** A text that is in every match; empty if none is known. */
  readonly #required: string
  readonly #requiredBytes: Buffer
  #chars = 0

  constructor(args: SearchArguments) {
    this.#args = args
    this.#pattern = compile(args)
    this.#required = args.ignore_case ? '' : args.literal ? args.pattern : requiredLiteral(args.pattern)
    this.#requiredBytes = Buffer.from(this.#required)
  }

  inAll(): Found {
    return { files: this.#files, chars: this.#chars }
  }

  /** False if there are enough. */
  addFrom(folder: Folder, name: string): boolean {
    const path = slashed(folder.below(name))
    const text = this.#textOf(folder, name, path)
    if (text === undefined) return true
    // Lines without the required text are left out faster than the expression reads the whole text.
    const isWorthLines = this.#required !== '' && !this.#args.multiline
    if (!isWorthLines && !this.#pattern.test(text)) return true
    return this.#args.multiline ? this.#addSpans(path, text) : this.#addLines(path, text)
  }

  /** Undefined if there can be no match in the file, or no text. */
  #textOf(folder: Folder, name: string, path: string): string | undefined {
    const file = unlessReplaced(() => folder.open(name))
    if (file === undefined) return undefined
    try {
      if (file.stats.size > LARGEST_FILE)
        throw new Failure(`${shown(path)} has more than ${LARGEST_FILE} bytes: leave it out with glob`)
      const bytes = bytesOf(file, file.stats.size)
      if (isBinary(bytes) || !bytes.includes(this.#requiredBytes)) return undefined
      return bytes.toString().replace(/^\uFEFF/, '')
    } catch (error) {
      throw failureOf(error, shown(path))
    } finally {
      closeSync(file.fd)
    }
  }

  #addLines(path: string, text: string): boolean {
    const lines = text.split(/\r?\n/)
    if (lines.at(-1) === '') lines.pop()
    for (const [i, line] of lines.entries()) {
      if (!line.includes(this.#required) || !this.#pattern.test(line)) continue
      const matcher = this.#pattern.matcher(line)
      if (!matcher.find()) continue
      const span = { first: i, last: i, column: matcher.start(), match: matcher.group() ?? '' }
      if (!this.#add(path, lines, span)) return false
    }
    return true
  }

  #addSpans(path: string, text: string): boolean {
    const lines = text.split('\n')
    const starts = lineStarts(lines)
    const matcher = this.#pattern.matcher(text)
    let line = 0
    while (matcher.find()) {
      const start = matcher.start()
      while (line + 1 < starts.length && starts[line + 1]! <= start) line++
      let last = line
      while (last + 1 < starts.length && starts[last + 1]! < matcher.end()) last++
      const span = { first: line, last, column: start - starts[line]!, match: matcher.group() ?? '' }
      if (!this.#add(path, lines, span)) return false
    }
    return true
  }

  #add(path: string, lines: readonly string[], { first, last, column, match }: Span): boolean {
    const { context, limit, pattern } = this.#args
    if (this.#count >= (limit ?? MOST_MATCHES)) {
      if (limit !== undefined) return false
      throw tooMany(pattern)
    }
    const text = lines.slice(first, last + 1).join('\n')
    const before = lines.slice(Math.max(0, first - context), first)
    const after = lines.slice(last + 1, last + 1 + context)
    this.#chars += text.length + match.length + [...before, ...after].reduce((sum, line) => sum + line.length, 0)
    if (this.#chars > MOST_TEXT) throw tooLong(pattern)
    const width = [...text.slice(0, column)].length
    const found: Match = { path, line: first + 1, column: width + 1, text, match, before, after }
    if (this.#files.at(-1)?.path !== path) this.#files.push({ path, matches: [] })
    this.#files.at(-1)!.matches.push(JSON.stringify(found))
    this.#count++
    return true
  }
}

interface Span {
  /** Indices of lines. */
  readonly first: number
  readonly last: number
  readonly column: number
  readonly match: string
}

function lineStarts(lines: readonly string[]): number[] {
  let at = 0
  return lines.map((line) => {
    const start = at
    at += line.length + 1
    return start
  })
}

function compile({ pattern, literal, ignore_case: ignoresCase }: SearchArguments): RE2JS {
  if (pattern.length > LONGEST_PATTERN) throw new Failure('the pattern is too long')
  const { RE2JS } = createRequire(import.meta.url)('re2js') as { readonly RE2JS: typeof import('re2js').RE2JS }
  const flags = RE2JS.MULTILINE | (ignoresCase ? RE2JS.CASE_INSENSITIVE : 0)
  try {
    return RE2JS.compile(literal ? RE2JS.quote(pattern) : pattern, flags)
  } catch (error) {
    const reason = (error as Error).message.replace(/^error parsing regexp: /, '').replace('`(?m)', '`')
    const hint = /\(\?[=!<]/.test(pattern) ? ' (RE2 has no lookaround and no backreferences)' : ''
    throw new Failure(`${quoted(pattern)} is no pattern: ${reason}${hint}`)
  }
}

/** The longest text that every match of the pattern contains, as far as that is plain to see. */
export function requiredLiteral(pattern: string): string {
  if (/\||\(\?|\\[QxpP0-7]/.test(pattern)) return ''
  let best = ''
  let run = ''
  let depth = 0
  const end = () => {
    if (run.length > best.length) best = run
    run = ''
  }
  for (const [part] of pattern.matchAll(/\\.|\[\^?\]?(?:\\.|[^\]])*\]|\{\d+(?:,\d*)?\}|[\s\S]/gu)) {
    if (part === '(') depth++
    if (part === ')') depth--
    if (depth === 0 && /^[^\\[\](){}.^$*+?]$/u.test(part)) run += part
    else {
      if (/^[?*{]/.test(part)) run = [...run].slice(0, -1).join('')
      end()
    }
  }
  end()
  return best
}
