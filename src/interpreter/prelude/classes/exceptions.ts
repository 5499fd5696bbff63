// Exceptions as values of the program (Python): classes that can be called, compared with `except` and raised.
// GuestErrors are their instances. Strict Starlark has none of this.

import { callBound } from '../calls/bound-functions.js'
import { builtin, type Callable, call } from '../calls/signature.js'
import { items } from '../containers/iterate.js'
import { repr, str } from '../text/repr.js'
import { exceptionBases, FatalError, GuestError, guestError, handling, ownError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { PROTOCOL, type Protocol } from '../values/protocol.js'
import { asName, inQuotes, said } from '../values/said.js'
import { isTuple, nameClass, type Tuple, tuple, typeOf, type Value } from '../values/values.js'
import { asMethod, type Class, classIn, inheritsFrom } from './classes.js'
import { errorClass, exceptionClass } from './known-classes.js'
import { fieldsOf, objectAttribute, setObjectAttribute } from './object-attributes.js'

/** The exception classes by name. */
export const exceptionClasses: Record<string, Value> = {}
for (const kind of Object.keys(exceptionBases)) exceptionClasses[kind] = exceptionClass(kind).$value
exceptionClasses.IOError = exceptionClasses.OSError!
exceptionClasses.EnvironmentError = exceptionClasses.OSError!

const base = exceptionClass('BaseException')
Object.assign(base.$members, {
  __init__: asMethod(
    builtin('__init__', 'self, /, *args, **kwargs', (self, args, kwargs) => {
      const e = self as GuestError
      e.args = (args as Tuple).slice(1)
      if ((kwargs as Map<string, Value>).size > 0)
        throw guestError('TypeError', said`${asName(errorClass(e).$name)}() takes no keyword arguments`)
      return null
    }),
  ),
  __str__: asMethod(builtin('__str__', 'self, /', (self) => plainText(self as GuestError))),
  __repr__: asMethod(builtin('__repr__', 'self, /', (self) => plainRepr(self as GuestError))),
  with_traceback: asMethod(builtin('with_traceback', 'self, tb, /', (self) => self!)),
  add_note: asMethod(
    builtin('add_note', 'self, note, /', (self, note) => {
      const fields = fieldsOf(self!)
      ;((fields.__notes__ ??= []) as Value[]).push(note!)
      return null
    }),
  ),
})

/** The names of operating system errors, by number. */
const byNumber: Readonly<Record<number, string>> = {
  1: 'PermissionError',
  2: 'FileNotFoundError',
  4: 'InterruptedError',
  11: 'BlockingIOError',
  13: 'PermissionError',
  17: 'FileExistsError',
  20: 'NotADirectoryError',
  21: 'IsADirectoryError',
  32: 'BrokenPipeError',
  103: 'ConnectionAbortedError',
  104: 'ConnectionResetError',
  110: 'TimeoutError',
  111: 'ConnectionRefusedError',
}

const osError = exceptionClass('OSError')
osError.$make = (args, given) => {
  const kind = args.length > 1 && typeof args[0] === 'number' ? byNumber[args[0]] : undefined
  const e = ownError(kind ?? 'OSError', args)
  callBound(osError.$members.__init__ as Callable, e, args, given)
  return e
}
osError.$members.__init__ = asMethod(
  builtin('__init__', 'self, /, *args', (self, given) => {
    const e = self as GuestError
    const args = (given as Tuple).slice(1)
    const numbered = args.length > 1 && args.length < 6
    e.args = numbered ? args.slice(0, 2) : args
    const [number, text, file] = numbered ? args : []
    Object.assign(fieldsOf(e), { errno: number ?? null, strerror: text ?? null, filename: file ?? null })
    return null
  }),
)

/** The text of a failure with a number: `[Errno 2] No such file: 'x'`. Undefined for other failures. */
function systemText(e: GuestError): string | undefined {
  const { errno, strerror, filename } = e.attributes ?? {}
  if (errno === undefined || errno === null || !inheritsFrom(errorClass(e), osError)) return undefined
  const file = filename === undefined || filename === null ? '' : `: ${repr(filename)}`
  return `[Errno ${str(errno)}] ${str(strerror ?? null)}${file}`
}

/** The special method of the program's own class, if it defines one. */
function ownMethod(e: GuestError, name: string): Callable | undefined {
  const f = (e.$class as Class | undefined)?.$members[name]
  return f === undefined || f === base.$members[name] ? undefined : (f as Callable)
}

function plainText(e: GuestError): string {
  const { args } = e
  const system = systemText(e)
  if (system !== undefined) return system
  if (args.length === 1) return inheritsFrom(errorClass(e), exceptionClass('KeyError')) ? repr(args[0]!) : str(args[0]!)
  return args.length === 0 ? '' : repr(tuple(args))
}

function plainRepr(e: GuestError): string {
  return `${e.kind}(${e.args.map((a) => repr(a)).join(', ')})`
}

/** `str(e)`. An exception of the prelude without arguments has only its message. */
export function errorText(e: GuestError): string {
  const own = ownMethod(e, '__str__')
  return own === undefined ? plainText(e) : str(callBound(own, e, []))
}

const errorProtocol: Protocol = {
  getAttribute(x, name) {
    const e = x as GuestError
    if (name === 'args') return tuple(e.args)
    const cls = errorClass(e)
    const found = objectAttribute(e, cls, fieldsOf(e), name)
    if (found !== undefined) return found
    switch (name) {
      case '__cause__':
        return e.cause ?? null
      case '__context__':
        return e.context ?? null
      case '__traceback__':
        return null
      case '__suppress_context__':
        return e.cause !== undefined
      case 'value':
        return e.kind === 'StopIteration' ? (e.args[0] ?? null) : undefined
      case 'code':
        return e.kind === 'SystemExit' ? (e.args[0] ?? null) : undefined
      default:
        return undefined
    }
  },
  lacks: (x, name) => {
    const { $members } = errorClass(x as GuestError)
    return (
      $members[name] === undefined &&
      $members.__getattr__ === undefined &&
      errorProtocol.getAttribute!(x, name) === undefined
    )
  },
  setAttribute(x, name, value) {
    const e = x as GuestError
    if (name === 'args') e.args = items(value).slice()
    else if (name === '__cause__') e.cause = value
    else if (name === '__context__') e.context = value instanceof GuestError ? value : undefined
    else if (name !== '__traceback__') setObjectAttribute(e, errorClass(e), name, value)
    return true
  },
  attributeNames: (x) => ['args', ...Object.keys(fieldsOf(x))],
  truth: () => true,
  str: (x) => errorText(x as GuestError),
  repr: (x) => {
    const own = ownMethod(x as GuestError, '__repr__')
    return own === undefined ? plainRepr(x as GuestError) : str(callBound(own, x, []))
  },
}
Object.defineProperty(GuestError.prototype, PROTOCOL, { value: errorProtocol })
nameClass(
  (x) => x instanceof GuestError,
  (x) => (x as GuestError).kind,
)

/** The value of a `catch` as a guest failure. Limits can't be caught: they are thrown again. */
export function caught(e: unknown): GuestError {
  if (e instanceof GuestError) return e
  throw translated(e)
}

/** True if `except type` catches this failure. */
export function matches(e: GuestError, type: Value): boolean {
  if (isTuple(type)) return type.slice(1).some((t) => matches(e, t))
  const cls = classIn(type)
  if (cls !== undefined && inheritsFrom(cls, base)) return inheritsFrom(errorClass(e), cls)
  throw guestError('TypeError', 'catching classes that do not inherit from BaseException is not allowed')
}

export function exceptionValue(e: GuestError): Value {
  return e
}

/** The exception that `raise value from cause` throws. */
export function raised(value: Value, cause?: Value): GuestError {
  let e: Value = value
  const cls = classIn(value)
  if (cls !== undefined && inheritsFrom(cls, base)) e = call(value, [])
  if (!(e instanceof GuestError)) {
    return guestError('TypeError', 'exceptions must derive from BaseException', {
      ...(typeof value === 'string' ? { hint: 'raise an exception: raise ValueError("…")' } : {}),
    })
  }
  if (cause !== undefined) e.cause = classIn(cause) === undefined ? cause : call(cause, [])
  e.context = handling.now === e ? e.context : handling.now
  return e
}

/**
 * The exception that `raise` throws in a module of Python's library. Its words quote values of the caller, so they are
 * not the program's own.
 */
export function raisedByLibrary(value: Value, cause?: Value): GuestError {
  const e = raised(value, cause)
  e.isOwn = false
  return e
}

/** The exception of a `raise` outside every `except`: the one that a caller is handling. */
export function nothingToRaise(): GuestError {
  if (handling.now !== undefined) return handling.now
  return guestError('RuntimeError', 'No active exception to reraise')
}

/**
 * Accepts the end of a program by `sys.exit()`, `sys.exit(0)` or `sys.exit(None)`. Throws every other failure again.
 */
export function exited(e: unknown): void {
  const code = e instanceof GuestError && e.kind === 'SystemExit' ? (e.args[0] ?? null) : undefined
  if (code !== null && code !== 0 && code !== false) throw e
}

/** The failure of importing a missing module. */
export function noModule(name: string): GuestError {
  return guestError('ModuleNotFoundError', said`No module named ${inQuotes(name)}`)
}

export function assertionFailed(message?: Value): GuestError {
  return ownError('AssertionError', message === undefined ? [] : [message])
}

export function isFatal(e: unknown): boolean {
  return e !== undefined && !(e instanceof GuestError)
}

/** Translates the engine's errors that mean an exhausted budget. Returns other errors unchanged. */
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
    throw guestError(
      'TypeError',
      python
        ? said`Value after * must be an iterable, not ${typeOf(x)}`
        : said`argument after * must be iterable, not ${typeOf(x)}`,
    )
  }
}
