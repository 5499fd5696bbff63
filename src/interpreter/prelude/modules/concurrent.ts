// The module `concurrent.futures`: what is submitted runs at once, in order.

import { Pending } from '../coroutines.js'
import { GuestError } from '../errors.js'
import { exceptionClasses } from '../exceptions.js'
import { items } from '../iterate.js'
import { Iterator, stepper } from '../iterators.js'
import { setOf } from '../set.js'
import { builtin, call, callNamed } from '../signature.js'
import { type Tuple, tuple, type Value } from '../values.js'
import { type Module, module } from './module.js'
import { Thing } from './things.js'

function submitted(f: Value, args: readonly Value[], named: readonly Value[]): Value {
  const future = new Pending()
  try {
    future.settle(named.length === 0 ? call(f, args) : callNamed(f, args, named))
  } catch (e) {
    if (!(e instanceof GuestError)) throw e
    future.settle(null, e)
  }
  return future
}

function mapped(f: Value, sources: readonly Value[]): Value {
  const steps = sources.map(stepper)
  const calls: Value[] = []
  for (;;) {
    const args = steps.map((s) => s())
    if (args.length === 0 || args.includes(undefined)) break
    calls.push(submitted(f, args as Value[], []))
  }
  let i = 0
  return new Iterator('generator', () => (i < calls.length ? (calls[i++] as Pending).take() : undefined))
}

function executor(name: string): Value {
  return builtin(name, 'max_workers=, *args, **kwargs', () => {
    const parts: Record<string, Value> = {
      submit: builtin('submit', 'fn, /, *args, **kwargs', (f, args, named) =>
        submitted(f!, (args as Tuple).slice(1), [...(named as Map<Value, Value>)].flat()),
      ),
      map: builtin('map', 'fn, *iterables, timeout=, chunksize=', (f, sources) =>
        mapped(f!, (sources as Tuple).slice(1)),
      ),
      shutdown: builtin('shutdown', 'wait=, *, cancel_futures=', () => null),
      __exit__: builtin('__exit__', '*args', () => false),
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
    const step = stepper(items(fs!) as Value[])
    return new Iterator('generator', step)
  }),
  wait: builtin('wait', 'fs, timeout=, return_when=', (fs) => tuple([setOf(items(fs!)), setOf([])])),
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
