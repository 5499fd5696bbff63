// Tests for the common schemas: types, bounds, keys, items and alternatives. They are made once for each schema. A
// value that passes needs no check by validate.ts, which takes ten times as long because it can explain mistakes.
// Invariant: true only for a value in which validate.ts finds nothing.

import { ExactInteger } from './exact-integers.js'
import { isObject, own } from './schema-object.js'
import { isOfType, isType } from './validate.js'

type Test = (value: unknown) => boolean

/** Keywords without constraints. */
const REMARKS = ['$schema', '$comment', 'title', 'description', 'default', 'examples', 'deprecated', 'format']
const TESTED = ['type', 'enum', 'const', 'minimum', 'maximum', 'minLength', 'maxLength', 'anyOf']
const OF_PARTS = ['properties', 'required', 'additionalProperties', 'items', 'minItems', 'maxItems']
const PLAIN: ReadonlySet<string> = new Set([...REMARKS, ...TESTED, ...OF_PARTS])
const MOST_PARTS = 1_000

/** Undefined if the schema has other keywords. */
export function plainTestOf(schema: unknown): Test | undefined {
  try {
    return new Making().of(schema)
  } catch (error) {
    if (error instanceof NotPlain) return undefined
    throw error
  }
}

class NotPlain extends Error {}

class Making {
  #parts = 0

  of(schema: unknown): Test {
    if (++this.#parts > MOST_PARTS) throw new NotPlain()
    if (schema === true) return () => true
    if (!isObject(schema) || Object.keys(schema).some((word) => !PLAIN.has(word))) throw new NotPlain()
    const tests = [
      ...typeTests(schema.type),
      ...valueTests(schema),
      ...boundTests(schema),
      ...this.#keyTests(schema),
      ...this.#itemTests(schema.items),
      ...this.#alternatives(schema.anyOf),
    ]
    return (value) => !(value instanceof ExactInteger) && tests.every((test) => test(value))
  }

  #keyTests({
    properties = {},
    required = [],
    additionalProperties = true,
  }: Readonly<Record<string, unknown>>): Test[] {
    if (!isObject(properties) || !Array.isArray(required) || !required.every((key) => typeof key === 'string'))
      throw new NotPlain()
    const known = new Map(Object.entries(properties).map(([key, schema]) => [key, this.of(schema)]))
    const other = additionalProperties === false ? () => false : this.of(additionalProperties)
    return [
      (value) =>
        !isObject(value) ||
        (required.every((key) => own(value, key)) &&
          Object.keys(value).every((key) => (known.get(key) ?? other)(value[key]))),
    ]
  }

  #itemTests(items: unknown): Test[] {
    if (items === undefined) return []
    const test = this.of(items)
    return [(value) => !Array.isArray(value) || value.every(test)]
  }

  #alternatives(parts: unknown): Test[] {
    if (parts === undefined) return []
    if (!Array.isArray(parts)) throw new NotPlain()
    const tests = parts.map((part) => this.of(part))
    return [(value) => tests.some((test) => test(value))]
  }
}

function typeTests(type: unknown): Test[] {
  if (type === undefined) return []
  const types: unknown[] = Array.isArray(type) ? type : [type]
  if (!types.every(isType)) throw new NotPlain()
  const [only] = types
  return types.length === 1
    ? [(value) => isOfType(value, only as string)]
    : [(value) => types.some((one) => isOfType(value, one as string))]
}

/** Lists and objects in `enum` and `const` are left to validate.ts. */
function valueTests({ enum: values, const: one }: Readonly<Record<string, unknown>>): Test[] {
  if (values !== undefined && !Array.isArray(values)) throw new NotPlain()
  const allowed = new Set(values)
  return [
    ...(values === undefined ? [] : [(value: unknown) => allowed.has(value)]),
    ...(one === undefined ? [] : [(value: unknown) => value === one]),
  ]
}

function boundTests({ minimum, maximum, minLength, maxLength, minItems, maxItems }: Readonly<Record<string, unknown>>) {
  const tests: Test[] = []
  const add = (limit: unknown, test: (limit: number) => Test): void => {
    if (limit === undefined) return
    if (typeof limit !== 'number' || !Number.isFinite(limit)) throw new NotPlain()
    tests.push(test(limit))
  }
  add(minimum, (least) => (value) => typeof value !== 'number' || value >= least)
  add(maximum, (most) => (value) => typeof value !== 'number' || value <= most)
  // A character has one or two UTF-16 units.
  add(minLength, (least) => (value) => typeof value !== 'string' || value.length >= 2 * least)
  add(maxLength, (most) => (value) => typeof value !== 'string' || value.length <= most)
  add(minItems, (least) => (value) => !Array.isArray(value) || value.length >= least)
  add(maxItems, (most) => (value) => !Array.isArray(value) || value.length <= most)
  return tests
}
