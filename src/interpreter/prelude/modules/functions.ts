// The module `_functions`, on which `inspect` is built: descriptions of the program's functions.

import { builtin } from '../calls/signature.js'
import { descriptionOf } from '../classes/function-descriptions.js'
import { tuple, type Value } from '../values/values.js'
import { module } from './module.js'

export const functions = module('_functions', {
  described: builtin('described', 'f, /', (f) => {
    const known = descriptionOf(f)
    return known === undefined ? null : known.parameters.map((parameter) => tuple([...parameter] as Value[]))
  }),
  facts: builtin('facts', 'f, /', (f) => descriptionOf(f)?.kind ?? ''),
})
