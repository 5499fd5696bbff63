// The module `concurrent.futures`: what is submitted runs at once, in order. On the clock of the run it happens beside the program, in as many lanes as the
// executor has workers, and whoever takes a result waits until it is there.

import { beside, join, moment } from '../clock.js'
import { Pending } from '../coroutines.js'
import { GuestError, valueError } from '../errors.js'
import { exceptionClasses } from '../exceptions.js'
import { items } from '../iterate.js'
import { Iterator, stepper } from '../iterators.js'
import { setOf } from '../set.js'
import { builtin, call, callNamed } from '../signature.js'
import { type Tuple, tuple, type Value } from '../values.js'
import { type Module, module } from './module.js'
import { Thing } from './things.js'

/** When each of its workers is free again. */
type Lanes = number[]

/** How many workers an executor has that is not told: CPython's on a machine of four cores. */
const WORKERS = 8

class Future extends Pending {
  $end = 0
  override take(): Value {
    join(this.$end)
    return super.take()
  }
}

function submitted(lanes: Lanes, f: Value, args: readonly Value[], named: readonly Value[]): Future {
  const future = new Future()
  const lane = lanes.indexOf(Math.min(...lanes))
  future.$end = beside(Math.max(moment(), lanes[lane]!), () => {
    try {
      future.settle(named.length === 0 ? call(f, args) : callNamed(f, args, named))
    } catch (e) {
      if (!(e instanceof GuestError)) throw e
      future.settle(null, e)
    }
  })
  lanes[lane] = future.$end
  return future
}

function mapped(lanes: Lanes, f: Value, sources: readonly Value[]): Value {
  const steps = sources.map(stepper)
  const calls: Pending[] = []
  for (;;) {
    const args = steps.map((s) => s())
    if (args.length === 0 || args.includes(undefined)) break
    calls.push(submitted(lanes, f, args as Value[], []))
  }
  let i = 0
  return new Iterator('generator', () => (i < calls.length ? calls[i++]!.take() : undefined))
}

const endOf = (x: Value): number => (x instanceof Future ? x.$end : 0)

function executor(name: string): Value {
  return builtin(name, 'max_workers=, *args, **kwargs', (workers) => {
    const n = typeof workers === 'number' ? workers : WORKERS
    if (n <= 0) valueError('max_workers must be greater than 0')
    const lanes: Lanes = Array.from({ length: Math.min(n, 1000) }, () => 0)
    const shutdown = (): null => {
      join(Math.max(...lanes))
      return null
    }
    const parts: Record<string, Value> = {
      submit: builtin('submit', 'fn, /, *args, **kwargs', (f, args, named) =>
        submitted(lanes, f!, (args as Tuple).slice(1), [...(named as Map<Value, Value>)].flat()),
      ),
      map: builtin('map', 'fn, *iterables, timeout=, chunksize=', (f, sources) =>
        mapped(lanes, f!, (sources as Tuple).slice(1)),
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
    // What ended first comes first.
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
