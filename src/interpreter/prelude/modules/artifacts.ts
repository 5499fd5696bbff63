// The module `artifacts`: the files of `results/`. Knows four names. The host keeps the files.

import { builtin } from '../calls/signature.js'
import { askHost } from '../foreign/questions.js'
import { readFile } from '../host/replies.js'
import { guestError } from '../values/errors.js'
import { said } from '../values/said.js'
import { Bytes, isDict, type RecordDict, typeOf, type Value } from '../values/values.js'
import { type Module, module } from './module.js'

export const artifacts: Module = module('artifacts', {
  save: builtin('save', 'name, content, mime_type=', (name, content, mimeType) =>
    askHost(
      'artifacts',
      'save',
      ['name', content instanceof Bytes ? 'characters' : 'text', 'mimeType'],
      [name, content instanceof Bytes ? charactersOf(content) : textOf(content!), mimeType],
    ),
  ),
  open: builtin('open', 'name, /', (...args) => askHost('artifacts', 'open', ['name'], args)),
  read: builtin('read', 'artifact, /', (artifact) =>
    readFile(typeof artifact === 'string' || !isDict(artifact!) ? { path: artifact! } : (artifact as RecordDict)),
  ),
  list: builtin('list', '', () => askHost('artifacts', 'list', [], [])),
})

function textOf(content: Value): Value {
  if (typeof content === 'string') return content
  throw guestError('TypeError', said`artifacts.save: content must be str or bytes, not ${typeOf(content)}`, {
    hint: 'write json.dumps(x) for data',
  })
}

/** A text for the channel: the code of each character is a byte. */
function charactersOf({ b }: Bytes): string {
  let characters = ''
  for (let i = 0; i < b.length; i += CHUNK) characters += String.fromCharCode(...b.subarray(i, i + CHUNK))
  return characters
}

const CHUNK = 4096
