// Removes from a guest, before anything else is evaluated in it, every way to make code from text, to share or outlive
// memory, to read the time, to be random or to depend on a locale.
//
// Properties are deleted, including those through which a removed function could be reached again (constructors of
// function prototypes). QuickJS's evaluator stays available to the sandbox from outside.
//
// Invariant: afterwards no object that a program can reach leads to a removed function.

/**
 * Evaluates to a record of the functions that the sandbox itself needs later. `date` says whether the guest was given a
 * Date.
 */
export function hardeningSource(date: boolean): string {
  return `'use strict';
(() => {
${REMOVALS}${date ? DATE_SOURCE : `  drop(globalThis, 'Date')\n`}${CHANNEL}
${INTERNALS}})()`
}

/** Strings up to this length are flat in this build of QuickJS. */
export const LONGEST_FLAT = 512

const REMOVALS = `  const drop = (object, ...names) => {
    for (const name of names) {
      if (!Reflect.deleteProperty(object, name)) throw new Error('cannot remove ' + String(name))
    }
  }
  const { apply, construct, ownKeys, getPrototypeOf } = Reflect
  const slice = String.prototype.slice

  // Code from text.
  for (const f of [function () {}, function* () {}, async function () {}, async function* () {}]) {
    drop(getPrototypeOf(f), 'constructor')
  }
  drop(globalThis, 'eval', 'Function')

  // Memory that is shared or outlives its run, and finalisers.
  drop(globalThis, 'SharedArrayBuffer', 'Atomics', 'WeakRef', 'FinalizationRegistry', 'WebAssembly')

  // Randomness, the clock, timers.
  drop(Math, 'random')
  drop(globalThis, 'performance', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'console', 'navigator', 'std', 'os')

  // Functions that depend on a locale. An image may define its own.
  for (const f of [Object, Array, String, Number, BigInt, getPrototypeOf(Int8Array)]) drop(f.prototype, 'toLocaleString')
  drop(String.prototype, 'localeCompare', 'toLocaleLowerCase', 'toLocaleUpperCase')
  drop(globalThis, 'Intl')

  // Hooks into the making of stack texts.
  drop(Error, 'captureStackTrace', 'prepareStackTrace', 'stackTraceLimit')
`

/** The functions of the channel, which take nothing but their own kind of argument. */
const CHANNEL = `
  const { hostCall, hostPrint, hostSend, hostReceive, hostReceiveLines, hostReceiveAny, hostLookUp, hostRewrite } =
    globalThis
  const Failure = Error
  // One flat string of the same text. The engine joins only longer strings lazily.
  const text = (value, what) => {
    if (typeof value !== 'string') throw new TypeError(what + ' takes a string')
    return value.length <= ${LONGEST_FLAT} ? value : apply(slice, value, [0])
  }
  const define = (name, value) => Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  define('hostCall', (payload) => hostCall(text(payload, 'hostCall')))
  define('hostPrint', (piece) => hostPrint(text(piece, 'hostPrint')))
  define('hostSend', (payload) => hostSend(text(payload, 'hostSend')))
  define('hostLookUp', (question) => {
    const answer = hostLookUp(text(question, 'hostLookUp'))
    if (answer === undefined) throw new Failure('there is nothing to look up')
    return answer
  })
  if (hostRewrite !== undefined) define('hostRewrite', (order) => hostRewrite(text(order, 'hostRewrite')))
  define('hostReceive', (id) => {
    if (typeof id !== 'number') throw new TypeError('hostReceive takes a number')
    const reply = (id | 0) === id ? hostReceive(id | 0) : undefined
    if (reply === undefined) throw new Failure('there is no call ' + id + ' whose reply was not received')
    return reply
  })
  define('hostReceiveLines', (id) => ((id | 0) === id ? hostReceiveLines(id | 0) : undefined))
  define('hostReceiveAny', () => {
    const reply = hostReceiveAny('')
    if (reply === undefined) throw new Failure('there is no call whose reply was not received')
    return reply
  })
`

const INTERNALS = `  return {
    // One flat string of the same text.
    flatten: (value) => apply(slice, value, [0]),
    // The texts of a thrown value, with their lengths. Its properties may be getters; a failing one reads as nothing.
    describe: (thrown) => {
      const read = (key, most) => {
        try {
          const value = thrown[key]
          return typeof value === 'string' ? apply(slice, value, [0, most]) : ''
        } catch {
          return ''
        }
      }
      let name = ''
      let message = ''
      let stack = ''
      if ((typeof thrown === 'object' && thrown !== null) || typeof thrown === 'function') {
        name = read('name', 200)
        message = read('message', 65536)
        stack = read('stack', 1048576)
      } else {
        message = typeof thrown === 'symbol' ? 'a symbol' : apply(slice, '' + thrown, [0, 65536])
      }
      return name.length + ' ' + message.length + ' ' + name + message + stack
    },
  }
`

// The clock of the engine stands at zero and its time zone is UTC already; a request for the present must fail instead
// of returning 1970.
const DATE_SOURCE = `
  const PlainDate = Date
  const noClock = () => new TypeError('there is no clock: give Date an explicit time')
  const ExplicitDate = function Date(...parts) {
    if (new.target === undefined || parts.length === 0) throw noClock()
    return construct(PlainDate, parts, new.target)
  }
  for (const name of ownKeys(PlainDate)) {
    if (name === 'now' || name === 'length' || name === 'name' || name === 'prototype') continue
    Object.defineProperty(ExplicitDate, name, Object.getOwnPropertyDescriptor(PlainDate, name))
  }
  Object.defineProperty(ExplicitDate, 'length', { value: 7, configurable: true })
  Object.defineProperty(ExplicitDate, 'prototype', { value: PlainDate.prototype, writable: false })
  Object.defineProperty(PlainDate.prototype, 'constructor', { value: ExplicitDate, configurable: true, writable: true })
  drop(PlainDate.prototype, 'toLocaleString', 'toLocaleDateString', 'toLocaleTimeString')
  Object.defineProperty(globalThis, 'Date', { value: ExplicitDate, configurable: true, writable: true })
`
