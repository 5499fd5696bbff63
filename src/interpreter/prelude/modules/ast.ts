// The module `ast`, with `literal_eval` alone: code is not parsed.

import { builtin } from '../calls/signature.js'
import { quoted } from '../text/repr.js'
import { textInside } from '../values/contents.js'
import { valueError } from '../values/errors.js'
import { said } from '../values/said.js'
import { readLiteral } from './literals.js'
import { type Module, module } from './module.js'

export const ast: Module = module('ast', {
  literal_eval: builtin('literal_eval', 'node_or_string', (x) => {
    const text = typeof x === 'string' ? x : textInside(x!)
    return text === undefined ? valueError(said`malformed node or string: ${quoted(x!)}`) : readLiteral(text)
  }),
})
