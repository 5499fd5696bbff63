// The module `functools`. A cache is a plain dict. One with a limit keeps its keys in the order of their last use.

import { wantInt } from '../calls/expect.js'
import {
  builtin,
  type Callable,
  call,
  callNamed,
  define,
  isCallable,
  parseSignature,
  type Signature,
} from '../calls/signature.js'
import { attributeOrAbsent } from '../classes/attributes.js'
import { asMethod } from '../classes/classes.js'
import { tupleClass } from '../classes/tuple-class.js'
import { dictDelete, dictFlat, dictGet, dictSet } from '../containers/dict.js'
import { key } from '../containers/keys.js'
import { stepper } from '../operators/iterators.js'
import { binary } from '../operators/ordering.js'
import { repr } from '../text/repr.js'
import { contentOf } from '../values/contents.js'
import { typeError } from '../values/errors.js'
import { PROTOCOL, type Protocol, protocolOf } from '../values/protocol.js'
import { isInt, nameClass, TUPLE, type Tuple, tuple, unbool, type Value } from '../values/values.js'
import { functionTools } from './function-tools.js'
import { type Module, module } from './module.js'

const members: Record<string, Value> = {}

members.reduce = builtin('reduce', 'function, iterable, initial=, /', (f, iterable, initial) => {
  const step = stepper(iterable!)
  let total = initial ?? (initial === null ? null : step())
  if (total === undefined) return typeError('reduce() of empty iterable with no initial value')
  const join = binary(f!)
  for (let x = step(); x !== undefined; x = step()) total = join(total, x)
  return total
})

/** A callable object with attributes of its own. */
function withProtocol(f: (args: Tuple, named: object) => Value, name: string, protocol: Protocol): Value {
  const callable = define(f as object, parseSignature(name, '*args, **kwargs')) as Value & object
  Object.defineProperty(callable, PROTOCOL, { value: protocol })
  return callable
}

const partials = new WeakSet<object>()

members.partial = builtin('partial', 'func, /, *args, **keywords', (f, args0, named0) => {
  if (!isCallable(f!) && attributeOrAbsent(f!, '__call__') === undefined)
    typeError('the first argument must be callable')
  const args = (args0 as Tuple).slice(1)
  const named = dictFlat(named0 as object)
  const bound = withProtocol(
    (more, others) => callNamed(f!, [...args, ...more.slice(1)], overridden(named, dictFlat(others))),
    'partial',
    {
      getAttribute: (_, name) =>
        name === 'func' ? f! : name === 'args' ? tuple(args) : name === 'keywords' ? named0! : undefined,
      repr: () => `functools.partial(${[repr(f!), ...args.map(repr), ...pairs(named)].join(', ')})`,
    },
  )
  partials.add(bound as object)
  return bound
})
nameClass((x) => partials.has(x), 'functools.partial')

function pairs(flat: readonly Value[]): string[] {
  const out: string[] = []
  for (let i = 0; i < flat.length; i += 2) out.push(`${flat[i] as string}=${repr(flat[i + 1]!)}`)
  return out
}

function overridden(named: readonly Value[], others: readonly Value[]): readonly Value[] {
  if (others.length === 0) return named
  const all = new Map<Value, Value>()
  for (const flat of [named, others]) for (let i = 0; i < flat.length; i += 2) all.set(flat[i]!, flat[i + 1]!)
  return [...all].flat()
}

/** The result of `cmp_to_key`: a key whose order is that of the program's function. */
class OrderedKey {
  readonly $value: Value
  readonly $compare: (x: Value, y: Value) => Value
  constructor(value: Value, compare: (x: Value, y: Value) => Value) {
    this.$value = value
    this.$compare = compare
  }
}
const keyProtocol: Protocol = {
  getAttribute: (x, name) => (name === 'obj' ? (x as OrderedKey).$value : undefined),
  order: (x, other, operator) => {
    if (!(other instanceof OrderedKey)) return undefined
    const k = x as OrderedKey
    const n = k.$compare(k.$value, other.$value) as number
    return operator === '<' ? n < 0 : operator === '>' ? n > 0 : operator === '<=' ? n <= 0 : n >= 0
  },
  equals: (x, other) =>
    other instanceof OrderedKey && (x as OrderedKey).$compare((x as OrderedKey).$value, other.$value) === 0,
}
Object.defineProperty(OrderedKey.prototype, PROTOCOL, { value: keyProtocol })
nameClass((x) => x instanceof OrderedKey, 'functools.KeyWrapper')

