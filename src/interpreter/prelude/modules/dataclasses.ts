// The module `dataclasses`: methods that are made from the annotated names of a class body. The annotation of a field
// is not evaluated.

import { callBound } from '../calls/bound-functions.js'
import { builtin, type Callable, call, callNamed, define, type Native } from '../calls/signature.js'
import { asMethod, type Class, classIn, Instance, setMember } from '../classes/classes.js'
import { exceptionClasses } from '../classes/exceptions.js'
import { NOT_IMPLEMENTED, settleClass } from '../classes/instances.js'
import { classOf, objectClass } from '../classes/known-classes.js'
import { fieldsOf } from '../classes/object-attributes.js'
import { dictFlat, dictOf } from '../containers/dict.js'
import { hash } from '../containers/hashing.js'
import { items } from '../containers/iterate.js'
import { key } from '../containers/keys.js'
import { equal, greater, greaterEqual, less, lessEqual } from '../operators/comparison.js'
import { truth } from '../operators/membership.js'
import { beginClass, finishClass } from '../statements/class-statements.js'
import { quoted, repr } from '../text/repr.js'
import { raise, typeError, valueError } from '../values/errors.js'
import { PROTOCOL, type Protocol } from '../values/protocol.js'
import { asName, inQuotes, type Literal, said, word } from '../values/said.js'
import { isDict, isList, isTuple, nameClass, TUPLE, tuple, type Value } from '../values/values.js'
import { deepCopy } from './copy.js'
import { type Module, module } from './module.js'

class Missing {}
const MISSING: Value = new Missing()
Object.defineProperty(Missing.prototype, PROTOCOL, {
  value: { repr: () => '<dataclasses._MISSING_TYPE object>' } satisfies Protocol,
})
nameClass((x) => x instanceof Missing, '_MISSING_TYPE')

interface FieldOptions {
  readonly default: Value | undefined
  readonly factory: Value | undefined
  readonly init: boolean
  readonly repr: boolean
  readonly compare: boolean
  readonly keywordOnly: boolean | undefined
  readonly metadata: Value
}

class Field {
  readonly $options: FieldOptions
  $name: string
  /** True if the value is passed to `__post_init__` and not stored. */
  $passed: boolean
  $keywordOnly: boolean
  constructor(options: FieldOptions) {
    this.$options = options
    this.$name = ''
    this.$passed = false
    this.$keywordOnly = options.keywordOnly ?? false
  }
}
const fieldProtocol: Protocol = {
  getAttribute(x, name) {
    const f = x as Field
    const o = f.$options
    switch (name) {
      case 'name':
        return f.$name
      case 'default':
        return o.default ?? (o.default === null ? null : MISSING)
      case 'default_factory':
        return o.factory ?? MISSING
      case 'init':
        return o.init
      case 'repr':
        return o.repr
      case 'compare':
        return o.compare
      case 'kw_only':
        return f.$keywordOnly
      case 'metadata':
        return o.metadata
      default:
        return undefined
    }
  },
  truth: () => true,
  repr: (x) => `Field(name=${repr((x as Field).$name)})`,
}
Object.defineProperty(Field.prototype, PROTOCOL, { value: fieldProtocol })
nameClass((x) => x instanceof Field, 'Field')

const plain: FieldOptions = {
  default: undefined,
  factory: undefined,
  init: true,
  repr: true,
  compare: true,
  keywordOnly: undefined,
  metadata: dictOf([]),
}

function isOn(x: Value | undefined, ifAbsent: boolean): boolean {
  return x === undefined ? ifAbsent : truth(x)
}

const field = builtin(
  'field',
  '*, default=, default_factory=, init=, repr=, hash=, compare=, metadata=, kw_only=',
  (value, factory, init, shown, _hash, compare, metadata, keywordOnly) => {
    if (value !== undefined && factory !== undefined && value !== MISSING && factory !== MISSING)
      valueError('cannot specify both default and default_factory')
    return new Field({
      default: value === MISSING ? undefined : value,
      factory: factory === MISSING ? undefined : factory,
      init: isOn(init, true),
      repr: isOn(shown, true),
      compare: isOn(compare, true),
      keywordOnly: keywordOnly === undefined || keywordOnly === MISSING ? undefined : truth(keywordOnly),
      metadata: metadata ?? dictOf([]),
    })
  },
)

interface Options {
  readonly init: boolean
  readonly repr: boolean
  readonly eq: boolean
  readonly order: boolean
  readonly hash: boolean
  readonly frozen: boolean
  readonly keywordOnly: boolean
  readonly matchArgs: boolean
}

