// Classes as values: the built-in types, the exceptions and the classes of the program, in one model. A class is a callable with a Class
// hanging on it. The members of a class inherit those of its base through JavaScript's own prototypes, so that looking up a method is one
// property read; a class with several bases has copies of their members behind its own, kept up to date by `setMember`.
// An object of a program's class is an Instance: its fields are a record, which is its `__dict__`, so that no field is a property of the
// object itself and constant keys of records can still be read as properties.
// What objects of a class can do beyond attributes (operators, iteration, text) is in the Protocol on the class's JavaScript prototype.
// Invariant: `order[0]` of a class is the class itself and `members` answers for every class in `order`.

import { bindFunction, callBound, withoutFirst } from './bound-functions.js'
import { ClassMethod, Property, StaticMethod } from './descriptors.js'
import { dictGet, dictSet } from './dict.js'
import { exceptionBases, GuestError } from './errors.js'
import { PROTOCOL, type Protocol, protocolOf } from './protocol.js'
import {
  builtin,
  type Callable,
  call,
  callNamed,
  define,
  isCallable,
  type Native,
  parseSignature,
  type Signature,
} from './signature.js'
import { rememberedText } from './tool-data.js'
import { isTuple, nameClass, type RecordDict, type Tuple, tuple, typeName, type Value } from './values.js'

export type Members = Record<string, Value>

export class Class {
  readonly $name: string
  readonly $kind: 'builtin' | 'exception' | 'program'
  readonly $bases: readonly Class[]
  /** The class and all it inherits from, in the order in which members are looked for. */
  readonly $order: readonly Class[]
  readonly $members: Members
  /** The plain functions among its members; an undefined entry hides what is inherited. */
  readonly $methods: Record<string, Callable | undefined>
  /** Copies of its members in classes with several bases. */
  readonly $copies: Layer[]
  /** JavaScript's prototype of its objects, and the constructor that makes them with no fields. */
  readonly $prototype: object
  readonly $maker: new () => Instance
  /** The `__init__` that its callable is fitted to, which then takes the arguments of a call as they are. */
  $init: Native | undefined
  $value: Callable
  /** Answers `isinstance` where the class alone does not decide. */
  $has: ((x: Value) => boolean) | undefined
  /** How its objects are made, where that is not the usual way. */
  $make: ((args: readonly Value[], named: readonly Value[] | undefined) => Value) | undefined
  /** What further kinds of classes keep: the fields of a dataclass, the members of an enum. */
  $extras: Record<string, unknown>

  constructor(name: string, kind: 'builtin' | 'exception' | 'program', bases: readonly Class[]) {
    this.$name = name
    this.$kind = kind
    this.$bases = bases
    this.$order = [this, ...mergeOrders(name, bases)]
    this.$copies = []
    const { members, methods } = inherited(this)
    this.$members = Object.create(members) as Members
    this.$methods = Object.create(methods) as Record<string, Callable | undefined>
    this.$prototype = Object.create(Instance.prototype) as object
    Object.assign(this.$prototype, { $class: this, [METHODS]: this.$methods, [OPEN]: undefined })
    this.$maker = makerOf(this.$prototype)
    this.$init = undefined
    this.$value = undefined as never
    this.$has = undefined
    this.$make = undefined
    this.$extras = bases[0] === undefined ? {} : Object.create(bases[0].$extras)
  }
}

// Generated code reaches into objects of the program's classes through these symbols, which no other value has.

/** The record of an object's fields. */
export const FIELDS: unique symbol = Symbol('fields') as never
/** The plain functions among the members of its class, to be called with the object. */
export const METHODS: unique symbol = Symbol('methods') as never
/** The members of its class, where assigning a name that is not among them just sets a field; undefined where it does more. */
export const OPEN: unique symbol = Symbol('open') as never

/** An object of a class of the program. */
export class Instance {
  declare readonly $class: Class
  declare readonly [FIELDS]: RecordDict
  declare [OPEN]: Members | undefined

