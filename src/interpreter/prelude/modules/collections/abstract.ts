// The module `collections.abc`: classes that test values, and that add derived methods to the classes that inherit from
// them. For example, a mapping with `__getitem__`, `__iter__` and `__len__` also gets `get`, `items` and `==`.

import { builtin, call, isCallable } from '../../calls/signature.js'
import { attributeOrAbsent } from '../../classes/attributes.js'
import { asMethod, attachClass, Class, classIn, inheritsFrom, setMember } from '../../classes/classes.js'
import { NOT_IMPLEMENTED } from '../../classes/instances.js'
import { classOf, objectClass } from '../../classes/known-classes.js'
import { mappingEntries } from '../../classes/mappings.js'
import { dictOf } from '../../containers/dict.js'
import { items, length } from '../../containers/iterate.js'
import { key } from '../../containers/keys.js'
import { DictView } from '../../methods/dict-views.js'
import { equal } from '../../operators/comparison.js'
import { Iterator } from '../../operators/iterators.js'
import { contains } from '../../operators/membership.js'
import { deleteIndex, index, setIndex } from '../../operators/subscript.js'
import { contentOf } from '../../values/contents.js'
import { GuestError, guestError, raise } from '../../values/errors.js'
import { protocolOf } from '../../values/protocol.js'
import { asName, said } from '../../values/said.js'
import { Bytes, isDict, isList, Range, TUPLE, type Value } from '../../values/values.js'

export type Body = (self: Value, a: Value | undefined, b: Value | undefined) => Value

interface Kind {
  readonly bases?: readonly string[]
  /** The methods that a subclass must define. */
  readonly wants?: readonly string[]
  readonly has: (x: Value) => boolean
  /** The mixin methods by name: the parameters after the object, and the function. */
  readonly gives?: Readonly<Record<string, readonly [parameters: string, body: Body]>>
}

// ---- membership -------------------------------------------------------------------------------------------------

function isIterable(x: Value): boolean {
  if (attributeOrAbsent(x, '__iter__') !== undefined) return true
  if (protocolOf(x)?.next !== undefined || typeof x === 'string') return true
  if (typeof x !== 'object' || x === null) return false
  try {
    items(x)
    return true
  } catch {
    return false
  }
}

const isIterator = (x: Value): boolean => protocolOf(x)?.next !== undefined
const hasLength = (x: Value): boolean =>
  typeof x === 'string' ||
  (typeof x === 'object' &&
    x !== null &&
    (Array.isArray(x) ||
      x instanceof Set ||
      isDict(x) ||
      x instanceof Range ||
      x instanceof Bytes ||
      protocolOf(x)?.length !== undefined))
const isSequence = (x: Value): boolean =>
  typeof x === 'string' || Array.isArray(x) || x instanceof Range || x instanceof Bytes

function isHashable(x: Value): boolean {
  try {
    key(x)
    return true
  } catch (e) {
    if (e instanceof GuestError) return false
    throw e
  }
}

// ---- mixin methods ----------------------------------------------------------------------------------------------

function isKeyError(e: unknown): boolean {
  return e instanceof GuestError && inheritsFrom(classOf(e), classIn(keyError())!)
}

let keyErrorValue: Value | undefined
function keyError(): Value {
  keyErrorValue ??= classOf(guestError('KeyError', '')).$value
  return keyErrorValue
}

/** `self[k]`. Undefined if the key is missing. */
function found(self: Value, k: Value): Value | undefined {
  try {
    return index(self, k)
  } catch (e) {
    if (isKeyError(e)) return undefined
    throw e
  }
}

const entries = (self: Value): Value[] => items(self).flatMap((k) => [k, index(self, k)])

function pairOf(x: Value): readonly Value[] {
  const pair = items(x)
  return pair.length === 2 ? pair : raise('ValueError', 'an element of an update is a pair of a key and a value')
}

function updated(self: Value, more: Value | undefined, named: Value | undefined): Value {
  if (more !== undefined) {
    const flat = mappingEntries(more) ?? items(more).flatMap(pairOf)
    for (let i = 0; i < flat.length; i += 2) setIndex(self, flat[i]!, flat[i + 1]!)
  }
  const flat = mappingEntries(named!)!
  for (let i = 0; i < flat.length; i += 2) setIndex(self, flat[i]!, flat[i + 1]!)
  return null
}

