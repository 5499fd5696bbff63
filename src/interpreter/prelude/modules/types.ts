// The module `types`, in the part that makes values: objects that are nothing but their attributes.

import { asMethod, attachClass, Class, classCallable, classOf, fieldsOf, objectClass, setMember } from '../classes.js'
import { dictFlat, dictSet } from '../dict.js'
import { NOT_IMPLEMENTED, settleClass } from '../instances.js'
import { equal } from '../operators.js'
import { builtin } from '../signature.js'
import { repr } from '../text.js'
import { type Module, module } from './module.js'

const simpleNamespace = new Class('SimpleNamespace', 'program', [objectClass])
attachClass(classCallable(simpleNamespace), simpleNamespace)
setMember(
  simpleNamespace,
  '__init__',
  asMethod(
    builtin('__init__', 'self, /, **kwargs', (self, given) => {
      const flat = dictFlat(given as object)
      for (let i = 0; i < flat.length; i += 2) dictSet(fieldsOf(self!), flat[i]!, flat[i + 1]!)
      return null
    }),
  ),
)
setMember(
  simpleNamespace,
  '__repr__',
  asMethod(
    builtin('__repr__', 'self, /', (self) => {
      const flat = dictFlat(fieldsOf(self!))
      const parts: string[] = []
      for (let i = 0; i < flat.length; i += 2) parts.push(`${flat[i] as string}=${repr(flat[i + 1]!)}`)
      return `namespace(${parts.join(', ')})`
    }),
  ),
)
setMember(
  simpleNamespace,
  '__eq__',
  asMethod(
    builtin('__eq__', 'self, other, /', (self, other) =>
      classOf(other!) === simpleNamespace ? equal(fieldsOf(self!), fieldsOf(other!)) : NOT_IMPLEMENTED,
    ),
  ),
)
setMember(simpleNamespace, '__hash__', null)
settleClass(simpleNamespace)

export const types: Module = module('types', { SimpleNamespace: simpleNamespace.$value })