  get $fields(): RecordDict {
    return this[FIELDS]
  }
}

/** What is behind a class's own members and methods. */
interface Layer {
  readonly members: Members
  readonly methods: Record<string, Callable | undefined>
}

function makerOf(prototype: object): new () => Instance {
  const maker = function (this: { [FIELDS]: RecordDict }): void {
    this[FIELDS] = {}
  }
  maker.prototype = prototype
  return maker as unknown as new () => Instance
}

/** The object of a class, its fields empty. */
export function newInstance(cls: Class): Instance {
  return new cls.$maker()
}

// The linear order of all bases: each class before its bases, bases in the order in which they were written.
function mergeOrders(name: string, bases: readonly Class[]): Class[] {
  if (bases.length === 1) return bases[0]!.$order.slice()
  const lists = [...bases.map((b) => b.$order.slice()), bases.slice()]
  const out: Class[] = []
  for (;;) {
    const left = lists.filter((l) => l.length > 0)
    if (left.length === 0) return out
    const next = left.map((l) => l[0]!).find((c) => left.every((l) => l.indexOf(c) < 1))
    if (next === undefined) {
      throw new GuestError(
        'TypeError',
        `Cannot create a consistent method resolution order (MRO) for bases ${bases.map((b) => b.$name).join(', ')} of ${name}`,
      )
    }
    out.push(next)
    for (const l of lists) if (l[0] === next) l.shift()
  }
}

/** What stands behind a class's own members: its base's, or one layer of copies for each class behind it. */
function inherited(cls: Class): { readonly members: object | null; readonly methods: object | null } {
  if (cls.$bases.length === 0) return { members: null, methods: null }
  if (cls.$bases.length === 1) return { members: cls.$bases[0]!.$members, methods: cls.$bases[0]!.$methods }
  let chain: { members: object | null; methods: object | null } = { members: null, methods: null }
  for (let i = cls.$order.length - 1; i > 0; i--) {
    const behind = cls.$order[i]!
    const layer: Layer = {
      members: Object.create(chain.members) as Members,
      methods: Object.create(chain.methods) as Layer['methods'],
    }
    Object.assign(layer.members, behind.$members)
    Object.assign(layer.methods, behind.$methods)
    behind.$copies.push(layer)
    chain = layer
  }
  return chain
}

export function setMember(cls: Class, name: string, value: Value): void {
  const method = binds(value) ? value : undefined
  cls.$members[name] = value
  cls.$methods[name] = method
  for (const copy of cls.$copies) {
    copy.members[name] = value
    copy.methods[name] = method
  }
}

function removeMember(cls: Class, name: string): boolean {
  if (!Object.hasOwn(cls.$members, name)) return false
  for (const { members, methods } of [{ members: cls.$members, methods: cls.$methods }, ...cls.$copies]) {
    delete members[name]
    delete methods[name]
  }
  return true
}

let settle: (cls: Class) => void = () => undefined

/** What is to be done when a class has got a special method: instances.ts says. */
export function settleClassesBy(f: typeof settle): void {
  settle = f
}

/** What a class can do as a value. */
export const classProtocol: Protocol = {
  getAttribute: (x, name) => classAttribute(classIn(x)!, name),
  setAttribute(x, name, value) {
    const cls = classIn(x)!
    if (cls.$kind !== 'program') {
      throw new GuestError('TypeError', `cannot set '${name}' attribute of immutable type '${cls.$name}'`)
    }
    setMember(cls, name, value)
    if (name.startsWith('__')) settle(cls)
    return true
  },
  deleteAttribute: (x, name) => removeMember(classIn(x)!, name),
  attributeNames: (x) => namesIn(classIn(x)!.$members),
  callMethod(x, name, args, given) {
    const cls = classIn(x)!
    const member = cls.$members[name]
    return member instanceof ClassMethod && isCallable(member.$function)
      ? callBound(member.$function, cls.$value, args, given)
      : undefined
  },
  equals(x, other) {
    if (typeof other !== 'string') return undefined
    const { $name, $kind } = classIn(x)!
    return $kind === 'builtin' && (other === $name || (other === 'string' && $name === 'str'))
  },
  binary: (operator, x, other, reflected) =>
    operator === '|' ? united(reflected ? other : x, reflected ? x : other) : undefined,
  // `list[int]` is a list all the same.
  getItem: (x) => x,
  truth: () => true,
  repr: (x) => {
    const cls = classIn(x)!
    const home = moduleOf(cls)
    return `<class '${home === 'builtins' ? '' : `${home}.`}${cls.$name}'>`
  },
}

