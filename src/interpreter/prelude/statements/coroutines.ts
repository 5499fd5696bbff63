// `async def` and `await` without concurrency. Coroutines are JavaScript generators, and one loop runs them on the
// clock of the run. Sleeping tasks are woken at once, in the order of their times, so programs see the same order of
// events as in CPython's loop. A coroutine that waits yields a Future to the loop.
// Invariant: a task is in the queue, waits for exactly one Future, or is done. Tasks that wait for replies are woken
// in the order of the calls.

import { builtin, call } from '../calls/signature.js'
import { attributeOrAbsent } from '../classes/attributes.js'
import { errorClass } from '../classes/known-classes.js'
import { microseconds, moment, waitUntil } from '../host/clock.js'
import { boundary } from '../host/homes.js'
import { answerOf, Pending } from '../host/pending.js'
import { hostReceive } from '../host/sandbox-functions.js'
import { Iterator, stepper } from '../operators/iterators.js'
import { GuestError, guestError, ownError } from '../values/errors.js'
import { PROTOCOL, type Protocol } from '../values/protocol.js'
import { nameClass, type Value } from '../values/values.js'

/** The body of a coroutine. It yields what it waits for. */
export type Steps = globalThis.Generator<Future, Value, Value>

class Coroutine {
  readonly $name: string
  readonly $inner: Steps
  $started: boolean
  constructor(name: string, inner: Steps) {
    this.$name = name
    this.$inner = inner
    this.$started = false
  }
}
Object.defineProperty(Coroutine.prototype, PROTOCOL, {
  value: {
    getAttribute: (x, name) => {
      if (name === '__name__') return (x as Coroutine).$name
      return name === 'close' ? builtin('close', '', () => null) : undefined
    },
    truth: () => true,
    repr: (x) => `<coroutine object ${(x as Coroutine).$name}>`,
  } satisfies Protocol,
})
nameClass((x) => x instanceof Coroutine, 'coroutine')

/** The coroutine of an async function of the program. */
export function coroutine(name: string, inner: Steps): Value {
  return new Coroutine(name, inner)
}

/** An object that will have a result: a task, a sleep, a lock that will be free. */
export class Future {
  $done: boolean
  $result: Value
  $failure: unknown
  readonly $waiting: Task[]
  readonly $callbacks: Value[]
  $name: string
  constructor() {
    this.$done = false
    this.$result = null
    this.$failure = undefined
    this.$waiting = []
    this.$callbacks = []
    this.$name = ''
  }

  settle(result: Value, failure?: unknown): void {
    if (this.$done) return
    this.$done = true
    this.$result = result
    this.$failure = failure
    for (const task of this.$waiting) {
      task.$waitsFor = undefined
      ready.push(task)
    }
    this.$waiting.length = 0
    for (const f of this.$callbacks) call(f, [this])
  }

  /** Runs everything that it needs until it is done. Called for a caller that would wait. */
  reach(): void {}

  /** Cancels it. Returns false if it is done already. */
  cancel(message?: Value): boolean {
    if (this.$done) return false
    this.settle(null, cancelled(message))
    return true
  }

  /** Returns the result, or throws the failure. */
  take(): Value {
    if (!this.$done) throw guestError('InvalidStateError', 'Result is not set.')
    if (this.$failure !== undefined) throw this.$failure
    return this.$result
  }
}

/** A coroutine that the loop runs. */
export class Task extends Future {
  readonly $inner: Steps
  $waitsFor: Future | undefined
  /** The exception to throw into it at its next step. */
  $interruption: GuestError | undefined
  constructor(inner: Steps) {
    super()
    this.$inner = inner
    ready.push(this)
  }

  /** Ends its wait with a CancelledError, which the coroutine may catch. */
  override cancel(message?: Value): boolean {
    if (this.$done) return false
    const waitsFor = this.$waitsFor
    if (waitsFor instanceof Task && waitsFor.cancel(message)) return true
    this.$interruption = cancelled(message)
    if (waitsFor !== undefined) {
      waitsFor.$waiting.splice(waitsFor.$waiting.indexOf(this), 1)
      this.$waitsFor = undefined
      ready.push(this)
    }
    return true
  }
}

