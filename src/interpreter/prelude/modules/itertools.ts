// The module `itertools`. Everything is lazy: elements are taken only when they are needed, so iterators may be
// endless.

import { asIndex, MOST_INDEX, wantInt, wrongType } from '../calls/expect.js'
import { builtin, type Callable, call, type Native } from '../calls/signature.js'
import { items } from '../containers/iterate.js'
import { add } from '../operators/arithmetic.js'
import { equal } from '../operators/comparison.js'
import { Iterator, type Step, stepper } from '../operators/iterators.js'
import { truth } from '../operators/membership.js'
import { isNumber } from '../operators/operands.js'
import { binary, unary } from '../operators/ordering.js'
import { boundCount } from '../text/fill.js'
import { contentOf } from '../values/contents.js'
import { typeError, valueError } from '../values/errors.js'
import { PROTOCOL, type Protocol, protocolOf } from '../values/protocol.js'
import type { Literal } from '../values/said.js'
import { big, isInt, sign, TUPLE, type Tuple, tuple, unbool, type Value } from '../values/values.js'
import { type Module, module } from './module.js'

type Absent = undefined

const members: Record<string, Value> = {}

function define(name: string, parameters: string, fn: Native): void {
  members[name] = builtin(name, parameters, fn)
}

/** A number of elements, which may not be negative. */
function count<M extends string>(x: Value, name: string, ifNegative: Literal<M>): number {
  const n = wantInt(x, name, 'r')
  return n < 0 ? valueError(ifNegative) : boundCount(n)
}

function given(x: Value | Absent): x is Value {
  return x !== undefined && x !== null
}

function rest(t: Value | Absent): Value[] {
  return (t as Tuple).slice(1)
}

// ---- endless ---------------------------------------------------------------------------------------------------

define('count', 'start=, step=', (start, step) => {
  for (const x of [start, step])
    if (x !== undefined && !isNumber(x) && protocolOf(x)?.unary?.('float', x as object) === undefined)
      typeError('a number is required')
  let next: Value = unbool(start ?? 0)
  const by = step ?? 1
  return new Iterator('itertools.count', () => {
    const x = next
    next = add(x, by)
    return x
  })
})

define('cycle', 'iterable, /', (iterable) => {
  const step = stepper(iterable!)
  const kept: Value[] = []
  let at = -1
  return new Iterator('itertools.cycle', () => {
    if (at < 0) {
      const x = step()
      if (x !== undefined) {
        kept.push(x)
        return x
      }
      at = 0
    }
    if (kept.length === 0) return undefined
    const x = kept[at]!
    at = (at + 1) % kept.length
    return x
  })
})

define('repeat', 'object, times=', (x, times) => {
  if (times === undefined) return new Iterator('itertools.repeat', () => x)
  let left = wantInt(times, 'repeat', 'times')
  return new Iterator('itertools.repeat', () => (left-- > 0 ? x : undefined))
})

// ---- one after the other ---------------------------------------------------------------------------------------

function chain(sources: Step): Iterator {
  let current: Step | undefined
  return new Iterator('itertools.chain', () => {
    for (;;) {
      if (current === undefined) {
        const source = sources()
        if (source === undefined) return undefined
        current = stepper(source)
      }
      const x = current()
      if (x !== undefined) return x
      current = undefined
    }
  })
}

const chainOf = builtin('chain', '*iterables', (iterables) => chain(stepper(rest(iterables))))
const chainProtocol: Protocol = {
  getAttribute: (_, name) => (name === 'from_iterable' ? fromIterable : name === '__name__' ? 'chain' : undefined),
}
const fromIterable: Callable = builtin('from_iterable', 'iterable, /', (iterable) => chain(stepper(iterable!)))
Object.defineProperty(chainOf, PROTOCOL, { value: chainProtocol })
members.chain = chainOf

define('accumulate', 'iterable, func=, *, initial=', (iterable, func, initial) => {
  const step = stepper(iterable!)
  const f = given(func) ? binary(func) : add
  let total: Value | undefined
  let begun = false
  return new Iterator('itertools.accumulate', () => {
    if (!begun) {
      begun = true
      total = given(initial) ? initial : step()
      return total
    }
    const x = step()
    if (x === undefined) return undefined
    total = f(total!, x)
    return total
  })
})