/** The module in which CPython has the class. */
function moduleOf(cls: Class): string {
  if (cls.$kind === 'program') return '__main__'
  return Object.hasOwn(cls.$extras, 'module') ? (cls.$extras.module as string) : 'builtins'
}

// ---- class values ----------------------------------------------------------------------------------------------

const CLASS: unique symbol = Symbol('class') as never

/** The class that a value stands for, or undefined when it is no class. */
export function classIn(x: Value): Class | undefined {
  return typeof x === 'function' ? (x as { [CLASS]?: Class })[CLASS] : undefined
}

/** Makes a callable the value of a class. */
export function attachClass(f: Callable, cls: Class): void {
  Object.defineProperty(f, CLASS, { value: cls, configurable: true })
  Object.defineProperty(f, PROTOCOL, { value: classProtocol, configurable: true })
  cls.$value = f
}

const named = new Map<string, Class>()

/** The built-in types by name; what they inherit from besides `object`. */
const typeBases: Readonly<Record<string, string>> = {
  bool: 'int',
  Counter: 'dict',
  defaultdict: 'dict',
  OrderedDict: 'dict',
  datetime: 'date',
  timezone: 'tzinfo',
}

/** The built-in type of that name. Made from `f` where that is given, else a class that can't be called. */
export function builtinClass(name: string, f?: Callable): Class {
  const known = named.get(name)
  if (known !== undefined) {
    // Others may have inherited from it before it got its callable.
    if (f !== undefined) attachClass(f, known)
    return known
  }
  const cls = new Class(name, 'builtin', name === 'object' ? [] : [builtinClass(typeBases[name] ?? 'object')])
  named.set(name, cls)
  attachClass(f ?? uncallable(name), cls)
  return cls
}

/** Registers the callable that makes values of a kind, so that `type(x)` finds it; `base` names what it inherits from. */
export function registerClass(name: string, f: Callable, base = 'object'): Class {
  const cls = new Class(name, 'builtin', [builtinClass(base)])
  named.set(name, cls)
  attachClass(f, cls)
  return cls
}

function uncallable(name: string): Callable {
  return builtin(name, '*args, **kwargs', () => {
    throw new GuestError('TypeError', `cannot create '${name}' instances`)
  })
}

export const objectClass: Class = builtinClass(
  'object',
  builtin('object', '', () => newInstance(objectClass)),
)
export const typeClass: Class = builtinClass(
  'type',
  builtin('type', '*args', (args) => {
    const given = args as Tuple
    if (given.length !== 2) {
      throw new GuestError(
        'TypeError',
        'type() takes 1 argument here: classes can not be made while the program runs',
        {
          hint: 'write a class statement',
        },
      )
    }
    return classOf(given[1]!).$value
  }),
)

/** The class of any value. */
export function classOf(x: Value): Class {
  if (x instanceof Instance) return x.$class
  if (x instanceof GuestError) return errorClass(x)
  if (classIn(x) !== undefined) return typeClass
  const own = protocolOf(x)?.classValue?.(x as object)
  if (own !== undefined) {
    const cls = classIn(own)
    if (cls !== undefined) return cls
  }
  return builtinClass(typeName(x))
}

export function inheritsFrom(cls: Class, ancestor: Class): boolean {
  return cls === ancestor || cls.$order.indexOf(ancestor) >= 0
}

