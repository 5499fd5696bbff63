// The module `asyncio`: tasks on the loop of coroutines.ts, and the loop as an object. Nothing runs in parallel. A
// sleep advances the clock of the run. Locks and queues are in asyncio/.

import { builtin, type Native } from '../calls/signature.js'
import { exceptionClasses } from '../classes/exceptions.js'
import { items } from '../containers/iterate.js'
import { setOf } from '../containers/set.js'
import { stepsOf } from '../foreign/parallel.js'
import { microseconds, moment, readClock } from '../host/clock.js'
import { Iterator } from '../operators/iterators.js'
import { truth } from '../operators/membership.js'
import {
  after,
  afterMicroseconds,
  awaiting,
  coroutine,
  currentTask,
  Future,
  runAwaited,
  type Steps,
  startBeside,
  startTask,
  Task,
} from '../statements/coroutines.js'
import { GuestError, guestError } from '../values/errors.js'
import { float, floatValue, type Int, type Tuple, toNumber, tuple, type Value } from '../values/values.js'
import { locks } from './asyncio/locks.js'
import { queue } from './asyncio/queue.js'
import { run } from './asyncio/steps.js'
import { type Module, module } from './module.js'
import { Thing } from './things.js'

const members: Record<string, Value> = {}

function define(name: string, parameters: string, fn: Native): void {
  members[name] = builtin(name, parameters, fn)
}

function seconds(x: Value): number {
  return floatValue(x) ?? toNumber(x as Int)
}

define('run', 'main, *, debug=', (main) => runAwaited(main!))
define('sleep', 'delay, result=', (delay, result) =>
  run('sleep', function* () {
    yield* awaiting(after(seconds(delay!)))
    return result ?? null
  }),
)
define('create_task', 'coro, *, name=, context=', (coro, name) => startTask(coro!, name as string | undefined))
define('ensure_future', 'coro_or_future, *, loop=', (x) => startTask(x!))

define('gather', '*aws, return_exceptions=', (aws, keep) => {
  const tasks = (aws as Tuple).slice(1).map((x) => startTask(x))
  const keeps = keep !== undefined && truth(keep)
  return startTask(
    run('gather', function* () {
      const out: Value[] = []
      let failure: unknown
      for (const t of tasks) {
        while (!t.$done && (keeps || failure === undefined)) {
          yield t
          failure ??= keeps ? undefined : tasks.find((o) => o.$failure !== undefined)?.$failure
        }
        if (t.$failure === undefined) out.push(t.$result)
        else if (keeps && t.$failure instanceof GuestError) out.push(t.$failure)
        else throw failure ?? t.$failure
      }
      return out
    }),
  )
})

define('wait_for', 'fut, timeout', (aw, timeout) =>
  run('wait_for', function* () {
    const task = startTask(aw!)
    if (timeout === null) return yield* awaiting(task)
    const alarm = after(seconds(timeout!))
    if (!task.$done) yield* oneOf([task, alarm])
    if (!task.$done) {
      task.cancel()
      while (!task.$done) yield task
      if (isCancelled(task)) throw guestError('TimeoutError', '', { args: [] })
    }
    return task.take()
  }),
)

function isCancelled(p: Future): boolean {
  return p.$failure instanceof GuestError && p.$failure.kind === 'CancelledError'
}

/** `async with timeout(…)`: cancels the task inside it when the time has passed, and raises TimeoutError instead. */
function timeout(until: number | undefined): Value {
  let expired = false
  let left = false
  const deadline: Value = until === undefined ? null : float(until / 1e6)
  const parts: Record<string, Value> = {
    __aenter__: builtin('__aenter__', '', () => {
      const task = currentTask()
      if (task === undefined) throw guestError('RuntimeError', 'Timeout should be used inside a task')
      const expire = builtin('expire', 'alarm, /', () => {
        if (!left) expired = task.cancel()
        return null
      })
      if (until !== undefined) afterMicroseconds(until - moment()).$callbacks.push(expire)
      return thing
    }),
    __aexit__: builtin('__aexit__', 'type, value, traceback, /', (_, failure) => {
      left = true
      if (expired && failure instanceof GuestError && failure.kind === 'CancelledError')
        throw guestError('TimeoutError', '', { args: [] })
      return null
    }),
    when: builtin('when', '', () => deadline),
    expired: builtin('expired', '', () => expired),
  }
  const thing = new Thing('Timeout', parts)
  return thing
}
define('timeout', 'delay', (delay) => timeout(delay === null ? undefined : moment() + microseconds(seconds(delay!))))
define('timeout_at', 'when', (when) => timeout(when === null ? undefined : microseconds(seconds(when!))))
define('current_task', 'loop=', () => currentTask() ?? null)
define('shield', 'arg', (aw) => startTask(aw!))

