// Checks arguments against a tool's input schema before the call, and explains mistakes. Schema and arguments are both
// untrusted, and the check runs on the host's own thread.
// Invariant: the check is bounded and never refuses arguments that the schema allows. Undecided cases are left to the
// upstream.

import { joined, marked, nearestNames, type Said, said } from '../diagnostics/index.js'
import { ExactInteger, roundIntegers } from './exact-integers.js'
import { plainTestOf } from './plain-test.js'
import { cutAtWord } from './quoting.js'
import { SchemaReader } from './read-schema.js'
import { typeName } from './render-python.js'
import { isObject } from './schema-object.js'
import { resolveReference } from './schema-references.js'
import type { JsonSchema } from './tool.js'
import { type Finding, findingsOf } from './validate.js'
import { type Notation, quotedName, valueText } from './value-words.js'

/** One mistake, with the keys that lead to it. */
export type Mismatch = { readonly keys: readonly string[] } & (
  | { readonly kind: 'value'; readonly got: unknown; readonly want: string }
  | { readonly kind: 'missing'; readonly names: readonly string[] }
  | { readonly kind: 'unknown'; readonly key: string; readonly declared: readonly string[] }
)

/** The mistake in words: `limit: got str "ten", want int`. */
export function problemIn(mismatch: Mismatch, notation: Notation): Said {
  const path = pathOf(mismatch.keys)
  const at = path.text === '' ? path : said`${path}: `
  switch (mismatch.kind) {
    case 'value':
      return said`${path}: got ${valueText(mismatch.got, notation)}, want ${mismatch.want}`
    case 'missing':
      return said`${at}missing ${mismatch.names.join(', ')}`
    case 'unknown':
      return said`${at}no key ${quotedName(mismatch.key, notation)}${instead(mismatch.key, mismatch.declared)}`
  }
}

function instead(key: string, declared: readonly string[]): string {
  const near = nearestNames(key, declared)
  if (near.length > 0) return ` (nearest: ${near.join(', ')})`
  return declared.length > 0 && declared.length <= 12 ? ` (there are: ${declared.join(', ')})` : ''
}

/** Several mistakes in words. */
export function problemsIn(mismatches: readonly Mismatch[], notation: Notation): Said {
  return joined(
    mismatches.map((one) => problemIn(one, notation)),
    '; ',
  )
}

const MOST_MISMATCHES = 3

/** Tests arguments against a schema; finds at most three mistakes. Made once per tool. */
export class ArgumentCheck {
  readonly #schema: JsonSchema
  readonly #surelyFits: ((args: unknown) => boolean) | undefined

  constructor(schema: JsonSchema) {
    this.#schema = schema
    this.#surelyFits = plainTestOf(schema)
  }

