// Translates a regular expression of Python's `re` into one of JavaScript's that matches the same texts. Every
// character of the pattern is parsed and rewritten, so nothing passes by accident. The syntaxes differ in the names of
// groups and flags, `$` and `\Z`, `.` and line ends, the Unicode classes of `\d \w \s \b`, octal escapes, and
// possessive repetition (written as a lookahead and a back reference). Features that JavaScript lacks (conditions on
// groups) are refused by name. Invariant: `at` is the offset of the next character that has not been read; groups are
// numbered in the order in which they open.

import { SPACES } from '../../text/characters.js'
import { quoted } from '../../text/repr.js'
import { type GuestError, guestError } from '../../values/errors.js'
import { type Literal, type Said, said, spelled, word } from '../../values/said.js'

export const IGNORECASE = 2
export const LOCALE = 4
export const MULTILINE = 8
export const DOTALL = 16
export const UNICODE = 32
export const VERBOSE = 64
export const ASCII = 256

export interface Translation {
  readonly source: string
  /**
   * The expression for a search that may not match the empty text. It has a group before all others, which captures the
   * rest of the text, and fails if it consumes nothing. So the numbers of its groups are one higher.
   */
  readonly notEmpty: string
  /** JavaScript's flags: `i`, and `u` or `v`. */
  readonly flags: string
  /** Python's flags, including those that the pattern itself sets. */
  readonly pythonFlags: number
  /** For each group of Python's, from 1, its number in JavaScript. */
  readonly groups: readonly number[]
  readonly names: ReadonlyMap<string, number>
}

const LETTERS: Record<string, number> = {
  i: IGNORECASE,
  L: LOCALE,
  m: MULTILINE,
  s: DOTALL,
  u: UNICODE,
  x: VERBOSE,
  a: ASCII,
}
const SIMPLE: Record<string, number> = { n: 10, t: 9, r: 13, f: 12, v: 11, a: 7, b: 8 }
const WORD = '\\p{L}\\p{N}_'

/** The failure that Python calls `re.error`. */
export function patternError<M extends string>(message: Said | Literal<M>, pattern: string, at: number): GuestError {
  const before = pattern.slice(0, at)
  const line = before.split('\n').length
  const place = pattern.includes('\n') ? said` (line ${line}, column ${at - before.lastIndexOf('\n')})` : ''
  const what: string | Said = message
  const e = guestError('error', said`${typeof what === 'string' ? word(what) : what} at position ${at}${place}`, {
    code: 'pattern-error',
  })
  e.attributes = {
    msg: typeof what === 'string' ? what : what.text,
    pattern,
    pos: at,
    lineno: line,
    colno: at - before.lastIndexOf('\n'),
  }
  return e
}

export function translate(pattern: string, flags: number): Translation {
  return new Translator(pattern, flags).run()
}

interface Class {
  readonly text: string
  /** The code of the character, if it is a single one. */
  readonly code?: number
}

class Translator {
  readonly pattern: string
  flags: number
  at = 0
  /** The number of JavaScript groups so far. */
  opened = 0
  readonly groups: number[] = []
  readonly names = new Map<string, number>()
  readonly closed = new Set<number>()
  /** True if a class contains the complement of another one. Only the syntax of `v` can express that. */
  nested = false

  constructor(pattern: string, flags: number) {
    this.pattern = pattern
    this.flags = flags
  }

  run(): Translation {
    this.globalFlags()
    const named = this.alternatives(0)
    if (this.at < this.pattern.length) throw this.error('unbalanced parenthesis', this.at)
    const source = numbered(named, 0)
    return {
      source,
      notEmpty: `(?=([\\s\\S]*))(?:${numbered(named, 1)})(?!\\1$)`,
      flags: (this.flags & IGNORECASE ? 'i' : '') + (this.nested ? 'v' : 'u'),
      pythonFlags: this.flags & ASCII ? this.flags : this.flags | UNICODE,
      groups: this.groups,
      names: this.names,
    }
  }

  error<M extends string>(message: Said | Literal<M>, at: number): GuestError {
    return patternError(message, this.pattern, at)
  }

