// The module `queue`, for programs that run in order. While something waits for a queue, only parked threads
// (parked-threads.ts) change it. Therefore operations for which CPython would wait fail at once: with `Empty` or `Full`
// if there is a timeout or `block=False`, otherwise with an explanation.

import { wantInt } from '../calls/expect.js'
import { call } from '../calls/signature.js'
import { exceptionClass } from '../classes/known-classes.js'
import { moduleClass } from '../classes/module-class.js'
import { fieldsOf } from '../classes/object-attributes.js'
import { truth } from '../operators/membership.js'
import { type GuestError, guestError, valueError } from '../values/errors.js'
import { said } from '../values/said.js'
import type { Value } from '../values/values.js'
import { heapq } from './heapq.js'
import { type Module, module } from './module.js'
import { resumeThreads, waitsFor } from './parked-threads.js'

interface Held {
  readonly values: Value[]
  readonly most: number
  unfinished: number
}

const queues = new WeakMap<object, Held>()
const heldBy = (x: Value | undefined): Held => queues.get(x as object)!
const isFull = (q: Held): boolean => q.most > 0 && q.values.length >= q.most

const emptyClass = exceptionClass('Empty')
const fullClass = exceptionClass('Full')
for (const c of [emptyClass, fullClass]) c.$extras.module = c === emptyClass ? '_queue' : 'queue'

function cannot(kind: 'Empty' | 'Full', block: Value | undefined, timeout: Value | undefined): GuestError {
  const waits = (block === undefined || truth(block)) && (timeout === undefined || timeout === null)
  if (!waits) return guestError(kind, '', { args: [] })
  return guestError(
    'RuntimeError',
    said`the ${kind === 'Empty' ? 'empty' : 'full'} queue would wait for ever: programs run in order`,
    { hint: kind === 'Empty' ? 'put everything before something gets it' : 'get before you put more' },
  )
}

/** A class of queues. `put` and `take` decide where a new value goes and which value is next. */
function queueClass(name: string, put: (values: Value[], x: Value) => void, take: (values: Value[]) => Value): Value {
  const { cls, define } = moduleClass(name, 'queue')
  const give = (self: Value | undefined, x: Value, block?: Value, timeout?: Value): Value => {
    const q = heldBy(self)
    if (isFull(q)) throw cannot('Full', block, timeout)
    q.unfinished++
    put(q.values, x)
    return null
  }
  const get = (self: Value | undefined, block?: Value, timeout?: Value): Value => {
    const q = heldBy(self)
    if (q.values.length === 0) resumeThreads()
    if (q.values.length === 0) throw waitsFor(cannot('Empty', block, timeout), () => q.values.length > 0)
    return take(q.values)
  }
  define('__init__', 'self, maxsize=', (self, maxsize) => {
    const most = maxsize === undefined ? 0 : wantInt(maxsize, name, 'maxsize')
    queues.set(self as object, { values: [], most, unfinished: 0 })
    fieldsOf(self!).maxsize = most
    return null
  })
  define('put', 'self, item, block=, timeout=', (self, x, block, timeout) => give(self, x!, block, timeout))
  define('put_nowait', 'self, item', (self, x) => give(self, x!, false))
  define('get', 'self, block=, timeout=', get)
  define('get_nowait', 'self', (self) => get(self, false))
  define('qsize', 'self', (self) => heldBy(self).values.length)
  define('empty', 'self', (self) => heldBy(self).values.length === 0)
  define('full', 'self', (self) => isFull(heldBy(self)))
  define('task_done', 'self', (self) => {
    const q = heldBy(self)
    if (q.unfinished === 0) valueError('task_done() called too many times')
    q.unfinished--
    return null
  })
  define('join', 'self', (self) => {
    resumeThreads()
    if (heldBy(self).unfinished === 0) return null
    throw guestError('RuntimeError', 'join() would wait for ever: programs run in order', {
      hint: 'call task_done() for every value before',
    })
  })
  return cls.$value
}

const append = (values: Value[], x: Value): void => {
  values.push(x)
}
const first = (values: Value[]): Value => values.shift()!

export const queue: Module = module('queue', {
  Queue: queueClass('Queue', append, first),
  SimpleQueue: queueClass('SimpleQueue', append, first),
  LifoQueue: queueClass('LifoQueue', append, (values) => values.pop()!),
  PriorityQueue: queueClass(
    'PriorityQueue',
    (values, x) => call(heapq.$members.heappush!, [values, x]),
    (values) => call(heapq.$members.heappop!, [values]),
  ),
  Empty: emptyClass.$value,
  Full: fullClass.$value,
})