define('wait', 'aws, *, timeout=, return_when=', (aws, timeout, when) =>
  run('wait', function* () {
    const tasks = items(aws!).map((x) => startTask(x))
    const isEnough = (): boolean =>
      when === 'FIRST_COMPLETED'
        ? tasks.some((t) => t.$done)
        : tasks.every((t) => t.$done) || (when === 'FIRST_EXCEPTION' && tasks.some((t) => t.$failure !== undefined))
    let alarm: Future | undefined
    if (timeout !== undefined && timeout !== null) alarm = after(seconds(timeout))
    while (!isEnough() && alarm?.$done !== true) yield* oneOf(alarm === undefined ? tasks : [...tasks, alarm])
    return tuple([setOf(tasks.filter((t) => t.$done)), setOf(tasks.filter((t) => !t.$done))])
  }),
)

/** Waits until a further one of them is done. */
function* oneOf(all: readonly Future[]): Steps {
  const some = new Future()
  const wake = builtin('wake', 'p, /', () => {
    some.settle(null)
    return null
  })
  for (const p of all) if (!p.$done) p.$callbacks.push(wake)
  return yield* awaiting(some)
}

define('as_completed', 'aws, *, timeout=', (aws) => {
  const tasks = items(aws!).map((x) => startTask(x))
  const places = tasks.map(() => new Future())
  let ended = 0
  for (const t of tasks) {
    t.$callbacks.push(
      builtin('place', 'task, /', () => {
        places[ended++]!.settle(t.$result, t.$failure)
        return null
      }),
    )
  }
  let given = 0
  return new Iterator('as_completed', () => places[given++])
})

define('to_thread', 'func, /, *args, **kwargs', (f, args, kwargs) =>
  startTask(coroutine('to_thread', threaded(f!, (args as Tuple).slice(1), [...(kwargs as Map<Value, Value>)].flat()))),
)

function* threaded(f: Value, args: readonly Value[], named: readonly Value[]): Steps {
  yield* awaiting(after(0))
  return yield* stepsOf(f, args, named)
}

define(
  'iscoroutine',
  'obj',
  (x) =>
    typeof x === 'object' && x !== null && (x as { $inner?: unknown }).$inner !== undefined && !(x instanceof Task),
)
define('iscoroutinefunction', 'func', (f) => (f as { $async?: boolean }).$async === true)

define('TaskGroup', '', () => {
  const tasks: Future[] = []
  const group: Value = new Thing('TaskGroup', {
    create_task: builtin('create_task', 'coro, *, name=, context=', (coro, name) => {
      const t = startTask(coro!, name as string | undefined)
      tasks.push(t)
      return t
    }),
    __aenter__: builtin('__aenter__', '', () => group),
    __aexit__: builtin('__aexit__', '*args', () =>
      run('leave', function* () {
        for (let i = 0; i < tasks.length; i++) while (!tasks[i]!.$done) yield tasks[i]!
        const failed = tasks.find((t) => t.$failure !== undefined)
        if (failed !== undefined) throw failed.$failure
        return null
      }),
    ),
  })
  return group
})

// ---- the loop as an object -------------------------------------------------------------------------------------

let loop: Value | undefined
function theLoop(): Value {
  loop ??= new Thing('EventLoop', {
    run_until_complete: builtin('run_until_complete', 'future, /', (x) => runAwaited(x!)),
    create_task: members.create_task!,
    create_future: builtin('create_future', '', () => new Future()),
    time: builtin('time', '', () => float(readClock() / 1e6)),
    run_in_executor: builtin('run_in_executor', 'executor, func, /, *args', (_, f, args) =>
      startBeside(stepsOf(f!, (args as Tuple).slice(1))),
    ),
    close: builtin('close', '', () => null),
    is_running: builtin('is_running', '', () => true),
  })
  return loop
}
for (const name of ['get_event_loop', 'get_running_loop', 'new_event_loop']) define(name, '', theLoop)
define('set_event_loop', 'loop, /', () => null)
define('Future', '*, loop=', () => new Future())

// ---- the module ------------------------------------------------------------------------------------------------

members.Queue = queue
Object.assign(members, locks)
members.TimeoutError = exceptionClasses.TimeoutError!
members.CancelledError = exceptionClasses.CancelledError!
members.QueueEmpty = exceptionClasses.QueueEmpty!
members.FIRST_COMPLETED = 'FIRST_COMPLETED'
members.ALL_COMPLETED = 'ALL_COMPLETED'
members.FIRST_EXCEPTION = 'FIRST_EXCEPTION'

export const asyncio: Module = module('asyncio', members)
