// Reads JSON Schema (drafts 4, 6, 7, 2019-09 and 2020-12, and common mistakes) into the type model.
//
// The reader looks at one schema at a time. It follows references within the document and reads each place once; a
// place that refers to itself becomes an alias. `allOf` and references with siblings are merged first. `anyOf` and
// `oneOf` are read branch by branch, each merged with its siblings.
//
// Invariant: any JSON value gives a type in bounded time. Malformed, unknown, too deep or too large schemas give `Any`
// and a remark.

import { hasCompany, merge, REMARKS, withWords } from './merge-schemas.js'
import { isObject, own, type SchemaObject, strings, typesOf, widthOf } from './schema-object.js'
import { lastStep, REFERENCES, referenceOf, resolveReference } from './schema-references.js'
import { constraintWords, describe } from './schema-remarks.js'
import type { JsonSchema } from './tool.js'
import {
  type AliasType,
  ANY,
  BOOL,
  eachInner,
  type Facts,
  type Field,
  FLOAT,
  INT,
  type LiteralValue,
  literalOf,
  NEVER,
  NONE,
  type RecordType,
  STR,
  type Type,
  union,
  unnamed,
} from './type.js'

const MAX_DEPTH = 40
const MAX_PLACES = 20_000
const MAX_BRANCHES = 64
/** Longer types that are referenced get a name. */
const MAX_PARTS = 64
/**
 * The maximum of keywords, properties and values that are visited repeatedly: in merging schemas, and in comparing
 * alternatives.
 */
const MAX_WORK = 100_000

/** Reads the schemas of one document: local references are resolved within `root`. */
export class SchemaReader {
  readonly #root: JsonSchema
  readonly #oldReferences: boolean
  readonly #references = new Map<string, OpenAlias>()
  #places = 0
  #work = 0
  #remark: string | undefined

  constructor(root: JsonSchema) {
    this.#root = root
    const declared = isObject(root) ? root.$schema : undefined
    this.#oldReferences = typeof declared === 'string' && /draft-0?[3467]\b/.test(declared)
  }

  /** The type of a schema in the document. `hint` names records that have no name of their own. */
  read(schema: unknown, hint: string): Type {
    return this.#read(schema, hint, 0)
  }

  /** The schema with references and `allOf` merged in; a boolean if it allows everything or nothing. */
  flatten(schema: unknown): unknown {
    return this.#flatten(schema, 0)
  }

  /** The alternatives of a flat schema, each complete in itself; undefined if no alternative affects the type. */
  alternatives(schema: SchemaObject): readonly unknown[] | undefined {
    return this.#branches(schema)
  }

  /** The keys of an object schema, for a schema whose values are objects; undefined when it is not one. */
  readFields(schema: unknown, hint: string): { fields: Field[]; extra?: Type; open: boolean } | undefined {
    const flat = this.#flatten(schema, 0)
    if (!isObject(flat)) return undefined
    const branches = this.#branches(flat)
    if (branches) {
      const parts = branches.map((branch) => this.readFields(branch, hint))
      return parts.every((part) => part !== undefined) ? joinFields(parts) : undefined
    }
    const type = flat.type
    const types = type === undefined ? ['object'] : typesOf(type)
    return types.includes('object') ? this.#fieldsOf(flat, hint, 0) : undefined
  }

