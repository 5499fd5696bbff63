// Validates a value against a JSON Schema (drafts 4 to 2020-12), both untrusted.
//
// The answer is yes, no or unknown. It is unknown where a keyword is malformed or not supported, a pattern cannot be
// matched, or a reference leads nowhere; `not`, `oneOf` and `if` propagate it.
//
// Invariant: it never refuses a value that the schema allows, and takes a bounded number of steps; beyond that the
// answer is unknown.

import { matches } from './patterns.js'
import { isObject, own, type SchemaObject } from './schema-object.js'
import { resolveReference } from './schema-references.js'
import type { JsonSchema } from './tool.js'

/** One keyword that a value does not meet. Both places are JSON pointers after `#`. */
export interface Finding {
  readonly keyword: string
  readonly keywordLocation: string
  readonly instanceLocation: string
}

type Verdict = 'fits' | 'differs' | 'unknown'

const MOST_STEPS = 50_000
const DEEPEST = 100
const MOST_FINDINGS = 300

/** Why a value does not fit; empty if it does, or if that is unknown. */
export function findingsOf(value: unknown, schema: JsonSchema): readonly Finding[] {
  const validation = new Validation(schema)
  return validation.run(value)
}

class OutOfSteps extends Error {}

/** The keys and items that `unevaluated…` keywords ignore. */
interface Seen {
  readonly keys: Set<string>
  items: number
  /** True if an undecided keyword may have seen more. */
  unknown: boolean
}

class Validation {
  readonly #root: JsonSchema
  /** In drafts before 2019-09 references have no siblings. */
  readonly #isOld: boolean
  #left = MOST_STEPS

  constructor(root: JsonSchema) {
    this.#root = root
    this.#isOld = isObject(root) && /draft-0?[3467]\b/.test(String(root.$schema ?? ''))
  }

  run(value: unknown): readonly Finding[] {
    try {
      const at = new Check(value, undefined, [])
      return this.#check(this.#root, at) === 'differs' ? at.findings : []
    } catch (error) {
      if (error instanceof OutOfSteps) return []
      throw error
    }
  }

