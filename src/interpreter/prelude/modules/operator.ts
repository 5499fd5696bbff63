// The module `operator`: operators as functions.

import { numberBuiltins } from '../builtins/number-builtins.js'
import { asIndex, wantString } from '../calls/expect.js'
import { builtin, call, type Native } from '../calls/signature.js'
import { attribute, callAttribute } from '../classes/attributes.js'
import { dictFlat } from '../containers/dict.js'
import { collect } from '../containers/iterate.js'
import { add, floorDiv, mod, mul, negate, positive, power, sub, trueDiv } from '../operators/arithmetic.js'
import { bitAnd, bitOr, bitXor, invert, shiftLeft, shiftRight } from '../operators/bits.js'
import { equal, greater, greaterEqual, less, lessEqual } from '../operators/comparison.js'
import { addInPlace, andInPlace, mulInPlace, orInPlace, subInPlace, xorInPlace } from '../operators/in-place.js'
import { contains, truth } from '../operators/membership.js'
import { deleteIndex, index, setIndex } from '../operators/subscript.js'
import { typeError, valueError } from '../values/errors.js'
import { said } from '../values/said.js'
import { isInt, TUPLE, type Tuple, typeOf, unbool, type Value } from '../values/values.js'
import { type Module, module } from './module.js'

const members: Record<string, Value> = {}

function define(names: string, parameters: string, fn: Native): void {
  const [name, ...others] = names.split(' ')
  members[name!] = builtin(name!, parameters, fn)
  for (const other of others) members[other] = members[name!]!
}

type Two = (a: Value, b: Value) => Value
const two: Record<string, Two> = {
  'add __add__ concat': add,
  'sub __sub__': sub,
  'mul __mul__': mul,
  'truediv __truediv__': trueDiv,
  'floordiv __floordiv__': floorDiv,
  'mod __mod__': mod,
  'pow __pow__': power,
  'and_ __and__': bitAnd,
  'or_ __or__': bitOr,
  'xor __xor__': bitXor,
  'lshift __lshift__': shiftLeft,
  'rshift __rshift__': shiftRight,
  'eq __eq__': equal,
  'ne __ne__': (a, b) => !equal(a, b),
  'lt __lt__': less,
  'le __le__': lessEqual,
  'gt __gt__': greater,
  'ge __ge__': greaterEqual,
  'contains __contains__': contains,
  'getitem __getitem__': index,
  is_: (a, b) => a === b,
  is_not: (a, b) => a !== b,
  iadd: addInPlace,
  isub: subInPlace,
  imul: mulInPlace,
  iand: andInPlace,
  ior: orInPlace,
  ixor: xorInPlace,
  ifloordiv: floorDiv,
  itruediv: trueDiv,
  imod: mod,
  ipow: power,
}
for (const [names, f] of Object.entries(two)) define(names, 'a, b, /', (a, b) => f(a!, b!))

const one: Record<string, (a: Value) => Value> = {
  'neg __neg__': negate,
  'pos __pos__': positive,
  'inv invert __invert__': invert,
  'not_ __not__': (a) => !truth(a),
  truth: (a) => truth(a),
  'abs __abs__': (a) => call(numberBuiltins.abs!, [a]),
}
for (const [names, f] of Object.entries(one)) define(names, 'a, /', (a) => f(a!))

define('index __index__', 'a, /', (a) => {
  const x = asIndex(a!)
  return isInt(unbool(x)) ? unbool(x) : typeError(said`'${typeOf(a!)}' object cannot be interpreted as an integer`)
})
define('setitem __setitem__', 'a, b, c, /', (a, b, c) => {
  setIndex(a!, b!, c!)
  return null
})
define('delitem __delitem__', 'a, b, /', (a, b) => {
  deleteIndex(a!, b!)
  return null
})
define('countOf', 'a, b, /', (a, b) => collect(a!).filter((x) => equal(x, b!)).length)
define('indexOf', 'a, b, /', (a, b) => {
  const at = collect(a!).findIndex((x) => equal(x, b!))
  return at >= 0 ? at : valueError('sequence.index(x): x not in sequence')
})

define('itemgetter', 'item, /, *items', (item, more) => {
  const all = [item!, ...(more as Tuple).slice(1)]
  return builtin('itemgetter', 'obj, /', (x) =>
    all.length === 1 ? index(x!, all[0]!) : [TUPLE, ...all.map((i) => index(x!, i))],
  )
})

function dotted(x: Value, path: string): Value {
  let v = x
  for (const name of path.split('.')) v = attribute(v, name)
  return v
}

define('attrgetter', 'attr, /, *attrs', (attr, more) => {
  const all = [attr!, ...(more as Tuple).slice(1)].map((a) =>
    wantString(a, 'attrgetter', 'attr', 'attribute name must be a string'),
  )
  return builtin('attrgetter', 'obj, /', (x) =>
    all.length === 1 ? dotted(x!, all[0]!) : [TUPLE, ...all.map((a) => dotted(x!, a))],
  )
})

define('methodcaller', 'name, /, *args, **kwargs', (name, args, kwargs) => {
  const method = wantString(name, 'methodcaller', 'name', 'method name must be a string')
  const given = (args as Tuple).slice(1)
  const named = dictFlat(kwargs as object)
  return builtin('methodcaller', 'obj, /', (x) =>
    callAttribute(x!, method, given, named.length === 0 ? undefined : named),
  )
})

export const operator: Module = module('operator', members)
