// Python's iterators, which yield their elements once. In the default dialect `zip`, `enumerate`, `reversed`, `map`,
// `filter` and `iter` return them, so the function of `map` is called when a result is taken. In strict mode such
// functions return lists. Starlark programs index the lists of `zip` and `enumerate`, so an iterator that is indexed
// keeps its elements. Invariant: `step` is not called again after it has returned undefined.

import { items } from '../containers/iterate.js'
import { type GuestError, guestError } from '../values/errors.js'
import { PROTOCOL, type Protocol, protocolOf } from '../values/protocol.js'
import { nameClass, TUPLE, type Value } from '../values/values.js'
import { index } from './subscript.js'

/** Returns the next element; undefined at the end. */
export type Step = () => Value | undefined

export class Iterator {
  readonly $type: string
  $step: Step
  /** All remaining elements at once, if that is cheaper than step by step. */
  readonly $rest: (() => Value[]) | undefined
  constructor(type: string, step: Step, rest?: () => Value[]) {
    this.$type = type
    this.$step = step
    this.$rest = rest
  }

  /** The failure of `next` at the end. */
  $stop(): GuestError {
    return stopIteration()
  }
}

const ended: Step = () => undefined

/** The next element; undefined at the end. */
export function nextOf(it: Iterator): Value | undefined {
  const x = it.$step()
  if (x === undefined) it.$step = ended
  return x
}

/** All remaining elements. */
export function drain(it: Iterator): Value[] {
  const step = it.$step
  if (step === ended) return []
  it.$step = ended
  if (it.$rest !== undefined) return it.$rest()
  const all: Value[] = []
  for (let x = step(); x !== undefined; x = step()) all.push(x)
  return all
}

/** Iterates over any iterable, one element at a time. */
export function stepper(x: Value): Step {
  if (x instanceof Iterator) return () => nextOf(x)
  if (Array.isArray(x)) {
    let i = x[0] === TUPLE ? 1 : 0
    return () => (i < x.length ? (x[i++] as Value) : undefined)
  }
  const p = protocolOf(x)
  if (p?.iterate !== undefined) {
    const it = p.iterate(x as object)
    if (it !== x) return stepper(it)
  }
  const next = p?.next
  if (next !== undefined) return () => next(x as object)
  const all = items(x)
  let i = 0
  return () => (i < all.length ? all[i++] : undefined)
}

/** All elements of an iterator. */
export function allOf(x: Value): Value[] {
  const all: Value[] = []
  const next = stepper(x)
  for (let e = next(); e !== undefined; e = next()) all.push(e)
  return all
}

/** True if taking all elements at once makes no visible difference. */
export function isFinished(x: Value): boolean {
  if (x instanceof Iterator) return false
  const p = protocolOf(x)
  return p === undefined || (p.next === undefined && p.iterate === undefined)
}

// Stores the remaining elements. The iterator continues from the stored ones.
function materialise(it: Iterator): Value[] {
  const all = drain(it)
  let i = 0
  it.$step = () => (i < all.length ? all[i++] : undefined)
  return all
}

const LISTS = ['zip', 'enumerate', 'reversed']

const protocol: Protocol = {
  next: (x) => nextOf(x as Iterator),
  items: (x) => drain(x as Iterator),
  truth: () => true,
  repr: (x) => `<${(x as Iterator).$type} object>`,
  getItem: (x, i) => (LISTS.includes((x as Iterator).$type) ? index(materialise(x as Iterator), i) : undefined),
  length: (x) => (LISTS.includes((x as Iterator).$type) ? materialise(x as Iterator).length : undefined),
  contains: (x, element) => drain(x as Iterator).includes(element) || undefined,
}
Object.defineProperty(Iterator.prototype, PROTOCOL, { value: protocol })
nameClass(
  (x) => x instanceof Iterator,
  (x) => (x as Iterator).$type,
)
/**
 * The iterable of a loop whose elements are created on demand: an object like an array that is always as long as the
 * loop needs. Each read of `length` is one step of the loop.
 */
class Walk {
  readonly $next: Step
  $given: number;
  [place: number]: Value
  constructor(next: Step) {
    this.$next = next
    this.$given = 0
  }
  get length(): number {
    const x = this.$next()
    const n = this.$given++
    // The previous element has been used and is released.
    if (n > 0) delete this[n - 1]
    if (x === undefined) return 0
    this[n] = x
    return n + 1
  }
}

/**
 * The iterable of a loop. Iterators yield their elements during the loop, so the remaining ones are available after it.
 */
export function iterate(x: Value): readonly Value[] {
  if (Array.isArray(x)) return x as Value[]
  return isFinished(x) ? items(x) : (new Walk(stepper(x)) as unknown as readonly Value[])
}

/** The iterable of a loop, for an iterator that was created for the loop alone. Existing elements are taken at once. */
export function walkFresh(x: Value): readonly Value[] {
  if (Array.isArray(x)) return x as Value[]
  return isFinished(x) || (x instanceof Iterator && x.$rest !== undefined) ? items(x) : iterate(x)
}

/** The first iterable of a generator expression, which may be any iterable. */
export function iterable(x: Value): Value {
  if (isFinished(x) && !Array.isArray(x)) items(x)
  return x
}

/** Python's `StopIteration`. */
export function stopIteration(): GuestError {
  return guestError('StopIteration', '', { args: [] })
}
