// Enums. The members of an enum are objects of its class and are created when the class statement ends. The class
// itself can be iterated over, indexed by name and called with a value.

import { callBound } from '../../calls/bound-functions.js'
import { boundMethod } from '../../calls/method-tables.js'
import { builtin, type Callable, call, isCallable } from '../../calls/signature.js'
import { classProtocol } from '../../classes/class-protocol.js'
import { asMethod, attachClass, Class, classIn, Instance, newInstance, OPEN, setMember } from '../../classes/classes.js'
import { classCallable } from '../../classes/construct.js'
import { ClassMethod, Property, StaticMethod } from '../../classes/descriptors.js'
import { settleClass, special } from '../../classes/instances.js'
import { builtinClass, objectClass } from '../../classes/known-classes.js'
import { fieldsOf, objectAttribute, setObjectAttribute } from '../../classes/object-attributes.js'
import { dictFlat, dictOf } from '../../containers/dict.js'
import { hash } from '../../containers/hashing.js'
import { items } from '../../containers/iterate.js'
import { key } from '../../containers/keys.js'
import { add, floorDiv, mod, mul, negate, power, sub, trueDiv } from '../../operators/arithmetic.js'
import { bitAnd, bitOr, bitXor, invert, shiftLeft, shiftRight } from '../../operators/bits.js'
import { equal, greater, greaterEqual, less, lessEqual } from '../../operators/comparison.js'
import { Iterator } from '../../operators/iterators.js'
import { truth } from '../../operators/membership.js'
import { index } from '../../operators/subscript.js'
import { beginClass, type ClassBody, finishClass } from '../../statements/class-statements.js'
import { formatValue } from '../../text/format-spec.js'
import { quoted, repr, str } from '../../text/repr.js'
import { setContent } from '../../values/contents.js'
import { guestError } from '../../values/errors.js'
import { PROTOCOL, type Protocol } from '../../values/protocol.js'
import { asName, joined, said } from '../../values/said.js'
import { isDict, isInt, isTuple, nameClass, TUPLE, type Value } from '../../values/values.js'

/**
 * A value that is computed when the members are created: `auto()`, and results of operators on it in the class body.
 */
export class Auto {
  $value: Value | undefined
  readonly $compute: (() => Value) | undefined
  constructor(compute?: () => Value) {
    this.$compute = compute
  }
}

function settledValue(x: Value): Value {
  return x instanceof Auto ? (x.$value ?? x.$compute?.() ?? null) : x
}

Object.defineProperty(Auto.prototype, PROTOCOL, {
  value: {
    repr: () => 'auto()',
    truth: () => true,
    binary(operator, x, other, reflected) {
      const f = operations[operator]
      if (f === undefined) return undefined
      const [a, b] = reflected ? [other, x] : [x, other]
      return new Auto(() => f(settledValue(a), settledValue(b)))
    },
  } satisfies Protocol,
})
nameClass((x) => x instanceof Auto, 'auto')

export interface Members {
  /** The members without aliases, in order. */
  readonly all: Instance[]
  readonly byName: Map<string, Instance>
}

export function membersOf(cls: Class): Members {
  return (cls.$extras.enumeration as Members | undefined) ?? { all: [], byName: new Map() }
}

export function plainValue(x: Value): Value {
  return fieldsOf(x)._value_ ?? null
}

export function nameOf(x: Value): string {
  return fieldsOf(x)._name_ as string
}

/** An abstract enum class. The classes that programs derive from it get members. */
export function enumClass(name: string, bases: readonly Class[]): Class {
  const cls = new Class(name, 'builtin', bases)
  attachClass(classCallable(cls), cls)
  cls.$extras.finish = finish
  cls.$extras.inheritable = true
  cls.$make = (args) => made(cls, args)
  return cls
}

export const Enum: Class = enumClass('Enum', [objectClass])

function isPlain(x: Value): boolean {
  return (
    !(isCallable(x) && classIn(x) === undefined) &&
    classIn(x) === undefined &&
    !(x instanceof Property) &&
    !(x instanceof StaticMethod) &&
    !(x instanceof ClassMethod)
  )
}

function finish(cls: Class, body: ClassBody): undefined {
  const inherited = cls.$bases.find((b) => membersOf(b).all.length > 0)
  if (inherited !== undefined) {
    throw guestError('TypeError', said`<enum '${asName(cls.$name)}'> cannot extend <enum '${asName(inherited.$name)}'>`)
  }
  const members: Members = { all: [], byName: new Map() }
  cls.$extras.enumeration = members
  const mixed = mixin(cls)
  cls.$extras.protocol = { ...(mixed ? valueProtocol(cls) : {}), setAttribute: setOf(cls) }
  if (mixed) cls.$extras.hashKey = (x: Instance) => key(plainValue(x))
  cls.$make = (args) => made(cls, args)
  settleClass(cls)
  Object.assign(cls.$prototype, { [OPEN]: undefined })
  // A class's own `__new__` may use the members that come before its own.
  Object.defineProperty(cls.$value, PROTOCOL, { value: enumProtocol, configurable: true })
  body.names.forEach((name, i) => {
    const value = body.values[i]
    if (value === undefined || name.startsWith('_') || !isPlain(value)) return
    setMember(cls, name, addMember(cls, members, name, value))
  })
  return undefined
}

