// Every value as text: `str(x)` for people, and `repr(x)` in the language's own notation. Strict mode writes as the
// specification and starlark-go do, the default dialect as CPython does. Objects with a protocol write themselves.
// Invariant: `open` holds the containers that are being written, outermost first, and is empty between calls from
// outside.

import type { Signature } from '../calls/signature.js'
import { dictFlat } from '../containers/dict.js'
import { setElements } from '../containers/set.js'
import { floatText } from '../numbers/float-text.js'
import { guestError } from '../values/errors.js'
import { python, strict } from '../values/mode.js'
import { protocolOf } from '../values/protocol.js'
import { type Shown, said } from '../values/said.js'
import { escapeText, hex, quote, shortEscape } from '../values/string-literals.js'
import { rememberedText } from '../values/tool-data.js'
import {
  Big,
  ByteArray,
  Bytes,
  Float,
  FrozenSet,
  isDict,
  Range,
  TUPLE,
  typeName,
  type Value,
} from '../values/values.js'
import { characterLength, decodeUtf8 } from './utf8.js'

/** `str(x)`. */
export function str(x: Value): string {
  if (typeof x === 'string') return x
  if (typeof x === 'number') return Number.isInteger(x) ? `${x}` : floatText(x)
  if (typeof x === 'object' && x !== null) {
    if (x instanceof Bytes && strict) return decodeUtf8(x.b)
    const own = protocolOf(x)?.str?.(x) ?? rememberedText(x)
    if (own !== undefined) return own
  }
  return repr(x)
}

/** `repr(x)`. */
export function repr(x: Value): string {
  switch (typeof x) {
    case 'string':
      return quote(x)
    case 'number':
      return Number.isInteger(x) ? `${x}` : floatText(x)
    case 'boolean':
      return x ? 'True' : 'False'
    case 'function':
      return functionText(x)
    default:
      if (x === null) return 'None'
  }
  const before = open.length
  try {
    return objectText(x as object)
  } finally {
    open.length = before
  }
}

const open: object[] = []

// The stack of a guest holds a few thousand frames, and one level of nesting takes two of them.
const DEEPEST = 1000

function objectText(x: object): string {
  if (x instanceof Float) return floatText(x.v)
  if (x instanceof Big) return x.n.toString()
  if (x instanceof Bytes) {
    if (x instanceof ByteArray) return `bytearray(${bytesText(x.b)})`
    return python ? bytesText(x.b) : starlarkBytesText(x.b)
  }
  if (x instanceof Range) return rangeText(x)
  if (open.indexOf(x) >= 0) return cycleText(x)
  if (open.length >= DEEPEST) {
    throw guestError('RecursionError', said`value is nested too deeply to print (more than ${DEEPEST} levels)`)
  }
  open.push(x)
  const text = protocolOf(x)?.repr?.(x) ?? containerText(x)
  open.pop()
  return text
}

function containerText(x: object): string {
  if (Array.isArray(x)) {
    if (x[0] !== TUPLE) return `[${join(x as Value[], 0)}]`
    return x.length === 2 ? `(${part(x[1] as Value)},)` : `(${join(x as Value[], 1)})`
  }
  if (x instanceof Set) return setText(x as Set<Value>)
  if (isDict(x)) return `{${entries(x)}}`
  return python && typeName(x) === 'ellipsis' ? 'Ellipsis' : `<${typeName(x)}>`
}

function part(x: Value): string {
  if (typeof x === 'string') return quote(x)
  if (typeof x === 'number') return Number.isInteger(x) ? `${x}` : floatText(x)
  return typeof x === 'object' && x !== null ? objectText(x) : repr(x)
}

function join(all: readonly Value[], from: number): string {
  let text = ''
  for (let i = from; i < all.length; i++) text += i === from ? part(all[i]!) : `, ${part(all[i]!)}`
  return text
}

function entries(d: object): string {
  const flat = dictFlat(d)
  let text = ''
  for (let i = 0; i < flat.length; i += 2) text += `${i === 0 ? '' : ', '}${part(flat[i]!)}: ${part(flat[i + 1]!)}`
  return text
}

function setText(s: Set<Value>): string {
  const frozen = s instanceof FrozenSet
  const all = join(setElements(s), 0)
  if (strict) return `set([${all}])`
  if (frozen) return s.size === 0 ? 'frozenset()' : `frozenset({${all}})`
  return s.size === 0 ? 'set()' : `{${all}}`
}

function cycleText(x: object): string {
  if (Array.isArray(x)) return x[0] === TUPLE ? '(...)' : '[...]'
  if (x instanceof Set) return strict ? 'set([...])' : '{...}'
  return isDict(x) ? '{...}' : '...'
}

function rangeText(r: Range): string {
  if (python) return `range(${r.start}, ${r.stop}${r.step === 1 ? '' : `, ${r.step}`})`
  if (r.step !== 1) return `range(${r.start}, ${r.stop}, ${r.step})`
  return r.start === 0 ? `range(${r.stop})` : `range(${r.start}, ${r.stop})`
}

function functionText(f: object): string {
  const own = protocolOf(f)?.repr
  if (own !== undefined) return own(f)
  const sig = (f as { sig?: Signature }).sig
  if (sig === undefined) return '<function>'
  if (!sig.builtin) return `<function ${sig.name}>`
  if (sig.receiver === undefined) return `<built-in function ${sig.name}>`
  const type = typeName(sig.receiver)
  return `<built-in method ${sig.name} of ${type} ${python ? 'object' : 'value'}>`
}

/** An immutable value, whose text is written on demand. */
class Written implements Shown {
  declare readonly value: Value
  declare readonly isName: false
  constructor(x: Value) {
    this.value = x
    this.isName = false
  }

  get text(): string {
    return repr(this.value)
  }
}

/** A value in a message, in the language's own notation. */
export function quoted(x: Value): Shown {
  return typeof x === 'object' && x !== null ? { text: repr(x), value: x, isName: false } : new Written(x)
}

/** Python's `ascii(x)`, and `!a`. */
export function asciiText(x: Value): string {
  let text = ''
  for (const c of repr(x)) {
    const code = c.codePointAt(0)!
    text +=
      code < 128 ? c : code < 256 ? `\\x${hex(code, 2)}` : code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`
  }
  return text
}

function bytesText(b: Uint8Array): string {
  const q = b.includes(39) && !b.includes(34) ? '"' : "'"
  let text = `b${q}`
  for (let i = 0; i < b.length; i++) {
    const code = b[i]!
    if (code >= 32 && code < 127) {
      const c = String.fromCharCode(code)
      text += c === q || c === '\\' ? `\\${c}` : c
    } else text += shortEscape(code) ?? `\\x${hex(code, 2)}`
  }
  return text + q
}

// Well-formed UTF-8 is written as text, and every other byte as an escape.
function starlarkBytesText(b: Uint8Array): string {
  let text = ''
  for (let i = 0; i < b.length; ) {
    const n = characterLength(b, i)
    text += n === 0 ? `\\x${hex(b[i]!, 2)}` : escapeText(decodeUtf8(b.subarray(i, i + n)), '"').slice(1, -1)
    i += n === 0 ? 1 : n
  }
  return `b"${text}"`
}
