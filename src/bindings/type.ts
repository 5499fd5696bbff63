// The type model between JSON Schema and every notation.
// Invariant: a graph in which every cycle passes through a record or an alias.

export type Type =
  | { readonly kind: 'any' }
  /** No value is possible. */
  | { readonly kind: 'never' }
  | { readonly kind: 'none' }
  | { readonly kind: 'bool' }
  | { readonly kind: 'int' }
  | { readonly kind: 'float' }
  | { readonly kind: 'str' }
  | LiteralType
  | { readonly kind: 'list'; readonly item: Type }
  | { readonly kind: 'tuple'; readonly items: readonly Type[] }
  | { readonly kind: 'dict'; readonly key: Type; readonly value: Type }
  | RecordType
  | AliasType
  | { readonly kind: 'union'; readonly members: readonly Type[] }

export type LiteralValue = string | number | boolean

/** An enumeration of values. Never empty; `None` is a separate type, and a boolean with both values is `bool`. */
interface LiteralType {
  readonly kind: 'literal'
  readonly values: readonly LiteralValue[]
}

/** An object with known keys. */
export interface RecordType {
  readonly kind: 'record'
  /** The preferred name: that of the property or definition it belongs to. */
  readonly hint: string
  readonly fields: readonly Field[]
  /** The declared type of further keys; absent if the schema does not declare it or forbids them. */
  readonly extra?: Type
  /** There can be no other keys; absent where the schema leaves room for them or doesn't say. */
  readonly closed?: true
}

/** A type that is not a record and has a name: it contains itself, or is long and referred to. */
export interface AliasType {
  readonly kind: 'alias'
  readonly hint: string
  readonly target: Type
}

/** One key of a record, or one parameter. */
export interface Field {
  /** The key on the wire. */
  readonly key: string
  readonly type: Type
  readonly required: boolean
  /** The default as JSON, where the schema declares one. */
  readonly fallback?: unknown
  /** Why the type is wider than its schema. */
  readonly remark?: string
  readonly facts: Facts
}

/** Further constraints of a schema besides the type. Untrusted words, bounded. */
export interface Facts {
  readonly description?: string
  /** Bounds, formats, patterns and examples in words: `1..100`, `format date-time`. */
  readonly constraints: readonly string[]
  readonly deprecated?: boolean
}

export const ANY: Type = { kind: 'any' }
export const NEVER: Type = { kind: 'never' }
export const NONE: Type = { kind: 'none' }
export const BOOL: Type = { kind: 'bool' }
export const INT: Type = { kind: 'int' }
export const FLOAT: Type = { kind: 'float' }
export const STR: Type = { kind: 'str' }

/** A union of more types is useless. */
const MOST_MEMBERS = 100

/** The union of some types: flat, each once, literals gathered, `None` last. `Any` swallows the rest. */
export function union(types: readonly Type[]): Type {
  const members: Type[] = []
  const literals = new Set<LiteralValue>()
  let literalAt = -1
  let none = false
  const add = (type: Type): boolean => {
    if (type.kind === 'any' || members.length > MOST_MEMBERS) return false
    if (type.kind === 'union') return type.members.every(add)
    if (type.kind === 'none') none = true
    else if (type.kind === 'literal') {
      if (literalAt < 0) literalAt = members.push(type) - 1
      for (const value of type.values) literals.add(value)
    } else if (type.kind !== 'never' && !members.some((member) => sameType(member, type))) members.push(type)
    return true
  }
  if (!types.every(add)) return ANY
  if (literalAt >= 0) {
    const kept = [...literals].filter((value) => !members.some((member) => member.kind === literalKind(value)))
    const gathered = literalOf(kept)
    if (gathered.kind === 'never') members.splice(literalAt, 1)
    else members[literalAt] = gathered
  }
  if (none) members.push(NONE)
  return members.length === 0 ? NEVER : members.length === 1 ? members[0]! : { kind: 'union', members }
}

/** One of these values: a literal, `bool` when both booleans are all there is. */
export function literalOf(values: readonly LiteralValue[]): Type {
  const distinct = [...new Set(values)]
  if (distinct.length === 0) return NEVER
  if (distinct.length === 2 && distinct.includes(true) && distinct.includes(false)) return BOOL
  return { kind: 'literal', values: distinct }
}

export function literalKind(value: LiteralValue): 'str' | 'bool' | 'int' | 'float' {
  if (typeof value === 'string') return 'str'
  if (typeof value === 'boolean') return 'bool'
  return Number.isInteger(value) ? 'int' : 'float'
}

/** The types a type is made of, one level down. */
export function eachInner(type: Type, visit: (inner: Type) => void): void {
  switch (type.kind) {
    case 'list':
      visit(type.item)
      return
    case 'tuple':
      type.items.forEach(visit)
      return
    case 'dict':
      visit(type.key)
      visit(type.value)
      return
    case 'union':
      type.members.forEach(visit)
      return
    case 'alias':
      visit(type.target)
      return
    case 'record':
      for (const field of type.fields) visit(field.type)
      if (type.extra) visit(type.extra)
      return
    default:
      return
  }
}

/** The values of a name that means an enumeration. */
export function unnamed(type: Type): Type {
  return type.kind === 'alias' && type.target.kind === 'literal' ? type.target : type
}

/** True when a value of the type may be an object. */
export function takesObject(type: Type): boolean {
  if (type.kind === 'union') return type.members.some(takesObject)
  return ['any', 'alias', 'dict', 'record'].includes(unnamed(type).kind)
}

/** True when `None` is a value of the type. */
export function takesNone(type: Type): boolean {
  if (type.kind === 'union') return type.members.some(takesNone)
  return ['any', 'none', 'alias'].includes(unnamed(type).kind)
}

/** Equal as far as one can see without following records, which are equal only to themselves. */
function sameType(a: Type, b: Type): boolean {
  if (a === b) return true
  if (a.kind === 'list' && b.kind === 'list') return sameType(a.item, b.item)
  if (a.kind === 'dict' && b.kind === 'dict') return sameType(a.key, b.key) && sameType(a.value, b.value)
  if (a.kind === 'tuple' && b.kind === 'tuple')
    return a.items.length === b.items.length && a.items.every((item, i) => sameType(item, b.items[i]!))
  if (a.kind === 'union' && b.kind === 'union')
    return a.members.length === b.members.length && a.members.every((member, i) => sameType(member, b.members[i]!))
  if (a.kind === 'literal' && b.kind === 'literal')
    return a.values.length === b.values.length && new Set([...a.values, ...b.values]).size === a.values.length
  return a.kind === b.kind && !['list', 'dict', 'tuple', 'union', 'literal', 'record', 'alias'].includes(a.kind)
}