/** Refuses to change the name and the value of a member. */
function setOf(cls: Class): NonNullable<Protocol['setAttribute']> {
  return (x, name, value) => {
    if (name === 'name' || name === 'value')
      throw guestError('AttributeError', said`<enum '${asName(cls.$name)}'> cannot set attribute '${name}'`)
    setObjectAttribute(x, cls, name, value)
    return true
  }
}

/** True if the enum has a mixed-in value type, so that its members count as such values. */
function mixin(cls: Class): boolean {
  return cls.$order.some((c) => c.$name === 'int' || c.$name === 'str' || c.$name === 'float')
}

function addMember(cls: Class, members: Members, name: string, value0: Value): Instance {
  const value = value0 instanceof Auto ? (value0.$compute?.() ?? nextValue(cls, members, name)) : value0
  if (value0 instanceof Auto) value0.$value = value
  const args = isTuple(value) ? value.slice(1) : [value]
  const x = newMember(cls, args)
  const plain = fieldsOf(x)._value_ ?? value
  if (mixin(cls)) setContent(x, plain)
  Object.assign(x.$fields, { _name_: name, _value_: plain, name, value: plain })
  const init = cls.$members.__init__
  if (init !== undefined && isCallable(init) && !init.sig.builtin) callBound(init, x, args)
  fieldsOf(x).value = plainValue(x)
  const same = [...members.byName.values()].find((m) => equal(plainValue(m), plainValue(x)))
  const isCanonical = (cls.$extras.isCanonical as ((value: Value) => boolean) | undefined) ?? (() => true)
  if (same === undefined && isCanonical(plainValue(x))) members.all.push(x)
  members.byName.set(name, same ?? x)
  return same ?? x
}

/** Creates a member. A class's own `__new__` may choose its value. */
function newMember(cls: Class, args: readonly Value[]): Instance {
  const make = cls.$members.__new__
  const own = make instanceof StaticMethod ? make.$function : make
  return own !== undefined && isCallable(own) && !own.sig.builtin
    ? (callBound(own, cls.$value, args) as unknown as Instance)
    : newInstance(cls)
}

/** The value of `auto()`: the class's own choice, the next int, or the name in lower case. */
function nextValue(cls: Class, members: Members, name: string): Value {
  const given = cls.$members._generate_next_value_
  const generate = given instanceof StaticMethod ? given.$function : given
  if (generate !== undefined) {
    const before = [...members.byName.values()].map(plainValue)
    return call(generate as Value, [name, 1, before.length, before])
  }
  if (cls.$order.some((c) => c.$name === 'StrEnum')) return name.toLowerCase()
  const own = cls.$extras.nextValue as ((members: Members) => Value) | undefined
  if (own !== undefined) return own(members)
  const last = [...members.byName.values()].findLast((m) => isInt(plainValue(m)))
  return last === undefined ? 1 : add(plainValue(last), 1)
}

/** `Color(value)`, and `Enum('Color', names)`. */
function made(cls: Class, args: readonly Value[]): Value {
  const members = membersOf(cls)
  if (members.all.length === 0 && args.length === 2) return fromNames(cls, args[0] as string, args[1]!)
  const [value] = args
  if (value === undefined)
    throw guestError('TypeError', `EnumType.__call__() missing 1 required positional argument: 'value'`)
  const found = [...members.byName.values()].find((m) => m === value || equal(plainValue(m), value))
  if (found !== undefined) return found
  const composed = (cls.$extras.compose as ((cls: Class, value: Value) => Value | undefined) | undefined)?.(cls, value)
  if (composed !== undefined) return composed
  const fallback = cls.$members._missing_
  if (fallback instanceof ClassMethod) {
    const x = callBound(fallback.$function as Callable, cls.$value, [value])
    if (x !== null) return x
  }
  throw guestError('ValueError', said`${quoted(value)} is not a valid ${asName(cls.$name)}`, {
    hint: said`the values are ${joined(
      members.all.map((m) => quoted(plainValue(m))),
      ', ',
    )}`,
  })
}

function fromNames(base: Class, name: string, names: Value): Value {
  const list =
    typeof names === 'string'
      ? names.split(/[\s,]+/).filter((n) => n !== '')
      : isDict(names)
        ? undefined
        : items(names).slice()
  const flat: Value[] =
    list === undefined
      ? dictFlat(names as object).slice()
      : list.flatMap((n, i) => (isTuple(n) ? [n[1]!, n[2]!] : [n, i + 1]))
  const body = {
    names: flat.filter((_, i) => i % 2 === 0) as string[],
    values: flat.filter((_, i) => i % 2 === 1),
    annotated: [],
  }
  return finishClass(beginClass(name, [base.$value], []), body)
}

