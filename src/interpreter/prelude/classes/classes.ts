// Classes as values: the built-in types, the exceptions and the classes of the program, in one model. A class is a
// callable that carries a Class.
//
// The members of a class inherit those of its base through JavaScript's prototypes, so looking up a method is one
// property read. A class with several bases has copies of their members behind its own, and `setMember` keeps them up
// to date. An object of a program's class is an Instance. Its fields are a record, which is its `__dict__`. So no field
// is a property of the object itself, and constant keys of records can still be read as properties. The Protocol on the
// class's JavaScript prototype has the abilities of objects other than attributes (operators, iteration, text). Knows
// no particular class: known-classes.ts has the built-in ones.
// Invariant: `order[0]` of a class is the class itself, and `members` has the members of every class in `order`.

import { type Callable, isCallable, type Native } from '../calls/signature.js'
import { GuestError, guestError } from '../values/errors.js'
import { PROTOCOL, type Protocol, protocolOf } from '../values/protocol.js'
import { asName, joined, said } from '../values/said.js'
import type { RecordDict, Value } from '../values/values.js'

export type Members = Record<string, Value>

export class Class {
  readonly $name: string
  readonly $kind: 'builtin' | 'exception' | 'program'
  readonly $bases: readonly Class[]
  /** The direct subclasses. */
  readonly $subclasses: Class[]
  /** The class and its bases, in the order in which members are looked up. */
  readonly $order: readonly Class[]
  readonly $members: Members
  /** The plain functions among the members. An undefined entry hides an inherited function. */
  readonly $methods: Record<string, Callable | undefined>
  /** Copies of the members in classes with several bases. */
  readonly $copies: Layer[]
  /** JavaScript's prototype of the objects, and below, the constructor that makes objects without fields. */
  readonly $prototype: object
  readonly $maker: new () => Instance
  /** The `__init__` whose parameters the callable of the class has. It receives the arguments of a call unchanged. */
  $init: Native | undefined
  $value: Callable
  /** Decides `isinstance` if the class alone does not decide it. */
  $has: ((x: Value) => boolean) | undefined
  /** The constructor of the objects, if it is not the usual one. */
  $make: ((args: readonly Value[], named: readonly Value[] | undefined) => Value) | undefined
  /** Data of special kinds of classes: the fields of a dataclass, the members of an enum. */
  $extras: Record<string, unknown>

  constructor(name: string, kind: 'builtin' | 'exception' | 'program', bases: readonly Class[]) {
    this.$name = name
    this.$kind = kind
    this.$bases = bases
    this.$subclasses = []
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
    for (const base of bases) base.$subclasses.push(this)
    this.$extras = bases[0] === undefined ? {} : Object.create(bases[0].$extras)
  }
}

// Generated code reaches into objects of the program's classes through these symbols, which no other value has.

/** The record of an object's fields. */
export const FIELDS: unique symbol = Symbol('fields') as never

/** The plain functions among the members of the object's class. Each is called with the object. */
export const METHODS: unique symbol = Symbol('methods') as never

/** The members of the object's class, if assigning any other name only sets a field. Undefined if it does more. */
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

/** An object without fields. */
export function newInstance(cls: Class): Instance {
  return new cls.$maker()
}

function makerOf(prototype: object): new () => Instance {
  const maker = function (this: { [FIELDS]: RecordDict }): void {
    this[FIELDS] = {}
  }
  maker.prototype = prototype
  return maker as unknown as new () => Instance
}

/** The prototypes behind the own members and methods of a class. */
interface Layer {
  readonly members: Members
  readonly methods: Record<string, Callable | undefined>
}

/** The prototype of a class's own members: its base's, or one layer of copies for each class behind it. */
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

// The linear order of all bases: each class precedes its bases, and bases are in the order in which they were written.
function mergeOrders(name: string, bases: readonly Class[]): Class[] {
  if (bases.length === 1) return bases[0]!.$order.slice()
  const lists = [...bases.map((b) => b.$order.slice()), bases.slice()]
  const out: Class[] = []
  for (;;) {
    const left = lists.filter((l) => l.length > 0)
    if (left.length === 0) return out
    const next = left.map((l) => l[0]!).find((c) => left.every((l) => l.indexOf(c) < 1))
    if (next === undefined) {
      throw guestError(
        'TypeError',
        said`Cannot create a consistent method resolution order (MRO) for bases ${joined(
          bases.map((b) => asName(b.$name)),
          ', ',
        )} of ${asName(name)}`,
      )
    }
    out.push(next)
    for (const l of lists) if (l[0] === next) l.shift()
  }
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

export function removeMember(cls: Class, name: string): boolean {
  if (!Object.hasOwn(cls.$members, name)) return false
  for (const { members, methods } of [{ members: cls.$members, methods: cls.$methods }, ...cls.$copies]) {
    delete members[name]
    delete methods[name]
  }
  return true
}

/** True if reading this member from an object binds the object to its first parameter. */
export function binds(f: Value): f is Callable {
  return (
    isCallable(f) &&
    (!f.sig.builtin || (f as { $binds?: boolean }).$binds === true) &&
    classIn(f) === undefined &&
    !('$self' in f)
  )
}

/** Makes a builtin function a method of the class whose member it is. */
export function asMethod(f: Callable): Callable {
  ;(f as unknown as { $binds: boolean }).$binds = true
  return f
}

const CLASS: unique symbol = Symbol('class') as never

/** The class that a value stands for; undefined if it is not a class. */
export function classIn(x: Value): Class | undefined {
  return typeof x === 'function' ? (x as { [CLASS]?: Class })[CLASS] : undefined
}

/** The protocol of classes as values. It depends on known classes, so class-protocol.ts fills it in. */
export const classProtocol: Protocol = {}

/** Makes a callable the value of a class. */
export function attachClass(f: Callable, cls: Class): void {
  Object.defineProperty(f, CLASS, { value: cls, configurable: true })
  Object.defineProperty(f, PROTOCOL, { value: classProtocol, configurable: true })
  cls.$value = f
}

/** A method like `__get__` of a member, if the member is an object of a class of the program. */
export function descriptorMethod(member: Value | undefined, name: string): Callable | undefined {
  return member instanceof Instance ? (member.$class.$members[name] as Callable | undefined) : undefined
}

/** The class that an object stores. Undefined for values of built-in types. */
export function classOfObject(x: Value): Class | undefined {
  if (x instanceof Instance) return x.$class
  if (x instanceof GuestError) return x.$class as Class | undefined
  const own = protocolOf(x)?.classValue?.(x as object)
  return own === undefined ? undefined : classIn(own)
}

export function inheritsFrom(cls: Class, ancestor: Class): boolean {
  return cls === ancestor || cls.$order.indexOf(ancestor) >= 0
}

/** True if the objects of the class are exceptions. */
export function isException(cls: Class): boolean {
  for (const c of cls.$order) if (c.$kind === 'exception') return true
  return false
}

/** `object`, from which every class inherits. */
export function rootOf(cls: Class): Class {
  return cls.$order.at(-1)!
}
