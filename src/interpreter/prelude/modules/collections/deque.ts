// `deque`: a ring of slots, so that operations cost the same at both ends. Invariant: the elements are at `$head`,
// `$head + 1`, … modulo the number of slots, which is a power of two.

import { asIndex, endBound, given, wantInt } from '../../calls/expect.js'
import { boundMethod, method } from '../../calls/method-tables.js'
import { builtin } from '../../calls/signature.js'
import { attachClass, Class } from '../../classes/classes.js'
import { builtinClass } from '../../classes/known-classes.js'
import { items } from '../../containers/iterate.js'
import { repeat } from '../../operators/arithmetic.js'
import { compare, equal } from '../../operators/comparison.js'
import { quoted, repr } from '../../text/repr.js'
import { contentOf } from '../../values/contents.js'
import { guestError, raise, typeError, valueError } from '../../values/errors.js'
import { PROTOCOL, type Protocol } from '../../values/protocol.js'
import { said } from '../../values/said.js'
import { Big, isInt, nameClass, toNumber, typeOf, unbool, type Value } from '../../values/values.js'

class Deque {
  $slots: Value[] = new Array<Value>(8).fill(null)
  $head = 0
  $length = 0
  readonly $most: number
  constructor(most: number) {
    this.$most = most
  }
}

function slot(d: Deque, i: number): number {
  return (d.$head + i) & (d.$slots.length - 1)
}

function elements(d: Deque): Value[] {
  const all: Value[] = []
  for (let i = 0; i < d.$length; i++) all.push(d.$slots[slot(d, i)]!)
  return all
}

function grow(d: Deque): void {
  const all = elements(d)
  for (let n = all.length; n > 0; n--) all.push(null)
  d.$slots = all
  d.$head = 0
}

function append(d: Deque, x: Value): void {
  if (d.$most === 0) return
  if (d.$length === d.$most) popLeft(d)
  if (d.$length === d.$slots.length) grow(d)
  d.$slots[slot(d, d.$length++)] = x
}

function appendLeft(d: Deque, x: Value): void {
  if (d.$most === 0) return
  if (d.$length === d.$most) pop(d)
  if (d.$length === d.$slots.length) grow(d)
  d.$head = slot(d, d.$slots.length - 1)
  d.$length++
  d.$slots[d.$head] = x
}

function pop(d: Deque): Value {
  if (d.$length === 0) raise('IndexError', 'pop from an empty deque')
  const at = slot(d, --d.$length)
  const x = d.$slots[at]!
  d.$slots[at] = null
  return x
}

function popLeft(d: Deque): Value {
  if (d.$length === 0) raise('IndexError', 'pop from an empty deque')
  const x = d.$slots[d.$head]!
  d.$slots[d.$head] = null
  d.$head = slot(d, 1)
  d.$length--
  return x
}

function refill(d: Deque, all: readonly Value[]): void {
  d.$slots = new Array<Value>(8).fill(null)
  d.$head = 0
  d.$length = 0
  for (const x of all) append(d, x)
}

function made(all: readonly Value[], most: number): Deque {
  const d = new Deque(most)
  for (const x of all) append(d, x)
  return d
}

function place(d: Deque, i0: Value): number {
  const i = unbool(asIndex(i0))
  if (!isInt(i)) throw guestError('TypeError', said`sequence index must be integer, not '${typeOf(i0)}'`)
  const n = toNumber(i)
  const at = n < 0 ? n + d.$length : n
  if (at < 0 || at >= d.$length) raise('IndexError', 'deque index out of range')
  return slot(d, at)
}

export const deque: Value = builtin('deque', 'iterable=, maxlen=', (iterable, maxlen) => {
  const most = maxlen === undefined || maxlen === null ? Infinity : maximum(maxlen)
  if (most < 0) valueError('maxlen must be non-negative')
  return made(iterable === undefined ? [] : items(iterable).slice(), most)
})
function maximum(maxlen: Value): number {
  const n = contentOf(maxlen) ?? maxlen
  if (!isInt(unbool(n))) typeError('an integer is required')
  return wantInt(n, 'deque', 'maxlen')
}
const cls = new Class('deque', 'builtin', [builtinClass('object')])
attachClass(deque as never, cls)

