// The part of the module `types` that creates values: `SimpleNamespace` and read-only dicts.

import { builtin, type Native } from '../calls/signature.js'
import { attributeOrAbsent } from '../classes/attributes.js'
import { asMethod, attachClass, Class, setMember } from '../classes/classes.js'
import { classCallable } from '../classes/construct.js'
import { NOT_IMPLEMENTED, settleClass } from '../classes/instances.js'
import { builtinClass, classOf, objectClass, registerClass } from '../classes/known-classes.js'
import { fieldsOf } from '../classes/object-attributes.js'
import { dictFlat, dictSet } from '../containers/dict.js'
import { items, length } from '../containers/iterate.js'
import { bitOr } from '../operators/bits.js'
import { equal } from '../operators/comparison.js'
import { Iterator, stepper } from '../operators/iterators.js'
import { contains, truth } from '../operators/membership.js'
import { index } from '../operators/subscript.js'
import { repr } from '../text/repr.js'
import { typeError } from '../values/errors.js'
import { PROTOCOL, type Protocol } from '../values/protocol.js'
import { said } from '../values/said.js'
import { isDict, nameClass, typeOf, type Value } from '../values/values.js'
import { type Module, module } from './module.js'

const simpleNamespace = new Class('SimpleNamespace', 'program', [objectClass])
attachClass(classCallable(simpleNamespace), simpleNamespace)
const define = (name: string, parameters: string, f: Native): void =>
  setMember(simpleNamespace, name, asMethod(builtin(name, parameters, f)))
define('__init__', 'self, /, **kwargs', (self, given) => {
  const flat = dictFlat(given as object)
  for (let i = 0; i < flat.length; i += 2) dictSet(fieldsOf(self!), flat[i]!, flat[i + 1]!)
  return null
})
define('__repr__', 'self, /', (self) => {
  const flat = dictFlat(fieldsOf(self!))
  const parts: string[] = []
  for (let i = 0; i < flat.length; i += 2) parts.push(`${flat[i] as string}=${repr(flat[i + 1]!)}`)
  return `namespace(${parts.join(', ')})`
})
define('__eq__', 'self, other, /', (self, other) =>
  classOf(other!) === simpleNamespace ? equal(fieldsOf(self!), fieldsOf(other!)) : NOT_IMPLEMENTED,
)
setMember(simpleNamespace, '__hash__', null)
settleClass(simpleNamespace)

// ---- MappingProxyType ------------------------------------------------------------------------------------------

/** A read-only view of a dict, which shows later changes. */
class MappingProxy {
  readonly $dict: object
  constructor(dict: object) {
    this.$dict = dict
  }
}
const dictOf = (x: object): object => (x as MappingProxy).$dict
const readable = ['copy', 'get', 'items', 'keys', 'values']
const proxyProtocol: Protocol = {
  getAttribute: (x, name) => (readable.includes(name) ? attributeOrAbsent(dictOf(x) as Value, name) : undefined),
  attributeNames: () => [...readable],
  getItem: (x, k) => index(dictOf(x), k),
  contains: (x, k) => contains(dictOf(x), k),
  length: (x) => length(dictOf(x)),
  iterate: (x) => new Iterator('dict_keyiterator', stepper(dictOf(x))),
  items: (x) => items(dictOf(x)),
  equals: (x, other) => equal(dictOf(x), other instanceof MappingProxy ? other.$dict : other),
  binary: (operator, x, other, reflected) =>
    operator === '|' ? (reflected ? bitOr(other, dictOf(x)) : bitOr(dictOf(x), other)) : undefined,
  truth: (x) => truth(dictOf(x)),
  repr: (x) => `mappingproxy(${repr(dictOf(x))})`,
  str: (x) => repr(dictOf(x)),
}
Object.defineProperty(MappingProxy.prototype, PROTOCOL, { value: proxyProtocol })
nameClass((x) => x instanceof MappingProxy, 'mappingproxy')

const mappingProxyType = builtin('mappingproxy', 'mapping, /', (x) =>
  isDict(x!) ? new MappingProxy(x) : typeError(said`mappingproxy() argument must be a mapping, not ${typeOf(x!)}`),
)
registerClass('mappingproxy', mappingProxyType)

export const types: Module = module('types', {
  SimpleNamespace: simpleNamespace.$value,
  MappingProxyType: mappingProxyType,
  FunctionType: builtinClass('function').$value,
  LambdaType: builtinClass('function').$value,
  GeneratorType: builtinClass('generator').$value,
  NoneType: builtinClass('NoneType').$value,
  UnionType: builtinClass('UnionType').$value,
  GenericAlias: builtinClass('GenericAlias').$value,
})