export function isInstanceOf(x: Value, cls: Class): boolean {
  if (cls.$has !== undefined ? cls.$has(x) : inheritsFrom(classOf(x), cls)) return true
  return cls.$name === 'str' && cls.$kind === 'builtin' && rememberedText(x) !== undefined
}

/** `int | str` as a value. */
export class Union {
  readonly $types: readonly Value[]
  constructor(types: readonly Value[]) {
    this.$types = types
  }
}
const unionProtocol: Protocol = {
  binary: (operator, x, other, reflected) =>
    operator === '|' ? united(reflected ? other : (x as Union), reflected ? (x as Union) : other) : undefined,
  repr: (x) => (x as Union).$types.map((t) => (t === null ? 'None' : (classIn(t)?.$name ?? typeName(t)))).join(' | '),
  truth: () => true,
}
Object.defineProperty(Union.prototype, PROTOCOL, { value: unionProtocol })
nameClass((x) => x instanceof Union, 'UnionType')

function united(a: Value, b: Value): Value | undefined {
  const parts = (x: Value): readonly Value[] | undefined =>
    x instanceof Union ? x.$types : x === null || classIn(x) !== undefined ? [x] : undefined
  const left = parts(a)
  const right = parts(b)
  return left === undefined || right === undefined
    ? undefined
    : new Union([...left, ...right.filter((t) => !left.includes(t))])
}

function matchesType(x: Value, type: Value, fits: (cls: Class) => boolean, message: string): boolean {
  if (isTuple(type)) return type.slice(1).some((t) => matchesType(x, t, fits, message))
  if (type instanceof Union)
    return type.$types.some((t) => (t === null ? x === null : matchesType(x, t, fits, message)))
  const cls = classIn(type)
  if (cls !== undefined) return fits(cls)
  // A callable of a module that makes values of its own name.
  if (isCallable(type) && type.sig.builtin) return typeName(x) === type.sig.name
  throw new GuestError(
    'TypeError',
    message,
    typeof type === 'string' ? { hint: 'give the type itself, not its name' } : undefined,
  )
}

export function isInstance(x: Value, type: Value): boolean {
  const cls = classIn(type)
  if (cls !== undefined) return isInstanceOf(x, cls)
  return matchesType(
    x,
    type,
    (c) => isInstanceOf(x, c),
    'isinstance() arg 2 must be a type, a tuple of types, or a union',
  )
}

function isSubclass(x: Value, type: Value): boolean {
  const cls = classIn(x)
  if (cls === undefined) throw new GuestError('TypeError', 'issubclass() arg 1 must be a class')
  return matchesType(
    x,
    type,
    (c) => inheritsFrom(cls, c),
    'issubclass() arg 2 must be a class, a tuple of classes, or a union',
  )
}

export const classBuiltins: Readonly<Record<string, Value>> = {
  object: objectClass.$value,
  type: typeClass.$value,
  isinstance: builtin('isinstance', 'object, classinfo, /', (x, type) => isInstance(x!, type!)),
  issubclass: builtin('issubclass', 'cls, classinfo, /', (x, type) => isSubclass(x!, type!)),
  vars: builtin('vars', 'object, /', (x) => {
    if (x instanceof Instance) return objectAttribute(x, x.$class, x.$fields, '__dict__')!
    throw new GuestError('TypeError', 'vars() argument must have __dict__ attribute')
  }),
  super: builtin('super', 'type=, object=, /', (type, x) => {
    const cls = type === undefined ? undefined : classIn(type)
    if (cls === undefined || x === undefined)
      throw new GuestError('RuntimeError', 'super(): no arguments', { hint: 'call it inside a method of a class' })
    return superOf(cls, x)
  }),
}

// ---- exceptions ------------------------------------------------------------------------------------------------

const exceptions: Record<string, Class> = Object.create(null)

/** The class of a built-in exception. */
export function exceptionClass(kind: string): Class {
  const known = exceptions[kind]
  if (known !== undefined) return known
  const base = exceptionBases[kind]
  const cls = new Class(kind, 'exception', [base === null || base === undefined ? objectClass : exceptionClass(base)])
  exceptions[kind] = cls
  attachClass(classCallable(cls), cls)
  return cls
}

