// Parses Python literals in any layout.
// Invariant: a text that is not entirely such a literal fails: with SyntaxError if it is not Python, with ValueError if
// it is code.

import { dictOf } from '../containers/dict.js'
import { setOf } from '../containers/set.js'
import { fromLatin } from '../methods/bytes-methods.js'
import { readFloat } from '../numbers/float-text.js'
import { readInteger } from '../numbers/integers.js'
import { negate } from '../operators/arithmetic.js'
import { ESCAPE, unescaped } from '../text/escapes.js'
import { type GuestError, guestError, valueError } from '../values/errors.js'
import { type Literal, said, word } from '../values/said.js'
import { Bytes, float, isFloat, isInt, tuple, type Value } from '../values/values.js'

const SPACE = /(?:[ \t\f\r\n]|\\\r?\n|#[^\n]*)*/y
const NUMBER = /0[xXoObB][\da-fA-F_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?/y
const NAME = /[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*/y
const OPENING = /([rR]?[bB]|[bB][rR]|[rRuU]?)('''|"""|'|")/y
const CONSTANTS: Readonly<Record<string, Value>> = { None: null, True: true, False: false }
const MOST_NESTED = 200

export function readLiteral(text: string): Value {
  return new Reader(text).whole()
}

class Reader {
  readonly #text: string
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text.replace(/^[ \t]+/, '')
  }

  whole(): Value {
    const first = this.#value()
    const all = this.#sees(',') ? this.#tuple(first, '') : first
    if (this.#at < this.#text.length) throw this.#goesOn()
    return all
  }

  #value(): Value {
    this.#skip()
    if (this.#sees('-') || this.#sees('+')) return this.#signed()
    if (this.#depth > MOST_NESTED) throw this.#invalid('too many nested parentheses')
    const opening = this.#match(OPENING)
    if (opening !== undefined) return this.#strings(opening)
    const open = this.#text[this.#at]
    if (open === '[' || open === '(' || open === '{') {
      this.#at++
      this.#depth++
      const value = open === '[' ? this.#list(']') : open === '(' ? this.#group() : this.#braces()
      this.#depth--
      this.#skip()
      return value
    }
    const number = this.#match(NUMBER)
    if (number !== undefined) return this.#number(number[0])
    return this.#name()
  }

  #signed(): Value {
    const isMinus = this.#text[this.#at++] === '-'
    this.#skip()
    const x = /[-+]/.test(this.#text[this.#at] ?? '') ? null : this.#value()
    if (!isInt(x) && !isFloat(x)) throw this.#malformed()
    return isMinus ? negate(x) : x
  }

  #number(spelled: string): Value {
    if (/[\w.]/.test(this.#text[this.#at] ?? '')) throw this.#invalid('invalid decimal literal')
    this.#skip()
    const isWhole = /^\d[\d_]*$|^0[xXoObB]/.test(spelled)
    if (isWhole && /^0[\d_]*[1-9]/.test(spelled))
      throw this.#invalid('leading zeros in decimal integer literals are not permitted')
    if (isWhole) return readInteger(spelled, 0)
    const read = readFloat(spelled)
    if (read === undefined) throw this.#invalid('invalid decimal literal')
    return float(read)
  }

  #name(): Value {
    const name = this.#match(NAME)?.[0]
    if (name === undefined) throw this.#invalid()
    this.#skip()
    if (Object.hasOwn(CONSTANTS, name)) return CONSTANTS[name]!
    if (name === 'set' && this.#takes('(') && this.#takes(')')) return setOf([])
    throw /\w/.test(this.#text[this.#at] ?? '') ? this.#goesOn() : this.#malformed()
  }

  /** Joins adjacent string or bytes literals. */
  #strings(first: RegExpExecArray): Value {
    const isBytes = /b/i.test(first[1]!)
    let all = ''
    for (let next: RegExpExecArray | undefined = first; next !== undefined; next = this.#match(OPENING)) {
      if (/b/i.test(next[1]!) !== isBytes) throw this.#invalid('cannot mix bytes and nonbytes literals')
      all += this.#content(next[1]!, next[2]!, isBytes)
      this.#skip()
    }
    return isBytes ? new Bytes(fromLatin(all).b) : all
  }

  #content(prefix: string, quotes: string, isBytes: boolean): string {
    let end = this.#at
    while (!this.#text.startsWith(quotes, end)) {
      const isOpen = end >= this.#text.length || (quotes.length === 1 && this.#text[end] === '\n')
      if (isOpen) throw this.#invalid('unterminated string literal')
      end += this.#text[end] === '\\' ? 2 : 1
    }
    const raw = this.#text.slice(this.#at, end)
    this.#at = end + quotes.length
    if (/r/i.test(prefix)) return raw
    return raw.replace(ESCAPE, (spelled: string) => {
      const character = unescaped(spelled, isBytes)
      if (character !== undefined) return character
      throw this.#invalid("(unicode error) 'unicodeescape' codec can't decode")
    })
  }

  #list(close: string): Value[] {
    const values: Value[] = []
    while (!this.#takes(close)) {
      values.push(this.#value())
      if (!this.#sees(close)) this.#expect(',')
    }
    return values
  }

  #group(): Value {
    if (this.#takes(')')) return tuple([])
    const first = this.#value()
    if (this.#takes(')')) return first
    return this.#tuple(first, ')')
  }

  #tuple(first: Value, close: string): Value {
    const values = [first]
    while (this.#takes(',')) {
      if (close === '' ? this.#at >= this.#text.length : this.#sees(close)) break
      values.push(this.#value())
    }
    if (close !== '') this.#expect(close)
    return tuple(values)
  }

  #braces(): Value {
    if (this.#takes('}')) return dictOf([])
    const first = this.#value()
    if (!this.#takes(':')) {
      if (!this.#sees('}')) this.#expect(',')
      return setOf([first, ...this.#list('}')])
    }
    const flat: Value[] = [first, this.#value()]
    while (!this.#takes('}')) {
      this.#expect(',')
      if (this.#takes('}')) break
      flat.push(this.#value())
      this.#expect(':')
      flat.push(this.#value())
    }
    return dictOf(flat)
  }

  #sees(sign: string): boolean {
    return this.#text.startsWith(sign, this.#at)
  }

  #takes(sign: string): boolean {
    this.#skip()
    if (!this.#sees(sign)) return false
    this.#at += sign.length
    return true
  }

  #expect(sign: string): void {
    if (this.#takes(sign)) return
    throw this.#goesOn()
  }

  /**
   * The failure of a text that continues after a value. It is ValueError for an operator, a call or a subscript,
   * because the text is code; otherwise SyntaxError.
   */
  #goesOn(): GuestError {
    const isCode = /^(?:[-+*/%<>=!|&^~@.([]|(?:if|and|or|is|in|not)\b)/.test(this.#text.slice(this.#at, this.#at + 8))
    return isCode ? this.#malformed() : this.#invalid()
  }

  #skip(): void {
    this.#match(SPACE)
  }

  #match(what: RegExp): RegExpExecArray | undefined {
    what.lastIndex = this.#at
    const found = what.exec(this.#text)
    if (found === null) return undefined
    this.#at += found[0].length
    return found
  }

  #line(): number {
    return this.#text.slice(0, this.#at).split('\n').length
  }

  #invalid<M extends string = 'invalid syntax'>(message?: Literal<M>): GuestError {
    return guestError('SyntaxError', said`${word(message ?? 'invalid syntax')} (<unknown>, line ${this.#line()})`)
  }

  #malformed(): never {
    return valueError(said`malformed node or string on line ${this.#line()}`)
  }
}