const mapping: Kind['gives'] = {
  get: ['key, default=', (self, k, ifAbsent) => found(self, k!) ?? ifAbsent ?? null],
  __contains__: ['key', (self, k) => found(self, k!) !== undefined],
  keys: ['', (self) => new DictView(dictOf(entries(self)), 'keys')],
  values: ['', (self) => new DictView(dictOf(entries(self)), 'values')],
  items: ['', (self) => new DictView(dictOf(entries(self)), 'items')],
  __eq__: [
    'other',
    (self, other) => {
      const theirs = mappingEntries(other!)
      return theirs === undefined ? NOT_IMPLEMENTED : equal(dictOf(entries(self)), dictOf(theirs))
    },
  ],
}

const changingMapping: Kind['gives'] = {
  pop: [
    'key, default=',
    (self, k, ifAbsent) => {
      const v = found(self, k!)
      if (v === undefined) return ifAbsent ?? (ifAbsent === null ? null : index(self, k!))
      deleteIndex(self, k!)
      return v
    },
  ],
  popitem: [
    '',
    (self) => {
      const first = items(self)[0]
      if (first === undefined) return raise('KeyError', '', { args: [] })
      const v = index(self, first)
      deleteIndex(self, first)
      return [TUPLE, first, v]
    },
  ],
  clear: [
    '',
    (self) => {
      for (const k of items(self).slice()) deleteIndex(self, k)
      return null
    },
  ],
  update: ['other=, **kwargs', updated],
  setdefault: [
    'key, default=',
    (self, k, ifAbsent) => {
      const v = found(self, k!)
      if (v !== undefined) return v
      setIndex(self, k!, ifAbsent ?? null)
      return ifAbsent ?? null
    },
  ],
}

function placeOf(self: Value, x: Value): number {
  const at = items(self).findIndex((e) => e === x || equal(e, x))
  return at < 0 ? raise('ValueError', '') : at
}

const sequence: Kind['gives'] = {
  __contains__: ['value', (self, x) => items(self).some((e) => e === x || equal(e, x!))],
  __reversed__: [
    '',
    (self) => {
      let i = length(self)
      return new Iterator('generator', () => (i > 0 ? index(self, --i) : undefined))
    },
  ],
  index: ['value', (self, x) => placeOf(self, x!)],
  count: ['value', (self, x) => items(self).filter((e) => e === x || equal(e, x!)).length],
}

const method = (self: Value, name: string, args: readonly Value[]): Value => call(attributeOrAbsent(self, name)!, args)

function extended(self: Value, more: Value): Value {
  for (const e of items(more).slice()) method(self, 'append', [e])
  return self
}

const changingSequence: Kind['gives'] = {
  append: ['value', (self, x) => method(self, 'insert', [length(self), x!])],
  extend: [
    'values',
    (self, more) => {
      extended(self, more!)
      return null
    },
  ],
  __iadd__: ['values', (self, more) => extended(self, more!)],
  pop: [
    'index=',
    (self, i) => {
      const v = index(self, i ?? -1)
      deleteIndex(self, i ?? -1)
      return v
    },
  ],
  remove: [
    'value',
    (self, x) => {
      deleteIndex(self, placeOf(self, x!))
      return null
    },
  ],
  reverse: [
    '',
    (self) => {
      const all = items(self).slice().reverse()
      for (let i = 0; i < all.length; i++) setIndex(self, i, all[i]!)
      return null
    },
  ],
  clear: [
    '',
    (self) => {
      while (length(self) > 0) deleteIndex(self, -1)
      return null
    },
  ],
}

/** A set of the same class as `self`. */
function alike(self: Value, elements: readonly Value[]): Value {
  return call(classOf(self).$value, [elements.slice()])
}
const within = (a: Value, b: Value): boolean => items(a).every((e) => contains(b, e))

const set: Kind['gives'] = {
  __le__: ['other', (self, other) => length(self) <= length(other!) && within(self, other!)],
  __lt__: ['other', (self, other) => length(self) < length(other!) && within(self, other!)],
  __ge__: ['other', (self, other) => length(self) >= length(other!) && within(other!, self)],
  __gt__: ['other', (self, other) => length(self) > length(other!) && within(other!, self)],
  __eq__: [
    'other',
    (self, other) =>
      other instanceof Set || inheritsFrom(classOf(other!), classIn(abc.Set!)!)
        ? length(self) === length(other!) && within(self, other!)
        : NOT_IMPLEMENTED,
  ],
  __and__: [
    'other',
    (self, other) =>
      alike(
        self,
        items(other!).filter((e) => contains(self, e)),
      ),
  ],
  __or__: ['other', (self, other) => alike(self, [...items(self), ...items(other!)])],
  __sub__: [
    'other',
    (self, other) =>
      alike(
        self,
        items(self).filter((e) => !contains(other!, e)),
      ),
  ],
  __xor__: [
    'other',
    (self, other) =>
      alike(self, [
        ...items(self).filter((e) => !contains(other!, e)),
        ...items(other!).filter((e) => !contains(self, e)),
      ]),
  ],
  isdisjoint: ['other', (self, other) => !items(other!).some((e) => contains(self, e))],
}

