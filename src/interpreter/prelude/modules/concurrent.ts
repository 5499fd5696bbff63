// The module `concurrent.futures`. A submitted task starts at once and continues in steps (foreign/parallel.ts) when
// the program waits. On the run's clock tasks take time in parallel with the program, as many at once as the executor
// has workers.

import { builtin } from '../calls/signature.js'
import { exceptionClasses } from '../classes/exceptions.js'
import { items } from '../containers/iterate.js'
import { setOf } from '../containers/set.js'
import { plain } from '../foreign/ahead.js'
import { stepsOf } from '../foreign/parallel.js'
import { beside, join, moment } from '../host/clock.js'
import { Iterator, stepper } from '../operators/iterators.js'
import { Future, runAll, type Steps, startBeside } from '../statements/coroutines.js'
import { GuestError, valueError } from '../values/errors.js'
import { type Tuple, tuple, type Value } from '../values/values.js'
import { type Module, module } from './module.js'
import { Thing } from './things.js'

/** The last task of each worker, and the worker that is next in turn while all are busy. */
interface Pool {
  readonly lanes: (SubmittedCall | undefined)[]
  turn: number
}

/** The default number of workers: that of CPython on a machine with four cores. */
const WORKERS = 8

class SubmittedCall extends Future {
  $end: number
  constructor(start: number) {
    super()
    this.$end = start
  }
  override reach(): void {
    runAll([this])
  }
  override take(): Value {
    this.reach()
    join(this.$end)
    return super.take()
  }
  override cancel(): boolean {
    return false
  }
}

/** The time at which a worker will be free. Infinity while it is unknown. */
function freeAt(last: SubmittedCall | undefined): number {
  return last === undefined ? 0 : last.$done ? last.$end : Number.POSITIVE_INFINITY
}

function submitted(pool: Pool, f: Value, args: readonly Value[], named: readonly Value[]): SubmittedCall {
  const { lanes } = pool
  const free = lanes.map(freeAt)
  const first = Math.min(...free)
  const lane = first === Number.POSITIVE_INFINITY ? pool.turn++ % lanes.length : free.indexOf(first)
  const future = new SubmittedCall(moment())
  const before = lanes[lane]
  lanes[lane] = future
  startBeside(work(future, before, stepsOf(f, args, named)))
  return future
}

/** The steps of a task: it waits for the worker's previous task, and then runs on a clock of its own. */
function* work(future: SubmittedCall, before: SubmittedCall | undefined, steps: Steps): Steps {
  while (before?.$done === false) yield before
  future.$end = Math.max(future.$end, before?.$end ?? 0)
  for (;;) {
    let step: IteratorResult<Future, Value> | undefined
    let failure: GuestError | undefined
    future.$end = beside(future.$end, () => {
      try {
        step = steps.next(null)
      } catch (e) {
        if (!(e instanceof GuestError)) throw e
        failure = e
      }
    })
    if (step?.done === false) yield step.value
    else {
      future.settle(step === undefined ? null : plain(step.value), failure)
      return null
    }
  }
}

function mapped(pool: Pool, f: Value, sources: readonly Value[]): Value {
  const steps = sources.map(stepper)
  const calls: Future[] = []
  for (;;) {
    const args = steps.map((s) => s())
    if (args.length === 0 || args.includes(undefined)) break
    calls.push(submitted(pool, f, args as Value[], []))
  }
  let i = 0
  return new Iterator('generator', () => (i < calls.length ? calls[i++]!.take() : undefined))
}

function endOf(x: Value): number {
  if (!(x instanceof SubmittedCall)) return 0
  x.reach()
  return x.$end
}

function executor(name: string): Value {
  return builtin(name, 'max_workers=, *args, **kwargs', (most) => {
    const n = typeof most === 'number' ? most : WORKERS
    if (n <= 0) valueError('max_workers must be greater than 0')
    const workers: Pool = { lanes: Array.from({ length: Math.min(n, 1000) }, () => undefined), turn: 0 }
    const shutdown = (): null => {
      for (const last of workers.lanes) if (last !== undefined) join(endOf(last))
      return null
    }
    const parts: Record<string, Value> = {
      submit: builtin('submit', 'fn, /, *args, **kwargs', (f, args, named) =>
        submitted(workers, f!, (args as Tuple).slice(1), [...(named as Map<Value, Value>)].flat()),
      ),
      map: builtin('map', 'fn, *iterables, timeout=, chunksize=', (f, sources) =>
        mapped(workers, f!, (sources as Tuple).slice(1)),
      ),
      shutdown: builtin('shutdown', 'wait=, *, cancel_futures=', (wait) => (wait === false ? null : shutdown())),
      __exit__: builtin('__exit__', '*args', () => {
        shutdown()
        return false
      }),
    }
    const pool = new Thing(name, parts)
    parts.__enter__ = builtin('__enter__', '', () => pool)
    return pool
  })
}

const futures = module('concurrent.futures', {
  ThreadPoolExecutor: executor('ThreadPoolExecutor'),
  ProcessPoolExecutor: executor('ProcessPoolExecutor'),
  as_completed: builtin('as_completed', 'fs, timeout=', (fs) => {
    // In the order of completion.
    const all = items(fs!).toSorted((a, b) => endOf(a) - endOf(b))
    return new Iterator('generator', stepper(all))
  }),
  wait: builtin('wait', 'fs, timeout=, return_when=', (fs) => {
    const all = items(fs!)
    for (const f of all) join(endOf(f))
    return tuple([setOf(all), setOf([])])
  }),
  TimeoutError: exceptionClasses.TimeoutError!,
  CancelledError: exceptionClasses.CancelledError!,
  ALL_COMPLETED: 'ALL_COMPLETED',
  FIRST_COMPLETED: 'FIRST_COMPLETED',
  FIRST_EXCEPTION: 'FIRST_EXCEPTION',
})

/** `concurrent` and `concurrent.futures`. */
export const concurrentModules: Readonly<Record<string, Module>> = {
  concurrent: module('concurrent', { futures }),
  'concurrent.futures': futures,
}