  /** Parses flags for the whole pattern, at its beginning. */
  globalFlags(): void {
    for (let m = this.globalGroup(); m !== null; m = this.globalGroup()) {
      for (const letter of m[1]!) this.flags |= this.flag(letter, this.at + 2)
      this.at += m[0].length
    }
  }

  globalGroup(): RegExpExecArray | null {
    return /^\(\?([aiLmsux]+)\)/.exec(this.pattern.slice(this.at))
  }

  flag(letter: string, at: number): number {
    const flag = LETTERS[letter]
    if (flag === undefined) throw this.error('unknown flag', at)
    if (flag === LOCALE) throw this.error("bad inline flags: cannot use 'L' flag with a str pattern", at)
    return flag
  }

  alternatives(depth: number): string {
    if (depth > 200) throw this.error('pattern is nested too deeply', this.at)
    let text = this.sequence(depth)
    while (this.pattern[this.at] === '|') {
      this.at++
      text += `|${this.sequence(depth)}`
    }
    return text
  }

  sequence(depth: number): string {
    let text = ''
    while (this.at < this.pattern.length) {
      const c = this.pattern[this.at]!
      if (c === '|' || c === ')') break
      if (this.flags & VERBOSE && this.skipVerbose()) continue
      const from = this.at
      const first = this.opened
      const atom = this.atom(depth)
      if (atom !== undefined) text += this.repeated(atom, from, first)
    }
    return text
  }

