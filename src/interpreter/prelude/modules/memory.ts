// The module `memory`: JSON data that later runs of the same caller find. Knows four names. The host keeps the values.

import { wantString } from '../calls/expect.js'
import { builtin } from '../calls/signature.js'
import { askHost } from '../foreign/questions.js'
import { encodeJson } from '../json/encode.js'
import { GuestError, guestError } from '../values/errors.js'
import { asName, said } from '../values/said.js'
import { typeOf, type Value } from '../values/values.js'
import { type Module, module } from './module.js'

/** No server has this name. */
const SPACE = 'memory.'

export const memory: Module = module('memory', {
  get: builtin('get', 'key, default=', (key, ifAbsent = null) => {
    const [found = ifAbsent] = askHost(SPACE, 'get', ['key'], [keyIn(key, 'get')]) as Value[]
    return found
  }),
  set: builtin('set', 'key, value', (key, value) =>
    askHost(SPACE, 'set', ['key', 'value'], [keyIn(key, 'set'), jsonOf(value!)]),
  ),
  delete: builtin('delete', 'key, /', (key) => askHost(SPACE, 'delete', ['key'], [keyIn(key, 'delete')])),
  keys: builtin('keys', '', () => askHost(SPACE, 'keys', [], [])),
})

function keyIn(key: Value | undefined, fn: 'get' | 'set' | 'delete'): string {
  return wantString(key, `memory.${fn}`, 'key', said`memory.${asName(fn)}: key must be str, not ${typeOf(key!)}`)
}

/** The value as text. It crosses in this form, so that the same value comes back. */
function jsonOf(value: Value): string {
  try {
    return encodeJson(value)
  } catch (error) {
    if (!(error instanceof GuestError)) throw error
    throw guestError(error.kind, said`memory.set: ${error.said}`, {
      hint: 'keep lists, dicts, texts, numbers and None',
    })
  }
}