  #spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw new OutOfSteps()
  }

  #check(schema: unknown, at: Check): Verdict {
    this.#spend(1)
    if (schema === true) return 'fits'
    if (schema === false) return at.differs('false')
    if (!isObject(schema)) return 'unknown'
    if (at.depth > DEEPEST) throw new OutOfSteps()
    if (schema.nullable === true && at.value === null) return 'fits'
    const reference = schema.$ref
    if (reference !== undefined) {
      this.#spend(10)
      const target = typeof reference === 'string' ? resolveReference(this.#root, reference) : undefined
      at.join(target === undefined ? 'unknown' : this.#within(target, at, '$ref'))
      if (this.#isOld) return at.verdict
    }
    for (const word of UNTESTED) if (own(schema, word) && schema[word] !== false) at.join('unknown')
    this.#checkValue(schema, at)
    this.#checkAlternatives(schema, at)
    const { value } = at
    if (isObject(value)) this.#checkObject(schema, value, at)
    else if (Array.isArray(value)) this.#checkArray(schema, value, at)
    else if (typeof value === 'number') checkNumber(schema, value, at)
    else if (typeof value === 'string') this.#checkText(schema, value, at)
    return at.verdict
  }

  /** Checks the same value against another schema, whose findings follow that of the current keyword. */
  #within(schema: unknown, at: Check, ...steps: readonly string[]): Verdict {
    const inner = at.same(steps)
    const verdict = this.#check(schema, inner)
    if (verdict === 'differs') at.adopt(steps[0]!, inner)
    if (verdict !== 'differs') at.see(inner, verdict)
    return verdict
  }

  #checkValue(schema: SchemaObject, at: Check): void {
    const { value } = at
    const { type } = schema
    if (type !== undefined) {
      const types: readonly unknown[] = Array.isArray(type) ? type : [type]
      this.#spend(types.length)
      if (!types.every(isType)) at.join('unknown')
      else if (!types.some((one) => isOfType(value, one as string))) at.join(at.differs('type'))
    }
    if (schema.const !== undefined && !this.#equal(value, schema.const)) at.join(at.differs('const'))
    const { enum: values } = schema
    if (values === undefined) return
    if (!Array.isArray(values) || values.length === 0) at.join('unknown')
    else if (!values.some((one) => this.#equal(value, one))) at.join(at.differs('enum'))
  }

  #equal(a: unknown, b: unknown): boolean {
    this.#spend(1)
    if (a === b) return true
    if (Array.isArray(a))
      return Array.isArray(b) && a.length === b.length && a.every((one, i) => this.#equal(one, b[i]))
    if (!isObject(a) || !isObject(b)) return false
    const keys = Object.keys(a)
    return keys.length === Object.keys(b).length && keys.every((key) => own(b, key) && this.#equal(a[key], b[key]))
  }

  #checkAlternatives(schema: SchemaObject, at: Check): void {
    if (schema.not !== undefined) {
      const verdict = this.#check(schema.not, at.same(['not']))
      at.join(verdict === 'fits' ? at.differs('not') : verdict === 'unknown' ? 'unknown' : 'fits')
    }
    for (const word of ['anyOf', 'allOf', 'oneOf'] as const) {
      const parts = schema[word]
      if (parts === undefined) continue
      if (Array.isArray(parts)) this.#checkParts(word, parts, at)
      else at.join('unknown')
    }
    if (schema.if === undefined || (schema.then === undefined && schema.else === undefined)) return
    const condition = at.same(['if'])
    const verdict = this.#check(schema.if, condition)
    if (verdict !== 'differs') at.see(condition, verdict)
    if (verdict === 'unknown') {
      at.seen.unknown = true
      at.join('unknown')
    } else {
      const word = verdict === 'fits' ? 'then' : 'else'
      if (schema[word] !== undefined) at.join(this.#within(schema[word], at, word))
    }
  }

  #checkParts(word: 'anyOf' | 'allOf' | 'oneOf', parts: readonly unknown[], at: Check): void {
    const counts = { fits: 0, differs: 0, unknown: 0 }
    const tried = parts.map((part, i) => {
      const inner = at.same([word, String(i)])
      const verdict = this.#check(part, inner)
      counts[verdict]++
      if (verdict !== 'differs') at.see(inner, verdict)
      return inner
    })
    if (parts.length === 0) return
    const isMet =
      word === 'allOf'
        ? counts.differs === 0
        : word === 'anyOf'
          ? counts.fits > 0
          : counts.fits === 1 && counts.unknown === 0
    const isMissed =
      word === 'allOf'
        ? counts.differs > 0
        : word === 'anyOf'
          ? counts.differs === parts.length
          : counts.fits > 1 || counts.differs === parts.length
    if (isMissed) {
      at.join(at.differs(word))
      for (const inner of tried) at.add(inner.findings)
    } else if (!isMet || (word === 'allOf' && counts.unknown > 0)) at.join('unknown')
  }

  #checkObject(schema: SchemaObject, value: SchemaObject, at: Check): void {
    const keys = Object.keys(value)
    this.#spend(keys.length)
    if (own(schema, 'required')) {
      const { required } = schema
      if (!Array.isArray(required) || !required.every((key) => typeof key === 'string')) {
        if (typeof required !== 'boolean') at.join('unknown')
      } else {
        this.#spend(required.length)
        if (required.some((key) => !own(value, key))) at.join(at.differs('required'))
      }
    }
    bound(schema, 'minProperties', at, (most) => keys.length >= most)
    bound(schema, 'maxProperties', at, (most) => keys.length <= most)
    if (schema.propertyNames !== undefined)
      for (const key of keys) this.#inner(schema.propertyNames, at.at(key, key, ['propertyNames']), at)
    const { dependentSchemas } = schema
    if (isObject(dependentSchemas))
      for (const [key, part] of this.#entries(dependentSchemas))
        if (own(value, key)) at.join(this.#within(part, at, 'dependentSchemas', key))
    this.#checkKeys(schema, value, keys, at)
  }

  #checkKeys(schema: SchemaObject, value: SchemaObject, keys: readonly string[], at: Check): void {
    const declared = new Set<string>()
    const { properties, patternProperties } = schema
    let open = false
    if (isObject(properties))
      for (const [key, part] of this.#entries(properties)) {
        if (!own(value, key)) continue
        declared.add(key)
        this.#inner(part, at.at(value[key], key, ['properties', key]), at)
      }
    if (isObject(patternProperties))
      for (const [pattern, part] of this.#entries(patternProperties))
        for (const key of keys) {
          const is = this.#matches(pattern, key)
          if (is === undefined) {
            // It is unknown which keys are additional.
            open = true
            at.seen.unknown = true
            at.join('unknown')
            break
          }
          if (!is) continue
          declared.add(key)
          this.#inner(part, at.at(value[key], key, ['patternProperties', pattern]), at)
        }
    for (const key of declared) at.seen.keys.add(key)
    const { additionalProperties, unevaluatedProperties } = schema
    if (additionalProperties !== undefined && !open)
      for (const key of keys) {
        if (declared.has(key)) continue
        at.seen.keys.add(key)
        this.#inner(additionalProperties, at.at(value[key], key, ['additionalProperties']), at)
      }
    else if (unevaluatedProperties !== undefined && at.seen.unknown) at.join('unknown')
    else if (unevaluatedProperties !== undefined)
      for (const key of keys) {
        if (at.seen.keys.has(key)) continue
        at.seen.keys.add(key)
        this.#inner(unevaluatedProperties, at.at(value[key], key, ['unevaluatedProperties']), at)
      }
  }

  #checkArray(schema: SchemaObject, value: readonly unknown[], at: Check): void {
    bound(schema, 'maxItems', at, (most) => value.length <= most)
    bound(schema, 'minItems', at, (least) => value.length >= least)
    let done = 0
    for (const word of ['prefixItems', 'items'] as const) {
      const heads = schema[word]
      if (!Array.isArray(heads)) continue
      for (; done < Math.min(heads.length, value.length); done++)
        this.#inner(heads[done], at.at(value[done], String(done), [word, String(done)]), at)
    }
    const rest = Array.isArray(schema.items) ? 'additionalItems' : 'items'
    if (schema[rest] !== undefined)
      for (; done < value.length; done++) this.#inner(schema[rest], at.at(value[done], String(done), [rest]), at)
    at.seen.items = Math.max(at.seen.items, done)
    if (schema.contains !== undefined) this.#checkContains(schema, value, at)
    if (schema.unevaluatedItems === undefined) return
    if (at.seen.unknown || schema.contains !== undefined) return at.join('unknown')
    for (let i = at.seen.items; i < value.length; i++)
      this.#inner(schema.unevaluatedItems, at.at(value[i], String(i), ['unevaluatedItems']), at)
    at.seen.items = value.length
  }

  #checkContains(schema: SchemaObject, value: readonly unknown[], at: Check): void {
    const counts = { fits: 0, differs: 0, unknown: 0 }
    for (const [i, one] of value.entries()) counts[this.#check(schema.contains, at.at(one, String(i), ['contains']))]++
    const least = typeof schema.minContains === 'number' ? schema.minContains : 1
    const most = typeof schema.maxContains === 'number' ? schema.maxContains : Number.POSITIVE_INFINITY
    if (counts.fits + counts.unknown < least)
      at.join(at.differs(schema.minContains === undefined ? 'contains' : 'minContains'))
    else if (counts.fits > most) at.join(at.differs('maxContains'))
    else if (counts.fits < least || counts.fits + counts.unknown > most) at.join('unknown')
  }

  /** A part of the value. */
  #inner(schema: unknown, inner: Check, at: Check): void {
    const verdict = this.#check(schema, inner)
    if (verdict === 'differs') at.adopt(inner.word, inner)
    at.join(verdict)
  }

  #checkText(schema: SchemaObject, value: string, at: Check): void {
    let length = value.length
    if (own(schema, 'minLength') || own(schema, 'maxLength')) {
      this.#spend(Math.ceil(value.length / 100))
      for (const char of value) if (char.length === 2) length--
    }
    bound(schema, 'minLength', at, (least) => length >= least)
    bound(schema, 'maxLength', at, (most) => length <= most)
    const { pattern } = schema
    if (pattern === undefined) return
    const is = typeof pattern === 'string' ? this.#matches(pattern, value) : undefined
    at.join(is === undefined ? 'unknown' : is ? 'fits' : at.differs('pattern'))
  }

  #matches(pattern: string, text: string): boolean | undefined {
    this.#spend(1)
    const match = matches(pattern, text)
    this.#spend(match?.steps ?? 0)
    return match?.matches
  }

  #entries(map: SchemaObject): [string, unknown][] {
    const entries = Object.entries(map)
    this.#spend(entries.length)
    return entries
  }
}

