// Matches untrusted regular expressions in time linear in the text, with re2js.
// Invariant: a pattern that re2 reads differently, or that is too large, gives undefined: unknown.

import { createRequire } from 'node:module'
import type { RE2JS } from 're2js'

const LONGEST_PATTERN = 500
const LONGEST_TEXT = 512
/** The size of the largest compiled pattern, in instructions. */
const LARGEST = 1_000
const MOST_KEPT = 500

interface Pattern {
  readonly size: number
  readonly test: (text: string) => boolean
}

const compiled = new Map<string, Pattern | undefined>()

/** Loaded for the first pattern, because few tools have one. */
function re2(): typeof RE2JS {
  return (createRequire(import.meta.url)('re2js') as { readonly RE2JS: typeof RE2JS }).RE2JS
}

/**
 * Whether the text contains a match, and the approximate number of steps; undefined if it can't be decided in bounded
 * time.
 */
export function matches(
  pattern: string,
  text: string,
): { readonly matches: boolean; readonly steps: number } | undefined {
  if (text.length > LONGEST_TEXT || pattern.length > LONGEST_PATTERN) return undefined
  const known = compiled.has(pattern) ? compiled.get(pattern) : compilePattern(pattern)
  if (known === undefined) return undefined
  return { matches: known.test(text), steps: 1 + Math.ceil((known.size * text.length) / 100) }
}

export function forgetPatterns(): void {
  compiled.clear()
}

function compilePattern(pattern: string): Pattern | undefined {
  const made = tryCompile(pattern)
  if (compiled.size >= MOST_KEPT) compiled.clear()
  compiled.set(pattern, made)
  return made
}

function tryCompile(pattern: string): Pattern | undefined {
  try {
    // A pattern that is invalid in the schema's own notation has no meaning.
    new RegExp(pattern, 'u')
    const translated = translate(pattern)
    if (translated === undefined || sizeOf(pattern) > LARGEST) return undefined
    const program = re2().compile(translated)
    const size = program.programSize()
    return size > LARGEST ? undefined : { size, test: (text) => program.test(text) }
  } catch {
    return undefined
  }
}

const SPACES =
  '\\t\\n\\x0b\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'

/** Every atom of a pattern: an escape, the ends of a class, or a character. */
const ATOMS = /\\(?:u\{[0-9a-f]+\}|u[0-9a-f]{4}|x[0-9a-f]{2}|c[a-z]|[pP]\{[^}]*\}|.)|./gisu

/** The pattern in the notation of re2; undefined if re2 has no equivalent. */
function translate(pattern: string): string | undefined {
  let out = ''
  let inClass = false
  for (const [atom] of pattern.matchAll(ATOMS)) {
    const code = /^\\(?:u\{?|x)([0-9a-f]+)\}?$/i.exec(atom)
    if (code) {
      if (/^d[89a-f]..$/i.test(code[1]!)) return undefined
      out += `\\x{${code[1]}}`
    } else if (atom === '\\s') out += inClass ? SPACES : `[${SPACES}]`
    else if (atom === '\\S') {
      if (inClass) return undefined
      out += `[^${SPACES}]`
    } else if (/^\\(?:[1-9k0c]|[pP]\{[^}]*=)/.test(atom)) return undefined
    else if (atom === '\\v') out += '\\x0b'
    else if (inClass) {
      if (atom === '[') out += '\\['
      else if (atom === '\\b') out += '\\x08'
      else out += atom
      if (atom === ']') inClass = false
    } else if (atom === '.') out += '[^\\n\\r\\x{2028}\\x{2029}]'
    else {
      inClass = atom === '['
      out += atom
    }
  }
  return /\[\^?\]|\(\?<?[=!]/.test(pattern) ? undefined : out
}

/** The approximate number of instructions of the pattern, with its counted repetitions expanded. */
function sizeOf(pattern: string): number {
  const groups = [0]
  let last = 0
  const parts = pattern.matchAll(/\\.|\[(?:\\.|[^\]])*\]|\{(\d+)(?:,(\d*))?\}|./gsu)
  for (const [part, least, most] of parts) {
    if (part === '(') groups.push(0)
    else if (part === ')') {
      last = (groups.pop() ?? 0) + 2
      groups[groups.length - 1]! += last
    } else if (least !== undefined) groups[groups.length - 1]! += last * Math.max(Number(least), Number(most ?? 0))
    else if (!/^[*+?|]$/.test(part)) {
      last = 1
      groups[groups.length - 1]! += 1
    }
  }
  return groups[0]!
}
