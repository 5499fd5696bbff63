// The remarks of a schema: descriptions, and bounds that a type cannot express.
// Invariant: each remark is bounded in length.

import { isObject, own, type SchemaObject } from './schema-object.js'

const MAX_TEXT = 4_000

export function describe(schema: unknown, key: string): string | undefined {
  if (!isObject(schema)) return undefined
  const text = schema.description
  if (typeof text === 'string' && text.trim() !== '') return text.slice(0, MAX_TEXT)
  const title = schema.title
  if (typeof title !== 'string' || title.trim() === '' || key === '') return undefined
  return fold(title) === fold(key) ? undefined : title.slice(0, MAX_TEXT)
}

function fold(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

export function constraintWords(schema: SchemaObject): string[] {
  const words: string[] = []
  const number = (word: string): number | undefined => (typeof schema[word] === 'number' ? schema[word] : undefined)
  const range = (low: number | undefined, high: number | undefined, unit: string): void => {
    if (low !== undefined && high !== undefined)
      words.push(low === high ? `exactly ${low}${unit}` : `${low}..${high}${unit}`)
    else if (low !== undefined) words.push(`at least ${low}${unit}`)
    else if (high !== undefined) words.push(`at most ${high}${unit}`)
  }
  range(within(number('minimum'), Number.MAX_SAFE_INTEGER), within(number('maximum'), Number.MAX_SAFE_INTEGER), '')
  if (number('exclusiveMinimum') !== undefined) words.push(`> ${number('exclusiveMinimum')}`)
  if (number('exclusiveMaximum') !== undefined) words.push(`< ${number('exclusiveMaximum')}`)
  if (number('multipleOf') !== undefined) words.push(`a multiple of ${number('multipleOf')}`)
  range(number('minLength'), number('maxLength'), ' characters')
  range(number('minItems'), number('maxItems'), ' items')
  range(number('minProperties'), number('maxProperties'), ' keys')
  if (schema.uniqueItems === true) words.push('no item twice')
  if (typeof schema.format === 'string') words.push(`format ${schema.format.slice(0, 60)}`)
  if (typeof schema.contentEncoding === 'string') words.push(schema.contentEncoding.slice(0, 60))
  if (typeof schema.pattern === 'string') words.push(`pattern ${schema.pattern.slice(0, 200)}`)
  const fractions = [schema.const, ...(Array.isArray(schema.enum) ? schema.enum : [])]
  const loose = fractions.filter((value) => typeof value === 'number' && !Number.isInteger(value))
  if (loose.length > 0) words.push(`one of ${loose.slice(0, 20).join(', ')}`)
  const examples = Array.isArray(schema.examples) ? schema.examples : own(schema, 'example') ? [schema.example] : []
  if (examples.length > 0)
    words.push(
      `for example ${examples
        .slice(0, 3)
        .map((one) => JSON.stringify(one).slice(0, 120))
        .join(', ')}`,
    )
  return words
}

/** Generators write the largest safe integer in place of no bound. */
function within(value: number | undefined, limit: number): number | undefined {
  return value !== undefined && Math.abs(value) >= limit ? undefined : value
}
