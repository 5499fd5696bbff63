// The modules `logging` and `warnings`. CPython writes their messages to standard error. Programs have none, so these
// messages are dropped. The program's own handlers, and the streams that it names, receive theirs. Lines that would
// show the time are dropped, because there is no clock.

import { builtin, call, isCallable, type Native } from '../calls/signature.js'
import { attribute } from '../classes/attributes.js'
import type { Class } from '../classes/classes.js'
import { objectClass } from '../classes/known-classes.js'
import { moduleClass } from '../classes/module-class.js'
import { dictGet, dictOf, dictSet } from '../containers/dict.js'
import { items } from '../containers/iterate.js'
import { mod } from '../operators/arithmetic.js'
import { truth } from '../operators/membership.js'
import { str } from '../text/repr.js'
import { GuestError, guestError, handling } from '../values/errors.js'
import { inQuotes, said } from '../values/said.js'
import { isDict, isInt, type Tuple, toNumber, type Value } from '../values/values.js'
import { type Module, module } from './module.js'
import { Thing } from './things.js'
import { failureLines } from './traceback.js'

const levels: Readonly<Record<string, number>> = {
  CRITICAL: 50,
  ERROR: 40,
  WARNING: 30,
  INFO: 20,
  DEBUG: 10,
  NOTSET: 0,
}
const ROOT = 30

function levelOf(x: Value | undefined): number {
  if (typeof x === 'string') {
    const found = levels[x]
    if (found === undefined) throw guestError('ValueError', said`Unknown level: ${inQuotes(x)}`)
    return found
  }
  return x !== undefined && isInt(x) ? toNumber(x) : 0
}

const silent = (name: string): Value => builtin(name, '*args, **kwargs', () => null)

// ---- records and where they go ---------------------------------------------------------------------------------

const BASIC = '%(levelname)s:%(name)s:%(message)s'

interface Output {
  formatter: Value
  stream: Value
  level: number
  readonly filters: Value[]
}
/** The state of each handler, and below, the format of each formatter. */
const outputs = new WeakMap<object, Output>()
const formats = new WeakMap<object, string>()

function outputOf(handler: Value): Output {
  let own = outputs.get(handler as object)
  if (own === undefined)
    outputs.set(handler as object, (own = { formatter: null, stream: null, level: 0, filters: [] }))
  return own
}

function recordOf(name: string, level: number, message: Value, args: Tuple, failure: string | null): Thing {
  const levelname = Object.keys(levels).find((l) => levels[l] === level) ?? `Level ${level}`
  const text =
    args.length > 1 ? mod(str(message), args.length === 2 && isDict(args[1]!) ? args[1]! : args) : str(message)
  return new Thing('LogRecord', {
    name,
    msg: message,
    args,
    levelname,
    levelno: level,
    message: text,
    getMessage: builtin('getMessage', '', () => text),
    exc_info: null,
    exc_text: failure,
  })
}

/** A traceback of the given failure, or of the one that is being handled. */
function failureText(given: Value | undefined): string {
  const e = given instanceof GuestError ? given : handling.now
  return failureLines(e).join('').trimEnd()
}

function formatted(format: string, record: Thing): Value {
  const fields = dictOf([])
  for (const [name, x] of Object.entries(record.$parts)) dictSet(fields, name, x)
  const text = mod(format, fields)
  const failure = record.$parts.exc_text
  return typeof failure === 'string' ? `${text as string}\n${failure}` : text
}

/** True if all filters accept the record. A filter is a function or an object with a method `filter`. */
function passes(filters: readonly Value[], record: Thing): boolean {
  return filters.every((one) => truth(call(isCallable(one) ? one : attribute(one, 'filter'), [record])))
}

const filterMethods = (filtersOf: (self: Value) => Value[]): Methods => ({
  addFilter: [
    'self, filter',
    (self, filter) => {
      const filters = filtersOf(self!)
      if (!filters.includes(filter!)) filters.push(filter!)
      return null
    },
  ],
  removeFilter: [
    'self, filter',
    (self, filter) => {
      const filters = filtersOf(self!)
      const at = filters.indexOf(filter!)
      if (at >= 0) filters.splice(at, 1)
      return null
    },
  ],
})

function emit(handler: Value, record: Thing): null {
  const { formatter, stream } = outputOf(handler)
  if (stream === null || formats.get(formatter as object)?.includes('(asctime)')) return null
  call(attribute(stream, 'write'), [`${str(call(attribute(handler, 'format'), [record]))}\n`])
  return null
}

