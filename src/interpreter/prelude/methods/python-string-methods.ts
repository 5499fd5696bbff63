// Python's methods of strings that Starlark lacks. They are registered in the default dialect only.

import { given, wantInt, wantShortInt, wantString } from '../calls/expect.js'
import { method, onType } from '../calls/method-tables.js'
import { builtin, type Callable } from '../calls/signature.js'
import { dictFlat, dictGet, dictOf } from '../containers/dict.js'
import { index } from '../operators/subscript.js'
import * as characters from '../text/characters.js'
import { encodeText } from '../text/codecs.js'
import { fill as fillText } from '../text/fill.js'
import { width } from '../text/format-spec.js'
import { contentOf, textInside } from '../values/contents.js'
import { GuestError, raise, typeError, valueError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { said } from '../values/said.js'
import { isDict, isInt, sign, toNumber, typeOf, unbool, type Value } from '../values/values.js'
import { formatBraces } from './brace-format.js'

type Absent = undefined

function define(name: string, parameters: string, fn: (this: string, ...args: never[]) => Value): void {
  method('str', String.prototype, name, parameters, fn as never)
}

function filler(fill: Value | Absent): string {
  if (fill === undefined) return ' '
  const text = typeof fill === 'string' ? fill : textInside(fill)
  if (text === undefined) return typeError(said`The fill character must be a unicode character, not ${typeOf(fill)}`)
  if (width(text) !== 1) typeError('The fill character must be exactly one character long')
  return text
}

function missing(s: string, to: Value | Absent, fn: string): number {
  given(to, 'str', fn, 1, 2)
  return Math.max(0, wantInt(to, fn, 'width') - width(s))
}

/** Registers the methods. */
function definePythonStringMethods(): void {
  definePadding()
  defineConversions()
}

function definePadding(): void {
  define('ljust', 'width, fillchar=, /', function (to: Value | Absent, fill: Value | Absent) {
    const n = missing(this, to, 'ljust')
    return this + fillText(filler(fill), n)
  })
  define('rjust', 'width, fillchar=, /', function (to: Value | Absent, fill: Value | Absent) {
    const n = missing(this, to, 'rjust')
    return fillText(filler(fill), n) + this
  })
  define('center', 'width, fillchar=, /', function (to: Value | Absent, fill: Value | Absent) {
    const n = missing(this, to, 'center')
    // If the remainder is odd, the left side is the longer one for an odd width.
    const left = Math.floor(n / 2) + (n & (n + width(this)) & 1)
    const f = filler(fill)
    return fillText(f, left) + this + fillText(f, n - left)
  })
  define('zfill', 'width, /', function (to: Value | Absent) {
    const n = missing(this, to, 'zfill')
    if (n === 0) return `${this}`
    const signed = /^[+-]/.test(this)
    const zeros = fillText('0', n)
    return signed ? this.charAt(0) + zeros + this.slice(1) : zeros + this
  })
  define('expandtabs', 'tabsize=', function (tabsize: Value | Absent) {
    const size = tabsize === undefined ? 8 : wantShortInt(tabsize, 'expandtabs', 'tabsize')
    let text = ''
    let column = 0
    for (const c of this) {
      if (c === '\t') {
        const n = size > 0 ? size - (column % size) : 0
        text += fillText(' ', n)
        column += n
      } else {
        text += c
        column = c === '\n' || c === '\r' ? 0 : column + 1
      }
    }
    return text
  })
}

function defineConversions(): void {
  define('encode', 'encoding=, errors=', function (encoding: Value | Absent, errors: Value | Absent) {
    return encodeText(
      `${this}`,
      encoding === undefined ? 'utf-8' : wantString(encoding, 'encode', 'encoding'),
      errors === undefined ? 'strict' : wantString(errors, 'encode', 'errors'),
    )
  })
  define('format_map', 'mapping, /', function (mapping: Value | Absent) {
    given(mapping, 'str', 'format_map')
    const held = contentOf(mapping) ?? mapping
    if (isDict(held)) return formatBraces(this as string, [], held)
    return typeError(said`format_map() argument must be a mapping, not ${typeOf(mapping)}`)
  })
  define('translate', 'table, /', function (table: Value | Absent) {
    given(table, 'str', 'translate')
    let text = ''
    for (const c of this) text += translated(table, c)
    return text
  })
}

function translated(table: Value, c: string): string {
  const code = c.codePointAt(0)!
  let to: Value | undefined
  if (isDict(table)) to = dictGet(table, code)
  else {
    try {
      to = index(table, code)
    } catch (e) {
      if (!(e instanceof GuestError) || (e.kind !== 'IndexError' && e.kind !== 'KeyError')) throw e
    }
  }
  if (to === undefined) return c
  if (to === null) return ''
  const text = typeof to === 'string' ? to : textInside(to)
  if (text !== undefined) return text
  const n = unbool(contentOf(to) ?? to)
  if (isInt(n)) {
    if (sign(n) < 0 || toNumber(n) > 0x10ffff) valueError('character mapping must be in range(0x110000)')
    return String.fromCodePoint(toNumber(n))
  }
  return typeError('character mapping must return integer, None or str')
}

const maketrans: Callable = builtin('maketrans', 'x, y=, z=, /', (x, y, z) => {
  const flat: Value[] = []
  if (y === undefined) {
    if (!isDict(x as Value)) typeError('if you give only one argument to maketrans it must be a dict')
    const given = dictFlat(x as object)
    for (let i = 0; i < given.length; i += 2) flat.push(codeOf(given[i]!), given[i + 1]!)
    return dictOf(flat)
  }
  const given = typeof x === 'string' ? x : textInside(x)
  if (given === undefined)
    return raise('TypeError', 'first maketrans argument must be a string if there is a second argument')
  const from = characters.characters(given)
  const to = characters.characters(
    wantString(y, 'maketrans', 'y', said`maketrans() argument 2 must be str, not ${typeOf(y)}`),
  )
  if (from.length !== to.length) valueError('the first two maketrans arguments must have equal length')
  for (let i = 0; i < from.length; i++) flat.push(from[i]!.codePointAt(0)!, to[i]!.codePointAt(0)!)
  if (z !== undefined) {
    const gone = wantString(z, 'maketrans', 'z', said`maketrans() argument 3 must be str, not ${typeOf(z)}`)
    for (const c of gone) flat.push(c.codePointAt(0)!, null)
  }
  return dictOf(flat)
})

function codeOf(k0: Value): Value {
  const k = contentOf(k0) ?? k0
  if (typeof k !== 'string') {
    if (isInt(unbool(k))) return k
    return typeError('keys in translate table must be strings or integers')
  }
  if (width(k) !== 1) valueError('string keys in translate table must be of length 1')
  return k.codePointAt(0)!
}
if (python) definePythonStringMethods()
onType('str', 'maketrans', maketrans)
