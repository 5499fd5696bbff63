// The module `xml.etree.ElementTree` for texts. There are no functions that open files.

import { builtin } from '../calls/signature.js'
import { callAttribute } from '../classes/attributes.js'
import { exceptionClass } from '../classes/known-classes.js'
import { moduleClass } from '../classes/module-class.js'
import { fieldsOf } from '../classes/object-attributes.js'
import { dictFlat, dictOf } from '../containers/dict.js'
import { items } from '../containers/iterate.js'
import { printText } from '../host/output.js'
import { decodeBytes, encodeText } from '../text/codecs.js'
import { guestError } from '../values/errors.js'
import { said, word } from '../values/said.js'
import { Bytes, TUPLE, type Value } from '../values/values.js'
import { type Module, module } from './module.js'
import { children, defineFinding, Element, elementOf, isElement, newElement } from './xml/elements.js'
import { parseXml, XmlFault } from './xml/parse-xml.js'
import { indent, registerPrefix, serialize } from './xml/serialize.js'

function fromText(source: Value): Value {
  const text = source instanceof Bytes ? decodeBytes(source.b, 'utf-8', 'strict') : (source as string)
  try {
    return elementOf(parseXml(text))
  } catch (e) {
    if (!(e instanceof XmlFault)) throw e
    const failure = guestError('ParseError', said`${word(e.reason)}: line ${e.line}, column ${e.column}`)
    failure.attributes = { position: [TUPLE, e.line, e.column] }
    throw failure
  }
}

/** The text, or its bytes in an encoding. Characters that the encoding lacks become numeric references. */
function written(
  root: Value,
  encoding: Value | undefined,
  declared: Value | undefined,
  short: Value | undefined,
): Value {
  const text = serialize(root, short !== false)
  const name = typeof encoding === 'string' ? encoding : 'us-ascii'
  if (name.toLowerCase() === 'unicode')
    return declared === true ? `<?xml version='1.0' encoding='UTF-8'?>\n${text}` : text
  const plain = ['us-ascii', 'utf-8'].includes(name.toLowerCase())
  const declares =
    declared === true ||
    ((declared === undefined || declared === null) && !(plain && name !== 'UTF-8' && name !== 'utf8'))
  const head = declares ? `<?xml version='1.0' encoding='${name}'?>\n` : ''
  return encodeText(head + text, name === 'us-ascii' ? 'ascii' : name, 'xmlcharrefreplace')
}

const { cls: treeClass, define } = moduleClass('ElementTree', 'xml.etree.ElementTree')
const rootOf = (self: Value): Value => fieldsOf(self)._root!
define('__init__', 'self, element=', (self, root) => {
  fieldsOf(self!)._root = root ?? null
  return null
})
define('getroot', 'self', (self) => rootOf(self!))
defineFinding(define, rootOf)
define(
  'write',
  'self, file_or_filename, encoding=, xml_declaration=, default_namespace=, method=, *, short_empty_elements=',
  (self, file, encoding, declared, _, __, short) => {
    callAttribute(file!, 'write', [written(rootOf(self!), encoding, declared, short)])
    return null
  },
)

const plainRoot = (x: Value): Value => (isElement(x) ? x : rootOf(x))

const elementTree: Module = module('xml.etree.ElementTree', {
  Element,
  ElementTree: treeClass.$value,
  ParseError: exceptionClass('ParseError').$value,
  SubElement: builtin('SubElement', 'parent, tag, attrib=, **extra', (parent, tag, attributes, extra) => {
    const flat = [...(attributes === undefined ? [] : dictFlat(attributes as object)), ...dictFlat(extra as object)]
    const made = newElement(tag!, dictFlat(dictOf(flat)))
    children(parent!).push(made)
    return made
  }),
  fromstring: builtin('fromstring', 'text, parser=', (text) => fromText(text!)),
  XML: builtin('XML', 'text, parser=', (text) => fromText(text!)),
  fromstringlist: builtin('fromstringlist', 'sequence, parser=', (all) => fromText(items(all!).join(''))),
  tostring: builtin(
    'tostring',
    'element, encoding=, method=, *, xml_declaration=, default_namespace=, short_empty_elements=',
    (root, encoding, _, declared, __, short) => written(root!, encoding, declared, short),
  ),
  indent: builtin('indent', 'tree, space=, level=', (x, space, level) => {
    indent(plainRoot(x!), typeof space === 'string' ? space : '  ', typeof level === 'number' ? level : 0)
    return null
  }),
  dump: builtin('dump', 'elem', (x) => {
    printText(`${serialize(plainRoot(x!), true)}\n`, '')
    return null
  }),
  iselement: builtin('iselement', 'element', (x) => isElement(x!)),
  register_namespace: builtin('register_namespace', 'prefix, uri', (prefix, space) => {
    registerPrefix(prefix as string, space as string)
    return null
  }),
})
const etree: Module = module('xml.etree', { ElementTree: elementTree })

export const xmlModules: Readonly<Record<string, Module>> = {
  xml: module('xml', { etree }),
  'xml.etree': etree,
  'xml.etree.ElementTree': elementTree,
}