function handle(logger: Logger, level: number, message: Value, args: Tuple, failure: string | null = null): void {
  if (level < effectiveLevel(logger) || truth(logger.thing.$parts.disabled!)) return
  const record = recordOf(logger.name, level, message, args, failure)
  if (!passes(logger.filters, record)) return
  for (let l: Logger | undefined = logger; l !== undefined; l = parentOf(l)) {
    for (const h of l.handlers) if (level >= outputOf(h).level) call(attribute(h, 'handle'), [record])
    if (!truth(l.thing.$parts.propagate!)) break
  }
}

type Methods = Readonly<Record<string, readonly [parameters: string, f: Native]>>

/** A class from which programs may inherit. Its `quiet` methods do nothing. */
function loggingClass(name: string, quiet: readonly string[], own: Methods = {}, base: Class = objectClass): Class {
  const { cls, define } = moduleClass(name, 'logging', base)
  for (const m of quiet) define(m, 'self, /, *args, **kwargs', () => null)
  for (const [m, [parameters, f]] of Object.entries(own)) define(m, parameters, f)
  return cls
}

const handlerClass = loggingClass('Handler', ['flush', 'close', 'emit'], {
  ...filterMethods((self) => outputOf(self).filters),
  __init__: [
    'self, level=',
    (self, level) => {
      outputOf(self!).level = levelOf(level)
      return null
    },
  ],
  setLevel: [
    'self, level',
    (self, level) => {
      outputOf(self!).level = levelOf(level)
      return null
    },
  ],
  setFormatter: [
    'self, fmt',
    (self, formatter) => {
      outputOf(self!).formatter = formatter!
      return null
    },
  ],
  format: [
    'self, record',
    (self, record) => {
      const { formatter } = outputOf(self!)
      return formatter === null
        ? formatted('%(message)s', record as Thing)
        : call(attribute(formatter, 'format'), [record!])
    },
  ],
  handle: [
    'self, record',
    (self, record) => {
      const isWanted = passes(outputOf(self!).filters, record as Thing)
      if (isWanted) call(attribute(self!, 'emit'), [record!])
      return isWanted
    },
  ],
})

const streamHandlerClass = loggingClass(
  'StreamHandler',
  [],
  {
    __init__: [
      'self, stream=',
      (self, stream) => {
        outputOf(self!).stream = stream ?? null
        return null
      },
    ],
    emit: ['self, record', (self, record) => emit(self!, record as Thing)],
  },
  handlerClass,
)

const formatterClass = loggingClass('Formatter', [], {
  __init__: [
    'self, fmt=, datefmt=, style=',
    (self, format) => {
      formats.set(self as object, typeof format === 'string' ? format : '%(message)s')
      return null
    },
  ],
  format: ['self, record', (self, record) => formatted(formats.get(self as object) ?? '%(message)s', record as Thing)],
})

/** The name of each logger. */
const names = new WeakMap<object, string>()
const filterClass = loggingClass('Filter', [], {
  __init__: [
    'self, name=',
    (self, name) => {
      names.set(self as object, typeof name === 'string' ? name : '')
      return null
    },
  ],
  filter: [
    'self, record',
    (self, record) => {
      const name = names.get(self as object) ?? ''
      return name === '' || `${(record as Thing).$parts.name as string}.`.startsWith(`${name}.`)
    },
  ],
})

interface Logger {
  readonly name: string
  readonly thing: Thing
  readonly handlers: Value[]
  readonly filters: Value[]
  level: number
}
const loggers = new Map<string, Logger>()

/** The nearest logger whose name is a prefix of this one's; otherwise the root. */
function parentOf(l: Logger): Logger | undefined {
  if (l.name === 'root') return undefined
  for (let end = l.name.lastIndexOf('.'); end > 0; end = l.name.lastIndexOf('.', end - 1)) {
    const found = loggers.get(l.name.slice(0, end))
    if (found !== undefined) return found
  }
  return loggers.get('root')
}

function effectiveLevel(logger: Logger): number {
  let l: Logger | undefined = logger
  while (l !== undefined && l.level === 0) l = parentOf(l)
  return l?.level ?? 0
}

const methodLevels: Readonly<Record<string, number>> = {
  ...{ debug: 10, info: 20, warning: 30, warn: 30, error: 40, exception: 40, critical: 50, fatal: 50 },
}

/** The logging methods of a logger or of the module itself. */
function logMethods(logger: Logger): Record<string, Value> {
  const parts: Record<string, Value> = {}
  for (const [name, level] of Object.entries(methodLevels))
    parts[name] = builtin(name, 'msg, /, *args, **kwargs', (message, args, given) => {
      const asked = dictGet(given as object, 'exc_info')
      const isTold = asked === undefined ? name === 'exception' : truth(asked)
      handle(logger, level, message!, args as Tuple, isTold ? failureText(asked) : null)
      return null
    })
  parts.log = builtin('log', 'level, msg, /, *args, **kwargs', (level, message, args) => {
    handle(logger, levelOf(level), message!, args as Tuple)
    return null
  })
  return parts
}

