// Generates one correct call of a tool from its schema.
// Invariant: an example passes the argument check, or there is none.

import type { BoundTool } from './bound.js'
import { pythonLiteral } from './quoting.js'
import { checkArguments } from './read-arguments.js'
import { SchemaReader } from './read-schema.js'
import { isObject } from './schema-object.js'

/** `github.create_issue(owner="octo", title="title")`; undefined if no correct call was found. */
export function exampleCall(tool: BoundTool): string | undefined {
  const args = exampleArguments(tool)
  if (args === undefined) return undefined
  const names = new Map(tool.signature.parameters.map((parameter) => [parameter.key, parameter.name]))
  const ordered = tool.signature.parameters.map((parameter) => parameter.key).filter((key) => Object.hasOwn(args, key))
  const texts = ordered.map((key) => `${names.get(key)}=${pythonLiteral(args[key])}`)
  return `${tool.server.name}.${tool.name}(${texts.join(', ')})`
}

/** Arguments that the tool accepts: the required ones, and others that the schema demands otherwise. */
export function exampleArguments(tool: BoundTool): Readonly<Record<string, unknown>> | undefined {
  const reader = new SchemaReader(tool.tool.inputSchema)
  const maker = new ExampleMaker(reader)
  const { parameters } = tool.signature
  const required = parameters.filter((parameter) => parameter.required).map((parameter) => parameter.key)
  const optional = parameters.filter((parameter) => !parameter.required).map((parameter) => parameter.key)
  const choices = [required, ...optional.slice(0, 20).map((key) => [...required, key]), [...required, ...optional]]
  for (const keys of choices) {
    const args = maker.object(tool.tool.inputSchema, keys)
    if (args !== undefined && checkArguments(tool.tool, args).length === 0) return args
  }
  return undefined
}

const MAX_DEPTH = 12

class ExampleMaker {
  readonly #reader: SchemaReader

  constructor(reader: SchemaReader) {
    this.#reader = reader
  }

