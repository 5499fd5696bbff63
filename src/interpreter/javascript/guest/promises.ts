// The promises of a run: calls that wait for their replies, and unhandled promises. Knows how the engine settles
// promises.
//
// A promise is tracked if a tool, an async function or one of Promise's own methods returned it. It counts as handled
// if the program awaits it or reads its `then` at any time before the program's end. Other runtimes require the handler
// earlier.
// Invariant: at the end it is known of every tracked promise whether it failed and whether it was handled.

import { ALL_FAILED, Fatal, typeError } from './errors.js'
import { receiveAny, send } from './host.js'
import { isIterable, notIterable } from './taking-apart.js'

const PlainPromise = Promise
const { apply } = Reflect
const { then: plainThen, catch: plainCatch } = Promise.prototype

/** A mark on promises. A property that is not enumerable costs a fraction of an entry in a WeakSet. */
const AWAITED: unique symbol = Symbol('awaited') as never
const KNOWN: unique symbol = Symbol('known') as never

interface Marked {
  [AWAITED]?: boolean
  [KNOWN]?: boolean
}

for (const mark of [AWAITED, KNOWN])
  Object.defineProperty(Promise.prototype, mark, { value: false, writable: true, configurable: true })

let rejections: { readonly promise: Marked; readonly reason: unknown }[] = []

/** Records that the promise is awaited. */
export function waitFor<T>(value: T): T {
  if (value instanceof PlainPromise) (value as Marked)[AWAITED] = true
  return value
}

/** Promises that were made since the last `look`. Most are awaited before the next one, and then need no work. */
let fresh: (Promise<unknown> & Marked)[] = []
const MOST_FRESH = 2000

/** Tracks a promise. */
export function watch<T>(promise: Promise<T>): Promise<T> {
  const marked = promise as Promise<T> & Marked
  if (marked[KNOWN] === true) return promise
  marked[KNOWN] = true
  fresh.push(marked)
  if (fresh.length > MOST_FRESH) look()
  return promise
}

/** Subscribes to the failures of unhandled promises. Returns true if there are any; jobs have to run first then. */
export function look(): boolean {
  const alone = fresh.filter((promise) => promise[AWAITED] !== true)
  fresh = []
  for (const promise of alone)
    plainThen.call(promise, undefined, (reason: unknown) => {
      if (promise[AWAITED] !== true) rejections.push({ promise, reason })
    })
  return alone.length > 0
}

/** The first unhandled failure. */
export function unhandled(): { readonly reason: unknown } | undefined {
  rejections = rejections.filter(({ promise }) => promise[AWAITED] !== true)
  return rejections[0]
}

/** The promise of an async function. `given`: its arguments. */
export function started<T>(body: (...given: unknown[]) => Promise<T>, given?: readonly unknown[]): Promise<T> {
  return watch(given === undefined ? body() : apply(body, undefined, given))
}

/** The iterable of `for await`, whose promises count as awaited. */
export function each<T>(values: T): T {
  if (!isIterable(values) && typeof (values as Partial<AsyncIterable<unknown>>)?.[Symbol.asyncIterator] !== 'function')
    throw notIterable(values)
  if (Array.isArray(values)) for (const value of values) waitFor(value)
  return values
}

// ---- calls -------------------------------------------------------------------------------------------------------

type Settle = (reply: string) => void
const waiting = new Map<number, Settle>()

/** Sends a call. `read` converts its reply to the value of the promise, or throws. */
export function sendCall<T>(payload: string, read: (reply: string) => T): Promise<T> {
  return watch(
    new PlainPromise<T>((resolve, reject) => {
      const id = send(payload)
      waiting.set(id, (reply) => {
        try {
          resolve(read(reply))
        } catch (error) {
          // An uncatchable failure settles no promise. The run ends after the jobs have run.
          if (!(error instanceof Fatal)) reject(error)
        }
      })
    }),
  )
}

/** Waits for one reply and settles its promise. Returns false if no call is pending. */
export function settleNext(): boolean {
  if (waiting.size === 0) return false
  const { id, reply } = receiveAny()
  const settle = waiting.get(id)
  waiting.delete(id)
  settle?.(reply)
  return true
}

// ---- promises in programs ----------------------------------------------------------------------------------------

/** Tracks promises that are made by chaining, and marks those that are chained as handled. */
export function installPromises(): void {
  const replace = (object: object, name: PropertyKey, value: unknown): void => {
    Object.defineProperty(object, name, { value, writable: true, configurable: true })
  }
  // A chain passes on a failure that it does not handle, so the new promise has to be handled.
  replace(Promise.prototype, 'then', function then(this: Promise<unknown>, onFulfilled?: never, onRejected?: never) {
    waitFor(this)
    return watch(plainThen.call(this, onFulfilled, onRejected) as Promise<unknown>)
  })
  replace(Promise.prototype, 'catch', plainCatch)
  for (const name of ['all', 'allSettled', 'any', 'race', 'reject', 'try'] as const) {
    const make = (Promise as unknown as Record<string, ((...args: unknown[]) => Promise<unknown>) | undefined>)[name]
    if (make === undefined) continue
    replace(Promise, name, function (this: unknown, ...args: unknown[]) {
      const made = make.apply(this, args)
      return watch(name === 'any' ? plainThen.call(made, undefined, allFailed) : made)
    })
  }
  replace(Array, 'fromAsync', (values: unknown, map?: unknown, self?: unknown) => watch(collected(values, map, self)))
  replace(Promise.prototype, Symbol.toPrimitive, () => {
    throw typeError('a promise is used as a text or a number', {
      code: 'missing-await',
      hint: 'await it; of several: await Promise.all(list)',
    })
  })
}

/** Adds the message that the engine's error lacks. */
function allFailed(error: unknown): never {
  if (error instanceof AggregateError && error.message === '')
    Object.defineProperty(error, 'message', { value: ALL_FAILED, writable: true, configurable: true })
  throw error
}

/** `Array.fromAsync`: the elements of an iterable or an array-like object, each awaited in turn. */
async function collected(values: unknown, map: unknown, self: unknown): Promise<unknown[]> {
  if (map !== undefined && typeof map !== 'function') throw typeError('Array.fromAsync takes a function to map with')
  const list: unknown[] = []
  const take = async (value: unknown): Promise<void> => {
    const one: unknown = await waitFor(value)
    list.push(map === undefined ? one : await waitFor(Reflect.apply(map, self, [one, list.length])))
  }
  const given = values as Partial<AsyncIterable<unknown> & Iterable<unknown> & ArrayLike<unknown>>
  if (typeof given?.[Symbol.asyncIterator] === 'function')
    for await (const value of given as AsyncIterable<unknown>) await take(value)
  else for (const value of isIterable(given) ? given : Array.from(given as ArrayLike<unknown>)) await take(value)
  return list
}