function cancelled(message: Value | undefined): GuestError {
  return ownError('CancelledError', message === undefined || message === null ? [] : [message])
}

let running: Task | undefined

/** The current task. */
export function currentTask(): Task | undefined {
  return running
}

const futureMembers: Readonly<Record<string, (p: Future) => Value>> = {
  result: (p) => builtin('result', 'timeout=', () => p.take()),
  exception: (p) =>
    builtin('exception', 'timeout=', () => {
      p.reach()
      return p.$failure instanceof GuestError ? p.$failure : null
    }),
  done: (p) =>
    builtin('done', '', () => {
      p.reach()
      return p.$done
    }),
  running: () => builtin('running', '', () => false),
  cancelled: (p) =>
    builtin('cancelled', '', () => p.$failure instanceof GuestError && p.$failure.kind === 'CancelledError'),
  cancel: (p) => builtin('cancel', 'msg=', (message) => p.cancel(message)),
  add_done_callback: (p) =>
    builtin('add_done_callback', 'fn, /', (f) => {
      if (p.$done) call(f!, [p])
      else p.$callbacks.push(f!)
      return null
    }),
  set_result: (p) =>
    builtin('set_result', 'result, /', (x) => {
      p.settle(x!)
      return null
    }),
  set_exception: (p) =>
    builtin('set_exception', 'exception, /', (x) => {
      p.settle(null, x)
      return null
    }),
  get_name: (p) => builtin('get_name', '', () => p.$name),
  set_name: (p) =>
    builtin('set_name', 'value, /', (x) => {
      p.$name = x as string
      return null
    }),
}
Object.defineProperty(Future.prototype, PROTOCOL, {
  value: {
    getAttribute: (x, name) => (Object.hasOwn(futureMembers, name) ? futureMembers[name]!(x as Future) : undefined),
    attributeNames: () => Object.keys(futureMembers),
    truth: () => true,
    repr: (x) => `<${x instanceof Task ? 'Task' : 'Future'} ${(x as Future).$done ? 'finished' : 'pending'}>`,
  } satisfies Protocol,
})
nameClass(
  (x) => x instanceof Future,
  (x) => (x instanceof Task ? 'Task' : 'Future'),
)

// ---- the loop --------------------------------------------------------------------------------------------------

const ready: Task[] = []
const timers: { readonly at: number; readonly future: Future }[] = []
/** A Future that is done after `seconds`, and after everything that is due earlier. */
export function after(seconds: number, result: Value = null): Future {
  return afterMicroseconds(microseconds(seconds), result)
}

export function afterMicroseconds(micros: number, result: Value = null): Future {
  const future = new Future()
  const at = moment() + Math.max(0, micros)
  let i = timers.length
  while (i > 0 && timers[i - 1]!.at > at) i--
  timers.splice(i, 0, { at, future })
  ;(future as { $value?: Value }).$value = result
  return future
}

let counted = 0

export function startTask(x: Value, name?: string): Future {
  if (x instanceof Future) return x
  const task = new Task(x instanceof Coroutine ? begun(x) : awaiting(x))
  task.$name = name ?? `Task-${++counted}`
  return task
}

function begun(c: Coroutine): Steps {
  if (c.$started) throw guestError('RuntimeError', 'cannot reuse already awaited coroutine')
  c.$started = true
  return c.$inner
}

function stepTask(task: Task): void {
  if (task.$done) return
  let step: IteratorResult<Future, Value>
  const interruption = task.$interruption
  task.$interruption = undefined
  const before = running
  running = task
  try {
    boundary?.enter()
    step = interruption === undefined ? task.$inner.next(null) : task.$inner.throw(interruption)
  } catch (e) {
    if (!(e instanceof GuestError)) throw e
    task.settle(null, e)
    return
  } finally {
    running = before
    boundary?.leave()
  }
  if (step.done === true) task.settle(step.value instanceof Pending ? answerOf(step.value) : (step.value ?? null))
  else if (step.value.$done) ready.push(task)
  else {
    step.value.$waiting.push(task)
    task.$waitsFor = step.value
  }
}

