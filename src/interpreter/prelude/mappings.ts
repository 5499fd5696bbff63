// Objects that are no dicts and can stand for one: they have `keys()` and can be indexed (Python).

import { attributeOrAbsent } from './attributes.js'
import { dictFlat } from './dict.js'
import { items } from './iterate.js'
import { protocolOf } from './protocol.js'
import { call } from './signature.js'
import { index } from './subscript.js'
import { isDict, type Value } from './values.js'

/** Keys and values alternating, or undefined for what is no mapping. */
export function mappingEntries(x: Value): readonly Value[] | undefined {
  if (isDict(x)) return dictFlat(x)
  if (protocolOf(x)?.getItem === undefined) return undefined
  const keys = attributeOrAbsent(x, 'keys')
  return keys === undefined ? undefined : items(call(keys, [])).flatMap((k) => [k, index(x, k)])
}
