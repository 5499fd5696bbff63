// Arguments against the input schema of a tool, before anything is sent. Knows the validator's findings and how to say them; knows no MCP.
//
// The schema is hostile as well as the arguments, and the check runs on the host's own thread. So the validator gets a copy that holds
// only what it should test, and in which nothing takes long: no patterns that backtrack without end, no foreign references, no exponential
// nesting. What is left out here the upstream still checks.
//
// Invariant: the check ends soon and never refuses what the schema allows.

import { type OutputUnit, type SchemaDraft, Validator } from '@cfworker/json-schema'
import { nearestNames } from '../diagnostics/index.js'
import { ExactInteger, roundIntegers } from './exact-integers.js'
import { cutAtWord } from './quoting.js'
import { SchemaReader } from './read-schema.js'
import { typeName } from './render-python.js'
import { isObject } from './schema-object.js'
import { resolveReference } from './schema-references.js'
import type { JsonSchema } from './tool.js'

/** One mistake: `limit: got str "ten", want int`. */
export interface Mismatch {
  readonly problem: string
  /** Right names for a wrong key. */
  readonly near: readonly string[]
}

/** Tests arguments against a schema; finds at most three mistakes. Made once per tool. */
export class ArgumentCheck {
  readonly #schema: JsonSchema
  readonly #draft: SchemaDraft
  #strict: Quick | undefined
  #loose: Quick | undefined

  constructor(schema: JsonSchema) {
    this.#schema = schema
    this.#draft = draftOf(schema)
  }

  mismatches(args: Readonly<Record<string, unknown>>): readonly Mismatch[] {
    try {
      const quick = this.#quick(longestText(args) <= LONGEST_MATCHED)
      const rounded = roundIntegers(args)
      if (quick.validator === undefined || quick.validator.validate(rounded).valid) return []
      const full = new Validator(quick.schema as object, this.#draft, false).validate(rounded)
      return explain(full.errors, args, quick.schema).slice(0, 3)
    } catch {
      // A schema that the validator can't follow says nothing.
      return []
    }
  }

  #quick(patterns: boolean): Quick {
    const made = patterns ? this.#strict : this.#loose
    if (made !== undefined) return made
    const quick = prepare(this.#schema, this.#draft, patterns)
    if (patterns) this.#strict = quick
    else this.#loose = quick
    return quick
  }
}

interface Quick {
  readonly schema: JsonSchema
  readonly validator: Validator | undefined
}

const LONGEST_MATCHED = 512
const MAX_COPIED = 20_000
const MAX_STEPS = 200_000
const MAX_DEPTH = 60

function draftOf(schema: JsonSchema): SchemaDraft {
  const declared = typeof schema === 'object' ? String(schema.$schema ?? '') : ''
  if (/draft-0?[34]\b/.test(declared)) return '4'
  if (/draft-0?[67]\b/.test(declared)) return '7'
  return declared.includes('2019-09') ? '2019-09' : '2020-12'
}

function prepare(schema: JsonSchema, draft: SchemaDraft, patterns: boolean): Quick {
  try {
    const copy = new Copier(patterns).copy(schema, 0) as JsonSchema
    if (stepsOf(copy) > MAX_STEPS) return { schema: true, validator: undefined }
    return { schema: copy, validator: new Validator(copy as object, draft) }
  } catch {
    return { schema: true, validator: undefined }
  }
}

const ONE_SCHEMA = [
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
]
const SCHEMA_LISTS = ['prefixItems', 'allOf', 'anyOf', 'oneOf']
const SCHEMA_MAPS = ['$defs', 'definitions', 'properties', 'patternProperties', 'dependentSchemas']
const PLAIN = [
  'maximum',
  'minimum',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'multipleOf',
  'maxLength',
  'minLength',
  'maxItems',
  'minItems',
  'maxProperties',
  'minProperties',
  'minContains',
  'maxContains',
  'required',
  'const',
  'enum',
  '$ref',
  '$anchor',
]
const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object']

/** Copies what the validator shall test. Keywords of the wrong form are left out. */
class Copier {
  readonly #patterns: boolean
  #copied = 0

  constructor(patterns: boolean) {
    this.#patterns = patterns
  }

