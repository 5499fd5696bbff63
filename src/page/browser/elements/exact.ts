// JSON with its numbers as they were written: `120.0` stays `120.0`, and a large integer keeps its digits.

/** A number whose text says more than its value. */
export class Exact {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toJSON(): string {
    return this.text
  }
}

type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown

/** The value of a JSON text. Throws a SyntaxError where it is none. */
export function readExact(text: string): unknown {
  const keep: Reviver = (_, value, context) =>
    typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
      ? new Exact(context.source)
      : value
  return JSON.parse(text, keep as (key: string, value: unknown) => unknown)
}

export type Entries = readonly (readonly [string, unknown])[]

/** The members of an object or the items of a list; undefined for other values. */
export function entriesOf(value: unknown): Entries | undefined {
  if (Array.isArray(value)) return value.map((item, at) => [String(at), item] as const)
  if (typeof value === 'object' && value !== null && !(value instanceof Exact)) return Object.entries(value)
  return undefined
}

/** The columns of a list of objects, in the order of their first use; undefined for other values. */
export function columnsOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  const columns = new Set<string>()
  for (const row of value) {
    if (typeof row !== 'object' || row === null || Array.isArray(row) || row instanceof Exact) return undefined
    for (const name of Object.keys(row)) columns.add(name)
  }
  return columns.size > 0 && columns.size <= 24 ? [...columns] : undefined
}

/** A text in which nothing hides: characters that are not seen or turn the direction of others are written as escapes. */
export const visible = (text: string): string =>
  text.replace(
    /[\0-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
