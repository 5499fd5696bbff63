// Searches files for a regular expression, without backtracking.
//
// Most files contain no match, and the cheapest test that proves it comes first: the bytes of a text that every match
// contains, then the expression on the whole text, and only then line by line. A match is within a line unless the
// caller says otherwise.

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

export function search(wall: Wall, args: SearchArguments): Match[] {
  const found = new Matches(args)
  const matches = args.glob === undefined ? () => true : globTest(args.glob, true)
  const { folder, name } = wall.openAround(args.path)
  try {
    const isFolder = name === undefined || folder.stats(name).isDirectory()
    if (!isFolder) found.addFrom(folder, name)
    else walkBelow(wall, args, ({ folder: inner, name: one, here }) => !matches(here) || found.addFrom(inner, one))
  } finally {
    folder.close()
  }
  return found.all
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
  readonly all: Match[] = []
  readonly #args: SearchArguments
  readonly #pattern: RE2JS
  /** A text that is in every match; empty if none is known. */
  readonly #required: Buffer
  #chars = 0

  constructor(args: SearchArguments) {
    this.#args = args
    this.#pattern = compile(args)
    this.#required = Buffer.from(args.ignore_case ? '' : args.literal ? args.pattern : requiredLiteral(args.pattern))
  }

  /** False if there are enough. */
  addFrom(folder: Folder, name: string): boolean {
    const path = slashed(folder.below(name))
    const text = this.#textOf(folder, name, path)
    if (text === undefined || !this.#pattern.test(text)) return true
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
      if (isBinary(bytes) || (this.#required.length > 0 && !bytes.includes(this.#required))) return undefined
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
      if (!this.#pattern.test(line)) continue
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
    if (this.all.length >= (limit ?? MOST_MATCHES)) {
      if (limit !== undefined) return false
      throw new Failure(`more than ${MOST_MATCHES} matches of ${quoted(pattern)}: narrow it, or pass limit`)
    }
    const text = lines.slice(first, last + 1).join('\n')
    const before = lines.slice(Math.max(0, first - context), first)
    const after = lines.slice(last + 1, last + 1 + context)
    this.#chars += text.length + match.length + [...before, ...after].reduce((sum, line) => sum + line.length, 0)
    if (this.#chars > MOST_TEXT)
      throw new Failure(
        `the matches of ${quoted(pattern)} have more than ${MOST_TEXT} characters: narrow it, or pass limit`,
      )
    const width = [...text.slice(0, column)].length
    this.all.push({ path, line: first + 1, column: width + 1, text, match, before, after })
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