function newLogger(name: string): Logger {
  const parts: Record<string, Value> = { name, disabled: false, propagate: true, parent: null }
  const logger: Logger = {
    name,
    thing: new Thing('Logger', parts, ['propagate', 'disabled']),
    handlers: [],
    filters: [],
    level: name === 'root' ? ROOT : 0,
  }
  const { handlers, filters } = logger
  const define = (method: string, parameters: string, f: Native): void => {
    parts[method] = builtin(method, parameters, f)
  }
  parts.handlers = handlers
  parts.filters = filters
  parts.level = logger.level
  Object.assign(parts, logMethods(logger))
  for (const [m, [parameters, f]] of Object.entries(filterMethods(() => filters)))
    define(m, parameters.replace('self, ', ''), (filter) => f(null, filter))
  define('addHandler', 'hdlr', (handler) => {
    if (!handlers.includes(handler!)) handlers.push(handler!)
    return null
  })
  define('removeHandler', 'hdlr', (handler) => {
    const at = handlers.indexOf(handler!)
    if (at >= 0) handlers.splice(at, 1)
    return null
  })
  define('hasHandlers', '', () => {
    let l: Logger | undefined = logger
    while (l !== undefined && l.handlers.length === 0) l = parentOf(l)
    return l !== undefined
  })
  define('setLevel', 'level', (level) => {
    logger.level = levelOf(level)
    parts.level = logger.level
    return null
  })
  define('getEffectiveLevel', '', () => effectiveLevel(logger))
  define('isEnabledFor', 'level', (level) => levelOf(level) >= effectiveLevel(logger))
  define('getChild', 'suffix', (suffix) =>
    loggerOf(name === 'root' ? (suffix as string) : `${name}.${suffix as string}`),
  )
  loggers.set(name, logger)
  return logger
}

function loggerOf(name: string): Value {
  return (loggers.get(name) ?? newLogger(name)).thing
}

const root = newLogger('root')

/** Creates a handler for the root if there is none, as CPython does. */
function configure(
  level: Value | undefined,
  format: Value | undefined,
  stream: Value | undefined,
  given: Value | undefined,
): null {
  if (root.handlers.length === 0) {
    const handlers =
      given === undefined || given === null
        ? [call(streamHandlerClass.$value, stream === undefined ? [] : [stream])]
        : items(given)
    for (const h of handlers) {
      const own = outputOf(h)
      if (own.formatter === null) own.formatter = call(formatterClass.$value, [format ?? BASIC])
      root.handlers.push(h)
    }
    if (level !== undefined && level !== null) call(attribute(root.thing, 'setLevel'), [level])
  }
  return null
}

export const logging: Module = module('logging', {
  ...levels,
  WARN: 30,
  FATAL: 50,
  ...logMethods(root),
  ...Object.fromEntries(['disable', 'captureWarnings', 'shutdown'].map((name) => [name, silent(name)])),
  basicConfig: builtin(
    'basicConfig',
    '*, level=, format=, stream=, handlers=, force=, **kwargs',
    (level, format, stream, handlers, force) => {
      if (force !== undefined && truth(force)) root.handlers.length = 0
      return configure(level, format, stream, handlers)
    },
  ),
  getLogger: builtin('getLogger', 'name=', (name) => loggerOf(typeof name === 'string' && name !== '' ? name : 'root')),
  getLevelName: builtin('getLevelName', 'level', (level) =>
    typeof level === 'string'
      ? (levels[level] ?? `Level ${level}`)
      : (Object.keys(levels).find((name) => levels[name] === level) ?? `Level ${String(level)}`),
  ),
  addLevelName: silent('addLevelName'),
  Logger: loggingClass('Logger', '__init__ debug info warning error critical setLevel addHandler'.split(' ')).$value,
  Handler: handlerClass.$value,
  StreamHandler: streamHandlerClass.$value,
  NullHandler: loggingClass('NullHandler', ['emit', 'handle'], {}, handlerClass).$value,
  Formatter: formatterClass.$value,
  Filter: filterClass.$value,
})

// ---- warnings --------------------------------------------------------------------------------------------------

const catching = new Thing('catch_warnings', {
  __enter__: builtin('__enter__', '', () => null),
  __exit__: builtin('__exit__', '*args', () => false),
})

export const warnings: Module = module('warnings', {
  warn: builtin('warn', 'message, category=, stacklevel=, source=', () => null),
  simplefilter: silent('simplefilter'),
  filterwarnings: silent('filterwarnings'),
  resetwarnings: silent('resetwarnings'),
  catch_warnings: builtin('catch_warnings', '*, record=, module=', (record) => {
    if (record === true) throw guestError('RuntimeError', 'warnings are not recorded here')
    return catching
  }),
})
