// The module `contextlib`: generators as context managers, and small managers.

import { builtin, type Callable, call, callNamed, define, type Native } from '../calls/signature.js'
import { attribute, attributeOrAbsent } from '../classes/attributes.js'
import { classIn, inheritsFrom } from '../classes/classes.js'
import { errorClass } from '../classes/known-classes.js'
import { moduleClass } from '../classes/module-class.js'
import { divertOutput } from '../host/output.js'
import { nextOf } from '../operators/iterators.js'
import { truth } from '../operators/membership.js'
import { enterContext, leaveContext, leaveFailed } from '../statements/contexts.js'
import { runAwaited } from '../statements/coroutines.js'
import { Generator } from '../statements/generators.js'
import { GuestError, guestError } from '../values/errors.js'
import { PROTOCOL, type Protocol, protocolOf } from '../values/protocol.js'
import { nameClass, type Tuple, type Value } from '../values/values.js'
import { type Module, module } from './module.js'
import { Thing } from './things.js'

/** The result of a function with `@contextmanager`: a context, and a decorator that creates one for every call. */
class ManagedGenerator extends Thing {
  readonly $again: () => Value
  constructor(again: () => Value, parts: Readonly<Record<string, Value>>) {
    super('_GeneratorContextManager', parts)
    this.$again = again
  }
}

/** A function that runs in a context, which is created, or entered, for every call. */
function decorated(again: () => Value, f: Value): Value {
  const inside = (...args: Value[]): Value => {
    const context = enterContext(again())
    let value: Value
    try {
      value = (f as unknown as Native)(...args)
    } catch (e) {
      if (!(e instanceof GuestError) || !truth(leaveFailed(context, e))) throw e
      return null
    }
    leaveContext(context)
    return value
  }
  return define(inside as object, (f as Callable).sig)
}

const thingProtocol = protocolOf(new Thing('', {}))!
Object.defineProperty(ManagedGenerator.prototype, PROTOCOL, {
  value: {
    ...thingProtocol,
    call: (x, args) => decorated((x as ManagedGenerator).$again, args[0]!),
  } satisfies Protocol,
})

function managed(g: Value, again: () => Value): Value {
  if (!(g instanceof Generator)) throw guestError('TypeError', "a context manager function must have a 'yield'")
  const enter = builtin('__enter__', '', () => {
    const x = nextOf(g)
    if (x === undefined) throw guestError('RuntimeError', "generator didn't yield")
    return x
  })
  const exit = builtin('__exit__', 'type, value, traceback, /', (type, value) => {
    if (type === null) {
      if (nextOf(g) !== undefined) throw guestError('RuntimeError', "generator didn't stop")
      return false
    }
    try {
      if (g.$resume(() => g.$inner.throw(value)) !== undefined) {
        throw guestError('RuntimeError', "generator didn't stop after throw()")
      }
      return true
    } catch (e) {
      if (e === value) return false
      throw e
    }
  })
  return new ManagedGenerator(again, { __enter__: enter, __exit__: exit })
}

function contextmanager(name: string): Value {
  return builtin(name, 'func', (f) => {
    const { sig } = f as Callable
    const begin = (...args: never[]): Value => managed((f as unknown as Native)(...args), () => begin(...args))
    return define(begin as object, sig)
  })
}

function manager(type: string, enter: () => Value, exit: (type: Value, value: Value) => Value): Value {
  return new Thing(type, {
    __enter__: builtin('__enter__', '', enter),
    __exit__: builtin('__exit__', 'type, value, traceback, /', (t, v) => exit(t!, v!)),
  })
}

