// Which third-party suite a file belongs to, and what the file says: its chunks and what each of them must do. Knows folder names and comment
// formats, nothing of running anything.
// Invariant: every line of a file belongs to exactly one chunk, and no chunk is left out.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * @typedef {'go-eval' | 'go-struct' | 'go-resolve' | 'go-syntax' | 'java' | 'bazelbuild' | 'rust-parse' | 'rust-inline' | 'rust-must-fail' | 'starbind'} Suite
 *
 * @typedef {object} Expectation
 * @property {number} line The line of the file that says so.
 * @property {RegExp | undefined} pattern What the message should look like; undefined when any message will do.
 * @property {string} text The pattern as it is written.
 *
 * @typedef {object} Chunk
 * @property {Suite} suite
 * @property {string} file The path to show.
 * @property {number} line The line of the file that the chunk begins on.
 * @property {string} text The chunk's lines, behind as many empty ones as stand before it in the file.
 * @property {readonly Expectation[]} errors What must go wrong; empty when nothing may.
 * @property {boolean} onLine Must the errors come on the lines of their expectations?
 * @property {boolean} exact Must the messages be the expected ones to the letter?
 * @property {ReadonlySet<string>} options The switches of the dialect that the chunk asks for; in our own chunks those that it turns off.
 */

/** Folder names, from the innermost outwards: the first one known here decides. @type {Readonly<Record<string, Suite>>} */
const suiteOfFolder = {
  eval: 'go-eval',
  resolve: 'go-resolve',
  syntax: 'go-syntax',
  struct: 'go-struct',
  parse: 'rust-parse',
  inline: 'rust-inline',
  starlark: 'starbind',
  'bazelbuild-starlark': 'bazelbuild',
  'bazel-java': 'java',
  'starlark-go': 'go-eval',
  'starlark-rust': 'rust-inline',
}

/** @param {string} file @returns {Suite | undefined} */
export function suiteOf(file) {
  if (path.basename(file) === 'syntax_must_fail.star') return 'rust-must-fail'
  for (const folder of path.dirname(path.resolve(file)).split(path.sep).reverse()) {
    const suite = suiteOfFolder[folder]
    if (suite !== undefined) return suite
  }
  return undefined
}

/** The `.star` files under a folder in the order of their paths, or the file itself. @param {string} where @returns {string[]} */
export function starFiles(where) {
  if (statSync(where).isFile()) return [where]
  return readdirSync(where, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.star'))
    .sort()
    .map((file) => path.join(where, file))
}

/** @param {string} file @param {string} shown The path to show. @param {Suite} suite @returns {Chunk[]} */
export function readChunks(file, shown, suite) {
  const lines = readFileSync(file, 'utf8').split('\n')
  const borders = suite === 'rust-parse' ? [] : lines.flatMap((text, i) => (/^---\s*$/.test(text) ? [i] : []))
  const starts = [0, ...borders.map((i) => i + 1)]
  return starts.map((start, i) => {
    const own = lines.slice(start, borders[i] ?? lines.length)
    const text = '\n'.repeat(start) + own.join('\n')
    return {
      suite,
      file: shown,
      line: start + 1,
      text,
      errors: expectations(own, start + 1, suite),
      onLine: suite.startsWith('go-') || suite === 'starbind',
      exact: suite === 'starbind',
      options: optionsOf(own, suite),
    }
  })
}

/** @param {readonly string[]} lines @param {Suite} suite @returns {Set<string>} */
function optionsOf(lines, suite) {
  if (suite !== 'starbind') return new Set([...lines.join('\n').matchAll(/option:(\w+)/g)].map((m) => m[1]))
  return new Set(lines.flatMap((line) => /^# off: (.*)$/.exec(line.trimEnd())?.[1].split(', ') ?? []))
}

/** @param {readonly string[]} lines @param {number} first @param {Suite} suite @returns {Expectation[]} */
function expectations(lines, first, suite) {
  const marked = lines.flatMap((text, i) => {
    const at = text.indexOf('###')
    return at < 0 ? [] : [{ line: first + i, text: text.slice(at + 3).trim() }]
  })
  if (suite.startsWith('go-')) return marked.flatMap(({ line, text }) => goExpectation(line, text))
  switch (suite) {
    case 'bazelbuild':
      return bazelbuildExpectations(marked)
    case 'starbind':
      // Alone on its line it is about the next one.
      return marked.map(({ line, text }) => ({
        line: lines[line - first].startsWith('###') ? line + 1 : line,
        text,
        pattern: undefined,
      }))
    case 'java':
      return marked.map(({ line, text }) => ({ line, text, pattern: regex(text) }))
    case 'rust-inline':
      return rustExpectation(lines, first)
    case 'rust-must-fail':
      return rustExpectation(lines, first)
        .concat({ line: first, text: 'rejected before it runs', pattern: undefined })
        .slice(0, 1)
    default:
      return []
  }
}

/** @param {number} line @param {string} text @returns {Expectation[]} */
function goExpectation(line, text) {
  const literal = goString(text)
  return literal === undefined ? [] : [{ line, text: literal, pattern: regex(literal) }]
}

/** The value of a Go string literal. @param {string} text @returns {string | undefined} */
function goString(text) {
  if (/^`[^`]*`$/.test(text)) return text.slice(1, -1)
  if (!/^"(?:[^"\\]|\\.)*"$/.test(text)) return undefined
  const short = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' }
  return text.slice(1, -1).replace(/\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|(.))/gi, (_, x, u, c) => {
    const code = x ?? u
    return code === undefined
      ? (short[/** @type {keyof typeof short} */ (c)] ?? c)
      : String.fromCharCode(parseInt(code, 16))
  })
}

/**
 * `### REGEX` is for everybody, `### go: REGEX` for one implementation. Where one implementation alone refuses what the others run, the
 * chunk must run. The message is lower-cased before it is compared.
 * @param {readonly { line: number, text: string }[]} marked @returns {Expectation[]}
 */
function bazelbuildExpectations(marked) {
  const all = marked.map(({ line, text }) => {
    const [, who, rest] = /^((?:go|java|rust)(?:\s*\|\s*(?:go|java|rust))*):\s*(.*)$/.exec(text) ?? [
      undefined,
      undefined,
      text,
    ]
    return { line, text: rest, who: who === undefined ? ['go', 'java', 'rust'] : who.split('|').map((w) => w.trim()) }
  })
  if (new Set(all.flatMap((e) => e.who)).size < 2) return []
  const texts = all.map((e) => e.text.toLowerCase())
  // One error satisfies them all: they say the same in the words of several implementations.
  const pattern = new RegExp(texts.map((t) => `(?:${source(t)})`).join('|'), 's')
  return [{ line: all[0].line, text: texts.join(' / '), pattern }]
}

/** @param {readonly string[]} lines @param {number} first @returns {Expectation[]} */
function rustExpectation(lines, first) {
  for (let i = lines.length - 1; i >= 0; i--) {
    if (lines[i].trim() === '') continue
    const m = /^\s*###\s*rust:\s*(.*)$/.exec(lines[i])
    return m === null ? [] : [{ line: first + i, text: m[1], pattern: undefined }]
  }
  return []
}

/** The source of a regular expression that means what `text` does as one, or else `text` itself. @param {string} text */
function source(text) {
  try {
    return new RegExp(text).source
  } catch {
    return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  }
}

/** A pattern in the notation of Go or Java. @param {string} text @returns {RegExp} */
export function regex(text) {
  const flags = /^\(\?([ims]+)\)/.exec(text)
  return new RegExp(source(flags === null ? text : text.slice(flags[0].length)), flags?.[1] ?? '')
}