export function errorClass(e: GuestError): Class {
  return (e.$class as Class | undefined) ?? exceptionClass(e.kind)
}

// ---- making objects --------------------------------------------------------------------------------------------

const anyArguments = parseSignature('', '*args, **kwargs')

/** The callable that makes objects of a class; `fitCallable` gives it the signature of `__init__`. */
export function classCallable(cls: Class): Callable {
  // Absent arguments are undefined to a method of the program as well, so passing more of them than were given changes nothing.
  const f = (a?: Value, b?: Value, c?: Value, d?: Value, e?: Value, g?: Value, h?: Value, i?: Value): Value => {
    const init = cls.$init
    if (init === undefined) {
      const given = b as Map<string, Value>
      return construct(cls, (a as Tuple).slice(1), given.size === 0 ? undefined : [...given].flat())
    }
    const x = new cls.$maker()
    init(x, a, b, c, d, e, g, h, i)
    return x
  }
  return define(f as object, { ...anyArguments, name: cls.$name, builtin: cls.$kind !== 'program' })
}

/** The most arguments that the callable hands on as they are. */
const MOST_DIRECT = 8

/** `cls(…)`. */
export function construct(cls: Class, args: readonly Value[], given: readonly Value[] | undefined): Value {
  if (cls.$make !== undefined) return cls.$make(args, given)
  const make = cls.$members.__new__
  if (make !== undefined && make !== objectClass.$members.__new__) {
    const x = callNamed(make instanceof StaticMethod ? make.$function : make, [cls.$value, ...args], given)
    if (isInstanceOf(x, cls)) initialise(cls, x, args, given)
    return x
  }
  if (inheritsFrom(cls, exceptionClass('BaseException'))) {
    const e = new GuestError(cls.$name, '', { args })
    if (cls.$kind === 'program') e.$class = cls
    initialise(cls, e, args, given)
    return e
  }
  const x = newInstance(cls)
  initialise(cls, x, args, given)
  return x
}

function initialise(cls: Class, x: Value, args: readonly Value[], given: readonly Value[] | undefined): void {
  const init = cls.$members.__init__
  if (isCallable(init!)) {
    if (
      init.sig.builtin &&
      cls.$kind === 'program' &&
      init === objectClass.$members.__init__ &&
      (args.length > 0 || given !== undefined)
    ) {
      throw new GuestError('TypeError', `${cls.$name}() takes no arguments`)
    }
    callBound(init, x, args, given)
  }
}

/** Fits the callable of a class to its `__init__`: the arguments of a call are those of the method, without the object. */
export function fitCallable(cls: Class): void {
  const init = cls.$members.__init__
  const usual =
    cls.$members.__new__ === objectClass.$members.__new__ &&
    cls.$make === undefined &&
    !inheritsFrom(cls, exceptionClass('BaseException'))
  const slots = (f: Signature): number => f.parameters.length + (f.argsSlot >= 0 ? 1 : 0) + (f.kwargsSlot >= 0 ? 1 : 0)
  if (
    usual &&
    isCallable(init!) &&
    !init.sig.builtin &&
    init.sig.positional > 0 &&
    slots(init.sig) <= MOST_DIRECT + 1
  ) {
    cls.$init = init as unknown as Native
    const qualified = init.sig.qualified ?? `${cls.$name}.__init__`
    define(cls.$value, {
      ...withoutFirst(init.sig),
      name: cls.$name,
      qualified,
      unbound: { ...init.sig, qualified },
    })
  } else {
    cls.$init = undefined
    define(cls.$value, { ...anyArguments, name: cls.$name, builtin: false })
  }
  const watches = cls.$members.__setattr__ !== objectClass.$members.__setattr__
  Object.assign(cls.$prototype, { [OPEN]: watches ? undefined : cls.$members })
}

// ---- attributes of objects -------------------------------------------------------------------------------------

