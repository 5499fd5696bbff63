// The methods of lists, tuples and ranges. Lists and tuples are arrays and share Array.prototype, so every method first
// tests which of the two its receiver is.

import { endBound, given, startBound, wantFlag, wantInt, wrongCount, wrongType } from '../calls/expect.js'
import { method, noAttribute } from '../calls/method-tables.js'
import { items } from '../containers/iterate.js'
import { locks, mutable } from '../containers/locks.js'
import { equal } from '../operators/comparison.js'
import { rangeIndex } from '../operators/membership.js'
import { sortInto } from '../operators/ordering.js'
import { quoted } from '../text/repr.js'
import { guestError, raise } from '../values/errors.js'
import { python } from '../values/mode.js'
import { said, spelled } from '../values/said.js'
import { Range, TUPLE, type Value } from '../values/values.js'

type Absent = undefined
type Array0 = Value[]

function define(
  name: string,
  parameters: string,
  fn: (this: Array0, ...args: never[]) => Value,
  types = ['list'],
): void {
  for (const type of types) method(type, Array.prototype, name, parameters, fn as never)
}

/** Throws if the receiver is a tuple, which has no such method. */
function list(x: Array0, name: string): void {
  if (x[0] === TUPLE) throw noAttribute(x, name)
}

define('append', 'x, /', function (x: Value | Absent) {
  if (this[0] === TUPLE) throw noAttribute(this, 'append')
  if (x === undefined) throw wrongCount('list', 'append', 0, 1, 1)
  if (!locks.idle) mutable(this)
  this[this.length] = x
  return null
})

define('clear', '/', function (extra?: Value) {
  list(this, 'clear')
  if (extra !== undefined) throw wrongCount('list', 'clear', 1, 0, 0)
  mutable(this)
  this.length = 0
  return null
})

define('extend', 'iterable, /', function (iterable: Value | Absent) {
  list(this, 'extend')
  given(iterable, 'list', 'extend')
  mutable(this)
  const more = items(iterable)
  // The list may be extended by itself, so only its earlier elements count.
  const n = more.length
  for (let i = 0; i < n; i++) this.push(more[i]!)
  return null
})

define('insert', 'i, x, /', function (i: Value | Absent, x: Value | Absent) {
  list(this, 'insert')
  if (i === undefined || x === undefined) throw wrongCount('list', 'insert', i === undefined ? 0 : 1, 2, 2)
  const at = wantInt(i, 'insert', 'i')
  mutable(this)
  const place = at < 0 ? Math.max(0, at + this.length) : Math.min(at, this.length)
  if (place === this.length) this.push(x)
  else this.splice(place, 0, x)
  return null
})

// The `pop` of a dict takes two arguments.
define('pop', 'i=, /', function (i: Value | Absent, extra?: Value) {
  if (this[0] === TUPLE) throw noAttribute(this, 'pop')
  mutable(this)
  const n = this.length
  if (i === undefined) {
    if (n > 0) return this.pop()!
    return raise('IndexError', python ? 'pop from empty list' : 'pop: index -1 out of range: empty list')
  }
  if (extra !== undefined) throw wrongCount('list', 'pop', 2, 0, 1)
  const given = wantInt(i, 'pop', 'i')
  const at = given < 0 ? given + n : given
  if (at < 0 || at >= n) {
    if (python) raise('IndexError', n === 0 ? 'pop from empty list' : 'pop index out of range')
    raise(
      'IndexError',
      said`pop: index ${spelled(given)} out of range ${n === 0 ? ': empty list' : said`[${-n}:${n - 1}]`}`,
    )
  }
  if (at === n - 1) return this.pop()!
  if (at === 0) return this.shift()!
  return this.splice(at, 1)[0]!
})

define('remove', 'x, /', function (x: Value | Absent) {
  list(this, 'remove')
  given(x, 'list', 'remove')
  mutable(this)
  const at = find(this, x, 0, this.length)
  if (at < 0) raise('ValueError', python ? 'list.remove(x): x not in list' : 'remove: element not found')
  this.splice(at, 1)
  return null
})

function find(x: Array0, v: Value, from: number, to: number): number {
  for (let i = from; i < to; i++) if (x[i] === v || equal(x[i]!, v)) return i
  return -1
}

function index(x: Array0, v: Value | Absent, start: Value | Absent, end: Value | Absent): number {
  const base = x[0] === TUPLE ? 1 : 0
  const type = base === 1 ? 'tuple' : 'list'
  given(v, type, 'index', 1, 3)
  const n = x.length - base
  const at = find(x, v, base + clamp(start, n, 'start'), base + clamp(end, n, 'end'))
  if (at >= 0) return at - base
  if (!python) raise('ValueError', 'index: value not in list')
  throw guestError('ValueError', base === 1 ? 'tuple.index(x): x not in tuple' : said`${quoted(v)} is not in list`)
}

function clamp(x: Value | Absent, length: number, parameter: 'start' | 'end'): number {
  if (x === null && python)
    throw wrongType('index', parameter, x, 'int', 'slice indices must be integers or have an __index__ method')
  return parameter === 'start' ? startBound(x, length, 'index') : endBound(x, length, 'index')
}

if (python) {
  define(
    'index',
    'x, start=, end=, /',
    function (v: Value | Absent, start: Value | Absent, end: Value | Absent) {
      return index(this, v, start, end)
    },
    ['list', 'tuple'],
  )
  // The `count` of a string takes two more arguments.
  define(
    'count',
    'x, /',
    function (v: Value | Absent, extra?: Value) {
      const base = this[0] === TUPLE ? 1 : 0
      if (v === undefined || extra !== undefined)
        throw wrongCount(base === 1 ? 'tuple' : 'list', 'count', v === undefined ? 0 : 2, 1, 1)
      let n = 0
      for (let i = base; i < this.length; i++) if (this[i] === v || equal(this[i]!, v)) n++
      return n
    },
    ['list', 'tuple'],
  )
  method('range', Range.prototype, 'index', 'x, /', function (this: Range, x: Value | Absent) {
    given(x, 'range', 'index')
    const at = rangeIndex(this, x)
    return at < 0 ? raise('ValueError', said`${quoted(x)} is not in range`) : at
  } as never)
  method('range', Range.prototype, 'count', 'x, /', function (this: Range, x: Value | Absent) {
    given(x, 'range', 'count')
    return rangeIndex(this, x) < 0 ? 0 : 1
  } as never)
  define('copy', '/', function (extra?: Value) {
    list(this, 'copy')
    if (extra !== undefined) throw wrongCount('list', 'copy', 1, 0, 0)
    return this.slice()
  })
  define('reverse', '/', function (extra?: Value) {
    list(this, 'reverse')
    if (extra !== undefined) throw wrongCount('list', 'reverse', 1, 0, 0)
    mutable(this)
    this.reverse()
    return null
  })
  define('sort', '*, key=, reverse=', function (key: Value | Absent, reverse: Value | Absent) {
    list(this, 'sort')
    mutable(this)
    sortInto(this, this.slice(), key === null ? undefined : key, wantFlag(reverse, 'sort', 'reverse'))
    return null
  })
} else {
  define('index', 'x, start=, end=, /', function (v: Value | Absent, start: Value | Absent, end: Value | Absent) {
    list(this, 'index')
    return index(this, v, start, end)
  })
}
