// Environment variables for the scalar keys of the blocks `codeMode` and `serve`: `STARBIND_` and the key in capitals,
// derived from the schemas.
// Invariant: a variable allows the same values as its key, and overrides it.

import { z } from 'zod'
import type { Environment } from './configuration.js'
import { configurationEntry } from './shape.js'

interface Variable {
  readonly name: string
  /** The key, with the name of its block. */
  readonly key: readonly [Block, ...string[]]
  /** `list`: separated by commas. */
  readonly kind: 'number' | 'switch' | 'switch or `auto`' | 'text' | 'list' | 'JSON'
}

type Block = (typeof BLOCKS)[number]
const BLOCKS = ['codeMode', 'serve'] as const

/** Every variable, in the order of the blocks. */
export const variables: readonly Variable[] = BLOCKS.flatMap((block) =>
  variablesOf(configurationEntry.shape[block].unwrap(), [block]),
)

/** A shorter name for the most common setting. */
const TIMEOUT_VARIABLE = 'STARBIND_TIMEOUT'

/** The names of all variables with a meaning, including those of the command line and of our own processes. */
export function knownVariables(): string[] {
  return [...variables.map(({ name }) => name), TIMEOUT_VARIABLE, ...OTHERS]
}

const OTHERS = ['HOME', 'LOG_LEVEL', 'LOG_FORMAT', 'DEBUG', 'INSIDE', 'MODEL_KEY'].map((name) => `STARBIND_${name}`)

/**
 * The variables' values as configuration blocks, with the name of the variable for each key. Invalid values stay texts,
 * for the validation to report.
 */
export function blocksFrom(environment: Environment): {
  readonly blocks: { readonly [B in Block]?: Readonly<Record<string, unknown>> }
  readonly names: ReadonlyMap<string, string>
} {
  const blocks: Record<string, Record<string, unknown>> = {}
  const names = new Map<string, string>()
  const timeout: Variable = { name: TIMEOUT_VARIABLE, key: ['codeMode', 'limits', 'wallMs'], kind: 'number' }
  for (const { name, key, kind } of [timeout, ...variables]) {
    const text = environment[name]
    if (text === undefined || text === '') continue
    put(blocks, key, readValue(text, kind))
    names.set(key.join('.'), name)
  }
  return { blocks, names }
}

/** Two blocks, key by key; the second wins. */
export function merged(one: unknown, other: Readonly<Record<string, unknown>>): unknown {
  if (!isRecord(one)) return one === undefined ? other : one
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  return Object.fromEntries(
    keys.map((key) => [key, isRecord(other[key]) ? merged(one[key], other[key]) : (other[key] ?? one[key])]),
  )
}

function variablesOf(schema: z.ZodObject, key: Variable['key']): Variable[] {
  return Object.entries(schema.shape).flatMap(([name, raw]) => {
    const inner = raw instanceof z.ZodOptional ? raw.unwrap() : raw
    const full: Variable['key'] = [...key, name]
    if (inner instanceof z.ZodObject) return variablesOf(inner, full)
    const kind = kindOf(inner)
    return kind === undefined ? [] : [{ name: variableName(full), key: full, kind }]
  })
}

function kindOf(schema: unknown): Variable['kind'] | undefined {
  if (schema instanceof z.ZodNumber) return 'number'
  if (schema instanceof z.ZodBoolean) return 'switch'
  if (schema instanceof z.ZodUnion) return 'switch or `auto`'
  if (schema instanceof z.ZodArray) return schema.element instanceof z.ZodString ? 'list' : 'JSON'
  return schema instanceof z.ZodString || schema instanceof z.ZodEnum ? 'text' : undefined
}

/** The words for blocks and limits are omitted. */
function variableName([, ...key]: Variable['key']): string {
  const words = (key[0] === 'limits' ? key.slice(1) : key).join('_').replace(/[A-Z]/g, (letter) => `_${letter}`)
  return `STARBIND_${words.toUpperCase()}`
}

const TIMES: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 }
const SIZES: Readonly<Record<string, number>> = { kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3 }

function readValue(text: string, kind: Variable['kind']): unknown {
  switch (kind) {
    case 'switch':
    case 'switch or `auto`':
      return { true: true, '1': true, false: false, '0': false }[text.toLowerCase()] ?? text
    case 'list':
      return text.split(',').flatMap((part) => part.trim() || [])
    case 'JSON':
      return readJson(text)
    case 'number':
      return readNumber(text)
    case 'text':
      return text
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Numbers may have a unit: `5s`, `64MiB`. */
function readNumber(text: string): unknown {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text) ?? []
  const factor = unit === '' ? 1 : (TIMES[unit.toLowerCase()] ?? SIZES[unit.toLowerCase()])
  return digits === undefined || factor === undefined ? text : Number(digits) * factor
}

function put(block: Record<string, unknown>, key: readonly string[], value: unknown): void {
  const [first = '', ...rest] = key
  if (rest.length === 0) block[first] = value
  else put((block[first] ??= {}) as Record<string, unknown>, rest, value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
