// Objects that are not dicts but can be used as one: they have `keys()` and can be indexed (Python).

import { call } from '../calls/signature.js'
import { dictFlat } from '../containers/dict.js'
import { items } from '../containers/iterate.js'
import { index } from '../operators/subscript.js'
import { protocolOf } from '../values/protocol.js'
import { isDict, type Value } from '../values/values.js'
import { attributeOrAbsent } from './attributes.js'

/** Alternating keys and values. Undefined for a value that is not a mapping. */
export function mappingEntries(x: Value): readonly Value[] | undefined {
  if (isDict(x)) return dictFlat(x)
  if (protocolOf(x)?.getItem === undefined) return undefined
  const keys = attributeOrAbsent(x, 'keys')
  return keys === undefined ? undefined : items(call(keys, [])).flatMap((k) => [k, index(x, k)])
}
