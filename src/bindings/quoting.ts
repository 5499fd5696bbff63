// Quotes untrusted text for Python comments, string literals and docstrings.
// Invariant: a result cannot end the comment or string around it, and is one line unless documented otherwise.

/** Characters that move, hide or reorder text, and those that no source text may hold, as ranges of code points. */
const UNSAFE_RANGES = [
  '0-8 b-1f 7f-9f ad 34f 61c 115f-1160 17b4-17b5 180b-180f 200b-200f 2028-202e 2060-206f 3164 d800-dfff fe00-fe0f feff ffa0',
  'fff0-ffff 1d173-1d17a e0000-e0fff',
].join(' ')
const UNSAFE = new RegExp(
  `[${UNSAFE_RANGES.split(' ')
    .map((range) => range.replace(/[0-9a-f]+/g, (code) => `\\u{${code}}`))
    .join('')}]`,
  'gu',
)

/**
 * The text as words on one line: no control, bidirectional or invisible characters, nothing that ends a comment or a
 * docstring.
 */
function oneLine(text: string): string {
  return words(text)
    .replace(/\s\s+|[^\S ]/g, ' ')
    .trim()
}

/** Longer descriptions are cut. */
const LONGEST_TEXT = 50_000

/** The text as lines of words, each harmless, without blank lines at either end. */
export function manyLines(text: string): string[] {
  const lines = words(text.slice(0, LONGEST_TEXT))
    .split('\n')
    .map((line) => line.replace(/\t/g, '  ').trimEnd())
  const first = lines.findIndex((line) => line !== '')
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== '') + 1)
}

function words(text: string): string {
  if (/^[\n\x20-\x7e]*$/.test(text) && !/"""|'''|\*\//.test(text)) return text
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029\u000b\u000c]/g, '\n')
    .replace(UNSAFE, '')
    .replace(/"{3,}/g, "''")
    .replace(/'{3,}/g, "''")
    .replace(/\*\//g, '* /')
}

/** One line for the inside of a comment, without directives to type checkers or decoders of the file. */
export function commentText(text: string): string {
  return oneLine(text)
    .replace(/(^|#)(\s*)(type|pyright|mypy|pylint|ruff|noqa|fmt|isort)(\s*:)/gi, '$1$2$3 $4')
    .replace(/coding(?=[:=])/g, 'coding ')
}

/** One line for the inside of a docstring. */
export function docstringText(text: string): string {
  return text.replaceAll('\\', '\\\\').replace(/"""/g, "'''")
}

/** The text cut at a word so that it has at most `most` code points, the ellipsis included. */
export function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text
  const points = [...text]
  if (points.length <= most) return text
  const kept = points.slice(0, Math.max(0, most - 1)).join('')
  const whole = /\s/.test(points[most - 1] ?? '') ? kept : kept.replace(/\s+\S*$/u, '')
  return `${(whole.length >= kept.length / 2 ? whole : kept).replace(/[\s,;:.(–-]+$/u, '')}…`
}

/** The first sentence of a text as comment text, without its full stop, at most `most` code points. */
export function firstSentence(text: string, most: number): string {
  const paragraph =
    words(text.slice(0, 4 * most + 200))
      .trim()
      .split(/\n\s*\n|\n(?=\s*(?:[-*#•]|\d+[.)]))/, 1)[0] ?? ''
  const line = commentText(paragraph).replace(/^#+\s*/, '')
  const end = sentenceEnd(line)
  return cutAtWord(end < 0 ? line.replace(/[.:]$/, '') : line.slice(0, end), most)
}

function sentenceEnd(line: string): number {
  for (const match of line.matchAll(/[.!?](?=\s|$)/g)) {
    const before = line.slice(0, match.index)
    if (/(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|no|al)|\b[A-Z])$/i.test(before) && match[0] === '.') continue
    return match[0] === '.' ? match.index : match.index + 1
  }
  return -1
}

/** A Python (and Starlark) string literal for any text, in printable characters. */
export function pythonString(text: string): string {
  let out = '"'
  for (const char of text) {
    const code = char.codePointAt(0)!
    if (char === '"' || char === '\\') out += `\\${char}`
    else if (char === '\n') out += '\\n'
    else if (char === '\t') out += '\\t'
    else if (char === '\r') out += '\\r'
    else if ((code >= 0xd800 && code < 0xe000) || (code < 0x10000 && isUnsafe(char)))
      out += `\\u${code.toString(16).padStart(4, '0')}`
    else if (isUnsafe(char)) out += `\\U${code.toString(16).padStart(8, '0')}`
    else out += char
  }
  return `${out}"`
}

function isUnsafe(char: string): boolean {
  UNSAFE.lastIndex = 0
  return UNSAFE.test(char)
}

/** A JSON value as a Python literal. */
export function pythonLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return pythonString(value)
  if (typeof value === 'number') return pythonNumber(value)
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`
  const entries = Object.entries(value as object)
  return `{${entries.map(([key, inner]) => `${pythonString(key)}: ${pythonLiteral(inner)}`).join(', ')}}`
}

export function pythonNumber(value: number): string {
  if (Number.isInteger(value)) return BigInt(value).toString()
  return Number.isFinite(value) ? String(value) : 'None'
}
