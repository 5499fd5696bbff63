// A JSON parser for texts that the engine refuses. It accepts Python's extensions, calls hooks, and reports exact
// errors.
// Invariant: `at` is the offset of the next character that has not been read.

import { dictOf } from '../containers/dict.js'
import { type GuestError, guestError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { type Literal, type Said, type Shown, said, spelled, word } from '../values/said.js'
import { float, normal, type Value } from '../values/values.js'

/** The options of Python's `loads`. */
export interface Hooks {
  readonly object?: (pairs: Value[]) => Value
  readonly float?: (text: string) => Value
  readonly int?: (text: string) => Value
  readonly constant?: (name: string) => Value
  /** Accepts control characters in strings. */
  readonly lenient?: boolean
}

const DEEPEST = 1000

/** Parses a whole text. Throws a GuestError if it is not JSON. */
export function readJson(text: string, hooks: Hooks = {}): Value {
  const r = new Reader(text, hooks)
  r.skipSpace()
  const x = r.value(0)
  r.skipSpace()
  if (r.at < text.length) {
    throw python
      ? r.failure('Extra data', r.at)
      : r.failure(said`unexpected character ${shown(text, r.at)} after value`, r.at)
  }
  return x
}

function shown(text: string, at: number): Shown {
  const c = String.fromCodePoint(text.codePointAt(at)!)
  return spelled(c === "'" ? "'\\''" : `'${c}'`, c)
}

const SPACE = /[ \t\n\r]*/y
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y
const NUMERIC = /[-+.\w]+/y
const PLAIN = /[^"\\\x00-\x1f]*/y

class Reader {
  readonly text: string
  readonly hooks: Hooks
  at: number

  constructor(text: string, hooks: Hooks) {
    this.text = text
    this.hooks = hooks
    this.at = 0
  }

  skipSpace(): void {
    SPACE.lastIndex = this.at
    SPACE.test(this.text)
    this.at = SPACE.lastIndex
  }

  value(depth: number): Value {
    if (depth > DEEPEST)
      throw guestError('RecursionError', said`JSON is nested too deeply (more than ${DEEPEST} levels)`)
    const c = this.text[this.at]
    switch (c) {
      case '"':
        return this.string()
      case '{':
        return this.object(depth)
      case '[':
        return this.array(depth)
      case undefined:
        throw python ? this.failure('Expecting value', this.at) : this.failure('unexpected end of file', this.at)
      default:
        return this.word(c)
    }
  }

  word(c: string): Value {
    for (const [name, x] of [
      ['true', true],
      ['false', false],
      ['null', null],
    ] as const) {
      if (this.text.startsWith(name, this.at)) {
        this.at += name.length
        return x
      }
    }
    if (python) {
      for (const name of ['NaN', 'Infinity', '-Infinity']) {
        if (!this.text.startsWith(name, this.at)) continue
        this.at += name.length
        return this.hooks.constant?.(name) ?? float(Number(name))
      }
    }
    return c === '-' || (c >= '0' && c <= '9') ? this.number() : this.unexpected()
  }

  unexpected(): never {
    throw python
      ? this.failure('Expecting value', this.at)
      : this.failure(said`unexpected character ${shown(this.text, this.at)}`, this.at)
  }

  number(): Value {
    const from = this.at
    NUMBER.lastIndex = from
    const m = NUMBER.exec(this.text)
    if (!python) this.checkNumber(from, m === null ? '' : m[0])
    if (m === null) return this.unexpected()
    this.at += m[0].length
    if (m[1] !== undefined || m[2] !== undefined) return this.hooks.float?.(m[0]) ?? float(Number(m[0]))
    return this.hooks.int?.(m[0]) ?? normal(BigInt(m[0]))
  }

  /** Starlark's message names the whole malformed word. */
  checkNumber(from: number, matched: string): void {
    NUMERIC.lastIndex = from
    const number = NUMERIC.exec(this.text)![0].replace(/(?<=\d)[a-df-zA-DF-Z].*$|(?<=-)[a-zA-Z].*$/, '')
    if (number !== matched) throw this.failure(said`invalid number: ${spelled(number)}`, from)
  }

  string(): string {
    const from = this.at
    let value = ''
    this.at++
    for (;;) {
      PLAIN.lastIndex = this.at
      const plain = PLAIN.exec(this.text)![0]
      value += plain
      this.at += plain.length
      const c = this.text[this.at]
      if (c === '"') {
        this.at++
        return value
      }
      if (c === undefined)
        throw python
          ? this.failure('Unterminated string starting at', from)
          : this.failure('unclosed string literal', from)
      if (c === '\\') value += this.escape(from)
      else if (this.hooks.lenient) {
        value += c
        this.at++
      } else
        throw python
          ? this.failure('Invalid control character at', this.at)
          : this.failure('invalid control character in string literal', this.at)
    }
  }

  escape(from: number): string {
    const c = this.text[this.at + 1]
    if (c === undefined)
      throw python
        ? this.failure('Unterminated string starting at', from)
        : this.failure('unclosed string literal', from)
    if (c === 'u') {
      const digits = this.text.slice(this.at + 2, this.at + 6)
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) {
        throw python
          ? this.failure('Invalid \\uXXXX escape', this.at + 1)
          : this.failure(said`invalid escape sequence \\u${spelled(digits)}`, this.at)
      }
      this.at += 6
      return String.fromCharCode(Number.parseInt(digits, 16))
    }
    const at = '"\\/bfnrt'.indexOf(c)
    if (at < 0)
      throw python
        ? this.failure('Invalid \\escape', this.at)
        : this.failure(said`invalid escape sequence \\${spelled(c ?? '')}`, this.at)
    this.at += 2
    return '"\\/\b\f\n\r\t'[at]!
  }

  array(depth: number): Value {
    const all: Value[] = []
    this.at++
    this.skipSpace()
    if (this.text[this.at] === ']') {
      this.at++
      return all
    }
    for (;;) {
      all.push(this.value(depth + 1))
      this.skipSpace()
      const c = this.text[this.at]
      if (c === ']') {
        this.at++
        return all
      }
      if (c !== ',') throw this.missing(c, 'in list', "',' or ']'", "Expecting ',' delimiter")
      this.at++
      this.skipSpace()
    }
  }

  object(depth: number): Value {
    const flat: Value[] = []
    this.at++
    this.skipSpace()
    if (this.text[this.at] === '}') {
      this.at++
      return this.made(flat)
    }
    for (;;) {
      flat.push(this.key())
      this.skipSpace()
      const colon = this.text[this.at]
      if (colon !== ':') throw this.missing(colon, 'after object key', "':'", "Expecting ':' delimiter")
      this.at++
      this.skipSpace()
      flat.push(this.value(depth + 1))
      this.skipSpace()
      const c = this.text[this.at]
      if (c === '}') {
        this.at++
        return this.made(flat)
      }
      if (c !== ',') throw this.missing(c, 'in object', "',' or '}'", "Expecting ',' delimiter")
      this.at++
      this.skipSpace()
    }
  }

  key(): string {
    const c = this.text[this.at]
    if (c === '"') return this.string()
    if (python) throw this.failure('Expecting property name enclosed in double quotes', this.at)
    if (c === undefined) throw this.failure('unexpected end of file', this.at)
    throw this.failure(said`unexpected character ${shown(this.text, this.at)}`, this.at)
  }

  made(flat: Value[]): Value {
    return this.hooks.object === undefined ? dictOf(flat) : this.hooks.object(flat)
  }

  missing<M extends string>(c: string | undefined, where: string, want: string, inPython: Literal<M>): GuestError {
    if (python) return this.failure(inPython, this.at)
    if (c === undefined) return this.failure('unexpected end of file', this.at)
    return this.failure(said`${word(where)}, got ${shown(this.text, this.at)}, want ${word(want)}`, this.at)
  }

  failure<M extends string>(said0: Said | Literal<M>, at: number): GuestError {
    const what: string | Said = said0
    const words = typeof what === 'string' ? word(what) : what
    if (!python) return guestError('ValueError', said`json.decode: at offset ${at}, ${words}`)
    // Python counts characters, not UTF-16 units.
    const before = Array.from(this.text.slice(0, at))
    const pos = before.length
    const column = pos - before.lastIndexOf('\n')
    const line = before.filter((c) => c === '\n').length + 1
    const e = guestError('JSONDecodeError', said`${words}: line ${line} column ${column} (char ${pos})`, {
      code: 'json-decode-error',
    })
    e.attributes = {
      msg: typeof what === 'string' ? what : what.text,
      doc: this.text,
      pos,
      lineno: line,
      colno: column,
    }
    return e
  }
}
