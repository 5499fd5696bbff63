// The module `json`: Starlark's `encode`, `decode`, `encode_indent` and `indent` in both dialects, and Python's
// `dumps`, `loads`, `dump` and `load` in the default one.

import { asIndex, wantInt, wantString, wrongType } from '../calls/expect.js'
import { builtin, callNamed, type Native } from '../calls/signature.js'
import { callAttribute } from '../classes/attributes.js'
import { exceptionClasses } from '../classes/exceptions.js'
import { dictOf } from '../containers/dict.js'
import { items } from '../containers/iterate.js'
import { decodeJson } from '../json/decode.js'
import { encode, type Style } from '../json/encode.js'
import { type Hooks, readJson } from '../json/reader.js'
import { truth } from '../operators/membership.js'
import { unary } from '../operators/ordering.js'
import { decodeBytes } from '../text/codecs.js'
import { fill } from '../text/fill.js'
import { textInside } from '../values/contents.js'
import { GuestError, guestError, typeError, valueError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { asName, type Literal, said, word } from '../values/said.js'
import { answerText } from '../values/tool-data.js'
import { Bytes, isDict, isInt, isList, TUPLE, typeOf, unbool, type Value } from '../values/values.js'
import { encoderClass } from './json-encoder.js'
import { type Module, module } from './module.js'

type Absent = undefined

function string(x: Value | Absent, fn: string, parameter: string, usual: string): string {
  return x === undefined ? usual : wantString(x, `json.${fn}`, parameter)
}

function encodeAs(fn: string, x: Value, style: Style): string {
  try {
    return encode(x, style)
  } catch (e) {
    if (!(e instanceof GuestError)) throw e
    throw guestError(e.kind, said`json.${asName(fn)}: ${e.said}`)
  }
}

const starlark: Record<string, Value> = {
  encode: builtin('encode', 'x, /', (x) => encodeAs('encode', x!, { comma: ',', colon: ':', sortKeys: true })),
  decode: builtin('decode', 'x, /, default=', (x, ifInvalid) => {
    const text = wantString(x, 'json.decode', 'x')
    if (ifInvalid === undefined) return decodeJson(text)
    try {
      return decodeJson(text)
    } catch (e) {
      if (!(e instanceof GuestError)) throw e
      return ifInvalid
    }
  }),
  encode_indent: builtin('encode_indent', 'x, /, *, prefix=, indent=', (x, prefix, indent) =>
    encodeAs('encode_indent', x!, {
      comma: ',',
      colon: ': ',
      sortKeys: true,
      prefix: string(prefix, 'encode_indent', 'prefix', ''),
      indent: string(indent, 'encode_indent', 'indent', '\t'),
    }),
  ),
  indent: builtin('indent', 's, /, *, prefix=, indent=', (s, prefix, indent) =>
    reindent(
      wantString(s, 'json.indent', 's'),
      string(prefix, 'indent', 'prefix', ''),
      string(indent, 'indent', 'indent', '\t'),
    ),
  ),
}

const TOKEN = /\s*("(?:[^"\\]|\\.)*"|[^\s"{}[\],:]+|[{}[\],:])/g

/** The same JSON text with other white space. */
function reindent(text: string, prefix: string, indent: string): string {
  try {
    readJson(text)
  } catch (e) {
    if (!(e instanceof GuestError)) throw e
    throw guestError(e.kind, said`json.indent: invalid character: ${e.said}`)
  }
  let out = ''
  let line = `\n${prefix}`
  let empty = false
  for (const m of text.matchAll(TOKEN)) {
    const token = m[1]!
    if (token === '}' || token === ']') {
      line = line.slice(0, line.length - indent.length)
      out += empty ? token : line + token
      empty = false
      continue
    }
    if (empty) out += line
    empty = token === '{' || token === '['
    if (empty) line += indent
    out += token === ':' ? ': ' : token === ',' ? `,${line}` : token
  }
  return out
}

// ---- Python ----------------------------------------------------------------------------------------------------

const OPTIONS =
  'skipkeys=, ensure_ascii=, check_circular=, allow_nan=, cls=, indent=, separators=, default=, sort_keys='

function on(x: Value | Absent, usual: boolean): boolean {
  return x === undefined ? usual : truth(x)
}

function styleOf(options: readonly (Value | Absent)[]): Style {
  const [skipKeys, ascii, , allowNaN, , indent, separators, instead, sortKeys] = options
  const level = indentation(indent)
  const [comma, colon] = separatorsOf(separators, level === undefined)
  return {
    comma,
    colon,
    python: true,
    sortKeys: on(sortKeys, false),
    ascii: on(ascii, true),
    skipKeys: on(skipKeys, false),
    refuseNaN: !on(allowNaN, true),
    ...(level === undefined ? {} : { indent: level }),
    ...(instead === undefined || instead === null ? {} : { instead: unary(instead) }),
  }
}

