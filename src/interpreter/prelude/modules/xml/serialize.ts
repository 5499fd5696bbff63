// Elements to XML text. Invariant: parsing the text gives the same elements.

import { dictFlat } from '../../containers/dict.js'
import { quoted } from '../../text/repr.js'
import { typeError } from '../../values/errors.js'
import { said } from '../../values/said.js'
import { typeOf, type Value } from '../../values/values.js'
import { children, parts } from './elements.js'

const known = new Map([
  ['http://www.w3.org/XML/1998/namespace', 'xml'],
  ['http://www.w3.org/1999/xhtml', 'html'],
  ['http://www.w3.org/1999/02/22-rdf-syntax-ns#', 'rdf'],
  ['http://schemas.xmlsoap.org/wsdl/', 'wsdl'],
  ['http://www.w3.org/2001/XMLSchema', 'xs'],
  ['http://www.w3.org/2001/XMLSchema-instance', 'xsi'],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
])

/** Sets the prefix of a namespace. */
export function registerPrefix(prefix: string, space: string): void {
  for (const [other, p] of known) if (p === prefix) known.delete(other)
  known.set(space, prefix)
}

const wanted = (x: Value): string =>
  typeof x === 'string' ? x : typeError(said`cannot serialize ${quoted(x)} (type ${typeOf(x)})`)

const textOf = (x: Value): string => wanted(x).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const attributeOf = (x: Value): string =>
  textOf(x).replaceAll('"', '&quot;').replaceAll('\r', '&#13;').replaceAll('\n', '&#10;').replaceAll('\t', '&#09;')

/** The text of an element, which declares all namespaces that are used in it. */
export function serialize(root: Value, shortEmpty: boolean): string {
  const spaces = new Map<string, string>()
  const shown = (name: Value): string => {
    const m = /^\{([^}]*)\}(.*)$/.exec(wanted(name))
    if (m === null) return name as string
    const [, space, local] = m as unknown as [string, string, string]
    if (!spaces.has(space)) spaces.set(space, known.get(space) ?? `ns${spaces.size}`)
    return `${spaces.get(space)}:${local}`
  }
  const write = (x: Value, declarations: () => string): string => {
    const { tag, attrib, text, tail } = parts(x)
    const name = shown(tag!)
    const flat = dictFlat(attrib as object)
    let attributes = ''
    for (let i = 0; i < flat.length; i += 2) attributes += ` ${shown(flat[i]!)}="${attributeOf(flat[i + 1]!)}"`
    const inner =
      (text === null || text === '' ? '' : textOf(text!)) +
      children(x)
        .map((c) => write(c, () => ''))
        .join('')
    const opened = `<${name}${attributes}${declarations()}`
    const whole =
      inner !== '' || children(x).length > 0 || !shortEmpty ? `${opened}>${inner}</${name}>` : `${opened} />`
    return whole + (tail === null || tail === '' ? '' : textOf(tail!))
  }
  return write(root, () =>
    [...spaces]
      .filter(([, prefix]) => prefix !== 'xml')
      .sort((a, b) => (a[1] < b[1] ? -1 : 1))
      .map(([space, prefix]) => ` xmlns:${prefix}="${attributeOf(space)}"`)
      .join(''),
  )
}

/** Inserts line ends and indentation between elements that have no text between them. */
export function indent(x: Value, blanks: string, level: number): void {
  const all = children(x)
  if (all.length === 0) return
  const inner = `\n${blanks.repeat(level + 1)}`
  const isBlank = (t: Value | undefined): boolean => t === null || t === undefined || (t as string).trim() === ''
  if (isBlank(parts(x).text)) parts(x).text = inner
  all.forEach((child, i) => {
    indent(child, blanks, level + 1)
    if (isBlank(parts(child).tail)) parts(child).tail = i < all.length - 1 ? inner : `\n${blanks.repeat(level)}`
  })
}
