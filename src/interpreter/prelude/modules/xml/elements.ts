// Elements as objects of programs. Tag, attributes, text and tail are fields; the children are a list of their own.

import { call, type Native } from '../../calls/signature.js'
import { Instance } from '../../classes/classes.js'
import { moduleClass } from '../../classes/module-class.js'
import { fieldsOf } from '../../classes/object-attributes.js'
import { dictCopy, dictFlat, dictGet, dictItems, dictKeys, dictOf, dictSet, dictUpdate } from '../../containers/dict.js'
import { items } from '../../containers/iterate.js'
import { Iterator, stepper } from '../../operators/iterators.js'
import { Slice } from '../../operators/slices.js'
import { deleteIndex, deleteSlice, index, setIndex, slice } from '../../operators/subscript.js'
import { quoted, repr } from '../../text/repr.js'
import { guestError, typeError, valueError } from '../../values/errors.js'
import { said } from '../../values/said.js'
import { type RecordDict, typeOf, type Value } from '../../values/values.js'
import type { XmlNode } from './parse-xml.js'
import { findPath, type Tree, within } from './paths.js'

const { cls: elementClass, define } = moduleClass('Element', 'xml.etree.ElementTree')
export const Element: Value = elementClass.$value

const childrenOf = new WeakMap<object, Value[]>()

export const isElement = (x: Value): boolean => x instanceof Instance && childrenOf.has(x)

/** The children of an element. The program may change them through methods. */
export function children(x: Value): Value[] {
  return childrenOf.get(x as object) ?? typeError(said`expected an Element, not ${typeOf(x)}`)
}

export const parts = (x: Value): RecordDict => fieldsOf(x)

const given = (x: Value | undefined): Value[] => (x === undefined || x === null ? [] : dictFlat(x as object))

export function newElement(tag: Value, attributes: readonly Value[]): Value {
  return call(Element, [tag, dictOf(attributes)])
}

/** The element for a parsed record. */
export function elementOf(node: XmlNode): Value {
  const made = newElement(node.tag, [...node.attributes].flat())
  const fields = parts(made)
  fields.text = node.text === '' ? null : node.text
  fields.tail = node.tail === '' ? null : node.tail
  children(made).push(...node.children.map(elementOf))
  return made
}

// ---- finding ---------------------------------------------------------------------------------------------------

const textWithin = (x: Value): string =>
  ((parts(x).text as string | null) ?? '') +
  children(x)
    .map((c) => textWithin(c) + ((parts(c).tail as string | null) ?? ''))
    .join('')

const tree: Tree<Value> = {
  tag: (x) => (typeof parts(x).tag === 'string' ? (parts(x).tag as string) : undefined),
  children,
  attribute: (x, name) => dictGet(parts(x).attrib as object, name) as string | undefined,
  text: textWithin,
}

function found(x: Value, path: Value, namespaces: Value | undefined): Value[] {
  const spaces = new Map<string, string>()
  const flat = given(namespaces) as string[]
  for (let i = 0; i < flat.length; i += 2) spaces.set(flat[i]!, flat[i + 1]!)
  const all = findPath(tree, x, path as string, (prefix) => {
    const space = spaces.get(prefix)
    if (space === undefined && prefix !== '')
      throw guestError('SyntaxError', said`prefix ${quoted(prefix)} not found in prefix map`)
    return space
  })
  if (all === undefined)
    throw guestError(
      'SyntaxError',
      (path as string).startsWith('/') ? 'cannot use absolute path on element' : 'invalid path',
    )
  return all
}

/** The elements of `iter`: the element and its descendants, or those with one tag. */
function walk(x: Value, tag: Value | undefined): Value[] {
  const all = within(tree, x)
  return tag === undefined || tag === null || tag === '*' ? all : all.filter((e) => parts(e).tag === tag)
}

const walked = (all: readonly Value[]): Value => new Iterator('generator', stepper([...all]))