define('islice', 'iterable, start, stop=, step=, /', (iterable, a, b, c) => {
  const bound = (x: Value | Absent, ifNone: number): number => {
    if (!given(x)) return ifNone
    const n = unbool(asIndex(x))
    if (!isInt(n) || sign(n) < 0 || big(n) > MOST_INDEX) {
      valueError('Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.')
    }
    return wantInt(n, 'islice', 'start')
  }
  const from = b === undefined ? 0 : bound(a, 0)
  const to = b === undefined ? bound(a, Infinity) : bound(b, Infinity)
  const by = bound(c, 1)
  if (by === 0) valueError('Step for islice() must be a positive integer or None.')
  const step = stepper(iterable!)
  let at = 0
  let next = from
  return new Iterator('itertools.islice', () => {
    if (next >= to) return undefined
    for (; at < next; at++) if (step() === undefined) return undefined
    at++
    next += by
    return step()
  })
})

define('takewhile', 'predicate, iterable, /', (predicate, iterable) => {
  const step = stepper(iterable!)
  const test = unary(predicate!)
  return new Iterator('itertools.takewhile', () => {
    const x = step()
    return x !== undefined && truth(test(x)) ? x : undefined
  })
})

define('dropwhile', 'predicate, iterable, /', (predicate, iterable) => {
  const step = stepper(iterable!)
  const test = unary(predicate!)
  let dropping = true
  return new Iterator('itertools.dropwhile', () => {
    let x = step()
    while (dropping && x !== undefined && truth(test(x))) x = step()
    dropping = false
    return x
  })
})

define('filterfalse', 'predicate, iterable, /', (predicate, iterable) => {
  const step = stepper(iterable!)
  const test = predicate === null ? (x: Value): Value => x : unary(predicate!)
  return new Iterator('itertools.filterfalse', () => {
    let x = step()
    while (x !== undefined && truth(test(x))) x = step()
    return x
  })
})

define('compress', 'data, selectors', (data, selectors) => {
  const step = stepper(data!)
  const select = stepper(selectors!)
  return new Iterator('itertools.compress', () => {
    for (;;) {
      const x = step()
      const chosen = select()
      if (x === undefined || chosen === undefined) return undefined
      if (truth(chosen)) return x
    }
  })
})

define('starmap', 'function, iterable, /', (f, iterable) => {
  const step = stepper(iterable!)
  return new Iterator('itertools.starmap', () => {
    const args = step()
    return args === undefined ? undefined : call(f!, items(args))
  })
})

define('pairwise', 'iterable, /', (iterable) => {
  const step = stepper(iterable!)
  let last: Value | undefined
  return new Iterator('itertools.pairwise', () => {
    last ??= step()
    if (last === undefined) return undefined
    const x = step()
    if (x === undefined) return undefined
    const pair = [TUPLE, last, x]
    last = x
    return pair
  })
})

define('batched', 'iterable, n', (iterable, n) => {
  const size = wantInt(n!, 'batched', 'n')
  if (size < 1) valueError('n must be at least one')
  const step = stepper(iterable!)
  return new Iterator('itertools.batched', () => {
    const batch: Value[] = [TUPLE]
    while (batch.length <= size) {
      const x = step()
      if (x === undefined) break
      batch.push(x)
    }
    return batch.length === 1 ? undefined : batch
  })
})

define('zip_longest', '*iterables, fillvalue=', (iterables, fill) => {
  const steps: (Step | undefined)[] = rest(iterables).map(stepper)
  const filler = fill ?? null
  return new Iterator('itertools.zip_longest', () => {
    const t: Value[] = [TUPLE]
    let live = false
    for (let i = 0; i < steps.length; i++) {
      const x = steps[i]?.()
      if (x === undefined) steps[i] = undefined
      else live = true
      t.push(x ?? (x === null ? null : filler))
    }
    return live ? t : undefined
  })
})

define('tee', 'iterable, n=, /', (iterable, n) => {
  const step = stepper(iterable!)
  const seen: Value[] = []
  const t: Value[] = [TUPLE]
  for (let k = n === undefined ? 2 : count(n, 'tee', 'n must be >= 0'); k > 0; k--) {
    let i = 0
    t.push(
      new Iterator('itertools._tee', () => {
        if (i === seen.length) {
          const x = step()
          if (x === undefined) return undefined
          seen.push(x)
        }
        return seen[i++]
      }),
    )
  }
  return t
})