/** Does reading this member from an object fill its first parameter with the object? */
function binds(f: Value): f is Callable {
  return (
    isCallable(f) &&
    (!f.sig.builtin || (f as { $binds?: boolean }).$binds === true) &&
    classIn(f) === undefined &&
    !('$self' in f)
  )
}

/** Lets a builtin function be a method of the class whose member it is. */
export function asMethod(f: Callable): Callable {
  ;(f as unknown as { $binds: boolean }).$binds = true
  return f
}

/** A member of `cls` as `x.name` gives it. */
export function memberFor(x: Value, cls: Class, member: Value): Value {
  if (typeof member === 'function') return binds(member) ? bindFunction(member, x) : member
  if (member instanceof Property) return propertyValue(member, x)
  if (member instanceof StaticMethod) return member.$function
  if (member instanceof ClassMethod) return bindFunction(member.$function as Callable, cls.$value)
  const get = protocolOf(member)?.bindTo
  return get === undefined ? member : get(member as object, x)
}

function propertyValue(p: Property, x: Value): Value {
  if (p.$get === null) throw new GuestError('AttributeError', 'unreadable attribute')
  const value = call(p.$get, [x])
  if (p.$kept) fieldsOf(x)[p.$name] = value
  return value
}

/** The record of an object's fields. */
export function fieldsOf(x: Value): RecordDict {
  if (x instanceof Instance) return x.$fields
  return ((x as GuestError).attributes ??= {}) as RecordDict
}

/** `x.name` for an object of a class, or undefined. */
export function objectAttribute(x: Value, cls: Class, fields: RecordDict, name: string): Value | undefined {
  const member = cls.$members[name]
  if (member instanceof Property && !member.$kept) return propertyValue(member, x)
  const field = dictGet(fields, name)
  if (field !== undefined) return field
  if (member !== undefined) return memberFor(x, cls, member)
  switch (name) {
    case '__class__':
      return cls.$value
    case '__dict__':
      // What is done to the dict can make it another kind of dict: its fields are no longer set directly.
      if (x instanceof Instance) x[OPEN] = undefined
      return fields
    case '__doc__':
      return null
    case '__module__':
      return '__main__'
    default:
      break
  }
  const fallback = cls.$members.__getattr__
  return fallback === undefined ? undefined : callBound(fallback as Callable, x, [name])
}

/** `x.name = value` for an object of a class. */
export function setObjectAttribute(x: Value, cls: Class, name: string, value: Value): void {
  const custom = cls.$members.__setattr__
  if (custom !== undefined && custom !== objectClass.$members.__setattr__) {
    callBound(custom as Callable, x, [name, value])
    return
  }
  setField(x, cls, name, value)
}

function setField(x: Value, cls: Class, name: string, value: Value): void {
  const member = cls.$members[name]
  if (member instanceof Property && !member.$kept) {
    if (member.$set === null)
      throw new GuestError('AttributeError', `property '${name}' of '${cls.$name}' object has no setter`)
    call(member.$set, [x, value])
    return
  }
  dictSet(fieldsOf(x), name, value)
}

function deleteField(x: Value, cls: Class, name: string): void {
  const member = cls.$members[name]
  if (member instanceof Property && !member.$kept) {
    if (member.$delete === null)
      throw new GuestError('AttributeError', `property '${name}' of '${cls.$name}' object has no deleter`)
    call(member.$delete, [x])
    return
  }
  const fields = fieldsOf(x)
  if (dictGet(fields, name) === undefined)
    throw new GuestError('AttributeError', `'${cls.$name}' object has no attribute '${name}'`)
  delete fields[name]
}