const changingSet: Kind['gives'] = {
  remove: [
    'value',
    (self, x) => {
      if (!contains(self, x!)) return raise('KeyError', '', { args: [x!] })
      return method(self, 'discard', [x!])
    },
  ],
  pop: [
    '',
    (self) => {
      const first = items(self)[0]
      if (first === undefined) return raise('KeyError', '', { args: [] })
      method(self, 'discard', [first])
      return first
    },
  ],
  clear: [
    '',
    (self) => {
      for (const e of items(self).slice()) method(self, 'discard', [e])
      return null
    },
  ],
}

// ---- the classes -----------------------------------------------------------------------------------------------

const kinds: Readonly<Record<string, Kind>> = {
  Iterable: { wants: ['__iter__'], has: isIterable },
  Iterator: { wants: ['__next__'], has: isIterator, gives: { __iter__: ['', (self) => self] } },
  Generator: { has: isIterator },
  Sized: { wants: ['__len__'], has: hasLength },
  Container: { wants: ['__contains__'], has: hasLength },
  Collection: { bases: ['Sized', 'Iterable', 'Container'], has: (x) => hasLength(x) && isIterable(x) },
  Reversible: { bases: ['Iterable'], wants: ['__reversed__'], has: (x) => isSequence(x) || isDict(x) },
  Sequence: { wants: ['__getitem__', '__len__'], has: isSequence, gives: sequence },
  MutableSequence: {
    bases: ['Sequence'],
    wants: ['__delitem__', '__setitem__', 'insert'],
    has: isList,
    gives: changingSequence,
  },
  Mapping: { wants: ['__getitem__', '__iter__', '__len__'], has: isDict, gives: mapping },
  MutableMapping: { bases: ['Mapping'], wants: ['__delitem__', '__setitem__'], has: isDict, gives: changingMapping },
  Set: {
    wants: ['__contains__', '__iter__', '__len__'],
    has: (x) => x instanceof Set || (x instanceof DictView && x.$kind !== 'values'),
    gives: set,
  },
  MutableSet: { bases: ['Set'], wants: ['add', 'discard'], has: (x) => x instanceof Set, gives: changingSet },
  KeysView: { has: (x) => x instanceof DictView && x.$kind === 'keys' },
  ValuesView: { has: (x) => x instanceof DictView && x.$kind === 'values' },
  ItemsView: { has: (x) => x instanceof DictView && x.$kind === 'items' },
  Hashable: { wants: ['__hash__'], has: isHashable },
  Callable: { wants: ['__call__'], has: (x) => isCallable(x) },
}

const abc: Record<string, Value> = {}
for (const [name, kind] of Object.entries(kinds)) abc[name] = abstractClass(name, kind)

function abstractClass(name: string, kind: Kind): Value {
  const bases = (kind.bases ?? []).map((b) => classIn(abc[b]!)!)
  const cls = new Class(name, 'builtin', bases.length === 0 ? [objectClass] : bases)
  const f = builtin(name, '*args, **kwargs', () => {
    throw guestError('TypeError', said`Can't instantiate abstract class ${asName(name)}`)
  })
  attachClass(f, cls)
  Object.assign(cls.$extras, { inheritable: true, abstract: true, module: 'collections.abc' })
  cls.$has = (x) => inheritsFrom(classOf(x), cls) || kind.has(contentOf(x) ?? x)
  for (const wanted of kind.wants ?? []) {
    const missing = builtin(wanted, 'self, /, *args', () => null)
    ;(missing as { $abstract?: boolean }).$abstract = true
    setMember(cls, wanted, asMethod(missing))
  }
  for (const [given, [parameters, body]] of Object.entries(kind.gives ?? {})) {
    const f = builtin(given, `self, ${parameters}`.replace(/, $/, ''), (self, a, b) => body(self!, a, b))
    setMember(cls, given, asMethod(f))
  }
  return f
}

/** The classes by name. */
export const abstractClasses: Readonly<Record<string, Value>> = abc
