// The module `results`: output of earlier runs that was too long for an answer. Knows two names. The host keeps the
// files.

import { builtin } from '../calls/signature.js'
import { askHost } from '../foreign/questions.js'
import { type Module, module } from './module.js'

export const results: Module = module('results', {
  load: builtin('load', 'run, /', (...args) => askHost('results', 'load', ['run'], args)),
  list: builtin('list', '', () => askHost('results', 'list', [], [])),
})
