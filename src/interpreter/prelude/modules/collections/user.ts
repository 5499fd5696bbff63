// `UserDict` and `UserList`: base classes for dicts and lists, with their content in an attribute `data`. All their
// operations go through the few methods that a class may override.

import { callBound } from '../../calls/bound-functions.js'
import { boundMethodOf, methodNames } from '../../calls/method-tables.js'
import { builtin, type Callable, call, callNamed } from '../../calls/signature.js'
import { asMethod, type Class, classIn, setMember } from '../../classes/classes.js'
import { classOf } from '../../classes/known-classes.js'
import { moduleClass } from '../../classes/module-class.js'
import { fieldsOf } from '../../classes/object-attributes.js'
import { dictGet, dictOf } from '../../containers/dict.js'
import { items, length } from '../../containers/iterate.js'
import { add, mul } from '../../operators/arithmetic.js'
import { bitOr } from '../../operators/bits.js'
import { equal, less } from '../../operators/comparison.js'
import { Iterator, stepper } from '../../operators/iterators.js'
import { contains } from '../../operators/membership.js'
import { deleteIndex, index, setIndex } from '../../operators/subscript.js'
import { repr } from '../../text/repr.js'
import { isDict, type Tuple, type Value } from '../../values/values.js'
import { abstractClasses, type Body } from './abstract.js'

const dataOf = (self: Value): Value => fieldsOf(self).data!
/** The `data` of an operand that is such an object; other operands unchanged. */
const plain = (x: Value): Value => (classOf(x).$order.some((c) => c === userDict || c === userList) ? dataOf(x) : x)

function userClass(name: string, base: string, members: Readonly<Record<string, readonly [string, Body]>>): Class {
  const { cls, define } = moduleClass(name, 'collections', classIn(abstractClasses[base]!)!)
  for (const [member, [parameters, body]] of Object.entries(members))
    define(member, `self, ${parameters}`.replace(/, $/, ''), (self, a, b) => body(self!, a, b))
  return cls
}

/** The operations that both have, on `data`. */
const common: Readonly<Record<string, readonly [string, Body]>> = {
  __len__: ['', (self) => length(dataOf(self))],
  __iter__: ['', (self) => new Iterator('iterator', stepper(dataOf(self)))],
  __contains__: ['item', (self, x) => contains(dataOf(self), x!)],
  __repr__: ['', (self) => repr(dataOf(self))],
  __eq__: ['other', (self, other) => equal(dataOf(self), plain(other!))],
  __delitem__: [
    'key',
    (self, k) => {
      deleteIndex(dataOf(self), k!)
      return null
    },
  ],
  __setitem__: [
    'key, item',
    (self, k, v) => {
      setIndex(dataOf(self), k!, v!)
      return null
    },
  ],
}

const userDict: Class = userClass('UserDict', 'MutableMapping', {
  ...common,
  __init__: [
    'dict=, /, **kwargs',
    (self, from, named) => {
      fieldsOf(self).data = dictOf([])
      const update = classOf(self).$members.update as Callable
      callBound(
        update,
        self,
        from === undefined || from === null ? [] : [from],
        [...(named as Map<Value, Value>)].flat(),
      )
      return null
    },
  ],
  __getitem__: [
    'key',
    (self, k) => {
      const missing = classOf(self).$members.__missing__
      const data = dataOf(self)
      if (missing !== undefined && isDict(data) && dictGet(data, k!) === undefined)
        return callBound(missing as Callable, self, [k!])
      return index(data, k!)
    },
  ],
  __or__: ['other', (self, other) => call(classOf(self).$value, [bitOr(dataOf(self), plain(other!))])],
  copy: ['', (self) => call(classOf(self).$value, [dataOf(self)])],
})

/** A list of the same class. */
const alike = (self: Value, data: Value): Value => call(classOf(self).$value, [data])

const userList: Class = userClass('UserList', 'MutableSequence', {
  ...common,
  __init__: [
    'initlist=',
    (self, from) => {
      fieldsOf(self).data = from === undefined || from === null ? [] : items(plain(from)).slice()
      return null
    },
  ],
  __getitem__: [
    'i',
    (self, i) => {
      const found = index(dataOf(self), i!)
      return typeof i === 'number' ? found : alike(self, found)
    },
  ],
  __add__: ['other', (self, other) => alike(self, add(dataOf(self), plain(other!)))],
  __mul__: ['n', (self, n) => alike(self, mul(dataOf(self), n!))],
  __lt__: ['other', (self, other) => less(dataOf(self), plain(other!))],
  copy: ['', (self) => alike(self, dataOf(self))],
})
for (const name of methodNames('list').filter((n) => n !== 'copy')) {
  const f = builtin(name, 'self, /, *args, **kwargs', (self, args, named) =>
    callNamed(
      boundMethodOf('list', dataOf(self!), name)!,
      (args as Tuple).slice(1).map(plain),
      [...(named as Map<Value, Value>)].flat(),
    ),
  )
  setMember(userList, name, asMethod(f))
}

export const UserDict: Value = userDict.$value
export const UserList: Value = userList.$value
