// Semaphores, locks and events of the module `asyncio`. Waiting tasks take turns in the order of their requests.

import { builtin } from '../../calls/signature.js'
import { awaiting, Future } from '../../statements/coroutines.js'
import { type Int, toNumber, type Value } from '../../values/values.js'
import { Thing } from '../things.js'
import { run } from './steps.js'

/** A semaphore for `count` tasks at once. */
function semaphore(type: string, count: number): Value {
  let free = count
  const waiting: Future[] = []
  const acquire = (): Value =>
    run('acquire', function* () {
      if (free > 0) free--
      else {
        const turn = new Future()
        waiting.push(turn)
        yield* awaiting(turn)
      }
      return true
    })
  const release = (): null => {
    const next = waiting.shift()
    if (next === undefined) free++
    else next.settle(null)
    return null
  }
  return new Thing(type, {
    acquire: builtin('acquire', '', acquire),
    release: builtin('release', '', release),
    locked: builtin('locked', '', () => free === 0),
    __aenter__: builtin('__aenter__', '', acquire),
    __aexit__: builtin('__aexit__', '*args', release),
  })
}

function counted(name: string): Value {
  return builtin(name, 'value=', (value) => semaphore(name, value === undefined ? 1 : toNumber(value as Int)))
}

function event(): Value {
  let set = false
  const waiting: Future[] = []
  return new Thing('Event', {
    set: builtin('set', '', () => {
      set = true
      for (const w of waiting.splice(0)) w.settle(true)
      return null
    }),
    clear: builtin('clear', '', () => {
      set = false
      return null
    }),
    is_set: builtin('is_set', '', () => set),
    wait: builtin('wait', '', () =>
      run('wait', function* () {
        if (set) return true
        const turn = new Future()
        waiting.push(turn)
        return yield* awaiting(turn)
      }),
    ),
  })
}

/** The members of the module, by name. */
export const locks: Readonly<Record<string, Value>> = {
  Semaphore: counted('Semaphore'),
  BoundedSemaphore: counted('BoundedSemaphore'),
  Lock: builtin('Lock', '', () => semaphore('Lock', 1)),
  Event: builtin('Event', '', event),
}