  skipVerbose(): boolean {
    const m = /^(?:[ \t\n\r\f\v]+|#[^\n]*)/.exec(this.pattern.slice(this.at))
    if (m === null) return false
    this.at += m[0].length
    return true
  }

  /** One item that can be repeated. Undefined for a comment. */
  atom(depth: number): string | undefined {
    const from = this.at
    const c = String.fromCodePoint(this.pattern.codePointAt(this.at)!)
    this.at += c.length
    switch (c) {
      case '.':
        return this.flags & DOTALL ? '[\\s\\S]' : '[^\\n]'
      case '^':
        return this.flags & MULTILINE ? '(?:^|(?<=\\n))' : '^'
      case '$':
        return this.flags & MULTILINE ? '(?=\\n|$)' : '(?=\\n?$)'
      case '(':
        return this.group(from, depth)
      case '[':
        return this.characterClass(from)
      case '\\':
        return this.escape(from)
      case '*':
      case '+':
      case '?':
        throw this.error('nothing to repeat', from)
      case '{':
        if (this.bounds(from) !== undefined) throw this.error('nothing to repeat', from)
        return '\\{'
      default:
        return literal(c.codePointAt(0)!)
    }
  }

  /** `{m,n}` at `from`. Undefined if the brace is literal. */
  bounds(from: number): { readonly text: string; readonly end: number } | undefined {
    const m = /^\{(\d*)(,?)(\d*)\}/.exec(this.pattern.slice(from))
    if (m === null || (m[1] === '' && m[3] === '' && m[2] === '') || (m[1] === '' && m[2] === '')) return undefined
    const least = m[1] === '' ? '0' : m[1]!
    if (m[3] !== '' && Number(m[3]) < Number(least)) throw this.error('min repeat greater than max repeat', from + 1)
    if (Number(least) > 4294967294 || Number(m[3]) > 4294967294)
      throw guestError('OverflowError', 'the repetition number is too large')
    return { text: `{${least}${m[2]}${m[3]}}`, end: from + m[0].length }
  }

  /** An item with its repetition, which may be lazy or possessive. */
  repeated(atom: string, from: number, groupsBefore: number): string {
    if (this.flags & VERBOSE) while (this.skipVerbose());
    const at = this.at
    const c = this.pattern[at]
    let repeat: string
    if (c === '*' || c === '+' || c === '?') {
      repeat = c
      this.at++
    } else if (c === '{') {
      const bounds = this.bounds(at)
      if (bounds === undefined) return atom
      repeat = bounds.text
      this.at = bounds.end
    } else return atom
    if (/^[\^$]|^\\[AbBZ]/.test(this.pattern.slice(from))) throw this.error('nothing to repeat', at)
    const body = /^\(\?<?[=!]|^\^$/.test(atom) ? `(?:${atom})` : atom
    const next = this.pattern[this.at]
    if (next === '?') {
      this.at++
      this.noRepeat()
      return `${body}${repeat}?`
    }
    if (next === '+') {
      this.at++
      this.noRepeat()
      return this.atomic(`${body}${repeat}`, groupsBefore)
    }
    this.noRepeat()
    return body + repeat
  }

  noRepeat(): void {
    const c = this.pattern[this.at]
    if (c === '*' || c === '+' || c === '?' || (c === '{' && this.bounds(this.at) !== undefined))
      throw this.error('multiple repeat', this.at)
  }

  /**
   * An expression that matches `body` without backtracking into it: a lookahead captures it, and a back reference
   * consumes it.
   */
  atomic(body: string, groupsBefore: number): string {
    // The new group opens before those in the body, so their numbers grow by one.
    const number = groupsBefore + 1
    for (let i = 0; i < this.groups.length; i++) if (this.groups[i]! > groupsBefore) this.groups[i]!++
    this.opened++
    const moved = body.replace(/\\k<g(\d+)>/g, (all, n) => (Number(n) > groupsBefore ? `\\k<g${Number(n) + 1}>` : all))
    const renamed = moved.replace(/\(\?<g(\d+)>/g, (_, n) => `(?<g${Number(n) + 1}>`)
    return `(?:(?=(?<g${number}>${renamed}))\\k<g${number}>)`
  }

  // ---- groups ----

  group(from: number, depth: number): string | undefined {
    if (this.pattern[this.at] !== '?') return this.capturing(undefined, from, depth)
    this.at++
    const c = this.pattern[this.at++]
    switch (c) {
      case ':':
        return this.closedBy('(?:', from, depth)
      case '=':
      case '!':
        return this.closedBy(`(?${c}`, from, depth)
      case '>': {
        const before = this.opened
        return this.atomic(this.closedBy('(?:', from, depth), before)
      }
      case '#':
        return this.comment(from)
      case '<':
        return this.lookbehind(from, depth)
      case 'P':
        return this.named(from, depth)
      case '(':
        throw this.error('conditional groups (?(…)…|…) are not supported: use two alternatives', from)
      case undefined:
        throw this.error('unexpected end of pattern', this.at - 1)
      default:
        return this.inlineFlags(c, from, depth)
    }
  }

  closedBy(open: string, from: number, depth: number): string {
    const body = this.alternatives(depth + 1)
    if (this.pattern[this.at] !== ')') throw this.error('missing ), unterminated subpattern', from)
    this.at++
    return `${open}${body})`
  }

  capturing(name: string | undefined, from: number, depth: number): string {
    const js = ++this.opened
    this.groups.push(js)
    const number = this.groups.length
    if (name !== undefined) this.names.set(name, number)
    const body = this.alternatives(depth + 1)
    if (this.pattern[this.at] !== ')') throw this.error('missing ), unterminated subpattern', from)
    this.at++
    this.closed.add(number)
    return `(?<g${this.groups[number - 1]}>${body})`
  }

  comment(from: number): undefined {
    const end = this.pattern.indexOf(')', this.at)
    if (end < 0) throw this.error('missing ), unterminated comment', from)
    this.at = end + 1
    return undefined
  }

  lookbehind(from: number, depth: number): string {
    const c = this.pattern[this.at++]
    if (c === '=' || c === '!') return this.closedBy(`(?<${c}`, from, depth)
    if (c === undefined) throw this.error('unexpected end of pattern', this.at - 1)
    throw this.error(said`unknown extension ?<${spelled(c)}`, from + 1)
  }

  named(from: number, depth: number): string {
    const c = this.pattern[this.at++]
    if (c === '<') {
      const name = this.name('>')
      if (this.names.has(name)) {
        throw this.error(
          said`redefinition of group name ${quoted(name)} as group ${this.groups.length + 1}; was group ${this.names.get(name) ?? 0}`,
          this.at - name.length - 1,
        )
      }
      return this.capturing(name, from, depth)
    }
    if (c === '=') {
      const name = this.name(')')
      const number = this.names.get(name)
      if (number === undefined) throw this.error(said`unknown group name ${quoted(name)}`, this.at - name.length - 1)
      return this.reference(number, this.at - name.length - 1)
    }
    if (c === undefined) throw this.error('unexpected end of pattern', this.at - 1)
    throw this.error(said`unknown extension ?P${spelled(c)}`, from + 1)
  }

  name(end: string): string {
    const close = this.pattern.indexOf(end, this.at)
    if (close < 0) throw this.error('missing group name', this.at)
    const name = this.pattern.slice(this.at, close)
    if (name === '') throw this.error('missing group name', this.at)
    if (!/^[\p{XIDS}_]\p{XIDC}*$/u.test(name))
      throw this.error(said`bad character in group name ${quoted(name)}`, this.at)
    this.at = close + 1
    return name
  }

  reference(number: number, at: number): string {
    if (number > this.groups.length) throw this.error(said`invalid group reference ${spelled(number)}`, at)
    if (!this.closed.has(number)) throw this.error('cannot refer to an open group', at - 1)
    return `\\k<g${this.groups[number - 1]}>`
  }

  /** `(?i:…)`, `(?-i:…)`. Flags for the whole pattern are an error except at its beginning. */
  inlineFlags(c: string, from: number, depth: number): string {
    const m = /^([aiLmsux]*)(?:-([imsx]+))?([:)])/.exec(this.pattern.slice(this.at - 1))
    if (m === null) {
      if (/[aiLmsux-]/.test(c)) {
        throw this.error(
          /^[aiLmsux]*-(?![a-zA-Z])/.test(this.pattern.slice(this.at - 1)) ? 'missing flag' : 'missing -, : or )',
          this.at,
        )
      }
      const shown = c === '\\' ? this.pattern.slice(this.at - 1, this.at + 1) : c
      throw this.error(said`unknown extension ?${spelled(shown)}`, from + 1)
    }
    if (m[1] === '' && m[2] === undefined) throw this.error(said`unknown extension ?${spelled(c)}`, from + 1)
    if (m[3] === ')') throw this.error('global flags not at the start of the expression', from)
    this.at += m[0].length - 1
    const before = this.flags
    for (const letter of m[1]!) this.flags |= this.flag(letter, from + 2)
    for (const letter of m[2] ?? '') this.flags &= ~this.flag(letter, from + 2)
    const added = this.flags & ~before & IGNORECASE ? 'i' : ''
    const removed = before & ~this.flags & IGNORECASE ? '-i' : ''
    const text = this.closedBy(added || removed ? `(?${added}${removed}:` : '(?:', from, depth)
    this.flags = before
    return text
  }

  // ---- characters ----

  digits(): string {
    return this.flags & ASCII ? '0-9' : '\\p{Nd}'
  }

  words(): string {
    return this.flags & ASCII ? 'A-Za-z0-9_' : WORD
  }

  spaces(): string {
    return this.flags & ASCII ? '\\t-\\r\\x20' : SPACES
  }

  escape(from: number): string {
    const c = this.pattern[this.at]
    if (c === undefined) throw this.error('bad escape (end of pattern)', from)
    switch (c) {
      case 'A':
        this.at++
        return '^'
      case 'Z':
        this.at++
        return '(?![\\s\\S])'
      case 'b':
      case 'B': {
        this.at++
        const w = `[${this.words()}]`
        return c === 'b' ? `(?:(?<=${w})(?!${w})|(?<!${w})(?=${w}))` : `(?:(?<=${w})(?=${w})|(?<!${w})(?!${w}))`
      }
      default: {
        const known = this.classEscape(c)
        if (known !== undefined) return `[${known}]`
        if (c >= '1' && c <= '9') return this.numberedReference(from)
        return literal(this.characterEscape(from))
      }
    }
  }

  /** The content of a class for `\d` and similar escapes. */
  classEscape(c: string): string | undefined {
    const inside = { d: this.digits(), w: this.words(), s: this.spaces() }[c.toLowerCase()]
    if (inside === undefined) return undefined
    this.at++
    return c === c.toLowerCase() ? inside : `^${inside}`
  }

  numberedReference(from: number): string {
    const octal = /^[0-3][0-7]{2}/.exec(this.pattern.slice(this.at))
    if (octal !== null) {
      this.at += 3
      return literal(Number.parseInt(octal[0], 8))
    }
    const digits = /^\d{1,2}/.exec(this.pattern.slice(this.at))![0]
    this.at += digits.length
    return this.reference(Number(digits), from + 1)
  }

  /** The code of an escaped character. `at` is at the character after the backslash. */
  characterEscape(from: number): number {
    const c = this.pattern[this.at]!
    const simple = SIMPLE[c]
    if (simple !== undefined) {
      this.at++
      return simple
    }
    const size = { x: 2, u: 4, U: 8 }[c]
    if (size !== undefined) {
      const digits = this.pattern.slice(this.at + 1, this.at + 1 + size)
      const good = /^[0-9a-fA-F]*/.exec(digits)![0]
      if (good.length !== size) throw this.error(said`incomplete escape \\${spelled(c + good)}`, from)
      this.at += 1 + size
      return Number.parseInt(digits, 16)
    }
    if (c >= '0' && c <= '7') {
      const digits = /^(?:0[0-7]{0,2}|[0-7]{3})/.exec(this.pattern.slice(this.at))
      if (digits !== null) {
        this.at += digits[0].length
        const code = Number.parseInt(digits[0], 8)
        if (code > 255)
          throw this.error(said`octal escape value \\${spelled(digits[0])} outside of range 0-0o377`, from)
        return code
      }
    }
    if (/[A-Za-z0-9]/.test(c)) throw this.error(said`bad escape \\${spelled(c)}`, from)
    const code = this.pattern.codePointAt(this.at)!
    this.at += code > 0xffff ? 2 : 1
    return code
  }

  characterClass(from: number): string {
    const negative = this.pattern[this.at] === '^'
    if (negative) this.at++
    const parts: string[] = []
    for (let first = true; ; first = false) {
      const c = this.pattern[this.at]
      if (c === undefined) throw this.error('unterminated character set', from)
      if (c === ']' && !first) break
      parts.push(this.range(from))
    }
    this.at++
    // In another class, a complement needs brackets of its own.
    const complements = parts.filter((p) => p.startsWith('^'))
    if (complements.length === 0) return `[${negative ? '^' : ''}${parts.join('')}]`
    if (parts.length === 1) return negative ? `[${complements[0]!.slice(1)}]` : `[${complements[0]}]`
    this.nested = true
    return `[${negative ? '^' : ''}${parts.map((p) => (p.startsWith('^') ? `[${p}]` : p)).join('')}]`
  }

  /** A character, a range of characters, or the content of `\d` and similar escapes. */
  range(from: number): string {
    const start = this.at
    const low = this.member()
    if (this.pattern[this.at] !== '-' || this.pattern[this.at + 1] === ']') return low.text
    if (this.pattern[this.at + 1] === undefined) throw this.error('unterminated character set', from)
    this.at++
    const high = this.member()
    if (low.code === undefined || high.code === undefined || high.code < low.code) {
      throw this.error(said`bad character range ${spelled(this.pattern.slice(start, this.at))}`, start)
    }
    return `${low.text}-${high.text}`
  }

  member(): Class {
    const from = this.at
    const c = this.pattern[this.at]!
    if (c !== '\\') {
      const code = this.pattern.codePointAt(this.at)!
      this.at += code > 0xffff ? 2 : 1
      return { text: inClass(code), code }
    }
    this.at++
    const escaped = this.pattern[this.at]
    if (escaped === undefined) throw this.error('bad escape (end of pattern)', from)
    const known = this.classEscape(escaped)
    if (known !== undefined) return { text: known }
    const code = this.characterEscape(from)
    return { text: inClass(code), code }
  }
}

/**
 * Replaces the names of groups by numbers. The names tell groups apart during parsing, but in a match they would cost
 * an object.
 */
function numbered(named: string, first: number): string {
  return named.replace(/\(\?<g\d+>/g, '(').replace(/\\k<g(\d+)>/g, (_, n: string) => `(?:\\${Number(n) + first})`)
}

function literal(code: number): string {
  const c = String.fromCodePoint(code)
  return /[A-Za-z0-9_ ]/.test(c) ? c : `\\u{${code.toString(16)}}`
}

function inClass(code: number): string {
  return literal(code)
}