  /** An object with exactly these keys of the schema. */
  object(schema: unknown, keys: readonly string[]): Record<string, unknown> | undefined {
    const properties = this.#propertiesOf(schema)
    return Object.fromEntries(keys.map((key) => [key, this.#value(properties.get(key) ?? true, key, 1)]))
  }

  #propertiesOf(schema: unknown): Map<string, unknown> {
    const flat = this.#reader.flatten(schema)
    if (!isObject(flat)) return new Map()
    const branches = this.#reader.alternatives(flat) ?? []
    const own = isObject(flat.properties) ? Object.entries(flat.properties) : []
    const conditional = ['then', 'else', 'if'].flatMap((word) => [...this.#propertiesOf(flat[word])])
    return new Map([...conditional, ...branches.flatMap((branch) => [...this.#propertiesOf(branch)]), ...own])
  }

  #value(schema: unknown, key: string, depth: number): unknown {
    const flat = this.#reader.flatten(schema)
    if (!isObject(flat) || depth > MAX_DEPTH) return key === '' ? 'text' : key
    if (Object.hasOwn(flat, 'const')) return flat.const
    if (Array.isArray(flat.enum) && flat.enum.length > 0)
      return flat.enum.find((value) => value !== null) ?? flat.enum[0]
    const branches = this.#reader.alternatives(flat)
    if (branches) return this.#value(branches.find((branch) => !this.#isNull(branch)) ?? branches[0], key, depth + 1)
    const type = Array.isArray(flat.type) ? (flat.type.find((one) => one !== 'null') ?? 'null') : flat.type
    const given = Array.isArray(flat.examples) ? flat.examples[0] : flat.example
    if (given !== undefined && given !== null && isOf(given, type)) return given
    if (flat.default !== undefined && flat.default !== null && isOf(flat.default, type)) return flat.default
    return this.#made(type, flat, key, depth)
  }

  #made(type: unknown, flat: { readonly [keyword: string]: unknown }, key: string, depth: number): unknown {
    switch (type) {
      case 'integer':
      case 'number':
        return exampleNumber(flat, type === 'integer')
      case 'boolean':
        return true
      case 'null':
        return null
      case 'array': {
        const heads = flat.prefixItems ?? flat.items
        if (Array.isArray(heads)) return heads.map((head) => this.#value(head, key, depth + 1))
        const count = Math.min(20, Math.max(1, Number(flat.minItems ?? 1)))
        return Array.from({ length: count }, () => this.#value(flat.items ?? true, singularKey(key), depth + 1))
      }
      case 'object':
        return this.#madeObject(flat, depth)
      default:
        if (type === undefined && isObject(flat.properties)) return this.#madeObject(flat, depth)
        return exampleText(flat, key)
    }
  }

  #madeObject(flat: { readonly [keyword: string]: unknown }, depth: number): Record<string, unknown> {
    const properties = isObject(flat.properties) ? flat.properties : {}
    const required = Array.isArray(flat.required) ? flat.required.filter((key) => typeof key === 'string') : []
    const wanted = Math.max(required.length, Math.min(5, Number(flat.minProperties ?? 0)))
    const keys = [...new Set([...required, ...Object.keys(properties)])].slice(0, wanted)
    return Object.fromEntries(keys.map((key) => [key, this.#value(properties[key] ?? true, key, depth + 1)]))
  }

  #isNull(schema: unknown): boolean {
    const flat = this.#reader.flatten(schema)
    return isObject(flat) && (flat.type === 'null' || flat.const === null)
  }
}

function isOf(value: unknown, type: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  return type === undefined || typeof value === type
}

function singularKey(key: string): string {
  return key.replace(/ies$/, 'y').replace(/([^s])s$/, '$1')
}

function exampleNumber(schema: { readonly [keyword: string]: unknown }, whole: boolean): number {
  const number = (word: string): number | undefined => (typeof schema[word] === 'number' ? schema[word] : undefined)
  const step = number('multipleOf') ?? (whole ? 1 : undefined)
  const low =
    number('minimum') ??
    (number('exclusiveMinimum') === undefined ? undefined : number('exclusiveMinimum')! + (step ?? 0.5))
  const high =
    number('maximum') ??
    (number('exclusiveMaximum') === undefined ? undefined : number('exclusiveMaximum')! - (step ?? 0.5))
  let value = Math.max(low ?? 1, 1)
  if (high !== undefined && value > high) value = low !== undefined && low <= high ? low : high
  return step === undefined ? value : Math.ceil(value / step) * step
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  time: '12:00:00Z',
  duration: 'P1D',
  email: 'ada@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com',
  url: 'https://example.com',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
}

/** Typical texts for common patterns. */
const SAMPLES = [
  'name',
  'name-1',
  'a',
  '1',
  '12',
  '2026-01-31',
  '2026-01-31T12:00:00Z',
  '12:00',
  '0123456789abcdef0123456789abcdef01234567',
  'owner/name',
  '/path/to/file',
  'https://example.com',
  'v1.0.0',
  '#1',
  '@name',
  'NAME',
  'ab',
  '1m',
  '192.0.2.1',
  'ada@example.com',
  ...Object.values(FORMATS),
]

function exampleText(schema: { readonly [keyword: string]: unknown }, key: string): string {
  const least = typeof schema.minLength === 'number' ? schema.minLength : 0
  const most = typeof schema.maxLength === 'number' ? schema.maxLength : Number.POSITIVE_INFINITY
  const format =
    typeof schema.format === 'string' && Object.hasOwn(FORMATS, schema.format) ? [FORMATS[schema.format]!] : []
  const named = key === '' ? 'text' : key
  const fits = (text: string): boolean => text.length >= least && text.length <= most && matches(schema.pattern, text)
  const fitted = [...format, ...(schema.pattern === undefined ? nameSamples(key) : []), named, ...SAMPLES].find(fits)
  return fitted ?? named.padEnd(Math.min(least, 200), 'x').slice(0, most)
}

/** Samples for well-known names of parameters. */
function nameSamples(key: string): string[] {
  if (/(^|[a-z_-])ur[il]$/i.test(key)) return ['https://example.com']
  if (/(^|[a-z_-])(path|file|directory|dir)$/i.test(key)) return ['path/to/file']
  return []
}

function matches(pattern: unknown, text: string): boolean {
  if (typeof pattern !== 'string' || pattern.length > 500) return true
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return true
  }
}
