// `json.JSONEncoder`. Its subclasses convert further values in `default`. An encoder keeps the options of `dumps`, and
// every `encode` uses them.

import { callAttribute } from '../classes/attributes.js'
import { moduleClass } from '../classes/module-class.js'
import { fieldsOf } from '../classes/object-attributes.js'
import { encode, noForm, type Style } from '../json/encode.js'
import type { Value } from '../values/values.js'

const OPTIONS = [
  'skipkeys',
  'ensure_ascii',
  'check_circular',
  'allow_nan',
  'indent',
  'separators',
  'sort_keys',
] as const

/** The class; `styleOf` takes the options of an encoder by their names. */
export function encoderClass(styleOf: (options: Readonly<Record<string, Value | undefined>>) => Style): Value {
  const { cls, define } = moduleClass('JSONEncoder', 'json.encoder')
  define('__init__', `self, *, ${OPTIONS.map((o) => `${o}=`).join(', ')}, default=`, (self, ...given) => {
    const fields = fieldsOf(self!)
    OPTIONS.forEach((name, i) => {
      if (given[i] !== undefined) fields[name] = given[i] as Value
    })
    const instead = given[OPTIONS.length]
    if (instead !== undefined && instead !== null) fields.default = instead
    return null
  })
  define('default', 'self, o', (_, o) => {
    throw noForm(o!, styleOf({}))
  })
  define('encode', 'self, o', (self, o) => {
    const fields = fieldsOf(self!)
    const options = Object.fromEntries(OPTIONS.map((name) => [name, fields[name]]))
    return encode(o!, { ...styleOf(options), instead: (x) => callAttribute(self!, 'default', [x]) })
  })
  return cls.$value
}
