// The module `enum`. The members of an enum are objects of its class, made when the class statement ends; the class itself can be walked
// through, indexed by name and called with a value.

import { callBound } from '../bound-functions.js'
import { beginClass, type ClassBody, finishClass } from '../class-statements.js'
import {
  asMethod,
  attachClass,
  builtinClass,
  Class,
  classCallable,
  classIn,
  classProtocol,
  fieldsOf,
  Instance,
  newInstance,
  objectAttribute,
  objectClass,
  setMember,
} from '../classes.js'
import { setContent } from '../contents.js'
import { ClassMethod, Property, StaticMethod } from '../descriptors.js'
import { dictFlat, dictOf, isDict } from '../dict.js'
import { GuestError } from '../errors.js'
import { formatValue } from '../format.js'
import { hash } from '../hashing.js'
import { settleClass } from '../instances.js'
import { items } from '../iterate.js'
import { Iterator } from '../iterators.js'
import { key } from '../keys.js'
import { boundMethod } from '../methods.js'
import {
  add,
  bitAnd,
  bitOr,
  bitXor,
  equal,
  floorDiv,
  greater,
  greaterEqual,
  less,
  lessEqual,
  mod,
  mul,
  negate,
  power,
  shiftLeft,
  shiftRight,
  sub,
  trueDiv,
  truth,
} from '../operators.js'
import { PROTOCOL, type Protocol } from '../protocol.js'
import { builtin, type Callable, isCallable } from '../signature.js'
import { index } from '../subscript.js'
import { repr, str } from '../text.js'
import { isInt, isTuple, nameClass, TUPLE, type Value } from '../values.js'
import { type Module, module } from './module.js'

class Auto {}
Object.defineProperty(Auto.prototype, PROTOCOL, {
  value: { repr: () => 'auto()', truth: () => true } satisfies Protocol,
})
nameClass((x) => x instanceof Auto, 'auto')

interface Members {
  /** Without aliases, in order. */
  readonly all: Instance[]
  readonly byName: Map<string, Instance>
}

function membersOf(cls: Class): Members {
  return (cls.$extras.enumeration as Members | undefined) ?? { all: [], byName: new Map() }
}

function plainValue(x: Value): Value {
  return fieldsOf(x)._value_ ?? null
}

function nameOf(x: Value): string {
  return fieldsOf(x)._name_ as string
}

/** Makes an abstract enum class: the classes that programs derive from it get members. */
function enumClass(name: string, bases: readonly Class[]): Class {
  const cls = new Class(name, 'builtin', bases)
  attachClass(classCallable(cls), cls)
  cls.$extras.finish = finish
  cls.$extras.inheritable = true
  cls.$make = (args) => made(cls, args)
  return cls
}

const Enum: Class = enumClass('Enum', [objectClass])

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
    throw new GuestError('TypeError', `<enum '${cls.$name}'> cannot extend <enum '${inherited.$name}'>`)
  }
  const members: Members = { all: [], byName: new Map() }
  cls.$extras.enumeration = members
  const mixed = mixin(cls)
  if (mixed) Object.assign(cls.$extras, { protocol: valueProtocol(cls), hashKey: (x: Instance) => key(plainValue(x)) })
  settleClass(cls)
  cls.$make = (args) => made(cls, args)
  body.names.forEach((name, i) => {
    const value = body.values[i]
    if (value === undefined || name.startsWith('_') || !isPlain(value)) return
    setMember(cls, name, addMember(cls, members, name, value))
  })
  Object.defineProperty(cls.$value, PROTOCOL, { value: enumProtocol, configurable: true })
  return undefined
}

/** Does the enum have a value type mixed in, so that its members count as such values? */
function mixin(cls: Class): boolean {
  return cls.$order.some((c) => c.$name === 'int' || c.$name === 'str' || c.$name === 'float')
}