  /** The wanted type is written in the notation. */
  mismatches(args: Readonly<Record<string, unknown>>, notation: Notation): readonly Mismatch[] {
    if (this.#surelyFits?.(args) === true) return []
    try {
      const findings = findingsOf(roundIntegers(args), this.#schema)
      if (findings.length === 0) return []
      return explain(findings, { args, schema: this.#schema, notation }).slice(0, MOST_MISMATCHES)
    } catch {
      // A schema that can't be evaluated constrains nothing.
      return []
    }
  }
}

// The messages for the validator's findings.

/** The compared value. */
interface Compared {
  readonly args: unknown
  readonly schema: JsonSchema
  readonly notation: Notation
}

/** Findings that only report other findings beneath them. */
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

function explain(errors: readonly Finding[], compared: Compared): Mismatch[] {
  const alternatives = errors.filter((error) => error.keyword === 'anyOf' || error.keyword === 'oneOf')
  const outermost = alternatives.filter(
    (one) =>
      !alternatives.some((other) => other !== one && one.keywordLocation.startsWith(`${other.keywordLocation}/`)),
  )
  const within = (error: Finding): boolean =>
    outermost.some((one) => error !== one && error.keywordLocation.startsWith(`${one.keywordLocation}/`))
  const found = new Map<string, Mismatch>()
  for (const [i, error] of errors.entries()) {
    if (found.size >= MOST_MISMATCHES) break
    if (within(error) || AGGREGATES.has(error.keyword)) continue
    const explained = outermost.includes(error)
      ? explainAlternatives(error, errors, compared)
      : explainOne(error, errors[i + 1], compared)
    for (const mismatch of explained) {
      const { text } = problemIn(mismatch, compared.notation)
      if (!found.has(text)) found.set(text, mismatch)
    }
  }
  return [...found.values()]
}

/** Explains the intended alternative if it is clear, else all of them. */
function explainAlternatives(error: Finding, errors: readonly Finding[], compared: Compared): Mismatch[] {
  const byBranch = new Map<string, Finding[]>()
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
    return explain(deeper[0]!, compared)
  const mark = markMissed([...byBranch.values()], error, compared)
  return [mark ?? wrongValue(error.instanceLocation, wanted(holderOf(error, compared.schema), compared), compared)]
}

function wrongValue(location: string, want: string, { args }: Compared): Mismatch {
  return { kind: 'value', keys: keysOf(location), got: valueAt(args, location), want }
}

/** If every alternative wants a different constant under one key, that key is the mistake. */
function markMissed(
  branches: readonly (readonly Finding[])[],
  error: Finding,
  compared: Compared,
): Mismatch | undefined {
  const missed = branches.map((branch) =>
    branch.find(
      (one) => one.keyword === 'const' && one.instanceLocation !== error.instanceLocation && isNear(one, error),
    ),
  )
  const location = missed[0]?.instanceLocation
  if (location === undefined || missed.some((one) => one?.instanceLocation !== location)) return undefined
  const constants = missed.map((one) => ({ const: holderOf(one!, compared.schema)?.const }))
  return wrongValue(location, wanted({ anyOf: constants }, compared), compared)
}

/** At the value itself, or at its key that distinguishes the alternatives. */
function isNear(one: Finding, error: Finding): boolean {
  if (one.instanceLocation === error.instanceLocation) return true
  const beneath = one.instanceLocation.slice(error.instanceLocation.length + 1)
  return one.keyword === 'const' && !beneath.includes('/')
}

function explainOne(error: Finding, next: Finding | undefined, compared: Compared): Mismatch[] {
  const { args, schema } = compared
  const value = valueAt(args, error.instanceLocation)
  const holder = holderOf(error, schema)
  const keys = keysOf(error.instanceLocation)
  const say = (want: string): Mismatch[] => [wrongValue(error.instanceLocation, want, compared)]
  const bound = holder?.[error.keyword]
  switch (error.keyword) {
    case 'type':
      return say(wanted(withoutValues(holder), compared))
    case 'enum':
    case 'const':
      return say(wanted(holder, compared))
    case 'required': {
      const missing = (Array.isArray(bound) ? bound : []).filter(
        (key) => !isObject(value) || !Object.hasOwn(value, String(key)),
      )
      return [{ kind: 'missing', keys, names: missing.map(String) }]
    }
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      if (bound !== false || next === undefined) return []
      const key = keysOf(next.instanceLocation).at(-1) ?? ''
      const declared = Object.keys(isObject(holder?.properties) ? holder.properties : {})
      return [{ kind: 'unknown', keys, key, declared }]
    }
    case 'multipleOf':
      // The validator has seen a rounded number.
      return value instanceof ExactInteger ? [] : say(`a multiple of ${bound}`)
    case 'pattern':
      return say(`text that matches ${cutAtWord(String(bound), 120)}`)
    default:
      return say(bounds[error.keyword]?.(bound) ?? 'what the tool describes')
  }
}

const bounds: Readonly<Record<string, (bound: unknown) => string>> = {
  minimum: (n) => `at least ${n}`,
  maximum: (n) => `at most ${n}`,
  exclusiveMinimum: (n) => `more than ${n}`,
  exclusiveMaximum: (n) => `less than ${n}`,
  minLength: (n) => `at least ${n} characters`,
  maxLength: (n) => `at most ${n} characters`,
  minItems: (n) => `at least ${n} items`,
  maxItems: (n) => `at most ${n} items`,
  minProperties: (n) => `at least ${n} keys`,
  maxProperties: (n) => `at most ${n} keys`,
}

function withoutValues(schema: { readonly [keyword: string]: unknown } | undefined): unknown {
  if (schema === undefined) return true
  const { enum: _enum, const: _const, ...rest } = schema
  return rest
}

function wanted(schema: unknown, { schema: root, notation }: Compared): string {
  return cutAtWord(typeName(new SchemaReader(root).read(schema ?? true, 'value'), notation), 200)
}

/** The schema that contains the keyword of a finding. */
function holderOf(error: Finding, root: JsonSchema): { readonly [keyword: string]: unknown } | undefined {
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

const LONGEST_PATH = 120

/** The place of a value. Keys are the program's unless they are declared. */
export function pathOf(keys: readonly string[]): Said {
  let path = said``
  for (const key of keys) {
    const isFirst = path.text === ''
    if (path.text.length > LONGEST_PATH) return said`${path}…`
    if (/^\d+$/.test(key) && !isFirst) path = said`${path}[${key}]`
    else if (isFirst) path = marked(cutAtWord(key, 60), '*', key)
    else if (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(key)) path = said`${path}.${marked(cutAtWord(key, 60), '*', key)}`
    else path = said`${path}[${marked(JSON.stringify(cutAtWord(key, 60)), '*', key)}]`
  }
  return path
}