Object.assign(objectClass.$members, {
  __init__: asMethod(builtin('__init__', 'self, /, *args, **kwargs', () => null)),
  __new__: builtin('__new__', 'cls, /, *args, **kwargs', (cls) => {
    const c = classIn(cls!)
    if (c === undefined)
      throw new GuestError('TypeError', `object.__new__(X): X is not a type object (${typeName(cls!)})`)
    if (!inheritsFrom(c, exceptionClass('BaseException'))) return newInstance(c)
    const e = new GuestError(c.$name, '', { args: [] })
    e.$class = c
    return e
  }),
  __init_subclass__: new ClassMethod(asMethod(builtin('__init_subclass__', 'cls, /', () => null))),
  __setattr__: asMethod(
    builtin('__setattr__', 'self, name, value, /', (x, name, value) => {
      setField(x!, classOf(x!), name as string, value!)
      return null
    }),
  ),
  __delattr__: asMethod(
    builtin('__delattr__', 'self, name, /', (x, name) => {
      deleteField(x!, classOf(x!), name as string)
      return null
    }),
  ),
})

/** `super()` in a method of `cls` for the object or class `x`. */
export class Super {
  readonly $class: Class
  readonly $object: Value
  constructor(cls: Class, x: Value) {
    this.$class = cls
    this.$object = x
  }
}

export function superOf(cls: Class, x: Value): Value {
  return new Super(cls, x)
}

function memberBehind(s: Super, name: string): { readonly member: Value; readonly cls: Class } | undefined {
  const own = classIn(s.$object) ?? classOf(s.$object)
  const order = own.$order
  for (let i = order.indexOf(s.$class) + 1; i < order.length; i++) {
    const members = order[i]!.$members
    if (Object.hasOwn(members, name)) return { member: members[name]!, cls: own }
  }
  return undefined
}

const superProtocol: Protocol = {
  getAttribute(x, name) {
    const s = x as Super
    const found = memberBehind(s, name)
    if (found === undefined) return undefined
    if (name === '__new__') return found.member
    const onClass = classIn(s.$object)
    return onClass === undefined ? memberFor(s.$object, found.cls, found.member) : memberOfClass(onClass, found.member)
  },
  callMethod(x, name, args, given) {
    const s = x as Super
    const found = memberBehind(s, name)
    return found !== undefined && binds(found.member) && classIn(s.$object) === undefined
      ? callBound(found.member, s.$object, args, given)
      : undefined
  },
  attributeNames: () => [],
  repr: (x) => `<super: ${(x as Super).$class.$name}>`,
}
Object.defineProperty(Super.prototype, PROTOCOL, { value: superProtocol })
nameClass((x) => x instanceof Super, 'super')

// ---- attributes of classes -------------------------------------------------------------------------------------

function namesIn(members: Members): string[] {
  const names: string[] = []
  for (const name in members) if (!names.includes(name)) names.push(name)
  return names
}

function memberOfClass(cls: Class, member: Value): Value {
  if (member instanceof StaticMethod) return member.$function
  if (member instanceof ClassMethod) return bindFunction(member.$function as Callable, cls.$value)
  return member
}

let typeMember: (type: string, name: string) => Value | undefined = () => undefined

/** How methods of built-in types are found as functions: `str.upper`. */
export function typeMembersBy(f: typeof typeMember): void {
  typeMember = f
}

function classAttribute(cls: Class, name: string): Value | undefined {
  const member = cls.$members[name]
  if (member !== undefined) return memberOfClass(cls, member)
  for (const c of cls.$order) {
    if (c.$kind !== 'builtin') continue
    const found = typeMember(c.$name, name)
    if (found !== undefined) return found
  }
  switch (name) {
    case '__name__':
      return cls.$name
    case '__qualname__':
      return cls.$value.sig.qualified?.replace(/\.__init__$/, '') ?? cls.$name
    case '__module__':
      return moduleOf(cls)
    case '__doc__':
      return null
    case '__mro__':
      return tuple(cls.$order.map((c) => c.$value))
    case '__bases__':
      return tuple(cls.$bases.map((c) => c.$value))
    case '__base__':
      return cls.$bases[0]?.$value ?? null
    case '__class__':
      return typeClass.$value
    case '__dict__':
      return Object.assign({}, cls.$members)
    case 'mro':
      return builtin('mro', '', () => cls.$order.map((c) => c.$value))
    default:
      return undefined
  }
}