function texts(x: Value): Value[] {
  const { text } = parts(x)
  const below = children(x).flatMap((c) => {
    const { tail } = parts(c)
    return [...texts(c), ...(typeof tail === 'string' && tail !== '' ? [tail] : [])]
  })
  return typeof text === 'string' && text !== '' ? [text, ...below] : below
}

/** The methods that elements and trees share; `of` returns their element. */
export function defineFinding(
  define: (name: string, parameters: string, f: Native) => void,
  of: (self: Value) => Value,
): void {
  define('find', 'self, path, namespaces=', (self, path, spaces) => found(of(self!), path!, spaces)[0] ?? null)
  define('findall', 'self, path, namespaces=', (self, path, spaces) => found(of(self!), path!, spaces))
  define('iterfind', 'self, path, namespaces=', (self, path, spaces) => walked(found(of(self!), path!, spaces)))
  define('findtext', 'self, path, default=, namespaces=', (self, path, otherwise, spaces) => {
    const first = found(of(self!), path!, spaces)[0]
    return first === undefined ? (otherwise ?? null) : (parts(first).text ?? '')
  })
  define('iter', 'self, tag=', (self, tag) => walked(walk(of(self!), tag)))
}

// ---- the class -------------------------------------------------------------------------------------------------

const wantElement = (x: Value | undefined): Value =>
  isElement(x!) ? x! : typeError(said`expected an Element, not ${typeOf(x!)}`)

define('__init__', 'self, tag, attrib=, **extra', (self, tag, attributes, extra) => {
  const attrib = attributes === undefined ? dictOf([]) : dictCopy(attributes as object)
  dictUpdate(attrib, extra as object)
  childrenOf.set(self as object, [])
  Object.assign(parts(self!), { tag: tag!, attrib, text: null, tail: null })
  return null
})
define('__repr__', 'self', (self) => `<Element ${repr(parts(self!).tag!)}>`)
define('__len__', 'self', (self) => children(self!).length)
define('__iter__', 'self', (self) => new Iterator('iterator', stepper(children(self!))))
define('__getitem__', 'self, index', (self, i) =>
  i instanceof Slice ? slice(children(self!), i.$start, i.$stop, i.$step) : index(children(self!), i!),
)
define('__setitem__', 'self, index, element', (self, i, e) => {
  setIndex(children(self!), i!, wantElement(e))
  return null
})
define('__delitem__', 'self, index', (self, i) => {
  if (i instanceof Slice) deleteSlice(children(self!), i.$start, i.$stop, i.$step)
  else deleteIndex(children(self!), i!)
  return null
})
const attributesOf = (self: Value): object => parts(self).attrib as object
define('get', 'self, key, default=', (self, key, otherwise) => dictGet(attributesOf(self!), key!) ?? otherwise ?? null)
define('set', 'self, key, value', (self, key, value) => {
  dictSet(attributesOf(self!), key!, value!)
  return null
})
define('keys', 'self', (self) => dictKeys(attributesOf(self!)))
define('items', 'self', (self) => dictItems(attributesOf(self!)))
define('append', 'self, subelement', (self, e) => {
  children(self!).push(wantElement(e))
  return null
})
define('extend', 'self, elements', (self, all) => {
  children(self!).push(...items(all!).map(wantElement))
  return null
})
define('insert', 'self, index, subelement', (self, i, e) => {
  children(self!).splice(i as number, 0, wantElement(e))
  return null
})
define('remove', 'self, subelement', (self, e) => {
  const at = children(self!).indexOf(e!)
  if (at < 0) return valueError('list.remove(x): x not in list')
  children(self!).splice(at, 1)
  return null
})
define('clear', 'self', (self) => {
  children(self!).length = 0
  Object.assign(parts(self!), { attrib: dictOf([]), text: null, tail: null })
  return null
})
define('itertext', 'self', (self) => walked(texts(self!)))
defineFinding(define, (self) => self)