  copy(schema: unknown, depth: number): unknown {
    if (typeof schema === 'boolean') return schema
    if (!isObject(schema)) return true
    if (++this.#copied > MAX_COPIED || depth > MAX_DEPTH) throw new RangeError('schema too large')
    const copy: Record<string, unknown> = {}
    for (const word of PLAIN) if (fits(word, schema[word])) copy[word] = schema[word]
    const type = schema.type
    if (typeof type === 'string' && TYPES.includes(type)) copy.type = type
    if (Array.isArray(type) && type.every((one) => TYPES.includes(one as string))) copy.type = type
    for (const word of ONE_SCHEMA) if (isSchema(schema[word])) copy[word] = this.copy(schema[word], depth + 1)
    for (const word of SCHEMA_LISTS) {
      const list = schema[word]
      if (Array.isArray(list) && list.length > 0) copy[word] = list.map((one) => this.copy(one, depth + 1))
    }
    for (const word of SCHEMA_MAPS)
      if (isObject(schema[word])) copy[word] = mapSchemas(schema[word], (inner) => this.copy(inner, depth + 1))
    const items = schema.items
    if (Array.isArray(items)) copy.items = items.map((one) => this.copy(one, depth + 1))
    else if (isSchema(items)) copy.items = this.copy(items, depth + 1)
    this.#copyPatterns(schema, copy)
    if (schema.nullable === true) return { anyOf: [{ type: 'null' }, copy] }
    return copy
  }

  #copyPatterns(schema: { readonly [keyword: string]: unknown }, copy: Record<string, unknown>): void {
    const pattern = schema.pattern
    if (this.#patterns && typeof pattern === 'string' && isQuickPattern(pattern)) copy.pattern = pattern
    const keyed = copy.patternProperties
    if (!isObject(keyed)) return
    const quick = Object.entries(keyed).filter(([key]) => this.#patterns && isQuickPattern(key))
    if (quick.length === Object.keys(keyed).length) return
    // Without all patterns nobody knows which keys are additional.
    delete copy.additionalProperties
    delete copy.unevaluatedProperties
    copy.patternProperties = Object.fromEntries(quick)
  }
}

function fits(word: string, value: unknown): boolean {
  if (word === 'const') return value !== undefined
  if (word === 'enum') return Array.isArray(value) && value.length > 0
  if (word === 'required') return Array.isArray(value) && value.every((key) => typeof key === 'string')
  if (word === '$ref' || word === '$anchor') return typeof value === 'string'
  if (word.startsWith('exclusive') && typeof value === 'boolean') return true
  return typeof value === 'number' && Number.isFinite(value)
}

function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || isObject(value)
}

function mapSchemas(map: { readonly [key: string]: unknown }, copy: (schema: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(map).map(([key, schema]) => [key, copy(schema)]))
}

/**
 * True when matching a short text can't take long: no back references, no repeated group that repeats or chooses inside, and at most two
 * unbounded repetitions.
 */
export function isQuickPattern(pattern: string): boolean {
  if (pattern.length > 500 || /\\[1-9]|\\k</.test(pattern)) return false
  try {
    new RegExp(pattern, 'u')
  } catch {
    return false
  }
  const plain = pattern.replace(/\\./gs, 'x').replace(/\[(?:[^\]])*\]/g, 'x')
  if ((plain.match(/[*+]|\{\d+,\}/g) ?? []).length > 2) return false
  const groups: boolean[] = []
  for (let i = 0; i < plain.length; i++) {
    const char = plain[i]!
    if (char === '(') groups.push(false)
    else if (char === ')') {
      const inner = groups.pop() ?? false
      const repeated = /^(?:[*+]|\{\d+(?:,\d*)?\})/.test(plain.slice(i + 1))
      if (repeated && inner) return false
      if ((repeated || inner) && groups.length > 0) groups[groups.length - 1] = true
    } else if (/[*+?|{]/.test(char) && !(char === '?' && plain[i - 1] === '(') && groups.length > 0)
      groups[groups.length - 1] = true
  }
  return true
}

/** How many schemas a validation may visit when every reference is followed once on each way to it. */
function stepsOf(root: JsonSchema): number {
  const counted = new Map<unknown, number>()
  const count = (schema: unknown): number => {
    if (typeof schema !== 'object' || schema === null) return 1
    const before = counted.get(schema)
    if (before !== undefined) return before
    counted.set(schema, 1)
    let steps = 1
    const reference = isObject(schema) ? schema.$ref : undefined
    if (typeof reference === 'string') steps += count(resolveReference(root, reference))
    for (const [key, inner] of Object.entries(schema))
      if (key !== '$defs' && key !== 'definitions' && key !== 'enum' && key !== 'const') steps += count(inner)
    const bounded = Math.min(steps, 10 * MAX_STEPS)
    counted.set(schema, bounded)
    return bounded
  }
  return count(root)
}

function longestText(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  let longest = 0
  for (const [key, inner] of Object.entries(value))
    longest = Math.max(longest, Array.isArray(value) ? 0 : key.length, longestText(inner))
  return longest
}

// The validator's findings in our words.

/** Findings that only say that there are findings beneath. */
const AGGREGATES = new Set([
  '$ref',
  '$recursiveRef',
  'properties',
  'patternProperties',
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
  'allOf',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
  'propertyNames',
  'contains',
  'false',
])

function explain(errors: readonly OutputUnit[], args: unknown, schema: JsonSchema): Mismatch[] {
  const alternatives = errors.filter((error) => error.keyword === 'anyOf' || error.keyword === 'oneOf')
  const outermost = alternatives.filter(
    (one) =>
      !alternatives.some((other) => other !== one && one.keywordLocation.startsWith(`${other.keywordLocation}/`)),
  )
  const within = (error: OutputUnit): boolean =>
    outermost.some((one) => error !== one && error.keywordLocation.startsWith(`${one.keywordLocation}/`))
  const found: Mismatch[] = []
  errors.forEach((error, i) => {
    if (within(error) || AGGREGATES.has(error.keyword)) return
    if (outermost.includes(error)) found.push(...explainAlternatives(error, errors, args, schema))
    else found.push(...explainOne(error, errors[i + 1], args, schema))
  })
  const distinct = new Map(found.map((mismatch) => [mismatch.problem, mismatch]))
  return [...distinct.values()]
}

/** Speaks of the one alternative that was meant, if it is plain which, and else of all of them. */
function explainAlternatives(
  error: OutputUnit,
  errors: readonly OutputUnit[],
  args: unknown,
  schema: JsonSchema,
): Mismatch[] {
  const byBranch = new Map<string, OutputUnit[]>()
  for (const one of errors) {
    if (!one.keywordLocation.startsWith(`${error.keywordLocation}/`)) continue
    const branch = one.keywordLocation.slice(error.keywordLocation.length + 1).split('/', 1)[0]!
    byBranch.set(branch, [...(byBranch.get(branch) ?? []), one])
  }
  const deeper = [...byBranch.values()].filter(
    (branch) => !branch.some((one) => ['type', 'enum', 'const'].includes(one.keyword) && isNear(one, error)),
  )
  if (
    deeper.length === 1 &&
    deeper[0]!.some((one) => one.instanceLocation !== error.instanceLocation || one.keyword !== 'type')
  )
    return explain(deeper[0]!, args, schema)
  const mark = markMissed([...byBranch.values()], error, args, schema)
  if (mark !== undefined) return [mark]
  const value = valueAt(args, error.instanceLocation)
  const holder = holderOf(error, schema)
  return [
    { problem: `${pathOf(error.instanceLocation)}: got ${valueText(value)}, want ${wanted(holder, schema)}`, near: [] },
  ]
}

/** Where every alternative wants another constant under one key: that key is what is wrong. */
function markMissed(
  branches: readonly (readonly OutputUnit[])[],
  error: OutputUnit,
  args: unknown,
  schema: JsonSchema,
): Mismatch | undefined {
  const missed = branches.map((branch) =>
    branch.find(
      (one) => one.keyword === 'const' && one.instanceLocation !== error.instanceLocation && isNear(one, error),
    ),
  )
  const location = missed[0]?.instanceLocation
  if (location === undefined || missed.some((one) => one?.instanceLocation !== location)) return undefined
  const constants = missed.map((one) => ({ const: holderOf(one!, schema)?.const }))
  const got = valueText(valueAt(args, location))
  return { problem: `${pathOf(location)}: got ${got}, want ${wanted({ anyOf: constants }, schema)}`, near: [] }
}

/** At the value itself, or at the key of it that tells alternatives apart. */
function isNear(one: OutputUnit, error: OutputUnit): boolean {
  if (one.instanceLocation === error.instanceLocation) return true
  const beneath = one.instanceLocation.slice(error.instanceLocation.length + 1)
  return one.keyword === 'const' && !beneath.includes('/')
}

function explainOne(error: OutputUnit, next: OutputUnit | undefined, args: unknown, schema: JsonSchema): Mismatch[] {
  const value = valueAt(args, error.instanceLocation)
  const holder = holderOf(error, schema)
  const path = pathOf(error.instanceLocation)
  const say = (want: string): Mismatch[] => [{ problem: `${path}: got ${valueText(value)}, want ${want}`, near: [] }]
  const bound = holder?.[error.keyword]
  switch (error.keyword) {
    case 'type':
      return say(wanted(withoutValues(holder), schema))
    case 'enum':
    case 'const':
      return say(wanted(holder, schema))
    case 'required': {
      const missing = (Array.isArray(bound) ? bound : []).filter(
        (key) => !isObject(value) || !Object.hasOwn(value, String(key)),
      )
      return [{ problem: `${path === '' ? '' : `${path}: `}missing ${missing.join(', ')}`, near: [] }]
    }
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      if (bound !== false || next === undefined) return []
      const key = keysOf(next.instanceLocation).at(-1) ?? ''
      const declared = Object.keys(isObject(holder?.properties) ? holder.properties : {})
      const near = nearestNames(key, declared)
      const few = declared.length > 0 && declared.length <= 12
      const nearest =
        near.length > 0 ? ` (nearest: ${near.join(', ')})` : few ? ` (there are: ${declared.join(', ')})` : ''
      return [
        { problem: `${path === '' ? '' : `${path}: `}no key ${JSON.stringify(cutAtWord(key, 60))}${nearest}`, near },
      ]
    }
    case 'minimum':
      return say(`at least ${bound}`)
    case 'maximum':
      return say(`at most ${bound}`)
    case 'exclusiveMinimum':
      return say(`more than ${bound}`)
    case 'exclusiveMaximum':
      return say(`less than ${bound}`)
    case 'multipleOf':
      // The validator has seen a rounded number.
      if (value instanceof ExactInteger) return []
      return say(`a multiple of ${bound}`)
    case 'minLength':
      return say(`at least ${bound} characters`)
    case 'maxLength':
      return say(`at most ${bound} characters`)
    case 'minItems':
      return say(`at least ${bound} items`)
    case 'maxItems':
      return say(`at most ${bound} items`)
    case 'minProperties':
      return say(`at least ${bound} keys`)
    case 'maxProperties':
      return say(`at most ${bound} keys`)
    case 'pattern':
      return say(`text that matches ${cutAtWord(String(bound), 120)}`)
    default:
      return say('what the tool describes')
  }
}

function withoutValues(schema: { readonly [keyword: string]: unknown } | undefined): unknown {
  if (schema === undefined) return true
  const { enum: _enum, const: _const, ...rest } = schema
  return rest
}

function wanted(schema: unknown, root: JsonSchema): string {
  const name = typeName(new SchemaReader(root).read(schema ?? true, 'value'))
  return cutAtWord(name, 200)
}

/** The schema that holds the keyword a finding is about. */
function holderOf(error: OutputUnit, root: JsonSchema): { readonly [keyword: string]: unknown } | undefined {
  let place: unknown = root
  for (const key of keysOf(error.keywordLocation).slice(0, -1)) {
    if (key === '$ref' && isObject(place)) place = resolveReference(root, String(place.$ref))
    else if (Array.isArray(place)) place = place[Number(key)]
    else if (isObject(place)) place = place[key]
  }
  return isObject(place) ? place : undefined
}

function keysOf(location: string): string[] {
  const pointer = location.slice(2)
  return pointer === '' ? [] : pointer.split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function valueAt(args: unknown, location: string): unknown {
  let value = args
  for (const key of keysOf(location)) value = (value as Record<string, unknown>)?.[key]
  return value
}

function pathOf(location: string): string {
  let path = ''
  for (const key of keysOf(location)) {
    if (/^\d+$/.test(key) && path !== '') path += `[${key}]`
    else if (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(key)) path += path === '' ? key : `.${key}`
    else path += path === '' ? key : `[${JSON.stringify(key)}]`
  }
  return cutAtWord(path, 120)
}

/** A value with its type, short enough for a message. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (value instanceof ExactInteger) return `int ${cutAtWord(value.digits, 60)}`
  if (typeof value === 'number') return `${Number.isInteger(value) ? 'int' : 'float'} ${value}`
  if (typeof value === 'string') return `str ${JSON.stringify(cutAtWord(value, 60))}`
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `list of ${value.length}`
  const { length } = Object.keys(value)
  return length === 0 ? 'an empty dict' : `dict of ${length}`
}
