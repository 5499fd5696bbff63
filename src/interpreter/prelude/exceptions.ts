// Exceptions as the program sees them (Python): classes that can be called, compared with `except` and raised; GuestErrors are their instances.
// Strict Starlark has none of this.

import { exceptionBases, FatalError, GuestError } from './errors.js'
import { items } from './iterate.js'
import { python } from './mode.js'
import { PROTOCOL, type Protocol } from './protocol.js'
import { type Callable, define } from './signature.js'
import { repr, str } from './text.js'
import { isTuple, nameClass, type Tuple, tuple, typeName, type Value } from './values.js'

interface ExceptionClass extends Callable {
  readonly $kind: string
}

function isExceptionClass(x: Value): x is ExceptionClass {
  return typeof x === 'function' && (x as Partial<ExceptionClass>).$kind !== undefined
}

/** Is the exception kind `kind` the same as `ancestor`, or derived from it? */
export function isKindOf(kind: string, ancestor: string): boolean {
  for (let k: string | null | undefined = kind; k !== null && k !== undefined; k = exceptionBases[k])
    if (k === ancestor) return true
  return false
}

function exceptionClass(kind: string): Callable {
  const make = (args: Tuple): Value => {
    const given = args.slice(1)
    return new GuestError(kind, given.length === 0 ? '' : given.length === 1 ? str(given[0]!) : repr(args), {
      args: given,
    })
  }
  const cls = define(make as object, {
    name: kind,
    n: -1,
    parameters: [],
    positional: 0,
    positionalOnly: 0,
    required: [],
    argsSlot: 0,
    kwargsSlot: -1,
    builtin: true,
  })
  return Object.assign(cls, { $kind: kind })
}

/** The exception classes by name. */
export const exceptionClasses: Record<string, Value> = {}
for (const kind of Object.keys(exceptionBases)) exceptionClasses[kind] = exceptionClass(kind)
exceptionClasses.IOError = exceptionClasses.OSError!
exceptionClasses.EnvironmentError = exceptionClasses.OSError!

const errorProtocol: Protocol = {
  getAttribute(x, name) {
    const e = x as GuestError
    if (name === 'args') return tuple(e.args)
    if (name === '__cause__' || name === '__context__') return e.cause ?? null
    return e.attributes?.[name]
  },
  setAttribute(x, name, value) {
    ;((x as GuestError).attributes ??= {})[name] = value
    return true
  },
  attributeNames: (x) => ['args', ...Object.keys((x as GuestError).attributes ?? {})],
  str: (x) => {
    const { args, kind } = x as GuestError
    return args.length === 0
      ? ''
      : args.length === 1
        ? isKindOf(kind, 'KeyError')
          ? repr(args[0]!)
          : str(args[0]!)
        : repr(tuple(args))
  },
  repr: (x) => {
    const e = x as GuestError
    return `${e.kind}(${e.args.map((a) => repr(a)).join(', ')})`
  },
}
Object.defineProperty(GuestError.prototype, PROTOCOL, { value: errorProtocol })
nameClass(
  (x) => x instanceof GuestError,
  (x) => (x as GuestError).kind,
)
nameClass((x) => isExceptionClass(x), 'type')

/** What a `catch` caught, as the guest's own failure. Limits pass through and can not be caught. */
export function caught(e: unknown): GuestError {
  if (e instanceof GuestError) return e
  throw translated(e)
}

/** Does `except type` catch this failure? */
export function matches(e: GuestError, type: Value): boolean {
  if (isTuple(type)) return type.slice(1).some((t) => matches(e, t))
  if (isExceptionClass(type)) return isKindOf(e.kind, type.$kind)
  throw new GuestError('TypeError', 'catching classes that do not inherit from BaseException is not allowed')
}

export function exceptionValue(e: GuestError): Value {
  return e
}

/** What `raise value from cause` throws. */
export function raised(value: Value, cause?: Value): GuestError {
  const e =
    value instanceof GuestError
      ? value
      : isExceptionClass(value)
        ? new GuestError(value.$kind, '', { args: [] })
        : undefined
  if (e === undefined) {
    return new GuestError('TypeError', 'exceptions must derive from BaseException', {
      ...(typeof value === 'string' ? { hint: 'raise an exception: raise ValueError("…")' } : {}),
    })
  }
  if (cause !== undefined) e.cause = cause
  return e
}

export function nothingToRaise(): GuestError {
  return new GuestError('RuntimeError', 'No active exception to reraise')
}

export function assertionFailed(message?: Value): GuestError {
  return new GuestError('AssertionError', message === undefined ? '' : str(message), {
    args: message === undefined ? [] : [message],
  })
}

export function isFatal(e: unknown): boolean {
  return e !== undefined && !(e instanceof GuestError)
}

/** The engine's own errors that stand for the end of a budget. */
export function translated(e: unknown): unknown {
  if (e instanceof GuestError || e instanceof FatalError) return e
  if (typeof e === 'object' && e !== null) {
    const { name, message } = e as { name?: unknown; message?: unknown }
    if (name === 'InternalError' && message === 'out of memory')
      return new FatalError('limit', 'memory', 'the program used up its memory')
    if (
      (name === 'InternalError' || name === 'RangeError') &&
      typeof message === 'string' &&
      message.includes('stack')
    ) {
      return new FatalError(
        'limit',
        'stack',
        'the program called functions too deeply',
        'replace the recursion by a loop',
      )
    }
    if (
      name === 'RangeError' &&
      typeof message === 'string' &&
      /invalid array length|invalid string length|BigInt/i.test(message)
    ) {
      return new FatalError('limit', 'memory', 'the program made a value that is too large')
    }
  }
  return e
}

/** The elements of an iterable argument of a call: `f(*x)`. */
export function starArguments(x: Value): readonly Value[] {
  try {
    return items(x)
  } catch (e) {
    if (!(e instanceof GuestError)) throw e
    throw new GuestError(
      'TypeError',
      python
        ? `Value after * must be an iterable, not ${typeName(x)}`
        : `argument after * must be iterable, not ${typeName(x)}`,
    )
  }
}
