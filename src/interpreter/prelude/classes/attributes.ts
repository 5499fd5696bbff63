// Reads and writes attributes: `x.name`. Built-in values have only methods. For other objects their protocol answers.

import { boundMethod, hasMethod, methodNames, noAttribute } from '../calls/method-tables.js'
import { call, callNamed, isCallable, nearest, type Signature } from '../calls/signature.js'
import { dictGet } from '../containers/dict.js'
import { items } from '../containers/iterate.js'
import { keysHint, notADict } from '../operators/subscript.js'
import { type GuestError, guestError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { protocolOf } from '../values/protocol.js'
import { asName, inQuotes, said, spelled } from '../values/said.js'
import { float, floatValue, isDict, isInt, Range, typeName, typeOf, unbool, type Value } from '../values/values.js'
import { classIn } from './classes.js'
import { type Described, keywordDefaults, positionalDefaults } from './function-descriptions.js'
import { classOf } from './known-classes.js'
import { specialMember } from './special-members.js'

/** The attribute's value, or undefined if there is none. */
export function attributeOrAbsent(x: Value, name: string): Value | undefined {
  const own = protocolOf(x)?.getAttribute?.(x as object, name)
  if (own !== undefined) return own
  if (typeof x === 'function') return functionAttribute(x as Annotated, name)
  const method = boundMethod(x, name)
  if (method !== undefined || !python) return method
  if (name === '__class__') return classOf(x).$value
  return name.startsWith('__') ? specialMember(x, name) : partOf(x, name)
}

/** The attributes of numbers and ranges that are not methods. */
function partOf(x: Value, name: string): Value | undefined {
  if (x instanceof Range) return name === 'start' || name === 'stop' || name === 'step' ? x[name] : undefined
  const n = unbool(x)
  const isFloating = floatValue(n) !== undefined
  if (!isFloating && !isInt(n)) return undefined
  switch (name) {
    case 'real':
      return n
    case 'imag':
      return isFloating ? float(0) : 0
    case 'numerator':
      return isFloating ? undefined : n
    case 'denominator':
      return isFloating ? undefined : 1
    default:
      return undefined
  }
}

/** A function with attributes (Python). */
interface Annotated {
  readonly sig?: Signature
  readonly $self?: Value
  readonly $function?: Value
  readonly $described?: Described
  $attributes?: Map<string, Value>
}

function functionAttribute(f: Annotated, name: string): Value | undefined {
  if (!python) return undefined
  const own = f.$attributes?.get(name)
  if (own !== undefined) return own
  switch (name) {
    case '__name__':
      return f.sig?.name
    case '__qualname__':
      return f.sig?.qualified ?? f.sig?.name
    case '__self__':
      return f.$self
    case '__func__':
      return f.$function
    case '__doc__':
      return f.sig?.doc ?? null
    case '__call__':
      return specialMember(f as Value, name)
    case '__annotations__':
      return f.$described?.annotations
    case '__defaults__':
      return positionalDefaults(f.$described)
    case '__kwdefaults__':
      return keywordDefaults(f.$described)
    case '__module__':
      return '__main__'
    case '__dict__':
      return new Map(f.$attributes ?? [])
    default:
      return undefined
  }
}

/** `x.name`. */
export function attribute(x: Value, name: string): Value {
  const found = attributeOrAbsent(x, name)
  if (found !== undefined) return found
  throw missingAttribute(x, name)
}

function missingAttribute(x: Value, name: string): GuestError {
  const p = protocolOf(x)
  const cls = python ? classIn(x) : undefined
  if (cls !== undefined) {
    const near = nearest(name, p?.attributeNames?.(x as object) ?? [])
    return guestError(
      'AttributeError',
      cls.$extras.enumeration === undefined
        ? said`type object '${asName(cls.$name)}' has no attribute ${inQuotes(name)}`
        : said`${spelled(name)}`,
      near === undefined ? undefined : { hint: said`did you mean .${spelled(near)}?` },
    )
  }
  // A bound method reads the attributes of its function.
  const owner = typeof x === 'function' ? ((x as Annotated).$function ?? x) : x
  if (p?.attributeNames === undefined) return withKeyHint(noAttribute(owner, name), x, name)
  const near = nearest(name, p.attributeNames(x as object))
  return guestError(
    'AttributeError',
    python
      ? said`'${Array.isArray(x) ? asName(classOf(x).$name) : typeOf(x)}' object has no attribute ${inQuotes(name)}`
      : said`${typeOf(x)} has no .${asName(name)} field or method`,
    {
      ...(near === undefined ? {} : { hint: said`did you mean .${spelled(near)}?` }),
    },
  )
}

/** Attributes that programs expect of dicts. */
const OF_DICTS = ['get', 'items', 'keys', 'values', 'setdefault']

/**
 * Adds a hint to a missing attribute: an attribute of a dict usually means a key, and an attribute that dicts have
 * usually means that a dict was expected.
 */
function withKeyHint(failure: GuestError, x: Value, name: string): GuestError {
  if (python && OF_DICTS.includes(name) && (typeof x === 'string' || Array.isArray(x)))
    return guestError('AttributeError', failure.said, { hint: notADict(x) })
  if (typeof x !== 'object' || x === null || !isDict(x)) return failure
  const hint =
    dictGet(x, name) !== undefined
      ? said`write [${inQuotes(name, '"')}]: it is a key of this dict`
      : (failure.hint ?? keysHint(items(x)))
  return hint === undefined ? failure : guestError('AttributeError', failure.said, { hint })
}

/**
 * The object `x` of a call `x.name(…)`. A missing attribute fails here, before the arguments are evaluated
 * (specification: Function and method calls). If testing for it would run code of the program, it fails at the call
 * instead.
 */
export function having(x: Value, name: string): Value {
  if (lacks(x, name)) throw missingAttribute(x, name)
  return x
}

function lacks(x: Value, name: string): boolean {
  const p = protocolOf(x)
  if (p?.lacks !== undefined) return p.lacks(x as object, name)
  return p?.getAttribute === undefined && !hasMethod(x, name) && attributeOrAbsent(x, name) === undefined
}

/** `x.name(…)`, for a name that no built-in type has as a method, or with named arguments. */
export function callAttribute(x: Value, name: string, args: readonly Value[], named?: readonly Value[]): Value {
  const own = protocolOf(x)?.callMethod?.(x as object, name, args, named)
  if (own !== undefined) return own
  const f = attribute(x, name)
  return named === undefined ? call(f, args) : callNamed(f, args, named)
}

/** `x.name = v`. */
export function setAttribute(x: Value, name: string, v: Value): void {
  const p = protocolOf(x)
  if (p?.setAttribute?.(x as object, name, v) === true) return
  if (python && typeof x === 'function' && !(isCallable(x) && x.sig.builtin)) {
    ;((x as Annotated).$attributes ??= new Map()).set(name, v)
    return
  }
  throw guestError(
    'AttributeError',
    python
      ? said`'${typeOf(x)}' object has no attribute ${inQuotes(name)}`
      : said`can't assign to .${asName(name)} field of ${typeOf(x)}`,
  )
}

/** `del x.name`. */
export function deleteAttribute(x: Value, name: string): void {
  const p = protocolOf(x)
  if (p?.deleteAttribute?.(x as object, name) === true) return
  throw guestError('AttributeError', said`'${typeOf(x)}' object has no attribute ${inQuotes(name)}`)
}

/** The names of all attributes, sorted. */
export function attributeNames(x: Value): string[] {
  const p = protocolOf(x)
  const own = p?.attributeNames?.(x as object) ?? []
  return [...own, ...methodNames(typeName(x) === 'string' ? 'str' : typeName(x))].sort()
}