members.cmp_to_key = builtin('cmp_to_key', 'mycmp', (compare) => {
  const f = binary(compare!)
  return builtin('K', 'obj', (x) => new OrderedKey(x!, f))
})

const cacheInfo = tupleClass('CacheInfo', ['hits', 'misses', 'maxsize', 'currsize'])

/** A function that caches the results of `f` by its arguments. */
function cached(f: Value, most: Value): Value {
  const cache = new Cache(f, most)
  const name = (f as { sig?: Signature } | null)?.sig?.name ?? 'function'
  const callable = withProtocol((args, others) => cache.call(args, dictFlat(others)), name, {
    getAttribute: (_, attribute) => {
      if (attribute === 'cache_info') return builtin('cache_info', '', () => cache.info())
      if (attribute === 'cache_clear') return builtin('cache_clear', '', () => cache.clear())
      if (attribute === '__wrapped__') return f
      return attribute === '__name__' ? name : undefined
    },
    repr: () => `<functools._lru_cache_wrapper object ${name}>`,
  })
  return asMethod(callable as Callable)
}

class Cache {
  readonly #function: Value
  readonly #most: Value
  readonly #limit: number
  readonly #results: Map<Value, Value> = new Map()
  #hits = 0
  #misses = 0

  /** `most`: the results that are kept; None: all. */
  constructor(f: Value, most: Value) {
    this.#function = f
    this.#most = most
    this.#limit = typeof most === 'number' ? most : Infinity
  }

  call(args: Value[], named: Value[]): Value {
    const results = this.#results as unknown as object
    const k: Value = named.length === 0 ? args : [TUPLE, args, tuple(named)]
    key(k)
    const found = dictGet(results, k)
    if (found !== undefined) {
      this.#hits++
      // The least recently used entry is dropped first.
      if (this.#limit !== Infinity) {
        dictDelete(results, k)
        dictSet(results, k, found)
      }
      return found
    }
    this.#misses++
    const f = this.#function
    const result = named.length === 0 ? call(f, args.slice(1)) : callNamed(f, args.slice(1), named)
    if (this.#results.size >= this.#limit) this.#results.delete(this.#results.keys().next().value!)
    if (this.#limit > 0) dictSet(results, k, result)
    return result
  }

  info(): Value {
    return cacheInfo.make([this.#hits, this.#misses, this.#most, this.#results.size])
  }

  clear(): null {
    this.#results.clear()
    this.#hits = 0
    this.#misses = 0
    return null
  }
}

function isAnyCallable(f: Value): boolean {
  return isCallable(f) || protocolOf(f)?.call !== undefined
}

members.cache = builtin('cache', 'user_function, /', (f) =>
  isAnyCallable(f!) ? cached(f!, null) : typeError('the first argument must be callable'),
)
members.lru_cache = builtin('lru_cache', 'maxsize=, typed=', (maxsize, _typed) => {
  if (maxsize !== undefined && isAnyCallable(maxsize)) return cached(maxsize, 128)
  const given = maxsize === undefined ? 128 : unbool(contentOf(maxsize) ?? maxsize)
  if (given !== null && !isInt(given)) typeError('Expected first argument to be an integer, a callable, or None')
  return builtin('decorating_function', 'user_function', (f) =>
    cached(f!, given === null ? given : Math.max(0, wantInt(given, 'lru_cache', 'maxsize'))),
  )
})

Object.assign(members, functionTools)

export const functools: Module = module('functools', members)
