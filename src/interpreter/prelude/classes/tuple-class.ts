// Tuples with named elements: `collections.namedtuple`, `typing.NamedTuple`, and such results of modules. A value is an
// ordinary tuple whose JavaScript prototype has the names. If the class overrides comparison, addition or access, its
// values are objects that hold a tuple instead, as for any class over a built-in type.
// Invariant: element `i + 1` of the array is the value of field `i`.

import { callBound } from '../calls/bound-functions.js'
import { boundMethod, methodSymbol } from '../calls/method-tables.js'
import { bind, builtin, type Callable, define, type Signature } from '../calls/signature.js'
import { dictOf } from '../containers/dict.js'
import { items } from '../containers/iterate.js'
import { quoted, repr } from '../text/repr.js'
import { contentOf, setContent } from '../values/contents.js'
import { guestError } from '../values/errors.js'
import { PROTOCOL, type Protocol } from '../values/protocol.js'
import { asName, inQuotes, said } from '../values/said.js'
import { type Tuple, tuple, type Value } from '../values/values.js'
import { canBeBase, takeAfterBases } from './built-in-bases.js'
import { asMethod, attachClass, Class, classIn, classOfObject, newInstance, setMember } from './classes.js'
import { ClassMethod, Property } from './descriptors.js'
import { settleClass } from './instances.js'
import { builtinClass } from './known-classes.js'
import { otherwise } from './method-answers.js'
import { memberFor } from './object-attributes.js'

interface TupleClass {
  readonly cls: Class
  /** The class as a value. Calling it creates a tuple. */
  readonly value: Callable
  make(values: readonly Value[]): Value
}

interface TupleClassOptions {
  /** Default values of the last fields. */
  readonly defaults?: readonly Value[]
  /** Further attributes and methods. They receive the tuple. */
  readonly attributes?: Readonly<Record<string, (t: Tuple) => Value>>
  /** True if the program defines the class. */
  readonly ofProgram?: boolean
}

/** The prototypes of tuples, by class. */
const prototypes = new WeakMap<Class, object>()

export function tupleClass(name: string, fields: readonly string[], options: TupleClassOptions = {}): TupleClass {
  const { defaults = [], ofProgram = false } = options
  const cls = new Class(name, ofProgram ? 'program' : 'builtin', [builtinClass('tuple')])
  const sig = signatureOf(name, fields, defaults)
  const least = fields.length - defaults.length
  const filled = (values: readonly (Value | undefined)[]): Value[] =>
    fields.map((_, i) => values[i] ?? (values[i] === null ? null : defaults[i - least]!))
  const make = (values: readonly Value[]): Value => madeOf(cls, tuple(values), fields)
  const value = define(((...values: Value[]) => make(filled(values))) as object, sig)
  attachClass(value, cls)
  cls.$extras.inheritable = true
  cls.$extras.named = { fields, options, sig } satisfies Named
  giveMembers(cls, fields, options)
  // A subclass in the program creates tuples of its own.
  cls.$members.__new__ = builtin('__new__', 'cls, /, *args, **kwargs', (own, args, kwargs) => {
    const bound = bind(sig, (args as Tuple).slice(1), [...(kwargs as Map<Value, Value>)].flat())
    return madeOf(classIn(own!)!, tuple(filled(bound)), fields)
  })
  cls.$make = (args, named) => make(filled(bind(sig, args, named)))
  return { cls, value, make }
}

interface Named {
  readonly fields: readonly string[]
  readonly options: TupleClassOptions
  readonly sig: Signature
}

/** Special methods that a class may override without affecting an operator. */
const SILENT =
  /^__(?:str|repr|doc|slots|module|qualname|annotations|match_args|init|init_subclass|set_name|class_getitem|orig_bases)__$/

/**
 * Decides whether the objects of a class over a named tuple must hold a tuple, because the class overrides comparison,
 * addition or access. `names` are those of the class's own members. Must be called before the class is settled.
 */
export function asksOperators(cls: Class, names: readonly string[]): void {
  if (cls.$extras.named === undefined || cls.$extras.asObjects === true) return
  if (!names.some((name) => /^__\w+__$/.test(name) && !SILENT.test(name))) return
  canBeBase(builtinClass('tuple'))
  cls.$extras.asObjects = true
  takeAfterBases(cls)
}

/**
 * The same decision for the class that names the fields. It already exists, so it is settled again. Must be called when
 * the class has its members.
 */
