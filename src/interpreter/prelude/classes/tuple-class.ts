// Tuples whose elements have names: `collections.namedtuple`, `typing.NamedTuple`, and what modules return that is both
// tuple and object. Such a value is a tuple like any other, with a JavaScript prototype of its class that knows the
// names.
// Invariant: element `i + 1` of the array is the value of field `i`.

import { callBound } from '../calls/bound-functions.js'
import { boundMethod } from '../calls/method-tables.js'
import { bind, builtin, type Callable, define, type Signature } from '../calls/signature.js'
import { dictOf } from '../containers/dict.js'
import { items } from '../containers/iterate.js'
import { quoted, repr } from '../text/repr.js'
import { guestError } from '../values/errors.js'
import { PROTOCOL, type Protocol } from '../values/protocol.js'
import { asName, inQuotes, said } from '../values/said.js'
import { TUPLE, type Tuple, tuple, type Value } from '../values/values.js'
import { attachClass, Class, classIn } from './classes.js'
import { builtinClass } from './known-classes.js'
import { memberFor } from './object-attributes.js'

interface TupleClass {
  readonly cls: Class
  /** The class as a value: call it to make a tuple. */
  readonly value: Callable
  make(values: readonly Value[]): Value
}

interface TupleClassOptions {
  /** Values of the last fields where they are not given. */
  readonly defaults?: readonly Value[]
  /** Further attributes and methods that take the tuple. */
  readonly attributes?: Readonly<Record<string, (t: Tuple) => Value>>
  /** Made by the program, not by a module. */
  readonly ofProgram?: boolean
}

/** What tuples of a class inherit from, by class. */
const prototypes = new WeakMap<Class, object>()

export function tupleClass(name: string, fields: readonly string[], options: TupleClassOptions = {}): TupleClass {
  const cls = new Class(name, options.ofProgram ? 'program' : 'builtin', [builtinClass('tuple')])
  const sig = signatureOf(name, fields, options.defaults ?? [])
  const value = define(((...values: Value[]) => make(filled(values))) as object, sig)
  attachClass(value, cls)
  const filled = (values: readonly (Value | undefined)[]): Value[] => {
    const least = fields.length - (options.defaults?.length ?? 0)
    return fields.map((_, i) => values[i] ?? (values[i] === null ? null : options.defaults![i - least]!))
  }
  const prototype = prototypeOf(cls, fields, options)
  const make = (values: readonly Value[]): Value => Object.setPrototypeOf(tuple(values), prototype) as Value
  cls.$extras.inheritable = true
  Object.assign(cls.$members, classMembers(cls, fields, options.defaults ?? []))
  // A class of the program that inherits from this one makes tuples of its own.
  cls.$members.__new__ = builtin('__new__', 'cls, /, *args, **kwargs', (own, args, kwargs) => {
    const c = classIn(own!)!
    const bound = bind(sig, (args as Tuple).slice(1), [...(kwargs as Map<Value, Value>)].flat())
    return Object.setPrototypeOf(tuple(filled(bound)), prototypeOf(c, fields, options)) as Value
  })
  cls.$make = (args, named) => make(filled(bind(sig, args, named)))
  return { cls, value, make }
}

function signatureOf(name: string, fields: readonly string[], defaults: readonly Value[]): Signature {
  const sig = plainSignature(name, fields, defaults)
  const parameters = ['_cls', ...fields]
  // CPython's `__new__` counts the class among the arguments.
  return { ...sig, unbound: { ...sig, parameters, positional: parameters.length, required: [true, ...sig.required] } }
}

function plainSignature(name: string, fields: readonly string[], defaults: readonly Value[]): Signature {
  return {
    name,
    n: defaults.length === 0 ? fields.length : -1,
    parameters: fields,
    positional: fields.length,
    positionalOnly: 0,
    required: fields.map((_, i) => i < fields.length - defaults.length),
    argsSlot: -1,
    kwargsSlot: -1,
    builtin: false,
    qualified: `${name}.__new__`,
  }
}

function classMembers(cls: Class, fields: readonly string[], defaults: readonly Value[]): Record<string, Value> {
  return {
    _fields: tuple(fields),
    __match_args__: tuple(fields),
    _field_defaults: dictOf(defaults.flatMap((d, i) => [fields[fields.length - defaults.length + i]!, d])),
    _make: builtin('_make', 'iterable, /', (iterable) => {
      const values = items(iterable!)
      if (values.length !== fields.length) {
        throw guestError('TypeError', said`Expected ${fields.length} arguments, got ${values.length}`)
      }
      return cls.$make!(values, undefined)
    }),
  }
}

function prototypeOf(cls: Class, fields: readonly string[], options: TupleClassOptions): object {
  const known = prototypes.get(cls)
  if (known !== undefined) return known
  const prototype = Object.create(Array.prototype) as object
  Object.defineProperty(prototype, PROTOCOL, { value: protocolFor(cls, fields, options) })
  prototypes.set(cls, prototype)
  return prototype
}

function protocolFor(cls: Class, fields: readonly string[], options: TupleClassOptions): Protocol {
  const places = new Map(fields.map((f, i) => [f, i + 1]))
  const own = (x: Tuple, name: string): Value | undefined => {
    switch (name) {
      case '_asdict':
        return builtin('_asdict', '', () => dictOf(fields.flatMap((f, i) => [f, x[i + 1]!])))
      case '_replace':
        return builtin('_replace', '**kwds', (named) => replaced(x, fields, named as Map<Value, Value>))
      default:
        return options.attributes?.[name]?.(x)
    }
  }
  return {
    classValue: () => cls.$value,
    getAttribute(x, name) {
      const place = places.get(name)
      if (place !== undefined) return (x as Tuple)[place]
      const found = own(x as Tuple, name)
      if (found !== undefined) return found
      const member = cls.$members[name]
      if (member !== undefined) return memberFor(x, cls, member)
      return name === '__class__' ? cls.$value : boundMethod(x, name)
    },
    setAttribute(_, name) {
      throw guestError(
        'AttributeError',
        places.has(name)
          ? "can't set attribute"
          : said`'${asName(cls.$name)}' object has no attribute ${inQuotes(name)}`,
      )
    },
    attributeNames: () => [...fields, '_asdict', '_fields', '_make', '_replace', 'count', 'index'],
    repr(x) {
      const method = cls.$members.__repr__
      if (method !== undefined) return callBound(method as Callable, x, []) as string
      return `${cls.$name}(${fields.map((f, i) => `${f}=${repr((x as Tuple)[i + 1]!)}`).join(', ')})`
    },
    str(x) {
      const method = cls.$members.__str__
      return method === undefined ? undefined : (callBound(method as Callable, x, []) as string)
    },
  }
}

function replaced(x: Tuple, fields: readonly string[], named: Map<Value, Value>): Value {
  const unknown = [...named.keys()].filter((k) => !fields.includes(k as string))
  if (unknown.length > 0) throw guestError('ValueError', said`Got unexpected field names: ${quoted(unknown)}`)
  const copy = [TUPLE, ...fields.map((f, i) => named.get(f) ?? (named.get(f) === null ? null : x[i + 1]!))]
  return Object.setPrototypeOf(copy, Object.getPrototypeOf(x) as object) as Value
}