  #read(schema: unknown, hint: string, depth: number): Type {
    if (schema === true) return ANY
    if (schema === false) return NEVER
    if (!isObject(schema)) return this.#any('its schema is malformed')
    if (depth > MAX_DEPTH) return this.#any('its schema is nested too deeply')
    if (++this.#places > MAX_PLACES) return this.#any('its schema is too large')
    const reference = referenceOf(schema)
    if (reference !== undefined && (this.#oldReferences || !hasCompany(schema)))
      return this.#readReference(reference, depth)
    const flat = this.#flatten(schema, depth)
    if (!isObject(flat)) return this.#read(flat, hint, depth + 1)
    const type = this.#readFlat(flat, hint, depth)
    return flat.nullable === true ? union([type, NONE]) : type
  }

  #readFlat(schema: SchemaObject, hint: string, depth: number): Type {
    if (own(schema, 'const')) return this.#readValues([schema.const], schema)
    if (Array.isArray(schema.enum)) return this.#readValues(schema.enum, schema)
    const branches = this.#branches(schema)
    if (branches) return union(branches.map((branch) => this.#read(branch, this.#branchHint(branch, hint), depth + 1)))
    const type = schema.type
    if (Array.isArray(type)) return union(typesOf(type).map((one) => this.#readTyped(one, schema, hint, depth)))
    if (type !== undefined) return this.#readTyped(type, schema, hint, depth)
    if (OBJECT_WORDS.some((word) => own(schema, word))) return this.#readObject(schema, hint, depth)
    if (ARRAY_WORDS.some((word) => own(schema, word))) return this.#readArray(schema, hint, depth)
    return ANY
  }

  /** Alternatives that are distinguished by a constant are named after it. */
  #branchHint(branch: unknown, hint: string): string {
    const flat = this.#flatten(branch, 0)
    if (!this.#hasTime(widthOf(flat))) return hint
    const properties = isObject(flat) && isObject(flat.properties) ? Object.values(flat.properties) : []
    for (const property of properties) {
      const values = isObject(property) ? (property.enum ?? (own(property, 'const') ? [property.const] : [])) : []
      if (Array.isArray(values) && values.length === 1 && typeof values[0] === 'string') return `${values[0]} ${hint}`
    }
    return hint
  }

  #readTyped(type: unknown, schema: SchemaObject, hint: string, depth: number): Type {
    switch (type) {
      case 'string':
        return STR
      case 'integer':
        return INT
      case 'number':
        return FLOAT
      case 'boolean':
        return BOOL
      case 'null':
        return NONE
      case 'array':
        return this.#readArray(schema, hint, depth)
      case 'object':
        return this.#readObject(schema, hint, depth)
      default:
        return this.#any('its schema names an unknown type')
    }
  }

  #readArray(schema: SchemaObject, hint: string, depth: number): Type {
    const heads = Array.isArray(schema.prefixItems)
      ? schema.prefixItems
      : Array.isArray(schema.items)
        ? schema.items
        : undefined
    const rest = Array.isArray(schema.prefixItems) ? schema.items : schema.additionalItems
    const itemHint = singular(hint)
    if (heads && heads.length > 0 && heads.length <= MAX_BRANCHES) {
      const items = heads.map((head) => this.#read(head, itemHint, depth + 1))
      if (!isObject(rest)) return { kind: 'tuple', items }
      return { kind: 'list', item: union([...items, this.#read(rest, itemHint, depth + 1)]) }
    }
    const items = Array.isArray(schema.items) ? rest : schema.items
    return { kind: 'list', item: items === undefined ? ANY : this.#read(items, itemHint, depth + 1) }
  }

  #readObject(schema: SchemaObject, hint: string, depth: number): Type {
    const { fields, extra, open } = this.#fieldsOf(schema, hint, depth)
    if (fields.length === 0) {
      const key = isObject(schema.propertyNames) ? this.#read(schema.propertyNames, hint, depth + 1) : STR
      const closed = extra === undefined && !open
      return { kind: 'dict', key: isKeyType(key) ? key : STR, value: closed ? NEVER : (extra ?? ANY) }
    }
    const title = schema.title
    const named = typeof title === 'string' && /^[A-Z][A-Za-z0-9]{0,39}$/.test(title) ? title : hint
    const more = extra ? { extra } : open ? {} : { closed: true as const }
    return { kind: 'record', hint: named, fields, ...more } satisfies RecordType
  }

  /** `extra` is the type of further keys if the schema declares it; `open` is false if it forbids further keys. */
  #fieldsOf(schema: SchemaObject, hint: string, depth: number): { fields: Field[]; extra?: Type; open: boolean } {
    const required = new Set(strings(schema.required))
    const fields: Field[] = []
    const properties = isObject(schema.properties) ? schema.properties : {}
    for (const [key, raw] of Object.entries(properties))
      if (raw !== false) fields.push(this.#field(key, raw, required.has(key), depth))
    const known = new Set(fields.map((field) => field.key))
    const further = function* (reader: SchemaReader): Iterable<[string, unknown]> {
      yield* reader.#conditionalProperties(schema, depth)
      for (const key of required) yield [key, true]
    }
    for (const [key, raw] of further(this)) {
      if (known.has(key)) continue
      known.add(key)
      fields.push(this.#field(key, raw, required.has(key), depth))
    }
    const more = schema.additionalProperties ?? schema.unevaluatedProperties
    const patterns = isObject(schema.patternProperties) ? Object.values(schema.patternProperties) : []
    const extras = isObject(more) || more === true ? [more, ...patterns] : patterns
    const open = more !== false || patterns.length > 0
    if (extras.length === 0) return { fields, open }
    const valueHint = fields.length === 0 ? singular(hint) : `${hint} value`
    return { fields, extra: union(extras.map((extra) => this.#read(extra, valueHint, depth + 1))), open }
  }

  /** Properties that `if/then/else` and dependencies add: they are optional. */
  *#conditionalProperties(schema: SchemaObject, depth: number): Iterable<[string, unknown]> {
    if (depth > MAX_DEPTH) return
    const dependent = ['dependentSchemas', 'dependencies'].flatMap((word) => {
      const parts = schema[word]
      return isObject(parts) ? Object.values(parts) : []
    })
    const parts = [schema.then, schema.else, schema.if, ...dependent]
    const found = new Map<string, unknown[]>()
    for (const part of parts) {
      const flat = isObject(part) ? this.#flatten(part, depth + 1) : undefined
      if (!isObject(flat) || !this.#hasTime(widthOf(flat))) continue
      const own = isObject(flat.properties) ? Object.entries(flat.properties) : []
      for (const [key, raw] of [...own, ...this.#conditionalProperties(flat, depth + 1)])
        if (found.get(key)?.push(raw) === undefined) found.set(key, [raw])
    }
    for (const [key, raws] of found) yield [key, raws.length === 1 ? raws[0] : { anyOf: raws }]
  }

  #field(key: string, raw: unknown, required: boolean, depth: number): Field {
    const outer = this.#remark
    this.#remark = undefined
    const type = this.#read(raw, key, depth + 1)
    const remark = this.#remark
    this.#remark = outer
    const flat = this.#flatten(raw, depth)
    const fallback = isObject(flat) && own(flat, 'default') ? { fallback: flat.default } : {}
    return new SchemaField({ key, type, required, ...fallback, ...(remark ? { remark } : {}) }, () =>
      this.#factsOf(flat, key),
    )
  }

  #factsOf(flat: unknown, key: string): Facts {
    if (!isObject(flat)) return { constraints: [] }
    const description = describe(flat, key) ?? this.#innerDescription(flat)
    return {
      ...(description ? { description } : {}),
      constraints: this.#constraintsOf(flat, 0),
      ...(flat.deprecated === true ? { deprecated: true } : {}),
    }
  }

  #innerDescription(schema: SchemaObject): string | undefined {
    const branches = this.#branches(schema) ?? []
    const inner = [schema.items, ...branches].filter(isObject)
    const texts = inner.map((one) => describe(this.#flatten(one, 0), '')).filter((text) => text !== undefined)
    return texts.length === 0 ? undefined : [...new Set(texts)].join(' | ')
  }

  #constraintsOf(schema: unknown, depth: number): string[] {
    const flat = this.#flatten(schema, depth)
    if (!isObject(flat) || depth > 3 || !this.#hasTime(widthOf(flat))) return []
    const own = constraintWords(flat)
    const each = isObject(flat.items) ? this.#constraintsOf(flat.items, depth + 1).map((word) => `each: ${word}`) : []
    const alternatives = (this.#branches(flat) ?? []).flatMap((branch) => this.#constraintsOf(branch, depth + 1))
    return [...new Set([...own, ...each, ...alternatives])].slice(0, 12)
  }

  /** The alternatives of a schema, each complete in itself; undefined if no alternative affects the type. */
  #branches(schema: SchemaObject): unknown[] | undefined {
    for (const word of ['anyOf', 'oneOf']) {
      const branches = schema[word]
      if (!Array.isArray(branches) || branches.length === 0) continue
      const rest = without(schema, [word, ...REMARKS])
      if (branches.every((branch) => isObject(branch) && Object.keys(branch).every((key) => CHOICE_WORDS.has(key)))) {
        return this.#branches(rest)
      }
      if (branches.length > MAX_BRANCHES) {
        this.#any('its schema has too many alternatives')
        return [true]
      }
      const company = Object.keys(rest).some((key) => BEARING.has(key))
      return company ? branches.map((branch) => ({ allOf: [rest, branch] })) : branches
    }
    return undefined
  }

  /** The schema with its reference and its `allOf` merged in. */
  #flatten(schema: unknown, depth: number, trail: readonly string[] = []): unknown {
    if (!isObject(schema)) return schema
    const reference = referenceOf(schema)
    const parts = Array.isArray(schema.allOf) ? schema.allOf : []
    if (reference === undefined && parts.length === 0) return schema
    this.#places += parts.length + 1
    if (depth > MAX_DEPTH || this.#places > MAX_PLACES) return this.#anySchema('its schema is too large')
    const own = without(schema, [...REFERENCES, 'allOf'])
    let merged: unknown = true
    if (reference !== undefined) {
      const target = trail.includes(reference) ? undefined : this.#resolve(reference)
      if (target === undefined) return this.#anySchema('its schema refers to a schema that is not here')
      merged = this.#flatten(target, depth + 1, [...trail, reference])
      if (this.#oldReferences) return withWords(merged, own)
    }
    for (const part of [...parts.map((part) => () => this.#flatten(part, depth + 1, trail)), () => own]) {
      merged = merge(merged, part())
      if (!this.#hasTime(widthOf(merged))) return this.#anySchema('its schema is too large')
    }
    return merged
  }

  #readReference(reference: string, depth: number): Type {
    const known = this.#references.get(reference)
    if (known) {
      known.met ||= known.open
      return standsFor(known)
    }
    const target = this.#resolve(reference)
    if (target === undefined) return this.#any('its schema refers to a schema that is not here')
    const hint = lastStep(reference)
    const alias = {
      kind: 'alias' as const,
      hint: hint === '#' ? 'Node' : hint,
      target: ANY as Type,
      open: true,
      met: false,
    }
    this.#references.set(reference, alias)
    const type = this.#read(target, alias.hint, depth + 1)
    alias.open = false
    alias.target = type === alias ? this.#any('its schema refers to itself') : withoutItself(type, alias)
    return standsFor(alias)
  }

  #resolve(reference: string): unknown {
    return resolveReference(this.#root, reference)
  }

  #readValues(values: readonly unknown[], schema: SchemaObject): Type {
    const type = schema.type
    const allowed = type === undefined ? undefined : typesOf(type)
    const types = values
      .filter((value) => allowed === undefined || allowed.some((name) => valueIs(value, name)))
      .map((value) => typeOfValue(value, 0))
    return union(types.length === 0 ? values.map((value) => typeOfValue(value, 0)) : types)
  }

  /** False if the work budget is used up. */
  #hasTime(work: number): boolean {
    this.#work += work
    return this.#work <= MAX_WORK
  }

  #any(remark: string): Type {
    this.#remark ??= remark
    return ANY
  }

  #anySchema(remark: string): unknown {
    this.#remark ??= remark
    return true
  }
}

/** A referenced place: open while it is being read, met if it was referenced meanwhile. */
interface OpenAlias extends AliasType {
  target: Type
  open: boolean
  met: boolean
}

/**
 * An alias is needed if a type contains itself, or if it is too long to be written at each reference; a record has its
 * own name.
 */
function standsFor(alias: OpenAlias): Type {
  const { target } = alias
  if (alias.open) return alias
  const named = target.kind !== 'record' && target.kind !== 'any' && (alias.met || partsOf(target) > MAX_PARTS)
  return named ? alias : target
}

/** The number of words and values in a type's text, counted a little beyond `MAX_PARTS`. */
function partsOf(type: Type): number {
  if (type.kind === 'literal') return type.values.length
  let parts = 1
  eachInner(type.kind === 'record' || type.kind === 'alias' ? ANY : type, (inner) => {
    if (parts <= MAX_PARTS) parts += partsOf(inner)
  })
  return parts
}

/** `A = A | B` means the same as `A = B`. */
function withoutItself(type: Type, alias: AliasType): Type {
  return type.kind === 'union' ? union(type.members.filter((member) => member !== alias)) : type
}

/** A field whose facts are computed on demand: most stubs never need them. */
class SchemaField implements Field {
  readonly key: string
  readonly type: Type
  readonly required: boolean
  readonly fallback?: unknown
  readonly remark?: string
  readonly #gather: () => Facts
  #facts: Facts | undefined

  constructor(field: Omit<Field, 'facts'>, gather: () => Facts) {
    this.key = field.key
    this.type = field.type
    this.required = field.required
    if (field.fallback !== undefined) this.fallback = field.fallback
    if (field.remark !== undefined) this.remark = field.remark
    this.#gather = gather
  }

  get facts(): Facts {
    this.#facts ??= this.#gather()
    return this.#facts
  }
}

const OBJECT_WORDS = ['properties', 'additionalProperties', 'patternProperties', 'required', 'propertyNames']
const ARRAY_WORDS = ['items', 'prefixItems']
/** The keywords of a branch that only selects among its sibling keys. */
const CHOICE_WORDS = new Set(
  'required not minProperties maxProperties title description $comment dependentRequired'.split(' '),
)
/** Siblings of `anyOf` that affect the types of its branches. */
const BEARING = new Set(
  'type properties required additionalProperties patternProperties items prefixItems anyOf oneOf enum'.split(' '),
)

function without(schema: SchemaObject, words: readonly string[]): SchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !words.includes(key)))
}

function joinFields(parts: readonly { fields: Field[]; extra?: Type; open: boolean }[]): {
  fields: Field[]
  extra?: Type
  open: boolean
} {
  const byKey = new Map<string, Field[]>()
  for (const part of parts)
    for (const field of part.fields) byKey.set(field.key, [...(byKey.get(field.key) ?? []), field])
  const fields = [...byKey.values()].map((same) => {
    const type = union(same.map((field) => field.type))
    const required = same.length === parts.length && same.every((field) => field.required)
    return new SchemaField({ ...same[0]!, type, required }, () => same[0]!.facts)
  })
  const extras = parts.flatMap((part) => (part.extra ? [part.extra] : []))
  return { fields, open: parts.some((part) => part.open), ...(extras.length > 0 ? { extra: union(extras) } : {}) }
}

function isKeyType(type: Type): boolean {
  const values = unnamed(type)
  return values.kind === 'literal' && values.values.every((value) => typeof value === 'string')
}

function valueIs(value: unknown, type: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}

function typeOfValue(value: unknown, depth: number): Type {
  if (value === null) return NONE
  if (typeof value === 'number' && !Number.isInteger(value)) return FLOAT
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return literalOf([value as LiteralValue])
  }
  if (Array.isArray(value))
    return { kind: 'list', item: depth > 8 ? ANY : union(value.map((one) => typeOfValue(one, depth + 1))) }
  return { kind: 'dict', key: STR, value: ANY }
}

/** `entities` holds an `entity`. */
function singular(name: string): string {
  if (/[a-z]{2}ies$/.test(name)) return `${name.slice(0, -3)}y`
  if (/(ss|us|is|as)$/i.test(name)) return name
  if (/(x|ch|sh|ss)es$/.test(name)) return name.slice(0, -2)
  return /[a-zA-Z]{2}s$/.test(name) ? name.slice(0, -1) : name
}