function addMember(cls: Class, members: Members, name: string, value0: Value): Instance {
  let value = value0
  if (value instanceof Auto) {
    const last = members.all.findLast((m) => isInt(plainValue(m)))
    value = cls.$order.some((c) => c.$name === 'StrEnum')
      ? name.toLowerCase()
      : last === undefined
        ? 1
        : add(plainValue(last), 1)
  }
  const x = newInstance(cls)
  if (mixin(cls)) setContent(x, value)
  Object.assign(x.$fields, { _name_: name, _value_: value, name, value })
  const init = cls.$members.__init__
  if (init !== undefined && isCallable(init) && !init.sig.builtin)
    callBound(init, x, isTuple(value) ? value.slice(1) : [value])
  const same = members.all.find((m) => equal(plainValue(m), plainValue(x)))
  if (same === undefined) members.all.push(x)
  members.byName.set(name, same ?? x)
  return same ?? x
}

/** `Color(value)`, and `Enum('Color', names)`. */
function made(cls: Class, args: readonly Value[]): Value {
  const members = membersOf(cls)
  if (members.all.length === 0 && args.length === 2) return fromNames(cls, args[0] as string, args[1]!)
  const [value] = args
  if (value === undefined)
    throw new GuestError('TypeError', `EnumType.__call__() missing 1 required positional argument: 'value'`)
  const found = members.all.find((m) => m === value || equal(plainValue(m), value))
  if (found !== undefined) return found
  const fallback = cls.$members._missing_
  if (fallback instanceof ClassMethod) {
    const x = callBound(fallback.$function as Callable, cls.$value, [value])
    if (x !== null) return x
  }
  throw new GuestError('ValueError', `${repr(value)} is not a valid ${cls.$name}`, {
    hint: `the values are ${members.all.map((m) => repr(plainValue(m))).join(', ')}`,
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
      throw new GuestError('AttributeError', `cannot reassign member ${repr(name)}`)
    return classProtocol.setAttribute!(x, name, value)
  },
  getItem: (x, name) => {
    const found = membersOf(classIn(x)!).byName.get(name as string)
    if (found === undefined) throw new GuestError('KeyError', repr(name), { args: [name] })
    return found
  },
  iterate: (x) => {
    const { all } = membersOf(classIn(x)!)
    let i = 0
    return new Iterator('generator', () => all[i++])
  },
  length: (x) => membersOf(classIn(x)!).all.length,
  contains: (x, element) => element instanceof Instance && element.$class === classIn(x),
  repr: (x) => `<enum '${classIn(x)!.$name}'>`,
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
      const f = operations[operator]
      return f === undefined
        ? undefined
        : reflected
          ? f(unwrapped(other), plainValue(x))
          : f(plainValue(x), unwrapped(other))
    },
    unary: (operator, x) => (operator === '-' ? negate(plainValue(x)) : operator === '~' ? undefined : plainValue(x)),
    truth: (x) => truth(plainValue(x)),
    length: (x) => (typeof plainValue(x) === 'string' ? (plainValue(x) as string).length : undefined),
    contains: (x, element) =>
      typeof plainValue(x) === 'string' && typeof element === 'string'
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

const numeric = enumClass('IntEnum', [Enum, builtinClass('int')])
const textual = enumClass('StrEnum', [Enum, builtinClass('str')])
for (const cls of [numeric, textual]) {
  setMember(cls, '__str__', asMethod(builtin('__str__', 'self, /', (x) => str(plainValue(x!)))))
  setMember(
    cls,
    '__format__',
    asMethod(builtin('__format__', 'self, spec, /', (x, spec) => formatValue(plainValue(x!), spec as string))),
  )
}

export const enumModule: Module = module('enum', {
  Enum: Enum.$value,
  IntEnum: numeric.$value,
  StrEnum: textual.$value,
  auto: builtin('auto', '', () => new Auto()),
  unique: builtin('unique', 'enumeration', (x) => {
    const cls = classIn(x!)!
    const { all, byName } = membersOf(cls)
    if (byName.size > all.length) {
      const aliases = [...byName]
        .filter(([name, m]) => nameOf(m) !== name)
        .map(([name, m]) => `${name} -> ${nameOf(m)}`)
      throw new GuestError('ValueError', `duplicate values found in <enum '${cls.$name}'>: ${aliases.join(', ')}`)
    }
    return x!
  }),
})
