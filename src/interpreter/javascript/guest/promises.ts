// The promises of a run: the calls that wait for their replies, and the promises that nobody waits for. Knows how the
// engine settles promises.
//
// A promise is known here when a tool, an async function or one of Promise's own methods gave it. It counts as waited
// for when somebody awaits it or asks for its `then`, at any time before the program is over: that is later than
// elsewhere, where a handler that comes late is none.
//
// Invariant: of every known promise it is known at the end whether it failed and whether anybody waited.

import { ALL_FAILED, Fatal, typeError } from './errors.js'
import { receiveAny, send } from './host.js'
import { isIterable, notIterable } from './taking-apart.js'

const PlainPromise = Promise
const { apply } = Reflect
const { then: plainThen, catch: plainCatch } = Promise.prototype

/** Marks on promises; nothing enumerates them. A property costs a fraction of what a place in a WeakSet does. */
const AWAITED: unique symbol = Symbol('awaited') as never
const KNOWN: unique symbol = Symbol('known') as never

interface Marked {
  [AWAITED]?: boolean
  [KNOWN]?: boolean
}

for (const mark of [AWAITED, KNOWN])
  Object.defineProperty(Promise.prototype, mark, { value: false, writable: true, configurable: true })

let rejections: { readonly promise: Marked; readonly reason: unknown }[] = []

/** Notes that somebody waits. */
export function waitFor<T>(value: T): T {
  if (value instanceof PlainPromise) (value as Marked)[AWAITED] = true
  return value
}

/**
 * Promises that were made since the last look. Most of them are awaited before it, and then nothing has to be done for
 * them.
 */
let fresh: (Promise<unknown> & Marked)[] = []
const MOST_FRESH = 2000

/** Notes a promise that was made. */
export function watch<T>(promise: Promise<T>): Promise<T> {
  const marked = promise as Promise<T> & Marked
  if (marked[KNOWN] === true) return promise
  marked[KNOWN] = true
  fresh.push(marked)
  if (fresh.length > MOST_FRESH) look()
  return promise
}

/**
 * Asks those promises that nobody waits for yet to tell of their failure; true when there are any, and jobs have to run
 * before they do.
 */
export function look(): boolean {
  const alone = fresh.filter((promise) => promise[AWAITED] !== true)
  fresh = []
  for (const promise of alone)
    plainThen.call(promise, undefined, (reason: unknown) => {
      if (promise[AWAITED] !== true) rejections.push({ promise, reason })
    })
  return alone.length > 0
}

/** The first failure that nobody waited for. */
export function unhandled(): { readonly reason: unknown } | undefined {
  rejections = rejections.filter(({ promise }) => promise[AWAITED] !== true)
  return rejections[0]
}

/** The promise of an async function. `given`: what its parameters take. */
export function started<T>(body: (...given: unknown[]) => Promise<T>, given?: readonly unknown[]): Promise<T> {
  return watch(given === undefined ? body() : apply(body, undefined, given))
}

/** The promises in what `for await` goes over. */
export function each<T>(values: T): T {
  if (!isIterable(values) && typeof (values as Partial<AsyncIterable<unknown>>)?.[Symbol.asyncIterator] !== 'function')
    throw notIterable(values)
  if (Array.isArray(values)) for (const value of values) waitFor(value)
  return values
}

// ---- calls -------------------------------------------------------------------------------------------------------

type Settle = (reply: string) => void
const waiting = new Map<number, Settle>()

/** Sends a call. `read` makes of its reply what the promise is settled with, or throws. */
export function sendCall<T>(payload: string, read: (reply: string) => T): Promise<T> {
  return watch(
    new PlainPromise<T>((resolve, reject) => {
      const id = send(payload)
      waiting.set(id, (reply) => {
        try {
          resolve(read(reply))
        } catch (error) {
          // What no program may catch settles nothing: the run ends when the jobs have run.
          if (!(error instanceof Fatal)) reject(error)
        }
      })
    }),
  )
}

/** Waits for one reply and settles its promise; false when no call is underway. */
export function settleNext(): boolean {
  if (waiting.size === 0) return false
  const { id, reply } = receiveAny()
  const settle = waiting.get(id)
  waiting.delete(id)
  settle?.(reply)
  return true
}

// ---- what programs do with promises ------------------------------------------------------------------------------

/** Promises made by chaining, and those that are waited for by it, become known. */
export function installPromises(): void {
  const replace = (object: object, name: PropertyKey, value: unknown): void => {
    Object.defineProperty(object, name, { value, writable: true, configurable: true })
  }
  // A chain passes a failure on that it does not handle: then it is the new promise that somebody has to wait for.
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

/** The engine gives this error no message. */
function allFailed(error: unknown): never {
  if (error instanceof AggregateError && error.message === '')
    Object.defineProperty(error, 'message', { value: ALL_FAILED, writable: true, configurable: true })
  throw error
}

/** `Array.fromAsync`: what an iterable or an object with a length holds, each awaited in its turn. */
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
