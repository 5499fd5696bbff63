// The parts of `functools` for classes and functions: wrapping, total orders, cached properties, dispatch by type.

import { callBound } from '../calls/bound-functions.js'
import {
  builtin,
  type Callable,
  callNamed,
  define,
  isCallable,
  type Native,
  parseSignature,
} from '../calls/signature.js'
import { attributeOrAbsent } from '../classes/attributes.js'
import { asMethod, classIn, Instance, setMember } from '../classes/classes.js'
import { Property } from '../classes/descriptors.js'
import { Union } from '../classes/generic-types.js'
import { NOT_IMPLEMENTED, settleClass } from '../classes/instances.js'
import { classOf, isInstanceOf } from '../classes/known-classes.js'
import { fieldsOf } from '../classes/object-attributes.js'
import { dictSet } from '../containers/dict.js'
import { equal } from '../operators/comparison.js'
import { truth } from '../operators/membership.js'
import { quoted } from '../text/repr.js'
import { typeError, valueError } from '../values/errors.js'
import { asName, said } from '../values/said.js'
import type { Tuple, Value } from '../values/values.js'

/** Functions with attributes of their own. */
interface Attributed {
  $attributes?: Map<string, Value>
}

const copied = ['__name__', '__qualname__', '__doc__']

function copyNames(f: Value, like: Value): Value {
  if (f instanceof Instance) {
    const fields = fieldsOf(f)
    for (const name of copied) dictSet(fields, name, attributeOrAbsent(like, name) ?? null)
    dictSet(fields, '__wrapped__', like)
    return f
  }
  if (typeof f !== 'function') return f
  const own = ((f as Attributed).$attributes ??= new Map())
  for (const name of copied) {
    const value = attributeOrAbsent(like, name)
    if (value !== undefined) own.set(name, value)
  }
  for (const [name, value] of (like as Attributed | null)?.$attributes ?? []) own.set(name, value)
  own.set('__wrapped__', like)
  return f
}

const reversed: Readonly<Record<string, string>> = {
  __lt__: '__gt__',
  __gt__: '__lt__',
  __le__: '__ge__',
  __ge__: '__le__',
}

/** Adds the comparisons that a class lacks. They follow from the one that it has and from its equality. */
function orderTotally(target: Value): Value {
  const cls = classIn(target)
  // CPython looks for the methods by name, and every class that is not the program's has some of them.
  if (cls?.$kind !== 'program') return target
  const has = ['__lt__', '__le__', '__gt__', '__ge__'].find((name) => Object.hasOwn(cls.$members, name))
  if (has === undefined) return valueError('must define at least one ordering operation: < > <= >=')
  const compare = cls.$members[has] as Callable
  const strict = has === '__lt__' || has === '__gt__'
  const answers: Record<string, (same: boolean, is: boolean) => boolean> = {
    [has]: (_, is) => is,
    // a <= b means a < b or a == b. a > b means neither. The other operators follow likewise.
    [strict ? has.replace('t_', 'e_') : has.replace('e_', 't_')]: (same, is) => (strict ? is || same : is && !same),
    [reversed[has]!]: (same, is) => (strict ? !is && !same : !is || same),
    [strict ? reversed[has]!.replace('t_', 'e_') : reversed[has]!.replace('e_', 't_')]: (_, is) => !is,
  }
  for (const [name, answer] of Object.entries(answers)) {
    if (Object.hasOwn(cls.$members, name)) continue
    const method = builtin(name, 'self, other, /', (self, other) => {
      const is = callBound(compare, self!, [other!])
      return is === NOT_IMPLEMENTED ? is : answer(equal(self!, other!), truth(is))
    })
    setMember(cls, name, asMethod(method))
  }
  settleClass(cls)
  return target
}

interface Annotated {
  $annotation?: Value
}

/** A function that records the annotation of its first parameter. */
export function annotated(f: Value, type: Value): Value {
  ;(f as Annotated).$annotation = type
  return f
}

/** Calls the function that is registered for the class of the first argument, or for its nearest base. */
function dispatching(f: Value, at = 0): Value {
  const registered: [Value, Value][] = []
  const chosen = (x: Value): Value => {
    const cls = classOf(x)
    const own = cls.$order.map((c) => registered.find(([type]) => classIn(type) === c)).find((r) => r !== undefined)
    return (own ?? registered.find(([type]) => isInstanceOf(x, classIn(type)!)))?.[1] ?? f
  }
  const run: Native = (args, named) => {
    const given = (args as Tuple).slice(1)
    if (given.length <= at)
      return typeError(said`${asName((f as Callable).sig.name)} requires at least 1 positional argument`)
    return callNamed(chosen(given[at]!), given, [...(named as Map<Value, Value>)].flat())
  }
  const dispatcher = define(run as object, parseSignature((f as Callable).sig.name, '*args, **kwargs'))
  const own = ((dispatcher as Attributed).$attributes ??= new Map<string, Value>())
  const add = (type: Value, g: Value): Value => {
    const types = type instanceof Union ? type.$types : [type]
    for (const t of types) registered.unshift([t, g])
    return g
  }
  own.set(
    'register',
    builtin('register', 'cls, func=', (type, g) => {
      const kept = (type as Annotated).$annotation
      if (g === undefined && kept !== undefined) return add(kept, type!)
      if (classIn(type!) === undefined && !(type instanceof Union)) {
        return typeError(
          said`Invalid first argument to \`register()\`: ${quoted(type!)}. Use either \`@register(some_class)\` or plain \`@register\` on an annotated function.`,
        )
      }
      return g === undefined ? builtin('decorator', 'func', (h) => add(type!, h!)) : add(type!, g)
    }),
  )
  own.set(
    'dispatch',
    builtin('dispatch', 'cls', (type) => registered.find(([t]) => t === type)?.[1] ?? f),
  )
  return copyNames(dispatcher, f)
}

export const functionTools: Readonly<Record<string, Value>> = {
  wraps: builtin('wraps', 'wrapped, assigned=, updated=', (like) =>
    builtin('decorator', 'f', (f) => copyNames(f!, like!)),
  ),
  update_wrapper: builtin('update_wrapper', 'wrapper, wrapped, assigned=, updated=', (f, like) => copyNames(f!, like!)),
  total_ordering: builtin('total_ordering', 'cls', (cls) => orderTotally(cls!)),
  cached_property: builtin('cached_property', 'func', (f) => new Property(f!, null, null, true)),
  singledispatch: builtin('singledispatch', 'func', (f) =>
    isCallable(f!) ? dispatching(f) : typeError('singledispatch() wants a function'),
  ),
  singledispatchmethod: builtin('singledispatchmethod', 'func', (f) => {
    const dispatcher = dispatching(f!, 1)
    // As a member of a class it is a function of the program: reading it from an object binds it.
    return asMethod(dispatcher as Callable)
  }),
  partialmethod: builtin('partialmethod', 'func, /, *args, **keywords', (f, args, named) => {
    const more = (args as Tuple).slice(1)
    const given = [...(named as Map<Value, Value>)].flat()
    return asMethod(
      builtin('partialmethod', 'self, /, *args, **keywords', (self, rest, others) =>
        callNamed(
          f!,
          [self!, ...more, ...(rest as Tuple).slice(1)],
          [...given, ...[...(others as Map<Value, Value>)].flat()],
        ),
      ),
    )
  }),
}
