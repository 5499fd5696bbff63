// Arguments against the input schema of a tool, before anything is sent. Knows the validator's findings and how to say them; knows no MCP.
//
// The schema is hostile as well as the arguments, and the check runs on the host's own thread.
//
// Invariant: the check ends soon and never refuses what the schema allows. What it can't find out in time the upstream checks.

import { nearestNames } from '../diagnostics/index.js'
import { ExactInteger, roundIntegers } from './exact-integers.js'
import { cutAtWord } from './quoting.js'
import { SchemaReader } from './read-schema.js'
import { typeName } from './render-python.js'
import { isObject } from './schema-object.js'
import { resolveReference } from './schema-references.js'
import type { JsonSchema } from './tool.js'
import { type Finding, findingsOf } from './validate.js'

/** One mistake: `limit: got str "ten", want int`. */
export interface Mismatch {
  readonly problem: string
  /** Right names for a wrong key. */
  readonly near: readonly string[]
}

const MOST_MISMATCHES = 3

/** Tests arguments against a schema; finds at most three mistakes. Made once per tool. */
export class ArgumentCheck {
  readonly #schema: JsonSchema

  constructor(schema: JsonSchema) {
    this.#schema = schema
  }

  mismatches(args: Readonly<Record<string, unknown>>): readonly Mismatch[] {
    try {
      const findings = findingsOf(roundIntegers(args), this.#schema)
      return findings.length === 0 ? [] : explain(findings, args, this.#schema).slice(0, MOST_MISMATCHES)
    } catch {
      // A schema that can't be followed says nothing.
      return []
    }
  }
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

function explain(errors: readonly Finding[], args: unknown, schema: JsonSchema): Mismatch[] {
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
      ? explainAlternatives(error, errors, args, schema)
      : explainOne(error, errors[i + 1], args, schema)
    for (const mismatch of explained) if (!found.has(mismatch.problem)) found.set(mismatch.problem, mismatch)
  }
  return [...found.values()]
}

/** Speaks of the one alternative that was meant, if it is plain which, and else of all of them. */
function explainAlternatives(
  error: Finding,
  errors: readonly Finding[],
  args: unknown,
  schema: JsonSchema,
): Mismatch[] {
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
  branches: readonly (readonly Finding[])[],
  error: Finding,
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
function isNear(one: Finding, error: Finding): boolean {
  if (one.instanceLocation === error.instanceLocation) return true
  const beneath = one.instanceLocation.slice(error.instanceLocation.length + 1)
  return one.keyword === 'const' && !beneath.includes('/')
}

function explainOne(error: Finding, next: Finding | undefined, args: unknown, schema: JsonSchema): Mismatch[] {
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