const enumProtocol: Protocol = {
  ...classProtocol,
  getAttribute: (x, name) => {
    if (name === '__members__') return dictOf([...membersOf(classIn(x)!).byName].flat())
    return classProtocol.getAttribute!(x, name)
  },
  setAttribute(x, name, value) {
    if (membersOf(classIn(x)!).byName.has(name))
      throw guestError('AttributeError', said`cannot reassign member ${quoted(name)}`)
    return classProtocol.setAttribute!(x, name, value)
  },
  getItem: (x, name) => {
    const found = membersOf(classIn(x)!).byName.get(name as string)
    if (found === undefined) throw guestError('KeyError', said`${quoted(name)}`, { args: [name] })
    return found
  },
  iterate: (x) => {
    const { all } = membersOf(classIn(x)!)
    let i = 0
    return new Iterator('generator', () => all[i++])
  },
  items: (x) => membersOf(classIn(x)!).all.slice(),
  length: (x) => membersOf(classIn(x)!).all.length,
  contains: (x, element) => element instanceof Instance && element.$class === classIn(x),
  repr: (x) => `<${classIn(x)!.$extras.compose === undefined ? 'enum' : 'flag'} '${classIn(x)!.$name}'>`,
}

// ---- members that count as values ------------------------------------------------------------------------------

const operations: Readonly<Record<string, (a: Value, b: Value) => Value>> = {
  '+': add,
  '-': sub,
  '*': mul,
  '/': trueDiv,
  '//': floorDiv,
  '%': mod,
  '**': power,
  '&': bitAnd,
  '|': bitOr,
  '^': bitXor,
  '<<': shiftLeft,
  '>>': shiftRight,
  divmod: (a, b) => [TUPLE, floorDiv(a, b), mod(a, b)],
}

function unwrapped(x: Value): Value {
  return x instanceof Instance && mixin(x.$class) ? plainValue(x) : x
}

type Combine = (operator: string, x: Value, other: Value) => Value | undefined

function valueProtocol(cls: Class): Partial<Protocol> {
  return {
    getAttribute: (x, name) => {
      return objectAttribute(x, cls, fieldsOf(x), name) ?? boundMethod(plainValue(x), name)
    },
    equals: (x, other) => equal(plainValue(x), unwrapped(other)),
    order: (x, other, operator) => {
      const [a, b] = [plainValue(x), unwrapped(other)]
      return operator === '<'
        ? less(a, b)
        : operator === '<='
          ? lessEqual(a, b)
          : operator === '>'
            ? greater(a, b)
            : greaterEqual(a, b)
    },
    binary: (operator, x, other, reflected) => {
      const flag = (cls.$extras.combined as Combine | undefined)?.(operator, x, other)
      if (flag !== undefined) return flag
      const f = operations[operator]
      return f === undefined
        ? undefined
        : reflected
          ? f(unwrapped(other), plainValue(x))
          : f(plainValue(x), unwrapped(other))
    },
    unary: (operator, x) => {
      if (operator === '-') return negate(plainValue(x))
      if (operator !== '~') return plainValue(x)
      return (cls.$extras.inverted as ((x: Value) => Value) | undefined)?.(x) ?? invert(plainValue(x))
    },
    truth: (x) => truth(plainValue(x)),
    length: (x) => (typeof plainValue(x) === 'string' ? (plainValue(x) as string).length : undefined),
    contains: (x, element) =>
      cls.$extras.combined !== undefined
        ? truth(special(cls, x, '__contains__', [element])!)
        : typeof plainValue(x) === 'string' && typeof element === 'string'
          ? (plainValue(x) as string).includes(element)
          : undefined,
    hash: (x) => hash(plainValue(x)),
    getItem: (x, i) => (typeof plainValue(x) === 'string' ? index(plainValue(x), i) : undefined),
    jsonForm: plainValue,
  }
}

const text = (name: string, f: (x: Value) => string): void => {
  setMember(Enum, name, asMethod(builtin(name, 'self, /', (x) => f(x!))))
}
text('__repr__', (x) => `<${(x as Instance).$class.$name}.${nameOf(x)}: ${repr(plainValue(x))}>`)
text('__str__', (x) => `${(x as Instance).$class.$name}.${nameOf(x)}`)
setMember(
  Enum,
  '__format__',
  asMethod(builtin('__format__', 'self, spec, /', (x, spec) => formatValue(str(x!), spec as string))),
)

export const numeric: Class = enumClass('IntEnum', [Enum, builtinClass('int')])
export const textual: Class = enumClass('StrEnum', [Enum, builtinClass('str')])
for (const cls of [numeric, textual]) {
  setMember(cls, '__str__', asMethod(builtin('__str__', 'self, /', (x) => str(plainValue(x!)))))
  setMember(
    cls,
    '__format__',
    asMethod(
      builtin('__format__', 'self, spec, /', (x, spec) =>
        spec === '' ? str(x!) : formatValue(plainValue(x!), spec as string),
      ),
    ),
  )
}
