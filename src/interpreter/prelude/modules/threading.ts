// The module `threading`, for programs that run in order: locks without contention, and threads that run when they are
// started. A thread that would wait for a later event is refused. One that waits for a queue runs again later
// (parked-threads.ts).

import { builtin, call, callNamed, type Native } from '../calls/signature.js'
import { attribute } from '../classes/attributes.js'
import { moduleClass } from '../classes/module-class.js'
import { fieldsOf } from '../classes/object-attributes.js'
import { dictFlat } from '../containers/dict.js'
import { items } from '../containers/iterate.js'
import { beside, join, microseconds, moment, sleepFor } from '../host/clock.js'
import { GuestError, guestError } from '../values/errors.js'
import { type Said, said, word } from '../values/said.js'
import { floatValue, type Int, toNumber, type Value } from '../values/values.js'
import { type Module, module } from './module.js'
import { resumeThreads, runThread } from './parked-threads.js'
import { Thing } from './things.js'

function wouldWait(what: Said): GuestError {
  return guestError('RuntimeError', said`${what} would wait for ever: programs run in order`, {
    hint: 'set or release it before something waits for it',
  })
}

function lock(type: string, most: number): Value {
  let held = 0
  const take = (): boolean => {
    if (held >= most) throw wouldWait(said`a ${word(type)}`)
    held++
    return true
  }
  const release = (): null => {
    if (held === 0)
      throw guestError('RuntimeError', type === 'lock' ? 'release unlocked lock' : 'cannot release un-acquired lock')
    held--
    return null
  }
  return new Thing(type, {
    acquire: builtin('acquire', 'blocking=, timeout=', (blocking) =>
      blocking === false && held >= most ? false : take(),
    ),
    release: builtin('release', 'n=', release),
    locked: builtin('locked', '', () => held > 0),
    __enter__: builtin('__enter__', '', take),
    __exit__: builtin('__exit__', '*args', () => {
      release()
      return false
    }),
  })
}

function event(): Value {
  let isSet = false
  const put =
    (value: boolean): Native =>
    () => {
      isSet = value
      return null
    }
  return new Thing('Event', {
    set: builtin('set', '', put(true)),
    clear: builtin('clear', '', put(false)),
    is_set: builtin('is_set', '', () => isSet),
    wait: builtin('wait', 'timeout=', (timeout) => {
      if (isSet) return true
      if (timeout === undefined || timeout === null) throw wouldWait(said`the event`)
      sleepFor(microseconds(floatValue(timeout) ?? toNumber(timeout as Int)))
      return false
    }),
  })
}

// ---- threads ---------------------------------------------------------------------------------------------------

let started = 0
const { cls: thread, define } = moduleClass('Thread', 'threading')

define(
  '__init__',
  'self, group=, target=, name=, args=, kwargs=, *, daemon=',
  (self, _, target, name, args, kwargs, daemon) => {
    Object.assign(fieldsOf(self!), {
      name: name ?? `Thread-${++started}${target === undefined || target === null ? '' : ` (${nameOf(target)})`}`,
      daemon: daemon ?? false,
      _target: target ?? null,
      _args: args ?? [],
      _kwargs: kwargs ?? null,
    })
    return null
  },
)

function nameOf(f: Value): string {
  return String((f as { sig?: { name: string } }).sig?.name ?? 'target')
}
define('run', 'self', (self) => {
  const { _target, _args, _kwargs } = fieldsOf(self!)
  if (_target !== null) callNamed(_target!, items(_args!), _kwargs === null ? [] : dictFlat(_kwargs as object).slice())
  return null
})
define('start', 'self', (self) => {
  const fields = fieldsOf(self!)
  if (fields._started === true) throw guestError('RuntimeError', 'threads can only be started once')
  fields._started = true
  runThread(
    () => {
      fields._end = beside(moment(), () => call(attribute(self!, 'run'), []))
    },
    (e) => {
      // A thread that fails reports that on standard error, and the program continues.
      if (!(e instanceof GuestError)) throw e
    },
  )
  return null
})
define('join', 'self, timeout=', (self) => {
  resumeThreads()
  const { _end } = fieldsOf(self!)
  if (typeof _end === 'number') join(_end)
  return null
})
define('is_alive', 'self', () => false)

const main = new Thing('_MainThread', { name: 'MainThread', daemon: false, ident: 1 })

export const threading: Module = module('threading', {
  Thread: thread.$value,
  Lock: builtin('Lock', '', () => lock('lock', 1)),
  RLock: builtin('RLock', '', () => lock('RLock', Infinity)),
  Semaphore: builtin('Semaphore', 'value=', (n) => lock('Semaphore', n === undefined ? 1 : (n as number))),
  BoundedSemaphore: builtin('BoundedSemaphore', 'value=', (n) =>
    lock('BoundedSemaphore', n === undefined ? 1 : (n as number)),
  ),
  Event: builtin('Event', '', event),
  current_thread: builtin('current_thread', '', () => main),
  main_thread: builtin('main_thread', '', () => main),
  active_count: builtin('active_count', '', () => 1),
  get_ident: builtin('get_ident', '', () => 1),
})