/** The validation of a value against one schema. Its path is computed only for a finding. */
class Check {
  readonly value: unknown
  readonly depth: number
  readonly seen: Seen = { keys: new Set(), items: 0, unknown: false }
  readonly findings: Finding[] = []
  verdict: Verdict = 'fits'
  readonly #outer: Check | undefined
  readonly #steps: readonly string[]
  /** The key of the value within the outer check's value; undefined if both values are the same. */
  readonly #key: string | undefined
  #instance: string | undefined
  #place: string | undefined

  constructor(value: unknown, outer: Check | undefined, steps: readonly string[], key?: string) {
    this.value = value
    this.depth = outer === undefined ? 0 : outer.depth + 1
    this.#outer = outer
    this.#steps = steps
    this.#key = key
  }

  /** The keyword that led here. */
  get word(): string {
    return this.#steps[0] ?? ''
  }

  get instance(): string {
    this.#instance ??=
      this.#outer === undefined ? '#' : placeIn(this.#outer.instance, this.#key === undefined ? [] : [this.#key])
    return this.#instance
  }

  get place(): string {
    this.#place ??= this.#outer === undefined ? '#' : placeIn(this.#outer.place, this.#steps)
    return this.#place
  }

  same(steps: readonly string[]): Check {
    return new Check(this.value, this, steps)
  }