function allFields(cls: Class): Field[] {
  return (cls.$extras.fields as Field[] | undefined) ?? []
}

function ownFields(cls: Class, options: Options): Field[] {
  const fields: Field[] = []
  let keywordOnly = options.keywordOnly
  for (const annotated of cls.$extras.annotated as readonly string[]) {
    const [mark, name] = annotated.includes(' ') ? (annotated.split(' ') as [string, string]) : ['', annotated]
    if (mark === 'KW_ONLY') {
      keywordOnly = true
      continue
    }
    const value = Object.hasOwn(cls.$members, name) ? cls.$members[name]! : undefined
    const f = value instanceof Field ? value : new Field({ ...plain, default: value })
    f.$name = name
    f.$passed = mark === 'InitVar'
    f.$keywordOnly = f.$options.keywordOnly ?? keywordOnly
    const ifAbsent = f.$options.default
    if (
      isList(ifAbsent ?? null) ||
      (ifAbsent !== undefined && isDict(ifAbsent)) ||
      (ifAbsent instanceof Set && classOf(ifAbsent).$name === 'set')
    ) {
      valueError(
        said`mutable default <class '${asName(classOf(ifAbsent!).$name)}'> for field ${asName(name)} is not allowed: use default_factory`,
      )
    }
    if (value instanceof Field) {
      if (ifAbsent === undefined) delete cls.$members[name]
      else setMember(cls, name, ifAbsent)
    }
    fields.push(f)
  }
  return fields
}

function collected(cls: Class, options: Options): Field[] {
  const all = new Map<string, Field>()
  for (let i = cls.$order.length - 1; i > 0; i--) {
    const base = cls.$order[i]!
    if (Object.hasOwn(base.$extras, 'fields')) for (const f of allFields(base)) all.set(f.$name, f)
  }
  for (const f of ownFields(cls, options)) all.set(f.$name, f)
  return [...all.values()]
}

function hasDefault(f: Field): boolean {
  return f.$options.default !== undefined || f.$options.factory !== undefined
}

/** The fields with their values, in order. */
function valuesOf(x: Value, fields: readonly Field[]): Value[] {
  const held = fieldsOf(x)
  const out: Value[] = [TUPLE]
  for (const f of fields) out.push(held[f.$name] ?? null)
  return out
}

function makeInit(cls: Class, fields: readonly Field[]): Callable {
  const given = fields.filter((f) => f.$options.init)
  const positional = given.filter((f) => !f.$keywordOnly)
  const keyword = given.filter((f) => f.$keywordOnly)
  let optional = false
  for (const f of positional) {
    if (hasDefault(f)) optional = true
    else if (optional) typeError(said`non-default argument ${inQuotes(f.$name)} follows default argument`)
  }
  const order = [...positional, ...keyword]
  const places = fields.map((f) => order.indexOf(f))
  const init = (self: Value, ...args: (Value | undefined)[]): Value => {
    const held = fieldsOf(self)
    const passed: Value[] = []
    for (let i = 0; i < fields.length; i++) {
      const f = fields[i]!
      const place = places[i]!
      const o = f.$options
      let value = place < 0 ? undefined : args[place]
      if (value === undefined) value = o.factory !== undefined ? call(o.factory, []) : o.default
      if (value === undefined) continue
      if (f.$passed) passed.push(value)
      else held[f.$name] = value
    }
    const after = cls.$members.__post_init__ ?? classOf(self).$members.__post_init__
    if (after !== undefined) callBound(after as Callable, self, passed)
    return null
  }
  const required = order.map((f) => !hasDefault(f))
  return define(init as object, {
    name: '__init__',
    qualified: `${cls.$name}.__init__`,
    n: keyword.length === 0 && required.every((r) => r) ? order.length + 1 : -1,
    parameters: ['self', ...order.map((f) => f.$name)],
    positional: positional.length + 1,
    positionalOnly: 0,
    required: [true, ...required],
    argsSlot: -1,
    kwargsSlot: -1,
    builtin: false,
  })
}

function addMethod(cls: Class, name: string, parameters: string, fn: Native, evenIfThere = false): void {
  if (!evenIfThere && Object.hasOwn(cls.$members, name)) return
  setMember(cls, name, asMethod(builtin(name, parameters, fn)))
}

const orders: Readonly<Record<string, (a: Value, b: Value) => boolean>> = {
  __lt__: less,
  __le__: lessEqual,
  __gt__: greater,
  __ge__: greaterEqual,
}

