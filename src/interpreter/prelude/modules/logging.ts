// The modules `logging`, `warnings` and `traceback`. What CPython writes with them goes to standard error, which programs do not have: messages are dropped,
// and only what a program can see of it (levels, names, texts of exceptions) is there.

import { asMethod, attachClass, Class, classCallable, errorClass, objectClass, setMember } from '../classes.js'
import { GuestError } from '../errors.js'
import { errorText } from '../exceptions.js'
import { settleClass } from '../instances.js'
import { builtin, type Native } from '../signature.js'
import { isInt, toNumber, type Value } from '../values.js'
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
    if (found === undefined) throw new GuestError('ValueError', `Unknown level: '${x}'`)
    return found
  }
  return x !== undefined && isInt(x) ? toNumber(x) : 0
}

const silent = (name: string): Value => builtin(name, '*args, **kwargs', () => null)

/** A class whose objects do nothing: handlers, formatters, filters. */
function quiet(name: string, methods: readonly string[]): Value {
  const cls = new Class(name, 'builtin', [objectClass])
  attachClass(classCallable(cls), cls)
  Object.assign(cls.$extras, { inheritable: true, module: 'logging' })
  for (const m of ['__init__', ...methods])
    setMember(cls, m, asMethod(builtin(m, 'self, /, *args, **kwargs', () => null)))
  settleClass(cls)
  return cls.$value
}

interface Logger {
  readonly thing: Thing
  level: number
}
const loggers = new Map<string, Logger>()

function loggerOf(name: string): Value {
  const known = loggers.get(name)
  if (known !== undefined) return known.thing
  const parts: Record<string, Value> = {
    name,
    handlers: [],
    disabled: false,
    propagate: true,
    parent: null,
    filters: [],
  }
  const thing = new Thing('Logger', parts)
  const logger: Logger = { thing, level: name === 'root' ? ROOT : 0 }
  loggers.set(name, logger)
  const define = (method: string, parameters: string, f: Native): void => {
    parts[method] = builtin(method, parameters, f)
  }
  for (const m of ['debug', 'info', 'warning', 'warn', 'error', 'critical', 'exception', 'log', 'fatal'])
    parts[m] = silent(m)
  for (const m of ['addFilter', 'removeFilter', 'removeHandler']) parts[m] = silent(m)
  define('addHandler', 'hdlr', (handler) => {
    ;(parts.handlers as Value[]).push(handler!)
    return null
  })
  define('hasHandlers', '', () => (parts.handlers as Value[]).length > 0)
  define('setLevel', 'level', (level) => {
    logger.level = levelOf(level)
    parts.level = logger.level
    return null
  })
  const effective = (): number => logger.level || loggers.get('root')!.level
  define('getEffectiveLevel', '', effective)
  define('isEnabledFor', 'level', (level) => levelOf(level) >= effective())
  define('getChild', 'suffix', (suffix) => loggerOf(`${name}.${suffix as string}`))
  parts.level = logger.level
  return thing
}
loggerOf('root')

export const logging: Module = module('logging', {
  ...levels,
  WARN: 30,
  FATAL: 50,
  ...Object.fromEntries(
    ['debug', 'info', 'warning', 'error', 'critical', 'exception', 'log', 'disable', 'captureWarnings', 'shutdown'].map(
      (name) => [name, silent(name)],
    ),
  ),
  basicConfig: builtin('basicConfig', '*, level=, **kwargs', (level) => {
    if (level !== undefined) loggers.get('root')!.level = levelOf(level)
    return null
  }),
  getLogger: builtin('getLogger', 'name=', (name) => loggerOf(typeof name === 'string' && name !== '' ? name : 'root')),
  getLevelName: builtin('getLevelName', 'level', (level) =>
    typeof level === 'string'
      ? (levels[level] ?? `Level ${level}`)
      : (Object.keys(levels).find((name) => levels[name] === level) ?? `Level ${String(level)}`),
  ),
  addLevelName: silent('addLevelName'),
  Logger: quiet('Logger', ['debug', 'info', 'warning', 'error', 'critical', 'setLevel', 'addHandler']),
  Handler: quiet('Handler', ['setLevel', 'setFormatter', 'emit', 'handle', 'flush', 'close', 'addFilter']),
  StreamHandler: quiet('StreamHandler', ['setLevel', 'setFormatter', 'emit', 'flush', 'close', 'addFilter']),
  NullHandler: quiet('NullHandler', ['setLevel', 'setFormatter', 'emit', 'flush', 'close', 'addFilter']),
  Formatter: quiet('Formatter', ['format']),
  Filter: quiet('Filter', ['filter']),
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
    if (record === true) throw new GuestError('RuntimeError', 'warnings are not recorded here')
    return catching
  }),
})

// ---- traceback -------------------------------------------------------------------------------------------------

/** The last line of a traceback: `ValueError: message`. */
function lastLine(x: Value): string {
  if (!(x instanceof GuestError)) return 'NoneType: None\n'
  const text = errorText(x)
  return `${errorClass(x).$name}${text === '' ? '' : `: ${text}`}\n`
}

export const traceback: Module = module('traceback', {
  print_exc: silent('print_exc'),
  print_exception: silent('print_exception'),
  print_stack: silent('print_stack'),
  format_exception_only: builtin('format_exception_only', 'exc, value=, /', (type, value) => [
    lastLine(value !== undefined && value !== null ? value : type!),
  ]),
})
