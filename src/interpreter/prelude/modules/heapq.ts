// The module `heapq`: lists kept as heaps.

import { wantInt } from '../calls/expect.js'
import { builtin } from '../calls/signature.js'
import { mutable } from '../containers/locks.js'
import { less } from '../operators/comparison.js'
import { Iterator, type Step, stepper } from '../operators/iterators.js'
import { truth } from '../operators/membership.js'
import { sortedArray, unary } from '../operators/ordering.js'
import { contentOf } from '../values/contents.js'
import { raise, typeError } from '../values/errors.js'
import { said } from '../values/said.js'
import { Big, TUPLE, type Tuple, toNumber, typeOf, type Value } from '../values/values.js'
import { type Module, module } from './module.js'

function list(x0: Value | undefined): Value[] {
  const x = contentOf(x0) ?? x0
  if (Array.isArray(x) && x[0] !== TUPLE) {
    mutable(x)
    return x as Value[]
  }
  return typeError(said`heap argument must be a list, not ${typeOf(x0!)}`)
}

/** Moves the element at `at0` up until its parent is not greater. */
function up(heap: Value[], least: number, at0: number): void {
  let at = at0
  const x = heap[at]!
  while (at > least) {
    const parent = (at - 1) >> 1
    if (!less(x, heap[parent]!)) break
    heap[at] = heap[parent]!
    at = parent
  }
  heap[at] = x
}

// Moves down along the smaller children to a leaf, and then up again. That takes fewer comparisons than a test at each
// step, and gives the same heap as Python.
function down(heap: Value[], start: number): void {
  const n = heap.length
  let at = start
  const x = heap[at]!
  let child = 2 * at + 1
  while (child < n) {
    const right = child + 1
    if (right < n && !less(heap[child]!, heap[right]!)) child = right
    heap[at] = heap[child]!
    at = child
    child = 2 * at + 1
  }
  heap[at] = x
  up(heap, start, at)
}

function pop(heap: Value[]): Value {
  if (heap.length === 0) raise('IndexError', 'index out of range')
  const last = heap.pop()!
  if (heap.length === 0) return last
  const first = heap[0]!
  heap[0] = last
  down(heap, 0)
  return first
}

function best(n: Value | undefined, iterable: Value, key: Value | undefined, largest: boolean): Value[] {
  const sorted = sortedArray(iterable, key === null ? undefined : key, largest)
  return sorted.slice(0, Math.max(0, n instanceof Big ? toNumber(n) : wantInt(n!, 'nlargest', 'n')))
}

function merge(sources: readonly Value[], key: Value | undefined, reverse: boolean): Iterator {
  const steps = sources.map(stepper)
  const f = key === undefined || key === null ? (x: Value): Value => x : unary(key)
  let heads: ({ readonly x: Value; readonly k: Value } | undefined)[] | undefined
  const pull = (step: Step): { readonly x: Value; readonly k: Value } | undefined => {
    const x = step()
    return x === undefined ? undefined : { x, k: f(x) }
  }
  return new Iterator('generator', () => {
    heads ??= steps.map(pull)
    let chosen = -1
    heads.forEach((h, i) => {
      if (h === undefined) return
      if (chosen < 0 || (reverse ? less(heads![chosen]!.k, h.k) : less(h.k, heads![chosen]!.k))) chosen = i
    })
    if (chosen < 0) return undefined
    const { x } = heads[chosen]!
    heads[chosen] = pull(steps[chosen]!)
    return x
  })
}

export const heapq: Module = module('heapq', {
  heappush: builtin('heappush', 'heap, item, /', (heap, x) => {
    const h = list(heap)
    h.push(x!)
    up(h, 0, h.length - 1)
    return null
  }),
  heappop: builtin('heappop', 'heap, /', (heap) => pop(list(heap))),
  heapify: builtin('heapify', 'heap, /', (heap) => {
    const h = list(heap)
    for (let i = (h.length >> 1) - 1; i >= 0; i--) down(h, i)
    return null
  }),
  heappushpop: builtin('heappushpop', 'heap, item, /', (heap, x) => {
    const h = list(heap)
    if (h.length === 0 || !less(h[0]!, x!)) return x!
    const first = h[0]!
    h[0] = x!
    down(h, 0)
    return first
  }),
  heapreplace: builtin('heapreplace', 'heap, item, /', (heap, x) => {
    const h = list(heap)
    if (h.length === 0) raise('IndexError', 'index out of range')
    const first = h[0]!
    h[0] = x!
    down(h, 0)
    return first
  }),
  nlargest: builtin('nlargest', 'n, iterable, key=', (n, iterable, key) => best(n, iterable!, key, true)),
  nsmallest: builtin('nsmallest', 'n, iterable, key=', (n, iterable, key) => best(n, iterable!, key, false)),
  merge: builtin('merge', '*iterables, key=, reverse=', (iterables, key, reverse) =>
    merge((iterables as Tuple).slice(1), key, reverse !== undefined && truth(reverse)),
  ),
})