/** Frozen and other dataclasses can't inherit from one another. */
function checkFrozen(cls: Class, frozen: boolean): void {
  for (const { $extras } of cls.$order.slice(1)) {
    if (!Object.hasOwn($extras, 'frozen') || $extras.frozen === frozen) continue
    typeError(
      frozen
        ? 'cannot inherit frozen dataclass from a non-frozen one'
        : 'cannot inherit non-frozen dataclass from a frozen one',
    )
  }
  cls.$extras.frozen = frozen
}

function processed(cls: Class, options: Options): Value {
  checkFrozen(cls, options.frozen)
  const fields = collected(cls, options)
  cls.$extras.fields = fields
  const kept = fields.filter((f) => !f.$passed)
  const compared = kept.filter((f) => f.$options.compare)
  const hasOwnHash = Object.hasOwn(cls.$members, '__hash__') && cls.$members.__hash__ !== null
  if (options.init && !Object.hasOwn(cls.$members, '__init__')) setMember(cls, '__init__', makeInit(cls, fields))
  if (options.matchArgs && !Object.hasOwn(cls.$members, '__match_args__')) {
    const taken = fields.filter((f) => f.$options.init && !f.$keywordOnly)
    setMember(cls, '__match_args__', tuple(taken.map((f) => f.$name)))
  }
  if (options.repr) {
    const shown = kept.filter((f) => f.$options.repr)
    addMethod(cls, '__repr__', 'self, /', (self) => {
      const held = fieldsOf(self!)
      return `${classOf(self!).$name}(${shown.map((f) => `${f.$name}=${repr(held[f.$name] ?? null)}`).join(', ')})`
    })
  }
  if (options.eq) {
    addMethod(cls, '__eq__', 'self, other, /', (self, other) =>
      other instanceof Instance && other.$class === (self as Instance).$class
        ? equal(valuesOf(self!, compared), valuesOf(other, compared))
        : NOT_IMPLEMENTED,
    )
  }
  if (options.order) addOrder(cls, options, compared)
  if (options.frozen) freeze(cls)
  if (options.hash || (options.eq && options.frozen && !hasOwnHash)) {
    cls.$extras.hashKey = (x: Instance): Value => key([TUPLE, cls.$value, ...valuesOf(x, compared).slice(1)])
    addMethod(cls, '__hash__', 'self, /', (self) => hash(valuesOf(self!, compared)), true)
  } else {
    cls.$extras.hashKey = undefined
    if (options.eq && !hasOwnHash) setMember(cls, '__hash__', null)
  }
  settleClass(cls)
  return cls.$value
}

function addOrder(cls: Class, options: Options, compared: readonly Field[]): void {
  if (!options.eq) valueError('eq must be true if order is true')
  for (const [name, compare] of Object.entries(orders)) {
    if (Object.hasOwn(cls.$members, name)) {
      typeError(
        said`Cannot overwrite attribute ${asName(name)} in class ${asName(cls.$name)}. Consider using functools.total_ordering`,
      )
    }
    addMethod(cls, name, 'self, other, /', (self, other) =>
      other instanceof Instance && other.$class === (self as Instance).$class
        ? compare(valuesOf(self!, compared), valuesOf(other, compared))
        : NOT_IMPLEMENTED,
    )
  }
}

function freeze(cls: Class): void {
  const refuse = (what: string) => (_: Value | undefined, name: Value | undefined) =>
    raise('FrozenInstanceError', said`cannot ${word(what)} field ${quoted(name!)}`)
  addMethod(cls, '__setattr__', 'self, name, value, /', refuse('assign to'))
  addMethod(cls, '__delattr__', 'self, name, /', refuse('delete'))
}

const dataclass = builtin(
  'dataclass',
  'cls=, /, *, init=, repr=, eq=, order=, unsafe_hash=, frozen=, match_args=, kw_only=, slots=, weakref_slot=',
  (target, init, shown, eq, order, unsafeHash, frozen, matchArgs, keywordOnly) => {
    const options: Options = {
      init: isOn(init, true),
      repr: isOn(shown, true),
      eq: isOn(eq, true),
      order: isOn(order, false),
      hash: isOn(unsafeHash, false),
      frozen: isOn(frozen, false),
      keywordOnly: isOn(keywordOnly, false),
      matchArgs: isOn(matchArgs, true),
    }
    const make = (x: Value | undefined): Value => {
      const cls = x === undefined ? undefined : classIn(x)
      if (cls === undefined) return typeError('dataclass() should be called on a class')
      return processed(cls, options)
    }
    return target === undefined || target === null ? builtin('wrap', 'cls', make) : make(target)
  },
)

