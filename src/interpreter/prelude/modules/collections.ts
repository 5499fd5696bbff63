// The modules `collections` and `collections.abc`.

import { abstractClasses } from './collections/abstract.js'
import { ChainMap } from './collections/chain-map.js'
import { Counter } from './collections/counter.js'
import { defaultdict, OrderedDict } from './collections/default-dict.js'
import { deque } from './collections/deque.js'
import { namedtuple } from './collections/named-tuple.js'
import { UserDict, UserList } from './collections/user.js'
import { type Module, module } from './module.js'

export const collectionsAbc: Module = module('collections.abc', abstractClasses)

export const collections: Module = module('collections', {
  Counter,
  defaultdict,
  OrderedDict,
  deque,
  namedtuple,
  ChainMap,
  UserDict,
  UserList,
  abc: collectionsAbc,
})
