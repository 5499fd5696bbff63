// The parameters of a callable, and the binding of a call's arguments to them (specification: Functions, Function and
// method calls). Every callable is a JavaScript function with one JavaScript parameter for each parameter. `undefined`
// means "absent". `*args` arrive as a tuple and `**kwargs` as a Map, each in its parameter's position. The Signature is
// the property `sig` of the callable.
// Invariant: `sig.n` is the number of arguments with which the function may be called directly, or -1 if calls must be
// bound.

import { type GuestError, guestError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { protocolOf } from '../values/protocol.js'
import { asName, inQuotes, joined, type Said, type Shown, said, type Word, word } from '../values/said.js'
import { TUPLE, typeName, typeOf, type Value } from '../values/values.js'
import { builtinArity, methodArity } from './arity.js'

export interface Signature {
  readonly name: string
  /** The number of positional arguments of a direct call; -1 if there are no direct calls. */
  readonly n: number
  /** The names of all parameters except `*args` and `**kwargs`: positional ones first, then keyword-only ones. */
  readonly parameters: readonly string[]
  /** The number of parameters that can be passed by position. */
  readonly positional: number
  /** The number of first parameters that can't be passed by name. */
  readonly positionalOnly: number
  /** For each parameter: true if it is required. */
  readonly required: readonly boolean[]
  /** The position of `*args` in the JavaScript argument list, or -1. */
  readonly argsSlot: number
  /** The position of `**kwargs`, or -1. */
  readonly kwargsSlot: number
  /**
   * With at least this number of positional arguments, up to `positional`, the function may be called directly.
   * Infinity if never.
   */
  least?: number
  readonly builtin: boolean
  /** The object to which a bound method is bound. */
  readonly receiver?: Value
  /** The name with those of the enclosing classes and functions, if it has any. */
  readonly qualified?: string
  /** The docstring, if the program reads docstrings. */
  readonly doc?: string
  /** For a bound method: the signature of the function, with the object. */
  readonly unbound?: Signature
  /** True while a call is in progress. Maintained only where recursion is off. */
  active?: boolean
}

export type Callable = ((...args: never[]) => Value) & { sig: Signature }

/** A JavaScript function as the prelude calls it. `undefined` means absent. */
export type Native = (...args: (Value | undefined)[]) => Value

/**
 * Gives a function of the program its signature and, if values can be frozen, a function that lists the values that it
 * holds.
 */
export function define(fn: object, sig: Signature, held?: () => readonly (Value | undefined)[]): Callable {
  ;(fn as { sig: Signature }).sig = sig
  if (held !== undefined) (fn as { held?: typeof held }).held = held
  return fn as Callable
}

/**
 * Makes a builtin from its parameters in Python's notation: `'iterable, /, *, key=, reverse='`. A name that ends in `=`
 * is optional and arrives as `undefined` if absent. `*name` and `**name` collect arguments. A bare `*` begins the
 * keyword-only parameters.
 */
export function builtin(name: string, parameters: string, fn: Native): Callable {
  return define(fn, parseSignature(name, parameters))
}

export function parseSignature(name: string, text: string): Signature {
  const parameters: string[] = []
  const required: boolean[] = []
  let positional = -1
  let positionalOnly = 0
  let argsSlot = -1
  let kwargsSlot = -1
  let slot = 0
  for (const raw of text.split(',')) {
    const part = raw.trim()
    if (part === '') continue
    if (part === '/') positionalOnly = parameters.length
    else if (part === '*') positional = parameters.length
    else if (part.startsWith('**')) kwargsSlot = slot++
    else if (part.startsWith('*')) {
      positional = parameters.length
      argsSlot = slot++
    } else {
      parameters.push(part.endsWith('=') ? part.slice(0, -1) : part)
      required.push(!part.endsWith('='))
      slot++
    }
  }
  if (positional < 0) positional = parameters.length
  const exact = argsSlot < 0 && kwargsSlot < 0 && required.every((r) => r) && positional === parameters.length
  return {
    name,
    n: exact ? parameters.length : -1,
    parameters,
    positional,
    positionalOnly,
    required,
    argsSlot,
    kwargsSlot,
    builtin: true,
  }
}

export function isCallable(x: Value): x is Callable {
  return typeof x === 'function' && (x as Partial<Callable>).sig !== undefined
}

function callObject(f: Value, args: readonly Value[], named: readonly Value[] | undefined): Value {
  const own = protocolOf(f)?.call
  if (own !== undefined) return own(f as object, args, named)
  throw guestError(
    'TypeError',
    python ? said`'${typeOf(f)}' object is not callable` : said`invalid call of non-function (${typeOf(f)})`,
  )
}

/** Calls with positional arguments only. */
export function call(f: Value, args: readonly Value[]): Value {
  if (!isCallable(f)) return callObject(f, args, undefined)
  const fn = f
  const sig = fn.sig
  if (sig.n === args.length) return callDirectly(fn as unknown as Native, args)
  sig.least ??= leastArguments(sig)
  const isBound = args.length >= sig.least && args.length <= sig.positional
  return isBound ? callDirectly(fn as unknown as Native, args) : bindAndCall(fn, args, undefined)
}

// For few arguments, spreading takes the engine longer than the call.
function callDirectly(fn: Native, args: readonly Value[]): Value {
  switch (args.length) {
    case 1:
      return fn(args[0])
    case 2:
      return fn(args[0], args[1])
    case 3:
      return fn(args[0], args[1], args[2])
    default:
      return fn(...args)
  }
}

function leastArguments({ argsSlot, kwargsSlot, required, positional }: Signature): number {
  const least = required.lastIndexOf(true) + 1
  return argsSlot >= 0 || kwargsSlot >= 0 || least > positional ? Number.POSITIVE_INFINITY : least
}

/** Calls with positional and named arguments; `named` holds alternating names and values. */
export function callNamed(f: Value, args: readonly Value[], named: readonly Value[] | undefined): Value {
  return isCallable(f) ? bindAndCall(f, args, named) : callObject(f, args, named)
}

function bindAndCall(fn: Callable, args: readonly Value[], named: readonly Value[] | undefined): Value {
  return (fn as unknown as Native)(...bind(fn.sig, args, named))
}

/** Binds arguments to the parameters of `sig`. Returns the JavaScript argument list. */
export function bind(
  sig: Signature,
  args: readonly Value[],
  named: readonly Value[] | undefined,
): (Value | undefined)[] {
  const slots = sig.parameters.length + (sig.argsSlot >= 0 ? 1 : 0) + (sig.kwargsSlot >= 0 ? 1 : 0)
  const bound: (Value | undefined)[] = []
  for (let i = 0; i < slots; i++) bound.push(undefined)
  const given = Math.min(args.length, sig.positional)
  for (let i = 0; i < given; i++) bound[slotOf(sig, i)] = args[i]
  if (sig.argsSlot >= 0) {
    const rest: Value[] = [TUPLE]
    for (let i = given; i < args.length; i++) rest.push(args[i]!)
    bound[sig.argsSlot] = rest
  } else if (args.length > sig.positional) {
    throw guestError('TypeError', python ? tooManyInPython(sig, args.length, named) : tooMany(sig, args.length))
  }
  const extra = sig.kwargsSlot >= 0 ? new Map<Value, Value>() : undefined
  if (extra) bound[sig.kwargsSlot] = extra
  if (named) {
    for (let i = 0; i < named.length; i += 2) {
      const name = named[i] as string
      const index = sig.parameters.indexOf(name)
      if (index >= sig.positionalOnly) {
        const slot = slotOf(sig, index)
        if (bound[slot] !== undefined)
          throw givenTwice(sig, name, python && named.indexOf(name) < i ? 'keyword argument' : 'parameter')
        bound[slot] = named[i + 1]
      } else if (extra) {
        if (extra.has(name)) throw givenTwice(sig, name, 'keyword argument')
        extra.set(name, named[i + 1]!)
      } else if (!python || index < 0) throw unexpectedName(sig, name)
    }
  }
  if (python && sig.positionalOnly > 0 && named !== undefined) refusePositionalOnly(sig, named)
  const missing: string[] = []
  for (let i = 0; i < sig.parameters.length; i++) {
    if (sig.required[i] && bound[slotOf(sig, i)] === undefined) missing.push(sig.parameters[i]!)
  }
  if (missing.length > 0)
    throw guestError(
      'TypeError',
      python
        ? ((named === undefined ? ofBuiltin(sig, args.length) : undefined) ?? missingInPython(sig, missing))
        : missingArguments(sig, missing),
    )
  return bound
}

/**
 * The position of parameter `i` in the JavaScript argument list: `*args` is between positional and keyword-only ones.
 */
function slotOf(sig: Signature, i: number): number {
  return sig.argsSlot >= 0 && i >= sig.argsSlot ? i + 1 : i
}

function tooMany(sig: Signature, got: number): Said {
  const optional = sig.required.slice(0, sig.positional).some((r) => !r)
  const takes =
    sig.positional === 0
      ? 'no positional arguments'
      : said`${optional ? 'at most ' : ''}${plural(sig.positional, 'positional argument')}`
  return said`${ownName(sig)}() accepts ${takes}, got ${got}`
}

function refusePositionalOnly(sig: Signature, named: readonly Value[]): void {
  if (sig.kwargsSlot >= 0) return
  const wrong = sig.parameters.slice(0, sig.positionalOnly).filter((p) => named.some((n, i) => i % 2 === 0 && n === p))
  if (wrong.length === 0) return
  throw guestError(
    'TypeError',
    sig.builtin
      ? said`${shownName(sig)}() takes no keyword arguments`
      : said`${shownName(sig)}() got some positional-only arguments passed as keyword arguments: '${joined(wrong.map(asName), ', ')}'`,
  )
}

function shownName(sig: Signature): Shown {
  return asName(sig.qualified ?? sig.name)
}

function ownName(sig: Signature): Shown {
  return asName(sig.name)
}

/** The name of a parameter in a message. For a builtin it is a word of ours. */
function parameter(sig: Signature, name: string): Shown | Word {
  return sig.builtin ? word(name) : asName(name)
}

function givenTwice(sig: Signature, name: string, what: string): GuestError {
  const home = what === 'parameter' || sig.builtin ? '' : '__main__.'
  return guestError(
    'TypeError',
    python
      ? said`${home}${shownName(sig)}() got multiple values for ${what === 'parameter' ? 'argument' : word(what)} ${inQuotes(name)}`
      : said`${ownName(sig)}() got multiple values for ${word(what)} ${inQuotes(name, '"')}`,
  )
}

function ofBuiltin(sig: Signature, got: number): Said | undefined {
  if (!sig.builtin) return undefined
  const least = sig.required.slice(0, sig.positional).filter((r) => r).length
  return sig.receiver === undefined
    ? builtinArity(sig.name, got, least, sig.positional)
    : methodArity(typeName(sig.receiver), sig.name, got, least, sig.positional)
}

// CPython counts the object of a method among the arguments.
function tooManyInPython(less: Signature, given: number, named: readonly Value[] | undefined): Said {
  const sig = less.unbound ?? less
  const counted = named === undefined ? ofBuiltin(less, given) : undefined
  if (counted !== undefined) return counted
  const got = given + (less.unbound === undefined ? 0 : 1)
  const least = sig.required.slice(0, sig.positional).filter((r) => r).length
  const takes = said`takes ${least < sig.positional ? said`from ${least} to ` : ''}${sig.positional} positional argument${sig.positional === 1 && least === 1 ? '' : 's'}`
  let keywordOnly = 0
  if (named)
    for (let i = 0; i < named.length; i += 2)
      if (sig.parameters.indexOf(named[i] as string) >= sig.positional) keywordOnly++
  const were = got === 1 && keywordOnly === 0 ? 'was' : 'were'
  const also =
    keywordOnly === 0
      ? ''
      : said` positional argument${got === 1 ? '' : 's'} (and ${keywordOnly} keyword-only argument${keywordOnly === 1 ? '' : 's'})`
  return said`${shownName(sig)}() ${takes} but ${got}${also} ${were} given`
}

function missingInPython(sig: Signature, missing: readonly string[]): Said {
  const positional = missing.filter((m) => sig.parameters.indexOf(m) < sig.positional)
  const shown = positional.length > 0 ? positional : missing
  const kind = positional.length > 0 ? 'positional' : 'keyword-only'
  const quoted = shown.map((m) => said`'${parameter(sig, m)}'`)
  const last = quoted.pop()!
  const list =
    quoted.length === 0
      ? last
      : quoted.length === 1
        ? said`${quoted[0]!} and ${last}`
        : said`${joined(quoted, ', ')}, and ${last}`
  return said`${shownName(sig)}() missing ${shown.length} required ${kind} argument${shown.length === 1 ? '' : 's'}: ${list}`
}

function missingArguments(sig: Signature, missing: readonly string[]): Said {
  const keywordOnly = missing.every((m) => sig.parameters.indexOf(m) >= sig.positional)
  const names = missing.map((m) => parameter(sig, m))
  return said`${ownName(sig)}() missing ${plural(missing.length, keywordOnly ? 'keyword-only argument' : 'argument', false)}: ${joined(names, ', ')}`
}

function plural(n: number, noun: string, withNumber = true): Word {
  return word(`${withNumber ? `${n} ` : n > 1 ? `${n} ` : ''}${noun}${n === 1 ? '' : 's'}`)
}

function unexpectedName(sig: Signature, name: string): GuestError {
  const accepted = sig.parameters.slice(sig.positionalOnly)
  const near = nearest(name, accepted)
  const message = python
    ? said`${shownName(sig)}() got an unexpected keyword argument ${inQuotes(name)}`
    : said`${ownName(sig)}() got an unexpected keyword argument ${inQuotes(name, '"')}`
  return guestError('TypeError', message, {
    ...(near === undefined
      ? accepted.length > 0 && accepted.length <= 8
        ? {
            hint: said`${ownName(sig)}() accepts ${joined(
              accepted.map((p) => parameter(sig, p)),
              ', ',
            )}`,
          }
        : {}
      : { hint: said`did you mean ${parameter(sig, near)}?` }),
  })
}

/** The candidate with the smallest edit distance from `wrong`, if that is at most a third of its length. */
export function nearest(wrong: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined
  let bestDistance = 1e9
  const folded = wrong.toLowerCase()
  for (const candidate of candidates) {
    const distance = editDistance(folded, candidate.toLowerCase())
    if (
      distance < bestDistance &&
      distance <= Math.max(1, Math.floor(Math.max(candidate.length, wrong.length) / 3)) &&
      distance < wrong.length
    ) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

function editDistance(a: string, b: string): number {
  let last: number[] = []
  for (let j = 0; j <= b.length; j++) last.push(j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      row.push(Math.min(row[j - 1]! + 1, last[j]! + 1, last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    last = row
  }
  return last[b.length]!
}