export function settleNamed(cls: Class, names: readonly string[]): void {
  asksOperators(cls, names)
  if (cls.$extras.asObjects !== true) return
  if (Object.hasOwn(cls.$members, '__hash__')) cls.$extras.hashKey = undefined
  settleClass(cls)
  define(cls.$value, (cls.$extras.named as Named).sig)
}

/** A tuple in the form that the objects of the class have. */
function madeOf(cls: Class, t: Tuple, fields: readonly string[]): Value {
  if (cls.$extras.asObjects !== true) return Object.setPrototypeOf(t, prototypeOf(cls, fields)) as Value
  const x = newInstance(cls)
  setContent(x, t)
  return x
}

/** The tuple that an object of such a class is or holds. */
function elementsOf(x: Value): Tuple {
  return (contentOf(x) ?? x) as Tuple
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

function giveMembers(cls: Class, fields: readonly string[], options: TupleClassOptions): void {
  const { defaults = [], attributes = {} } = options
  const method = (name: string, parameters: string, f: (x: Value, given: Value) => Value): void =>
    setMember(cls, name, asMethod(builtin(name, `self${parameters}`, (self, given) => f(self!, given!))))
  fields.forEach((f, i) => {
    setMember(
      cls,
      f,
      new Property(
        builtin(f, 'self', (self) => elementsOf(self!)[i + 1]!),
        null,
        null,
      ),
    )
  })
  for (const [name, read] of Object.entries(attributes))
    setMember(
      cls,
      name,
      new Property(
        builtin(name, 'self', (self) => read(elementsOf(self!))),
        null,
        null,
      ),
    )
  setMember(cls, '_fields', tuple(fields))
  setMember(cls, '__match_args__', tuple(fields))
  const least = fields.length - defaults.length
  setMember(cls, '_field_defaults', dictOf(defaults.flatMap((d, i) => [fields[least + i]!, d])))
  const makeFrom = builtin('_make', 'cls, iterable, /', (own, iterable) => {
    const values = items(iterable!)
    if (values.length !== fields.length)
      throw guestError('TypeError', said`Expected ${fields.length} arguments, got ${values.length}`)
    return madeOf(classIn(own!)!, tuple(values), fields)
  })
  setMember(cls, '_make', new ClassMethod(makeFrom))
  method('_asdict', '', (x) => dictOf(items(x).flatMap((e, i) => [fields[i]!, e])))
  method('_replace', ', /, **kwds', (x, named) =>
    madeOf(classOfObject(x) ?? cls, replaced(elementsOf(x), fields, named as Map<Value, Value>), fields),
  )
  method('__repr__', '', (x) => textOf(classOfObject(x) ?? cls, elementsOf(x), fields))
}

function textOf(cls: Class, t: Tuple, fields: readonly string[]): string {
  return `${cls.$name}(${fields.map((f, i) => `${f}=${repr(t[i + 1]!)}`).join(', ')})`
}

/** Methods of tuples. Fields and members of a class may have the same names. */
const METHODS_OF_TUPLES = ['count', 'index']

function prototypeOf(cls: Class, fields: readonly string[]): object {
  const known = prototypes.get(cls)
  if (known !== undefined) return known
  const prototype = Object.create(Array.prototype) as object
  Object.defineProperty(prototype, PROTOCOL, { value: protocolFor(cls, fields) })
  for (const name of METHODS_OF_TUPLES)
    Object.defineProperty(prototype, methodSymbol(name), {
      value(this: Value, ...args: (Value | undefined)[]): Value {
        return otherwise(this, name, args)
      },
    })
  prototypes.set(cls, prototype)
  return prototype
}

function protocolFor(cls: Class, fields: readonly string[]): Protocol {
  const places = new Map(fields.map((f, i) => [f, i + 1]))
  const usual = cls.$order.find((c) => Object.hasOwn(c.$extras, 'named'))!.$members.__repr__
  return {
    classValue: () => cls.$value,
    getAttribute(x, name) {
      const place = places.get(name)
      if (place !== undefined) return (x as Tuple)[place]
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
      return method === usual ? textOf(cls, x as Tuple, fields) : (callBound(method as Callable, x, []) as string)
    },
    str(x) {
      const method = cls.$members.__str__
      return method === undefined ? undefined : (callBound(method as Callable, x, []) as string)
    },
  }
}

function replaced(x: Tuple, fields: readonly string[], named: Map<Value, Value>): Tuple {
  const unknown = [...named.keys()].filter((k) => !fields.includes(k as string))
  if (unknown.length > 0) throw guestError('ValueError', said`Got unexpected field names: ${quoted(unknown)}`)
  return tuple(fields.map((f, i) => named.get(f) ?? (named.get(f) === null ? null : x[i + 1]!)))
}
