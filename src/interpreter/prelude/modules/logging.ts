// The modules `logging`, `warnings` and `traceback`. What CPython writes with them goes to standard error, which
// programs do not have: such messages are dropped. Handlers of the program's own and streams that it names get theirs;
// lines that would show the time are dropped, for there is no clock.

import { builtin, call, type Native } from '../calls/signature.js'
import { attribute } from '../classes/attributes.js'
import { asMethod, attachClass, Class, setMember } from '../classes/classes.js'
import { classCallable } from '../classes/construct.js'
import { settleClass } from '../classes/instances.js'
import { objectClass } from '../classes/known-classes.js'
import { dictOf, dictSet } from '../containers/dict.js'
import { items } from '../containers/iterate.js'
import { mod } from '../operators/arithmetic.js'
import { truth } from '../operators/membership.js'
import { str } from '../text/repr.js'
import { guestError } from '../values/errors.js'
import { inQuotes, said } from '../values/said.js'
import { isDict, isInt, type Tuple, toNumber, type Value } from '../values/values.js'
import { type Module, module } from './module.js'
import { Thing } from './things.js'

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
}
/** What handlers know of themselves; formats by their formatters. */
const outputs = new WeakMap<object, Output>()
const formats = new WeakMap<object, string>()

function outputOf(handler: Value): Output {
  let own = outputs.get(handler as object)
  if (own === undefined) outputs.set(handler as object, (own = { formatter: null, stream: null, level: 0 }))
  return own
}

function recordOf(name: string, level: number, message: Value, args: Tuple): Thing {
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
  })
}

function formatted(format: string, record: Thing): Value {
  const fields = dictOf([])
  for (const [name, x] of Object.entries(record.$parts)) dictSet(fields, name, x)
  return mod(format, fields)
}

function emit(handler: Value, record: Thing): null {
  const { formatter, stream } = outputOf(handler)
  if (stream === null || formats.get(formatter as object)?.includes('(asctime)')) return null
  call(attribute(stream, 'write'), [`${str(call(attribute(handler, 'format'), [record]))}\n`])
  return null
}

function handle(logger: Logger, level: number, message: Value, args: Tuple): void {
  if (level < effectiveLevel(logger) || truth(logger.thing.$parts.disabled!)) return
  const record = recordOf(logger.name, level, message, args)
  for (let l: Logger | undefined = logger; l !== undefined; l = parentOf(l)) {
    for (const h of l.handlers) if (level >= outputOf(h).level) call(attribute(h, 'handle'), [record])
    if (!truth(l.thing.$parts.propagate!)) break
  }
}

type Methods = Readonly<Record<string, readonly [parameters: string, f: Native]>>

/** A class that programs may inherit from, whose methods do nothing but those that are given. */
function loggingClass(name: string, quiet: readonly string[], own: Methods = {}, base: Class = objectClass): Class {
  const cls = new Class(name, 'builtin', [base])
  attachClass(classCallable(cls), cls)
  Object.assign(cls.$extras, { inheritable: true, module: 'logging' })
  for (const m of quiet) setMember(cls, m, asMethod(builtin(m, 'self, /, *args, **kwargs', () => null)))
  for (const [m, [parameters, f]] of Object.entries(own)) setMember(cls, m, asMethod(builtin(m, parameters, f)))
  settleClass(cls)
  return cls
}

const handlerClass = loggingClass('Handler', ['flush', 'close', 'addFilter', 'emit'], {
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
  handle: ['self, record', (self, record) => call(attribute(self!, 'emit'), [record!])],
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

interface Logger {
  readonly name: string
  readonly thing: Thing
  readonly handlers: Value[]
  level: number
}
const loggers = new Map<string, Logger>()

/** The nearest logger whose name is the beginning of this one's; at last the root. */
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

/** The methods that log, for a logger or for the module itself. */
function logMethods(logger: Logger): Record<string, Value> {
  const parts: Record<string, Value> = {}
  for (const [name, level] of Object.entries(methodLevels))
    parts[name] = builtin(name, 'msg, /, *args, **kwargs', (message, args) => {
      handle(logger, level, message!, args as Tuple)
      return null
    })
  parts.log = builtin('log', 'level, msg, /, *args, **kwargs', (level, message, args) => {
    handle(logger, levelOf(level), message!, args as Tuple)
    return null
  })
  return parts
}

function newLogger(name: string): Logger {
  const parts: Record<string, Value> = { name, disabled: false, propagate: true, parent: null, filters: [] }
  const logger: Logger = {
    name,
    thing: new Thing('Logger', parts, ['propagate', 'disabled']),
    handlers: [],
    level: name === 'root' ? ROOT : 0,
  }
  const { handlers } = logger
  const define = (method: string, parameters: string, f: Native): void => {
    parts[method] = builtin(method, parameters, f)
  }
  parts.handlers = handlers
  parts.level = logger.level
  Object.assign(parts, logMethods(logger))
  for (const m of ['addFilter', 'removeFilter']) parts[m] = silent(m)
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

/** Makes a handler for the root, as CPython does, if there is none. */
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
  Logger: loggingClass('Logger', [
    '__init__',
    'debug',
    'info',
    'warning',
    'error',
    'critical',
    'setLevel',
    'addHandler',
  ]).$value,
  Handler: handlerClass.$value,
  StreamHandler: streamHandlerClass.$value,
  NullHandler: loggingClass('NullHandler', ['emit', 'handle'], {}, handlerClass).$value,
  Formatter: formatterClass.$value,
  Filter: loggingClass('Filter', ['__init__', 'filter']).$value,
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
