// Dict displays: `{k: v, **more}`.

import { mappingEntries } from '../classes/mappings.js'
import { dictOf, dictSet, dictSize } from '../containers/dict.js'
import { quoted } from '../text/repr.js'
import { guestError } from '../values/errors.js'
import { said } from '../values/said.js'
import { typeOf, type Value } from '../values/values.js'

/** Marks an operand of `**` in a dict display. */
export const SPREAD: object = Object.freeze(Object.create(null))

/** A dict display: alternating keys and values, with `SPREAD` before a dict to merge. */
export function dictDisplay(flat: readonly Value[]): Value {
  if (!flat.includes(SPREAD)) return dictOf(flat)
  const out = dictOf([])
  for (let i = 0; i < flat.length; i += 2) {
    if (flat[i] === SPREAD) {
      const more = mappingEntries(flat[i + 1]!)
      if (more === undefined) throw guestError('TypeError', said`'${typeOf(flat[i + 1]!)}' object is not a mapping`)
      for (let j = 0; j < more.length; j += 2) dictSet(out, more[j]!, more[j + 1]!)
    } else dictSet(out, flat[i]!, flat[i + 1]!)
  }
  return out
}

/** Adds an entry of a dict display in strict mode, where keys must be unique. */
export function dictEntry(d: object, k: Value, v: Value): void {
  const size = dictSize(d)
  dictSet(d, k, v)
  if (dictSize(d) === size) throw guestError('ValueError', said`duplicate key: ${quoted(k)}`, { code: 'duplicate-key' })
}