/** True if a task is running and nothing else could continue. */
export function isAlone(): boolean {
  return underway.size === 0 && ready.length === 0 && beginning === 0
}

/** The number of tasks that are being started next to the current one. */
let beginning = 0
const begunBeside: Task[] = []

/** Starts a task next to the current one. It begins at once, and continues when the program waits. */
export function startBeside(inner: Steps): Task {
  const task = new Task(inner)
  begunBeside.push(task)
  ready.splice(ready.indexOf(task), 1)
  beginning++
  try {
    stepTask(task)
  } finally {
    beginning--
  }
  return task
}

/** Calls whose replies tasks wait for, by number, in the order in which they were made. */
const underway = new Map<number, Future>()

/** A Future for the reply to a call that was sent to the host. */
export function replyTo(call: number): Future {
  const future = new Future()
  underway.set(call, future)
  return future
}

/** Waits for the reply to the oldest pending call. Returns false if there is none. */
function receiveOldest(): boolean {
  for (const [call, future] of underway) {
    underway.delete(call)
    future.settle(hostReceive(call))
    return true
  }
  return false
}

/** Runs the loop until all of these are done, with a result or a failure. */
export function runAll(wanted: readonly Future[]): void {
  for (const future of wanted) if (!future.$done) runUntilDone(future)
}

/** Waits for calls that were not awaited. */
export function finishCalls(): void {
  runAll(begunBeside)
  while (receiveOldest());
}

/** Runs the loop until `wanted` is done. */
function runUntil(wanted: Future): Value {
  runUntilDone(wanted)
  return wanted.take()
}

function runUntilDone(wanted: Future): void {
  while (!wanted.$done) {
    const task = ready.shift()
    if (task !== undefined) {
      stepTask(task)
      continue
    }
    // Calls take no time on the loop's clock.
    if (receiveOldest()) continue
    const timer = timers.shift()
    if (timer === undefined) {
      throw guestError('RuntimeError', 'the program waits for an event that can no longer happen', {
        hint: 'every lock must be released and every event set by another task',
      })
    }
    waitUntil(timer.at)
    // Timers that are due at the same time wake together, before any task continues.
    const due = [timer]
    while (timers[0] !== undefined && timers[0].at <= moment()) due.push(timers.shift()!)
    for (const { future } of due) future.settle((future as { $value?: Value }).$value ?? null)
  }
}

/** `await x` inside a coroutine. */
export function* awaiting(x: Value): Steps {
  if (x instanceof Coroutine) return (yield* begun(x)) ?? null
  if (x instanceof Future) {
    while (!x.$done) yield x
    return x.take()
  }
  if (typeof x === 'object' && x !== null && !Array.isArray(x)) {
    const own = attributeOrAbsent(x, '__await__')
    if (own !== undefined) {
      const it = call(own, [])
      const step = it instanceof Iterator ? stepper(it) : undefined
      while (step?.() !== undefined) yield after(0)
      return (it as { $returned?: Value }).$returned ?? null
    }
  }
  // The answer of a tool, which is available already.
  return x
}

/** `await x` outside coroutines, and `asyncio.run(x)`. */
export function runAwaited(x: Value): Value {
  if (!(x instanceof Coroutine) && !(x instanceof Future)) {
    const own = typeof x === 'object' && x !== null && !Array.isArray(x) ? attributeOrAbsent(x, '__await__') : undefined
    if (own === undefined) return x
  }
  return runUntil(startTask(x))
}

/** The iterable of `async for`. */
export function asyncIterable(x: Value): Value {
  const make = typeof x === 'object' && x !== null ? attributeOrAbsent(x, '__aiter__') : undefined
  if (make === undefined) return x
  const it = call(make, [])
  const next = attributeOrAbsent(it, '__anext__')
  if (next === undefined) return it
  return new Iterator('async_iterator', () => {
    try {
      return runAwaited(call(next, []))
    } catch (e) {
      if (e instanceof GuestError && errorClass(e).$name === 'StopAsyncIteration') return undefined
      throw e
    }
  })
}
