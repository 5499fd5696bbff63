// `enumerate`, `zip`, `reversed` and, in the default dialect, `map`, `filter`, `iter`, `next`. They return lists in
// strict mode, and lazy iterators in the default dialect.

import { asIndex, wantInt } from '../calls/expect.js'
import { builtin, call, type Native } from '../calls/signature.js'
import { items } from '../containers/iterate.js'
import { add } from '../operators/arithmetic.js'
import { equal } from '../operators/comparison.js'
import { Iterator, isFinished, nextOf, stepper, stopIteration } from '../operators/iterators.js'
import { truth } from '../operators/membership.js'
import { binary, unary } from '../operators/ordering.js'
import { GuestError, guestError, typeError, valueError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { protocolOf } from '../values/protocol.js'
import { type Said, said } from '../values/said.js'
import {
  Bytes,
  type Int,
  isDict,
  isInt,
  MAX_SAFE,
  Range,
  TUPLE,
  type Tuple,
  typeName,
  typeOf,
  unbool,
  type Value,
} from '../values/values.js'

const table: Record<string, Value> = {}

function define(name: string, parameters: string, fn: Native): void {
  table[name] = builtin(name, parameters, fn)
}

define('enumerate', python ? 'iterable, start=' : 'x, start=, /', (x, start) => {
  const first = start === undefined ? 0 : python ? unbool(asIndex(start)) : wantInt(start, 'enumerate', 'start')
  if (!isInt(first)) return typeError(said`'${typeOf(start!)}' object cannot be interpreted as an integer`)
  if (typeof first !== 'number' || first > MAX_SAFE - 2 ** 32) return numberedFar(stepper(x!), first)
  const from = first
  if (!python) return numbered(items(x!), from)
  const next = stepper(x!)
  let i = from
  return new Iterator(
    'enumerate',
    () => {
      const e = next()
      return e === undefined ? undefined : [TUPLE, i++, e]
    },
    isFinished(x!) ? () => (i === from ? numbered(items(x!), from) : remaining(() => next(), i)) : undefined,
  )
})

/** Like `numbered`, for numbers that may be beyond the small ints. */
function numberedFar(next: () => Value | undefined, from: Int): Iterator {
  let i: Value = from
  return new Iterator('enumerate', () => {
    const e = next()
    if (e === undefined) return undefined
    const t = [TUPLE, i, e]
    i = add(i, 1)
    return t
  })
}

function numbered(all: readonly Value[], from: number): Value[] {
  const out: Value[] = []
  for (let i = 0; i < all.length; i++) out[i] = [TUPLE, from + i, all[i]!]
  return out
}

function remaining(next: () => Value | undefined, from: number): Value[] {
  const out: Value[] = []
  let i = from
  for (let e = next(); e !== undefined; e = next()) out.push([TUPLE, i++, e])
  return out
}

define('zip', python ? '*iterables, strict=' : '*args', (iterables, mustMatch) => {
  const sources = (iterables as Tuple).slice(1)
  if (!python) return zipped(sources.map(zipItems))
  const exact = mustMatch !== undefined && truth(mustMatch)
  const steps = sources.map((s, i) => zipStepper(s, i))
  let begun = false
  return new Iterator(
    'zip',
    () => {
      begun = true
      return zipStep(steps, exact)
    },
    sources.every(isFinished) && !exact
      ? () => {
          if (!begun) return zipped(sources.map((s) => items(s)))
          const out: Value[] = []
          for (let t = zipStep(steps, false); t !== undefined; t = zipStep(steps, false)) out.push(t)
          return out
        }
      : undefined,
  )
})

function zipItems(x: Value, i: number): readonly Value[] {
  try {
    return items(x)
  } catch (e) {
    if (!(e instanceof GuestError)) throw e
    throw guestError('TypeError', said`zip: argument #${i + 1} is not iterable: ${typeOf(x)}`)
  }
}

function zipStepper(x: Value, i: number): () => Value | undefined {
  try {
    return stepper(x)
  } catch (e) {
    if (!(e instanceof GuestError) || e.kind !== 'TypeError') throw e
    throw guestError('TypeError', said`'${typeOf(x)}' object is not iterable`, {
      hint: said`argument ${i + 1} of zip() must be an iterable`,
    })
  }
}

function zipped(sources: readonly (readonly Value[])[]): Value[] {
  if (sources.length === 0) return []
  let n = Infinity
  for (const s of sources) if (s.length < n) n = s.length
  const out: Value[] = []
  const [a, b] = sources
  if (sources.length === 2) {
    for (let i = 0; i < n; i++) out[i] = [TUPLE, a![i]!, b![i]!]
    return out
  }
  for (let i = 0; i < n; i++) {
    const t: Value[] = [TUPLE]
    for (let k = 0; k < sources.length; k++) t.push(sources[k]![i]!)
    out[i] = t
  }
  return out
}

function zipStep(steps: readonly (() => Value | undefined)[], exact: boolean): Value | undefined {
  const t: Value[] = [TUPLE]
  for (let k = 0; k < steps.length; k++) {
    const e = steps[k]!()
    if (e !== undefined) {
      t.push(e)
      continue
    }
    if (exact) checkEnds(steps, k)
    return undefined
  }
  return steps.length === 0 ? undefined : t
}

function checkEnds(steps: readonly (() => Value | undefined)[], ended: number): void {
  const others = (n: number): Said => (n === 1 ? said`argument 1` : said`arguments 1-${n}`)
  if (ended > 0) valueError(said`zip() argument ${ended + 1} is shorter than ${others(ended)}`)
  for (let k = 1; k < steps.length; k++) {
    if (steps[k]!() !== undefined) valueError(said`zip() argument ${k + 1} is longer than ${others(k)}`)
  }
}

define('reversed', 'x, /', (x) => {
  if (!python) return items(x!).slice().reverse()
  const own = protocolOf(x!)?.getAttribute?.(x as object, '__reversed__')
  if (own !== undefined) return call(own, [])
  if (!isReversible(x!)) typeError(said`'${typeOf(x!)}' object is not reversible`)
  const all = items(x!).slice().reverse()
  let i = 0
  return new Iterator('reversed', () => all[i++])
})

function isReversible(x: Value): boolean {
  if (typeof x !== 'object' || x === null) return typeof x === 'string'
  const p = protocolOf(x)
  if (p?.next !== undefined) return false
  if (p?.getItem !== undefined && p.length !== undefined && !isDict(x)) return true
  if (x instanceof Set || !isFinished(x)) return false
  return (
    Array.isArray(x) || x instanceof Range || x instanceof Bytes || isDict(x) || protocolOf(x)?.length !== undefined
  )
}

// ---- Python ----------------------------------------------------------------------------------------------------

function definePython(): void {
  define('map', 'func, /, *iterables', (f, iterables) => mapping(f!, (iterables as Tuple).slice(1)))
  define('filter', 'function, iterable, /', (f, iterable) => {
    const next = stepper(iterable!)
    const test = f === null ? truth : passes(unary(f!))
    return new Iterator('filter', () => {
      let e = next()
      while (e !== undefined && !test(e)) e = next()
      return e
    })
  })
  define('iter', 'object, sentinel=, /', (x, sentinel) => {
    if (sentinel === undefined) return iteratorOver(x!)
    return new Iterator('callable_iterator', () => {
      const e = call(x!, [])
      return equal(e, sentinel) ? undefined : e
    })
  })
  define('next', 'iterator, default=, /', (it, ifEnded) => {
    const p = it instanceof Iterator ? undefined : protocolOf(it!)
    if (p !== undefined && p.next === undefined) throw notAnIterator(it!)
    if (p === undefined && !(it instanceof Iterator)) throw notAnIterator(it!)
    const e = it instanceof Iterator ? nextOf(it) : p!.next!(it as object)
    if (e !== undefined) return e
    if (ifEnded !== undefined) return ifEnded
    throw it instanceof Iterator ? it.$stop() : stopIteration()
  })
}

function notAnIterator(x: Value): GuestError {
  return guestError('TypeError', said`'${typeOf(x)}' object is not an iterator`, { hint: 'make one with iter(x)' })
}

function passes(f: (x: Value) => Value): (x: Value) => boolean {
  return (x) => {
    const r = f(x)
    return r === true || truth(r)
  }
}

function mapping(f: Value, sources: readonly Value[]): Iterator {
  if (sources.length === 0) typeError('map() must have at least two arguments.')
  if (sources.length === 1) {
    const next = stepper(sources[0]!)
    const g = unary(f)
    return new Iterator('map', () => {
      const e = next()
      return e === undefined ? undefined : g(e)
    })
  }
  const steps = sources.map(stepper)
  const g = sources.length === 2 ? binary(f) : undefined
  return new Iterator('map', () => {
    const args: Value[] = []
    for (const next of steps) {
      const e = next()
      if (e === undefined) return undefined
      args.push(e)
    }
    return g === undefined ? call(f, args) : g(args[0]!, args[1]!)
  })
}

function iteratorOver(x: Value): Value {
  const own = protocolOf(x)?.iterate
  if (own !== undefined) return own(x as object)
  if (!isFinished(x)) return x
  const type = typeName(x)
  const names: Record<string, string> = {
    dict: 'dict_keyiterator',
    str: 'str_iterator',
    dict_keys: 'dict_keyiterator',
    frozenset: 'set_iterator',
    dict_values: 'dict_valueiterator',
    dict_items: 'dict_itemiterator',
  }
  return new Iterator(names[type] ?? `${type}_iterator`, stepper(x))
}

if (python) definePython()

/** All functions of this file by name. */
export const iterationBuiltins: Readonly<Record<string, Value>> = table