const OPTION_NAMES = OPTIONS.replace(/=/g, '').split(', ')

/** The result of `dumps`. If an encoder class is given, it is that class's text. */
function dumped(x: Value, options: readonly (Value | Absent)[]): Value {
  const cls = options[OPTION_NAMES.indexOf('cls')]
  if (cls === undefined || cls === null) return encode(x, styleOf(options))
  const named = OPTION_NAMES.flatMap((name, i) =>
    name === 'cls' || options[i] === undefined ? [] : [name, options[i] as Value],
  )
  return callAttribute(callNamed(cls, [], named), 'encode', [x])
}

function indentation(x0: Value | Absent): string | undefined {
  if (x0 === undefined || x0 === null) return undefined
  const text = textInside(x0) ?? x0
  if (typeof text === 'string') return text
  if (isInt(unbool(asIndex(x0)))) return fill(' ', wantInt(x0, 'dumps', 'indent'))
  throw wrongType('dumps', 'indent', x0, 'int or str')
}

function separatorsOf(x: Value | Absent, oneLine: boolean): readonly [string, string] {
  if (x === undefined || x === null) return [oneLine ? ', ' : ',', ': ']
  const pair = items(x)
  const [comma, colon] = pair
  if (pair.length !== 2) return valueError('separators must be a tuple of two strings')
  if (typeof comma !== 'string' || typeof colon !== 'string')
    return typeError('separators must be a tuple of two strings')
  return [comma, colon]
}

function textOf(x: Value | Absent): string {
  if (typeof x === 'string') {
    if (x.startsWith('\ufeff')) throw readFailure('Unexpected UTF-8 BOM (decode using utf-8-sig)', x)
    return x
  }
  if (x instanceof Bytes) return decodeBytes(x.b, 'utf-8-sig', 'strict')
  const text = answerText(x) ?? textInside(x)
  if (text !== undefined) return text
  return typeError(
    said`the JSON object must be str, bytes or bytearray, not ${typeOf(x!)}`,
    isDict(x!) || isList(x!) ? 'use it as it is: this is data already' : undefined,
  )
}

function readFailure<M extends string>(what: Literal<M>, doc: string): GuestError {
  const e = guestError('JSONDecodeError', said`${word(what)}: line 1 column 1 (char 0)`)
  e.attributes = { msg: what, doc, pos: 0, lineno: 1, colno: 1 }
  return e
}

const LOADING = 'cls=, object_hook=, parse_float=, parse_int=, parse_constant=, object_pairs_hook=, strict='

function load(text: string, options: readonly (Value | Absent)[]): Value {
  const [, objectHook, toFloat, toInt, toConstant, pairsHook, strictly] = options
  if (options.every((o) => o === undefined || o === null)) return decodeJson(text)
  const one = (f: Value | Absent): ((x: Value) => Value) | undefined =>
    f === undefined || f === null ? undefined : unary(f)
  const pairs = one(pairsHook)
  const object = one(objectHook)
  const made =
    pairs === undefined
      ? object === undefined
        ? undefined
        : (flat: Value[]) => object(dictOf(flat))
      : (flat: Value[]) => pairs(pairsOf(flat))
  const hooks = {
    object: made,
    float: one(toFloat),
    int: one(toInt),
    constant: one(toConstant),
    lenient: strictly === false,
  }
  return readJson(text, hooks as Hooks)
}

function pairsOf(flat: readonly Value[]): Value[] {
  const out: Value[] = []
  for (let i = 0; i < flat.length; i += 2) out.push([TUPLE, flat[i]!, flat[i + 1]!])
  return out
}

const inPython: Record<string, Native> = {
  [`dumps(obj, /, *, ${OPTIONS}`]: (x, ...options) => dumped(x!, options),
  [`dump(obj, fp, /, *, ${OPTIONS}`]: (x, file, ...options) => {
    callAttribute(file!, 'write', [dumped(x!, options)])
    return null
  },
  [`loads(s, /, *, ${LOADING}`]: (text, ...options) => load(textOf(text), options),
  [`load(fp, /, *, ${LOADING}`]: (file, ...options) => load(textOf(callAttribute(file!, 'read', [])), options),
}

function pythonMembers(): Record<string, Value> {
  const members: Record<string, Value> = {
    JSONDecodeError: exceptionClasses.JSONDecodeError!,
    JSONEncoder: encoderClass((given) => styleOf(OPTION_NAMES.map((name) => given[name]))),
  }
  for (const [declaration, fn] of Object.entries(inPython)) {
    const open = declaration.indexOf('(')
    const name = declaration.slice(0, open)
    members[name] = builtin(name, declaration.slice(open + 1), fn)
  }
  return members
}

export const json: Module = module('json', python ? { ...starlark, ...pythonMembers() } : starlark)
