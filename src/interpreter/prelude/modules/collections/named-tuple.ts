// `namedtuple`: checks the names as Python does, and creates the class.

import { builtin } from '../../calls/signature.js'
import { tupleClass } from '../../classes/tuple-class.js'
import { items } from '../../containers/iterate.js'
import { truth } from '../../operators/membership.js'
import { quoted, str } from '../../text/repr.js'
import { typeError, valueError } from '../../values/errors.js'
import { said } from '../../values/said.js'
import type { Value } from '../../values/values.js'

const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
)

function fieldNames(x: Value, rename: boolean): string[] {
  const names = typeof x === 'string' ? (x.replace(/,/g, ' ').match(/\S+/g) ?? []) : items(x).map((n) => str(n))
  const seen = new Set<string>()
  return names.map((name, i) => {
    const usable =
      /^[\p{XIDS}_]\p{XIDC}*$/u.test(name) && !KEYWORDS.has(name) && !name.startsWith('_') && !seen.has(name)
    if (usable || !rename) {
      check(name, seen)
      seen.add(name)
      return name
    }
    return `_${i}`
  })
}

function check(name: string, seen: ReadonlySet<string>): void {
  checkName(name)
  if (name.startsWith('_')) valueError(said`Field names cannot start with an underscore: ${quoted(name)}`)
  if (seen.has(name)) valueError(said`Encountered duplicate field name: ${quoted(name)}`)
}

function checkName(name: string): void {
  if (!/^[\p{XIDS}_]\p{XIDC}*$/u.test(name))
    valueError(said`Type names and field names must be valid identifiers: ${quoted(name)}`)
  if (KEYWORDS.has(name)) valueError(said`Type names and field names cannot be a keyword: ${quoted(name)}`)
}

export const namedtuple: Value = builtin(
  'namedtuple',
  'typename, field_names, *, rename=, defaults=, module=',
  (name, fields, rename, defaults) => {
    const typeName = str(name!)
    checkName(typeName)
    const names = fieldNames(fields!, rename !== undefined && truth(rename))
    const values = defaults === undefined || defaults === null ? [] : items(defaults)
    if (values.length > names.length) typeError('Got more default values than field names')
    return tupleClass(typeName, names, { defaults: values, ofProgram: true }).value
  },
)
