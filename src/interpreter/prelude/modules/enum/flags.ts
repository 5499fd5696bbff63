// Flags: enums whose members are bits. Combinations are objects of the class too. They are created on first use and
// cached, so equal flags are identical. Values have at most 32 bits.

import { builtin } from '../../calls/signature.js'
import { asMethod, type Class, Instance, newInstance, setMember } from '../../classes/classes.js'
import { NOT_IMPLEMENTED } from '../../classes/instances.js'
import { builtinClass } from '../../classes/known-classes.js'
import { fieldsOf } from '../../classes/object-attributes.js'
import { Iterator } from '../../operators/iterators.js'
import { formatValue } from '../../text/format-spec.js'
import { setContent } from '../../values/contents.js'
import { type GuestError, guestError } from '../../values/errors.js'
import { asName, said, spelled } from '../../values/said.js'
import { typeOf, type Value } from '../../values/values.js'
import { Enum, enumClass, type Members, membersOf, nameOf, plainValue } from './members.js'

const bitsOf = (x: Value): number => plainValue(x) as number
const isBit = (n: number): boolean => n > 0 && (n & (n - 1)) === 0

function allBits(cls: Class): number {
  return [...membersOf(cls).byName.values()].reduce((all, m) => all | bitsOf(m), 0)
}

/** The members of which a value consists, in the order of their definition. */
function partsOf(cls: Class, value: number): Instance[] {
  return membersOf(cls).all.filter((m) => (bitsOf(m) & value) !== 0)
}

const composites = new Map<Class, Map<number, Instance>>()

/** The flag of a value that has no member of its own. */
function compose(cls: Class, value0: Value): Value | undefined {
  if (typeof value0 !== 'number') return undefined
  const all = allBits(cls)
  const value = value0 < 0 ? all & value0 : value0
  const known = [...membersOf(cls).byName.values()].find((m) => bitsOf(m) === value)
  if (known !== undefined) return known
  const keeps = cls.$order.includes(IntFlag)
  if ((value & ~all) !== 0 && !keeps) throw invalid(cls, value, all)
  let made = composites.get(cls)
  if (made === undefined) composites.set(cls, (made = new Map()))
  let x = made.get(value)
  if (x === undefined) {
    x = newInstance(cls)
    if (keeps) setContent(x, value)
    const names = partsOf(cls, value).map(nameOf)
    const unknown = value & ~all
    if (unknown !== 0) names.push(`${unknown}`)
    const name = value === 0 || names.length === 0 ? null : names.join('|')
    Object.assign(fieldsOf(x), { _name_: name, _value_: value, name, value })
    made.set(value, x)
  }
  return x
}

function invalid(cls: Class, value: number, all: number): GuestError {
  const width = Math.max(value.toString(2).length, all.toString(2).length)
  const binary = (n: number): string => `0b0 ${n.toString(2).padStart(width, '0')}`
  return guestError(
    'ValueError',
    said`<flag '${asName(cls.$name)}'> invalid value ${spelled(value)}\n    given ${spelled(binary(value), value)}\n  allowed ${spelled(binary(all), all)}`,
  )
}

function flagClass(name: string, bases: readonly Class[]): Class {
  const cls = enumClass(name, bases)
  Object.assign(cls.$extras, {
    compose,
    isCanonical: (value: Value) => isBit(value as number),
    nextValue: (members: Members) => {
      const highest = [...members.byName.values()].reduce((most, m) => Math.max(most, bitsOf(m)), 0)
      return highest === 0 ? 1 : 2 ** (32 - Math.clz32(highest))
    },
  })
  return cls
}

export const Flag: Class = flagClass('Flag', [Enum])
export const IntFlag: Class = flagClass('IntFlag', [Flag, builtinClass('int')])

const classOf = (x: Value): Class => (x as Instance).$class

function define(name: string, parameters: string, f: (x: Value, other: Value) => Value): void {
  setMember(Flag, name, asMethod(builtin(name, `self, ${parameters}/`, (x, other) => f(x!, other!))))
}

/** The bits of an operand: a flag of the same class, or an int next to flags that are ints. */
function operandBits(x: Value, other: Value): number | undefined {
  if (other instanceof Instance && other.$class === classOf(x)) return bitsOf(other)
  return typeof other === 'number' && classOf(x).$order.includes(IntFlag) ? other : undefined
}

const combinations: Readonly<Record<string, (a: number, b: number) => number>> = {
  '|': (a, b) => a | b,
  '&': (a, b) => a & b,
  '^': (a, b) => a ^ b,
}

function combined(operator: string, x: Value, other: Value): Value | undefined {
  const f = combinations[operator]
  const bits = operandBits(x, other)
  return f === undefined || bits === undefined ? undefined : compose(classOf(x), f(bitsOf(x), bits))
}
const inverted = (x: Value): Value => compose(classOf(x), allBits(classOf(x)) & ~bitsOf(x))!
Object.assign(IntFlag.$extras, { combined, inverted })

for (const [operator, name] of [
  ['|', 'or'],
  ['&', 'and'],
  ['^', 'xor'],
] as const) {
  define(`__${name}__`, 'other, ', (x, other) => combined(operator, x, other) ?? NOT_IMPLEMENTED)
  define(`__r${name}__`, 'other, ', (x, other) => combined(operator, x, other) ?? NOT_IMPLEMENTED)
}
define('__invert__', '', inverted)
define('__contains__', 'other, ', (x, other) => {
  const bits = operandBits(x, other)
  if (bits === undefined)
    throw guestError('TypeError', said`unsupported operand type(s) for 'in': '${typeOf(other)}' and '${typeOf(x)}'`)
  return (bitsOf(x) & bits) === bits
})
define('__bool__', '', (x) => bitsOf(x) !== 0)
define('__len__', '', (x) => partsOf(classOf(x), bitsOf(x)).length)
define('__iter__', '', (x) => {
  const parts = partsOf(classOf(x), bitsOf(x))
  let i = 0
  return new Iterator('generator', () => parts[i++])
})

function shown(x: Value): string {
  const name = fieldsOf(x)._name_
  return name === null ? '' : (name as string)
}
define('__repr__', '', (x) => {
  const name = shown(x)
  return `<${classOf(x).$name}${name === '' ? '' : `.${name}`}: ${bitsOf(x)}>`
})
define('__str__', '', (x) => {
  const name = shown(x)
  return name === '' ? `${classOf(x).$name}(${bitsOf(x)})` : `${classOf(x).$name}.${name}`
})
for (const [name, f] of Object.entries({
  __str__: (x: Value) => `${bitsOf(x)}`,
  __format__: (x: Value, spec: Value) => formatValue(bitsOf(x), spec as string),
})) {
  const parameters = name === '__str__' ? 'self, /' : 'self, spec, /'
  setMember(IntFlag, name, asMethod(builtin(name, parameters, (x, spec) => f(x!, spec!))))
}
