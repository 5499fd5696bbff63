// The module `string`: constants, `capwords` and `Template`.

import { wantString } from '../calls/expect.js'
import { boundMethod, method } from '../calls/method-tables.js'
import { builtin } from '../calls/signature.js'
import { dictFlat, dictGet, dictOf } from '../containers/dict.js'
import { missingKey } from '../operators/subscript.js'
import { capitalize } from '../text/characters.js'
import { str } from '../text/repr.js'
import { contentOf } from '../values/contents.js'
import { guestError, typeError, valueError } from '../values/errors.js'
import { PROTOCOL, type Protocol } from '../values/protocol.js'
import { said } from '../values/said.js'
import { isDict, nameClass, typeOf, type Value } from '../values/values.js'
import { type Module, module } from './module.js'

const lower = 'abcdefghijklmnopqrstuvwxyz'
const upper = lower.toUpperCase()
const digits = '0123456789'
const punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
const whitespace = ' \t\n\r\v\f'

class Template {
  readonly $text: string
  constructor(text: string) {
    this.$text = text
  }
}

const PLACE = /\$(?:(\$)|([_a-zA-Z][_a-zA-Z0-9]*)|\{([_a-zA-Z][_a-zA-Z0-9]*)\}|)/g

/** Substitutes values. With `safe`, placeholders without a value stay unchanged. */
function substitute(t: Template, mapping: Value | undefined, named: Value | undefined, safe: boolean): string {
  const given = contentOf(mapping) ?? mapping
  const values = dictOf([
    ...(given === undefined
      ? []
      : isDict(given)
        ? dictFlat(given)
        : typeError(said`'${typeOf(given)}' object is no mapping`)),
    ...(named === undefined ? [] : dictFlat(named as object)),
  ])
  return t.$text.replace(
    PLACE,
    (all: string, escaped: string | undefined, bare: string | undefined, braced: string | undefined, at: number) => {
      if (escaped !== undefined) return '$'
      const name = bare ?? braced
      if (name === undefined) {
        if (safe) return all
        const before = t.$text.slice(0, at)
        const line = before.split('\n').length
        return valueError(said`Invalid placeholder in string: line ${line}, col ${at - before.lastIndexOf('\n')}`)
      }
      const v = dictGet(values, name)
      if (v !== undefined) return str(v)
      if (safe) return all
      throw missingKey(values, name)
    },
  )
}

for (const [name, safe] of [
  ['substitute', false],
  ['safe_substitute', true],
] as const) {
  method('Template', Template.prototype, name, 'mapping=, /, **kws', function (
    this: Template,
    mapping?: Value,
    named?: Value,
  ) {
    return substitute(this, mapping, named, safe)
  } as never)
}
const protocol: Protocol = {
  truth: () => true,
  repr: () => '<string.Template object>',
  getAttribute: (x, name) => (name === 'template' ? (x as Template).$text : boundMethod(x, name)),
}
Object.defineProperty(Template.prototype, PROTOCOL, { value: protocol })
nameClass((x) => x instanceof Template, 'Template')

export const string: Module = module('string', {
  ascii_lowercase: lower,
  ascii_uppercase: upper,
  ascii_letters: lower + upper,
  digits,
  hexdigits: `${digits}abcdefABCDEF`,
  octdigits: '01234567',
  punctuation,
  whitespace,
  printable: digits + lower + upper + punctuation + whitespace,
  capwords: builtin('capwords', 's, sep=', (s, sep) => {
    const text = wantString(s, 'capwords', 's')
    const by = sep === undefined || sep === null ? undefined : wantString(sep, 'capwords', 'sep')
    const words =
      by === undefined
        ? (text.match(/[^\t-\r\x1c-\x20\x85\xa0]+/g) ?? [])
        : by === ''
          ? emptySeparator()
          : text.split(by)
    return words.map(capitalize).join(by ?? ' ')
  }),
  Template: builtin('Template', 'template', (text) => new Template(wantString(text, 'Template', 'template'))),
})

function emptySeparator(): never {
  throw guestError('ValueError', 'empty separator')
}
