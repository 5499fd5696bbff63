// The tests of match patterns (Python's reference: The match statement). Generated code destructures plain lists,
// tuples, dicts and objects itself, and calls this file for all other values. Invariant: `undefined` means that a value
// does not match. Nothing here changes a value.

import { isCallable } from '../calls/signature.js'
import { attributeOrAbsent, callAttribute } from '../classes/attributes.js'
import { type Class, classIn, FIELDS } from '../classes/classes.js'
import { Property } from '../classes/descriptors.js'
import { isKind } from '../classes/instances.js'
import { classOf, isInstanceOf } from '../classes/known-classes.js'
import { mappingEntries } from '../classes/mappings.js'
import { dictGet, dictOf } from '../containers/dict.js'
import { items, length } from '../containers/iterate.js'
import { key } from '../containers/keys.js'
import { quoted } from '../text/repr.js'
import { guestError, typeError } from '../values/errors.js'
import { asName, said } from '../values/said.js'
import { isDict, isTuple, type RecordDict, TUPLE, type Tuple, typeName, typeOf, type Value } from '../values/values.js'

// ---- sequences and mappings ------------------------------------------------------------------------------------

/** Built-in classes whose objects are sequences, and below, mappings. Strings and bytes are neither. */
const SEQUENCES: ReadonlySet<string> = new Set(['list', 'tuple', 'range', 'deque', 'Sequence'])
const MAPPINGS: ReadonlySet<string> = new Set(['dict', 'ChainMap', 'mappingproxy', 'Mapping'])

function belongs(x: object, names: ReadonlySet<string>): boolean {
  return classOf(x).$order.some((c) => c.$kind === 'builtin' && names.has(c.$name))
}

/** The elements of a sequence. A list or tuple is returned itself, with its mark; other sequences as an array. */
export function sequence(x: Value): readonly Value[] | undefined {
  if (typeof x !== 'object' || x === null) return undefined
  if (Array.isArray(x)) return x as Value[]
  return !isDict(x) && belongs(x, SEQUENCES) ? items(x) : undefined
}

export function isMapping(x: Value): boolean {
  return typeof x === 'object' && x !== null && (isDict(x) || (!Array.isArray(x) && belongs(x, MAPPINGS)))
}

const ABSENT: Value = Object.freeze(Object.create(null)) as object

/** The value under a key of a mapping. */
export function matchKey(x: Value, k: Value): Value | undefined {
  if (typeof x !== 'object' || x === null || Array.isArray(x)) return undefined
  if (isDict(x)) return dictGet(x, k)
  if (!belongs(x, MAPPINGS)) return undefined
  const found = callAttribute(x, 'get', [k, ABSENT])
  return found === ABSENT ? undefined : found
}

/** The values under computed keys, which must be distinct. */
export function matchKeys(x: Value, keys: readonly Value[]): readonly Value[] | undefined {
  if (!isMapping(x) || length(x) < keys.length) return undefined
  const seen = new Set<Value>()
  const found: Value[] = []
  for (const k of keys) {
    const normal = key(k)
    if (seen.has(normal)) throw guestError('ValueError', said`mapping pattern checks duplicate key (${quoted(k)})`)
    seen.add(normal)
    const v = matchKey(x, k)
    if (v === undefined) return undefined
    found.push(v)
  }
  return found
}

/** A new dict with the entries of a mapping except some keys. */
export function mappingRest(x: Value, keys: readonly Value[]): Value {
  const left = new Set(keys.map(key))
  const flat = mappingEntries(x)!
  const rest: Value[] = []
  for (let i = 0; i < flat.length; i += 2) if (!left.has(key(flat[i]!))) rest.push(flat[i]!, flat[i + 1]!)
  return dictOf(rest)
}

// ---- classes ---------------------------------------------------------------------------------------------------

/** True if `x` is an object of the class that a pattern names. */
export function isOf(x: Value, type: Value): boolean {
  const cls = classIn(type)
  if (cls === undefined) {
    // A callable of a module that creates values of the type of its name.
    if (isCallable(type) && type.sig.builtin) return typeName(x) === type.sig.name
    return typeError('called match pattern must be a type')
  }
  return (x as { $class?: Class } | null)?.$class === cls || isInstanceOf(x, cls)
}

/** Built-in types whose single positional pattern matches the value itself. So does that of their subclasses. */
const WHOLE: ReadonlySet<string> = new Set(
  'bool bytearray bytes dict float frozenset int list set str tuple'.split(' '),
)
/** Means the value itself in a list of attribute names. */
const SELF: Tuple = [TUPLE, null]

/**
 * The attribute names for the first `n` positional patterns of a class. `named` are the names that the pattern itself
 * has.
 */
export function matchNames(type: Value, n: number, named?: readonly string[]): readonly Value[] {
  const cls = classIn(type)
  const own = cls?.$members.__match_args__
  const names = own ?? (cls?.$order.some((c) => c.$kind === 'builtin' && WHOLE.has(c.$name)) ? SELF : [TUPLE])
  const name = cls === undefined ? typeName(type) : fullName(cls)
  if (!isTuple(names)) return typeError(said`${asName(name)}.__match_args__ must be a tuple (got ${typeOf(names)})`)
  const most = names.length - 1
  if (n > most) {
    typeError(said`${asName(name)}() accepts ${most} positional sub-pattern${most === 1 ? '' : 's'} (${n} given)`)
  }
  if (names === SELF || (named === undefined && (checked.get(names) ?? 0) >= n)) return names
  for (let i = 1; i <= n; i++) {
    const attribute: Value = names[i]!
    if (typeof attribute !== 'string')
      typeError(said`__match_args__ elements must be strings (got ${typeOf(attribute)})`)
    if (named?.includes(attribute as string) || (i > 1 && names.indexOf(attribute) < i))
      typeError(said`${asName(name)}() got multiple sub-patterns for attribute ${quoted(attribute)}`)
  }
  if (named === undefined) checked.set(names, n)
  return names
}

/** Classes that CPython implements in C. Its messages name them with their module. */
const IN_C: Readonly<Record<string, string>> = {
  deque: 'collections',
  defaultdict: 'collections',
  OrderedDict: 'collections',
  date: 'datetime',
  datetime: 'datetime',
  time: 'datetime',
  timedelta: 'datetime',
  timezone: 'datetime',
  Decimal: 'decimal',
}

function fullName({ $name, $kind }: Class): string {
  const module = $kind === 'builtin' && Object.hasOwn(IN_C, $name) ? IN_C[$name] : undefined
  return module === undefined ? $name : `${module}.${$name}`
}

/** How many names of each `__match_args__` have been checked. */
const checked = new Map<Tuple, number>()

/** The attribute of an object. The object itself if the name is null. */
export function matchAttribute(x: Value, name: Value): Value | undefined {
  if (name === null) return x
  const field = (x as { [FIELDS]?: RecordDict } | null)?.[FIELDS]?.[name as string]
  if (field !== undefined && name !== 'constructor') {
    const member = (x as { $class: Class }).$class.$members[name as string]
    if (member === undefined || !(member instanceof Property)) return field
  }
  try {
    return attributeOrAbsent(x, name as string)
  } catch (e) {
    if (isKind(e, 'AttributeError')) return undefined
    throw e
  }
}
