// The module `numbers`: abstract classes of numbers for `isinstance`, each a subclass of the one before it.

import { builtin } from '../calls/signature.js'
import { attachClass, Class, inheritsFrom } from '../classes/classes.js'
import { classOf, objectClass } from '../classes/known-classes.js'
import { guestError } from '../values/errors.js'
import { asName, said } from '../values/said.js'
import type { Value } from '../values/values.js'
import { type Module, module } from './module.js'

/**
 * The classes from the widest to the narrowest, each with the built-in types that belong to it and to no narrower one.
 */
const tower: readonly (readonly [name: string, types: readonly string[]])[] = [
  ['Number', ['Decimal']],
  ['Complex', []],
  ['Real', ['float']],
  ['Rational', ['Fraction']],
  ['Integral', ['int', 'bool']],
]

const members: Record<string, Value> = {}
let base = objectClass
tower.forEach(([name], i) => {
  const cls = new Class(name, 'builtin', [base])
  const make = builtin(name, '*args, **kwargs', () => {
    throw guestError('TypeError', said`Can't instantiate abstract class ${asName(name)}`)
  })
  attachClass(make, cls)
  Object.assign(cls.$extras, { inheritable: true, abstract: true, module: 'numbers' })
  const types = new Set(tower.slice(i).flatMap(([, all]) => all))
  cls.$has = (x) => classOf(x).$order.some((c) => types.has(c.$name)) || inheritsFrom(classOf(x), cls)
  members[name] = make
  base = cls
})

export const numbers: Module = module('numbers', members)
