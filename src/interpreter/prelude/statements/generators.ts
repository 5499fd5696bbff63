// Generators: the results of functions with `yield`, and generator expressions. JavaScript's own generators do the
// work. A Generator is an iterator of the guest around one. If the body returns a value, that is the value of `yield
// from`. Invariant: a generator that has ended, normally or by a failure, yields no further elements.

import { builtin } from '../calls/signature.js'
import { inheritsFrom } from '../classes/classes.js'
import { raised } from '../classes/exceptions.js'
import { errorClass, exceptionClass } from '../classes/known-classes.js'
import { items } from '../containers/iterate.js'
import { boundary } from '../host/homes.js'
import { equal } from '../operators/comparison.js'
import { drain, Iterator, nextOf, stepper, stopIteration } from '../operators/iterators.js'
import { GuestError, guestError } from '../values/errors.js'
import { PROTOCOL, type Protocol, protocolOf } from '../values/protocol.js'
import type { Value } from '../values/values.js'

type Inner = globalThis.Generator<Value, Value, Value>

export class Generator extends Iterator {
  readonly $inner: Inner
  readonly $name: string
  $started: boolean
  /** The value that the body returned at its end. */
  $returned: Value
  $over: boolean
  constructor(name: string, inner: Inner) {
    super('generator', () => advance(this))
    this.$inner = inner
    this.$name = name
    this.$started = false
    this.$returned = null
    this.$over = false
  }

  /** Continues the body, for `send`, `throw` or `close`. Undefined at the end. */
  $resume(go: () => IteratorResult<Value, Value>): Value | undefined {
    this.$started = true
    let result: IteratorResult<Value, Value>
    try {
      boundary?.enter()
      result = go()
    } catch (e) {
      throw broken(this, e)
    } finally {
      boundary?.leave()
    }
    return result.done === true ? finished(this, result.value) : result.value
  }

  override $stop(): GuestError {
    return ended(this)
  }

  $end(): void {
    this.$over = true
    this.$step = () => undefined
  }
}

function advance(g: Generator): Value | undefined {
  g.$started = true
  let result: IteratorResult<Value, Value>
  try {
    boundary?.enter()
    result = g.$inner.next(null)
  } catch (e) {
    throw broken(g, e)
  } finally {
    boundary?.leave()
  }
  return result.done === true ? finished(g, result.value) : result.value
}

function finished(g: Generator, returned: Value | undefined): undefined {
  g.$returned = returned ?? null
  g.$end()
  return undefined
}

/**
 * The failure of a body. A StopIteration becomes another failure, so that it does not look like the end of the
 * generator.
 */
function broken(g: Generator, e: unknown): unknown {
  g.$end()
  if (!(e instanceof GuestError) || !inheritsFrom(errorClass(e), exceptionClass('StopIteration'))) return e
  const failure = guestError('RuntimeError', 'generator raised StopIteration')
  failure.cause = e
  return failure
}

/** The generator of a function of the program. */
export function generator(name: string, inner: Inner): Value {
  return new Generator(name, inner)
}

/** `StopIteration` as `next` and `send` raise it at the end. */
function ended(g: Generator): GuestError {
  const e = stopIteration()
  if (g.$returned !== null) {
    e.args = [g.$returned]
    g.$returned = null
  }
  return e
}

function orEnded(g: Generator, x: Value | undefined): Value {
  if (x === undefined) throw ended(g)
  return x
}

const methods: Readonly<Record<string, (g: Generator) => Value>> = {
  __next__: (g) => builtin('__next__', '', () => orEnded(g, nextOf(g))),
  __iter__: (g) => builtin('__iter__', '', () => g),
  send: (g) =>
    builtin('send', 'value, /', (value) => {
      if (!g.$started && value !== null)
        throw guestError('TypeError', "can't send non-None value to a just-started generator")
      if (g.$over) throw stopIteration()
      return orEnded(
        g,
        g.$resume(() => g.$inner.next(value!)),
      )
    }),
  throw: (g) =>
    builtin('throw', 'type, value=, traceback=, /', (type, value) => {
      const e = raised(value === undefined || value === null ? type! : value)
      if (g.$over) throw e
      return orEnded(
        g,
        g.$resume(() => g.$inner.throw(e)),
      )
    }),
  close: (g) =>
    builtin('close', '', () => {
      if (g.$over) return null
      if (!g.$started) {
        g.$end()
        return null
      }
      try {
        const more = g.$resume(() => g.$inner.throw(guestError('GeneratorExit', '', { args: [] })))
        if (more !== undefined) throw guestError('RuntimeError', 'generator ignored GeneratorExit')
      } catch (e) {
        if (!(e instanceof GuestError && e.kind === 'GeneratorExit')) throw e
      }
      return null
    }),
  __name__: (g) => g.$name,
}

const protocol: Protocol = {
  next: (x) => nextOf(x as Generator),
  items: (x) => drain(x as Generator),
  getAttribute: (x, name) => (Object.hasOwn(methods, name) ? methods[name]!(x as Generator) : undefined),
  attributeNames: () => Object.keys(methods),
  truth: () => true,
  repr: (x) => `<generator object ${(x as Generator).$name}>`,
  contains: (x, element) => {
    for (let e = nextOf(x as Generator); e !== undefined; e = nextOf(x as Generator))
      if (e === element || equal(e, element)) return true
    return false
  },
}
Object.defineProperty(Generator.prototype, PROTOCOL, { value: protocol })

/** `yield from x`. Its value is the return value of the generator `x`. */
export function* delegate(x: Value): globalThis.Generator<Value, Value, Value> {
  if (x instanceof Generator && !x.$started) {
    x.$started = true
    x.$end()
    return (yield* x.$inner) ?? null
  }
  const it =
    protocolOf(x)?.next === undefined && protocolOf(x)?.iterate === undefined && !(x instanceof Iterator)
      ? undefined
      : stepper(x)
  if (it === undefined) {
    for (const e of items(x)) yield e
    return null
  }
  for (let e = it(); e !== undefined; e = it()) yield e
  return x instanceof Generator ? x.$returned : null
}