class ExitStack {
  readonly $open: ((type: Value, value: Value) => Value)[] = []
}
const stackProtocol: Protocol = {
  getAttribute(x, name) {
    const s = x as ExitStack
    switch (name) {
      case '__enter__':
      case '__aenter__':
        return builtin(name, '', () => s)
      case 'enter_context':
      case 'enter_async_context':
        return builtin(name, 'cm, /', (cm) => {
          const context = enterContext(cm!)
          s.$open.push((type, value) => (type === null ? leaveContext(context) : leaveFailed(context, value)))
          return context.value
        })
      case 'callback':
      case 'push_async_callback':
        return builtin(name, 'callback, /, *args, **kwds', (f, args, named) => {
          s.$open.push(() => {
            runAwaited(callNamed(f!, (args as Tuple).slice(1), [...(named as Map<Value, Value>)].flat()))
            return false
          })
          return f!
        })
      case 'push':
      case 'push_async_exit':
        return builtin(name, 'exit, /', (cm) => {
          const exit = attributeOrAbsent(cm!, '__exit__') ?? cm!
          s.$open.push((type, value) => call(exit, [type, value, null]))
          return cm!
        })
      case 'pop_all':
        return builtin(name, '', () => {
          const all = new ExitStack()
          all.$open.push(...s.$open.splice(0))
          return all
        })
      case 'close':
      case 'aclose':
        return builtin(name, '', () => unwind(s, null, null))
      case '__exit__':
      case '__aexit__':
        return builtin(name, 'type, value, traceback, /', (type, value) => unwind(s, type!, value!))
      default:
        return undefined
    }
  },
  truth: () => true,
  repr: () => '<contextlib.ExitStack object>',
}
Object.defineProperty(ExitStack.prototype, PROTOCOL, { value: stackProtocol })
nameClass((x) => x instanceof ExitStack, 'ExitStack')

// Leaves the contexts, the last entered one first. A context that swallows a failure hides it from the others. One that
// fails replaces the failure.
function unwind(s: ExitStack, type0: Value, value0: Value): Value {
  let [type, value] = [type0, value0]
  let failure: GuestError | undefined
  let swallowed = false
  for (let leave = s.$open.pop(); leave !== undefined; leave = s.$open.pop()) {
    try {
      if (truth(leave(type, value)) && type !== null) {
        swallowed = true
        failure = undefined
        type = null
        value = null
      }
    } catch (e) {
      if (!(e instanceof GuestError)) throw e
      failure = e
      type = errorClass(e).$value
      value = e
    }
  }
  if (failure !== undefined && failure !== value0) throw failure
  return swallowed
}

/** A base class for the program's own managers. */
function base(
  name: string,
  methods: Readonly<Record<string, readonly [string, (self: Value, f: Value) => Value]>>,
): Value {
  const { cls, define } = moduleClass(name, 'contextlib')
  for (const [method, [parameters, act]] of Object.entries(methods))
    define(method, parameters, (self, f) => act(self!, f!))
  return cls.$value
}

const EXIT = 'self, exc_type, exc_value, traceback, /'

export const contextlib: Module = module('contextlib', {
  AbstractAsyncContextManager: base('AbstractAsyncContextManager', {
    __aenter__: ['self', (self) => self],
    __aexit__: [EXIT, () => null],
  }),
  AbstractContextManager: base('AbstractContextManager', {
    __enter__: ['self', (self) => self],
    __exit__: [EXIT, () => null],
  }),
  AsyncExitStack: builtin('AsyncExitStack', '', () => new ExitStack()),
  ContextDecorator: base('ContextDecorator', { __call__: ['self, func', (self, f) => decorated(() => self, f)] }),
  contextmanager: contextmanager('contextmanager'),
  asynccontextmanager: contextmanager('asynccontextmanager'),
  suppress: builtin('suppress', '*exceptions', (kinds) => {
    const classes = (kinds as Tuple).slice(1).map(classIn)
    return manager(
      'suppress',
      () => null,
      (type, value) =>
        type !== null && classes.some((c) => c !== undefined && inheritsFrom(errorClass(value as GuestError), c)),
    )
  }),
  nullcontext: builtin('nullcontext', 'enter_result=', (x) =>
    manager(
      'nullcontext',
      () => x ?? null,
      () => false,
    ),
  ),
  redirect_stdout: builtin('redirect_stdout', 'new_target', (target) => {
    const before: ReturnType<typeof divertOutput>[] = []
    return manager(
      'redirect_stdout',
      () => {
        const to = target === null ? () => undefined : (text: string) => void call(attribute(target!, 'write'), [text])
        before.push(divertOutput(to))
        return target!
      },
      () => {
        divertOutput(before.pop())
        return false
      },
    )
  }),
  closing: builtin('closing', 'thing', (x) =>
    manager(
      'closing',
      () => x!,
      () => {
        call(attribute(x!, 'close'), [])
        return false
      },
    ),
  ),
  ExitStack: builtin('ExitStack', '', () => new ExitStack()),
})
