// The modules `collections` and `collections.abc`.

import { attributeOrAbsent } from '../attributes.js'
import { attachClass, builtinClass, Class } from '../classes.js'
import { isDict } from '../dict.js'
import { DictView } from '../dict-views.js'
import { GuestError } from '../errors.js'
import { items } from '../iterate.js'
import { key } from '../keys.js'
import { protocolOf } from '../protocol.js'
import { builtin, isCallable } from '../signature.js'
import { Bytes, isList, Range, type Value } from '../values.js'
import { ChainMap } from './collections/chain-map.js'
import { Counter } from './collections/counter.js'
import { defaultdict, OrderedDict } from './collections/default-dict.js'
import { deque } from './collections/deque.js'
import { namedtuple } from './collections/named-tuple.js'
import { type Module, module } from './module.js'

/** A class that is only asked whether values belong to it. */
function abstract(name: string, has: (x: Value) => boolean): Value {
  const cls = new Class(name, 'builtin', [builtinClass('object')])
  cls.$has = has
  cls.$extras.inheritable = true
  const f = builtin(name, '*args, **kwargs', () => {
    throw new GuestError('TypeError', `Can't instantiate abstract class ${name}`)
  })
  attachClass(f, cls)
  return f
}

function isIterable(x: Value): boolean {
  if (attributeOrAbsent(x, '__iter__') !== undefined) return true
  if (protocolOf(x)?.next !== undefined || typeof x === 'string') return true
  if (typeof x !== 'object' || x === null) return false
  try {
    items(x)
    return true
  } catch {
    return false
  }
}

const isIterator = (x: Value): boolean => protocolOf(x)?.next !== undefined
const hasLength = (x: Value): boolean =>
  typeof x === 'string' ||
  (typeof x === 'object' &&
    x !== null &&
    (Array.isArray(x) ||
      x instanceof Set ||
      isDict(x) ||
      x instanceof Range ||
      x instanceof Bytes ||
      protocolOf(x)?.length !== undefined))
const isSequence = (x: Value): boolean =>
  typeof x === 'string' || Array.isArray(x) || x instanceof Range || x instanceof Bytes
const isMapping = (x: Value): boolean => isDict(x)

function isHashable(x: Value): boolean {
  try {
    key(x)
    return true
  } catch (e) {
    if (e instanceof GuestError) return false
    throw e
  }
}

const abc: Record<string, Value> = {
  Iterable: abstract('Iterable', isIterable),
  Iterator: abstract('Iterator', isIterator),
  Generator: abstract('Generator', isIterator),
  Sized: abstract('Sized', hasLength),
  Container: abstract('Container', hasLength),
  Collection: abstract('Collection', (x) => hasLength(x) && isIterable(x)),
  Sequence: abstract('Sequence', isSequence),
  MutableSequence: abstract('MutableSequence', isList),
  Mapping: abstract('Mapping', isMapping),
  MutableMapping: abstract('MutableMapping', isMapping),
  Set: abstract('Set', (x) => x instanceof Set || (x instanceof DictView && x.$kind !== 'values')),
  MutableSet: abstract('MutableSet', (x) => x instanceof Set),
  KeysView: abstract('KeysView', (x) => x instanceof DictView && x.$kind === 'keys'),
  ValuesView: abstract('ValuesView', (x) => x instanceof DictView && x.$kind === 'values'),
  ItemsView: abstract('ItemsView', (x) => x instanceof DictView && x.$kind === 'items'),
  Hashable: abstract('Hashable', isHashable),
  Callable: abstract('Callable', (x) => isCallable(x)),
}

export const collectionsAbc: Module = module('collections.abc', abc)

export const collections: Module = module('collections', {
  Counter,
  defaultdict,
  OrderedDict,
  deque,
  namedtuple,
  ChainMap,
  abc: collectionsAbc,
})