function fieldsOrFail<M extends string>(x: Value, what: Literal<M>): Field[] {
  const cls = classIn(x) ?? (x instanceof Instance ? x.$class : undefined)
  const fields = cls?.$extras.fields as Field[] | undefined
  if (fields === undefined) return typeError(what)
  return fields.filter((f) => !f.$passed)
}

const isData = (x: Value): x is Instance => x instanceof Instance && x.$class.$extras.fields !== undefined

function asDict(x: Value, make: Value | undefined): Value {
  if (isData(x)) {
    const pairs = allFields(x.$class)
      .filter((f) => !f.$passed)
      .map((f): [string, Value] => [f.$name, asDict(fieldsOf(x)[f.$name] ?? null, make)])
    return make === undefined ? dictOf(pairs.flat()) : call(make, [pairs.map((p) => tuple(p))])
  }
  return inside(x, (e) => asDict(e, make))
}

function asTuple(x: Value): Value {
  if (isData(x)) {
    return tuple(
      allFields(x.$class)
        .filter((f) => !f.$passed)
        .map((f) => asTuple(fieldsOf(x)[f.$name] ?? null)),
    )
  }
  return inside(x, asTuple)
}

function inside(x: Value, f: (e: Value) => Value): Value {
  const cls = classOf(x)
  if (isDict(x)) {
    const flat = dictFlat(x).map(f)
    if (cls.$name === 'dict') return dictOf(flat)
    // Dicts of other classes are created from pairs. A Counter counts the pairs, as in CPython.
    const pairs: Value[] = []
    for (let i = 0; i < flat.length; i += 2) pairs.push([TUPLE, flat[i]!, flat[i + 1]!])
    return call(cls.$value, [pairs])
  }
  if (isList(x)) return x.map(f)
  if (!isTuple(x)) return deepCopy(x)
  const elements = x.slice(1).map(f)
  if (cls.$name === 'tuple') return tuple(elements)
  return call(cls.$value, cls.$members._fields === undefined ? [elements] : elements)
}

/** `make_dataclass`: a field is a name, or a tuple of name, type and the result of `field(…)`. */
const makeDataclass = builtin(
  'make_dataclass',
  'cls_name, fields, *, bases=, namespace=, **options',
  (name, given, bases, namespace, options) => {
    const all = items(given!).map((f) => (typeof f === 'string' ? [f] : items(f)))
    const members = namespace === undefined || namespace === null ? [] : dictFlat(namespace as object)
    const names: string[] = []
    const values: Value[] = []
    for (const [member, , value] of all) {
      if (value === undefined) continue
      names.push(member as string)
      values.push(value)
    }
    for (let i = 0; i < members.length; i += 2) {
      names.push(members[i] as string)
      values.push(members[i + 1]!)
    }
    const cls = beginClass(name as string, bases === undefined ? [] : items(bases), [])
    const made = finishClass(cls, { names, values, annotated: all.map(([member]) => member as string) })
    return callNamed(callNamed(dataclass, [], [...(options as Map<Value, Value>)].flat()), [made], [])
  },
)

export const dataclasses: Module = module('dataclasses', {
  dataclass,
  field,
  make_dataclass: makeDataclass,
  fields: builtin('fields', 'class_or_instance', (x) =>
    tuple(fieldsOrFail(x!, 'must be called with a dataclass type or instance')),
  ),
  asdict: builtin('asdict', 'obj, *, dict_factory=', (x, make) =>
    isData(x!) ? asDict(x, make) : typeError('asdict() should be called on dataclass instances'),
  ),
  astuple: builtin('astuple', 'obj', (x) =>
    isData(x!) ? asTuple(x) : typeError('astuple() should be called on dataclass instances'),
  ),
  replace: builtin('replace', 'obj, /, **changes', (x, changes0) => {
    if (!isData(x!)) return typeError('replace() should be called on dataclass instances')
    const changes = new Map(changes0 as Map<Value, Value>)
    for (const f of allFields(x.$class)) {
      const given = changes.has(f.$name)
      if (!f.$options.init) {
        if (given) {
          valueError(said`field ${asName(f.$name)} is declared with init=False, it cannot be specified with replace()`)
        }
      } else if (!given && !f.$passed) changes.set(f.$name, fieldsOf(x)[f.$name] ?? null)
    }
    return callNamed(x.$class.$value, [], [...changes].flat())
  }),
  is_dataclass: builtin('is_dataclass', 'obj', (x) => isData(x!) || classIn(x!)?.$extras.fields !== undefined),
  MISSING,
  KW_ONLY: 'KW_ONLY',
  InitVar: objectClass.$value,
  FrozenInstanceError: exceptionClasses.FrozenInstanceError!,
})