  at(value: unknown, key: string, steps: readonly string[]): Check {
    return new Check(value, this, steps, key)
  }

  join(verdict: Verdict): void {
    if (verdict === 'differs' || this.verdict === 'fits') this.verdict = verdict
  }

  differs(keyword: string): 'differs' {
    const keywordLocation = `${this.place}/${keyword}`
    this.add([{ keyword, keywordLocation, instanceLocation: this.instance }])
    return 'differs'
  }

  adopt(keyword: string, inner: Check): void {
    this.differs(keyword)
    this.add(inner.findings)
  }

  add(findings: readonly Finding[]): void {
    for (const finding of findings) if (this.findings.length < MOST_FINDINGS) this.findings.push(finding)
  }

  see({ seen }: Check, verdict: Verdict): void {
    for (const key of seen.keys) this.seen.keys.add(key)
    this.seen.items = Math.max(this.seen.items, seen.items)
    if (seen.unknown || verdict === 'unknown') this.seen.unknown = true
  }
}

/** Keywords that affect validity and are left to the upstream. */
const UNTESTED = [
  'format',
  'uniqueItems',
  'dependencies',
  'dependentRequired',
  'contentEncoding',
  'contentMediaType',
  '$recursiveRef',
  '$dynamicRef',
]

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'])

export function isType(type: unknown): boolean {
  return TYPES.has(type as string)
}

export function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

function bound(schema: SchemaObject, word: string, at: Check, isMet: (limit: number) => boolean): void {
  const limit = schema[word]
  if (limit === undefined) return
  if (typeof limit !== 'number' || !Number.isFinite(limit)) at.join('unknown')
  else if (!isMet(limit)) at.join(at.differs(word))
}

function checkNumber(schema: SchemaObject, value: number, at: Check): void {
  const { exclusiveMinimum: above, exclusiveMaximum: below } = schema
  bound(schema, 'minimum', at, (least) => (above === true ? value > least : value >= least))
  bound(schema, 'maximum', at, (most) => (below === true ? value < most : value <= most))
  if (typeof above !== 'boolean') bound(schema, 'exclusiveMinimum', at, (least) => value > least)
  if (typeof below !== 'boolean') bound(schema, 'exclusiveMaximum', at, (most) => value < most)
  bound(schema, 'multipleOf', at, (step) => step <= 0 || isMultiple(value / step))
}

/** Fractions are not exact: 0.3 is a multiple of 0.1. */
function isMultiple(times: number): boolean {
  return !Number.isFinite(times) || Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times))
}

function placeIn(place: string, steps: readonly string[]): string {
  let path = place
  for (const step of steps) path += `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`
  return path
}