define('groupby', 'iterable, key=', (iterable, key) => {
  const step = stepper(iterable!)
  const f = given(key) ? unary(key) : (x: Value): Value => x
  let ahead: { readonly x: Value; readonly k: Value } | undefined
  let begun = false
  let group: { readonly k: Value } | undefined
  const pull = (): void => {
    const x = step()
    ahead = x === undefined ? undefined : { x, k: f(x) }
  }
  const belongs = (k: Value): boolean => ahead !== undefined && (ahead.k === k || equal(ahead.k, k))
  return new Iterator('itertools.groupby', () => {
    if (!begun) pull()
    begun = true
    // Skips the rest of the last group.
    if (group !== undefined) while (belongs(group.k)) pull()
    if (ahead === undefined) return undefined
    const own = { k: ahead.k }
    group = own
    const elements = new Iterator('itertools._grouper', () => {
      if (group !== own || !belongs(own.k)) return undefined
      const { x } = ahead!
      pull()
      return x
    })
    return [TUPLE, own.k, elements]
  })
})

// ---- combinations ----------------------------------------------------------------------------------------------

function pools(iterables: readonly Value[], repeat: number): (readonly Value[])[] {
  const once = iterables.map((x) => items(x).slice())
  boundCount(once.length * repeat)
  const out: (readonly Value[])[] = []
  for (let i = 0; i < repeat; i++) out.push(...once)
  return out
}

define('product', '*iterables, repeat=', (iterables, repeat) => {
  const times = repeat === undefined ? 1 : count(repeat, 'product', 'repeat argument cannot be negative')
  const sources = pools(rest(iterables), times)
  let at: number[] | undefined
  let ended = sources.some((s) => s.length === 0)
  return new Iterator('itertools.product', () => {
    if (ended) return undefined
    if (at === undefined) at = sources.map(() => 0)
    else {
      let i = sources.length - 1
      while (i >= 0 && ++at[i]! === sources[i]!.length) at[i--] = 0
      if (i < 0) {
        ended = true
        return undefined
      }
    }
    const t: Value[] = [TUPLE]
    for (let i = 0; i < sources.length; i++) t.push(sources[i]![at[i]!]!)
    return t
  })
})

/** The number of elements to choose. */
function size(r: Value): number {
  return count(r, 'combinations', 'r must be non-negative')
}

define('permutations', 'iterable, r=', (iterable, r) => {
  const pool = items(iterable!).slice()
  const n = pool.length
  if (given(r) && !isInt(unbool(contentOf(r) ?? r))) throw wrongType('permutations', 'r', r, 'int', 'Expected int as r')
  const k = given(r) ? size(r) : n
  const order = pool.map((_, i) => i)
  const cycles: number[] = []
  for (let i = 0; i < k; i++) cycles.push(n - i)
  let begun = false
  const chosen = (): Value => tuple(order.slice(0, k).map((i) => pool[i]!))
  return new Iterator('itertools.permutations', () => {
    if (k > n) return undefined
    if (!begun) {
      begun = true
      return chosen()
    }
    for (let i = k - 1; i >= 0; i--) {
      if (--cycles[i]! > 0) {
        const j = n - cycles[i]!
        ;[order[i], order[j]] = [order[j]!, order[i]!]
        return chosen()
      }
      order.push(order.splice(i, 1)[0]!)
      cycles[i] = n - i
    }
    return undefined
  })
})

/** Index tuples in ascending order. With `again` an index may repeat. */
function combinations(type: string, pool: readonly Value[], k: number, again: boolean): Iterator {
  const n = pool.length
  let at: number[] | undefined
  return new Iterator(type, () => {
    if (at === undefined) {
      if (again ? n === 0 && k > 0 : k > n) return undefined
      at = []
      for (let i = 0; i < k; i++) at.push(again ? 0 : i)
    } else {
      let i = k - 1
      while (i >= 0 && at[i] === (again ? n - 1 : n - k + i)) i--
      if (i < 0) return undefined
      const next = at[i]! + 1
      for (let j = i; j < k; j++) at[j] = again ? next : next + j - i
    }
    const t: Value[] = [TUPLE]
    for (const i of at) t.push(pool[i]!)
    return t
  })
}

define('combinations', 'iterable, r', (iterable, r) =>
  combinations('itertools.combinations', items(iterable!).slice(), size(r!), false),
)
define('combinations_with_replacement', 'iterable, r', (iterable, r) =>
  combinations('itertools.combinations_with_replacement', items(iterable!).slice(), size(r!), true),
)

export const itertools: Module = module('itertools', members)