const protocol: Protocol = {
  classValue: () => cls.$value,
  getAttribute: (x, name) =>
    name === 'maxlen' ? ((x as Deque).$most === Infinity ? null : (x as Deque).$most) : boundMethod(x, name),
  length: (x) => (x as Deque).$length,
  items: (x) => elements(x as Deque),
  contains: (x, e) => elements(x as Deque).some((y) => y === e || equal(y, e)),
  getItem: (x, i) => (x as Deque).$slots[place(x as Deque, i)]!,
  extend(x, more) {
    for (const e of items(more).slice()) append(x as Deque, e)
  },
  setItem(x, i, v) {
    ;(x as Deque).$slots[place(x as Deque, i)] = v
    return true
  },
  deleteItem(x, i) {
    const d = x as Deque
    const at = place(d, i)
    const all = elements(d)
    all.splice((at - d.$head + d.$slots.length) & (d.$slots.length - 1), 1)
    refill(d, all)
    return true
  },
  equals: (x, other) => (other instanceof Deque ? equal(elements(x as Deque), elements(other)) : undefined),
  order: (x, other, operator) =>
    other instanceof Deque ? compare(elements(x as Deque), elements(other), operator) : undefined,
  binary(operator, x, other, reflected) {
    const d = x as Deque
    if (operator === '+' && other instanceof Deque && !reflected)
      return made(elements(d).concat(elements(other)), d.$most)
    const times = operator === '*' ? unbool(asIndex(other)) : null
    return isInt(times) ? made(repeat(elements(d), times) as Value[], d.$most) : undefined
  },
  repr: (x) =>
    `deque(${repr(elements(x as Deque))}${(x as Deque).$most === Infinity ? '' : `, maxlen=${(x as Deque).$most}`})`,
}
Object.defineProperty(Deque.prototype, PROTOCOL, { value: protocol })
nameClass((x) => x instanceof Deque, 'collections.deque')

function define(
  name: string,
  parameters: string,
  fn: (d: Deque, a?: Value, b?: Value, c?: Value) => Value | undefined,
): void {
  method('collections.deque', Deque.prototype, name, parameters, function (
    this: Deque,
    a?: Value,
    b?: Value,
    c?: Value,
  ) {
    return fn(this, a, b, c) ?? null
  } as never)
}

define('append', 'x, /', (d, x) => {
  given(x, 'deque', 'append')
  append(d, x)
  return undefined
})
define('appendleft', 'x, /', (d, x) => {
  given(x, 'deque', 'appendleft')
  appendLeft(d, x)
  return undefined
})
define('pop', '/', (d) => pop(d))
define('popleft', '/', (d) => popLeft(d))
define('extend', 'iterable, /', (d, more) => {
  given(more, 'deque', 'extend')
  for (const x of items(more).slice()) append(d, x)
  return undefined
})
define('extendleft', 'iterable, /', (d, more) => {
  given(more, 'deque', 'extendleft')
  for (const x of items(more).slice()) appendLeft(d, x)
  return undefined
})
define('clear', '/', (d) => {
  refill(d, [])
  return undefined
})
define('copy', '/', (d) => made(elements(d), d.$most))
define('count', 'x, /', (d, x) => elements(d).filter((y) => y === x || equal(y, x!)).length)
define('rotate', 'n=, /', (d, n) => {
  if (d.$length === 0) return undefined
  const exact = n === undefined ? 1 : unbool(asIndex(n))
  const short = wantInt(exact, 'rotate', 'n')
  const by = exact instanceof Big ? Number(exact.n % BigInt(d.$length)) : short % d.$length
  const all = elements(d)
  refill(d, by > 0 ? [...all.slice(-by), ...all.slice(0, -by)] : [...all.slice(-by), ...all.slice(0, -by)])
  return undefined
})
define('reverse', '/', (d) => {
  refill(d, elements(d).reverse())
  return undefined
})
define('index', 'x, start=, stop=, /', (d, x, start, stop) => {
  const n = d.$length
  const bound = (v: Value | undefined, usual: number): number => {
    return v === undefined ? usual : v === null ? wantInt(v, 'index', 'start') : endBound(v, n, 'index')
  }
  const all = elements(d)
  for (let i = bound(start, 0); i < bound(stop, n); i++) if (all[i] === x || equal(all[i]!, x!)) return i
  return valueError(said`${quoted(x!)} is not in deque`)
})
define('insert', 'i, x, /', (d, i, x) => {
  const at = wantInt(i!, 'insert', 'i')
  if (d.$length >= d.$most) raise('IndexError', 'deque already at its maximum size')
  const all = elements(d)
  all.splice(at, 0, x!)
  refill(d, all)
  return undefined
})
define('remove', 'x, /', (d, x) => {
  const all = elements(d)
  const at = all.findIndex((y) => y === x || equal(y, x!))
  if (at < 0) valueError(said`${quoted(x!)} is not in deque`)
  all.splice(at, 1)
  refill(d, all)
  return undefined
})
