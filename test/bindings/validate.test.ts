// Compares the validation of values with another validator: values that it accepts are never refused, and if the schema
// has no unknown parts, both refuse the same values.

import { type Schema, Validator } from '@cfworker/json-schema'
import { expect, it } from 'vitest'
import type { JsonSchema } from '../../dist/bindings/index.js'
import { plainTestOf } from '../../dist/bindings/plain-test.js'
import { findingsOf } from '../../dist/bindings/validate.js'
import { amount, type Random, random, usualSeed } from '../random.js'

const KEYS = ['a', 'b', 'c', 'x-1']

function someValue(from: Random, depth = 0): unknown {
  const leaves = [null, true, false, 0, 1, 2.5, -3, 12, '', 'a', 'ab', 'abc', 'b1']
  if (depth > 2 || from.chance(0.5)) return from.pick(leaves)
  if (from.chance(0.4)) return Array.from({ length: from.below(4) }, () => someValue(from, depth + 1))
  return Object.fromEntries(KEYS.filter(() => from.chance(0.5)).map((key) => [key, someValue(from, depth + 1)]))
}

function someSchema(from: Random, depth = 0): unknown {
  if (depth > 3) return from.pick([true, false, { type: 'string' }, { type: 'integer' }, {}])
  const inner = () => someSchema(from, depth + 1)
  const some = () => Array.from({ length: 1 + from.below(3) }, inner)
  const map = (keys: readonly string[]) =>
    Object.fromEntries(keys.filter(() => from.chance(0.5)).map((key) => [key, inner()]))
  const makers: (() => object)[] = [
    () => ({ type: from.pick(['string', 'integer', 'number', 'object', 'array', 'null', ['string', 'boolean']]) }),
    () => ({ const: someValue(from, 2) ?? 1 }),
    () => ({ enum: [someValue(from, 2), someValue(from, 1)] }),
    () => ({ properties: map(KEYS), required: KEYS.filter(() => from.chance(0.2)) }),
    () => ({ properties: map(KEYS), additionalProperties: inner() }),
    () => ({ patternProperties: map(['^x-', '[ab]', '^.$']), additionalProperties: inner() }),
    () => ({ propertyNames: { pattern: from.pick(['^[a-c]$', '-']) } }),
    () => ({ allOf: some() }),
    () => ({ anyOf: some() }),
    () => ({ oneOf: some() }),
    () => ({ not: inner() }),
    () => ({
      if: inner(),
      ...(from.chance(0.7) ? { then: inner() } : {}),
      ...(from.chance(0.7) ? { else: inner() } : {}),
    }),
    () => ({ items: inner(), minItems: from.below(2), maxItems: 3 }),
    () => ({ prefixItems: some(), items: inner() }),
    () => ({ contains: inner() }),
    () => ({ minimum: from.below(3), exclusiveMaximum: 5 + from.below(9) }),
    () => ({ multipleOf: from.pick([1, 2, 0.5]) }),
    () => ({ minLength: from.below(3), maxLength: 2 + from.below(2), pattern: from.pick(['^a', '[0-9]', '^(a|b)*$']) }),
    () => ({ minProperties: from.below(3), maxProperties: 3 }),
    () => ({ dependentSchemas: map(KEYS) }),
    () => ({ $ref: '#/$defs/one' }),
  ]
  return Object.assign({}, ...Array.from({ length: 1 + from.below(2) }, () => from.pick(makers)()))
}

it(`judges as another validator does (seed ${usualSeed})`, () => {
  const from = random()
  const counts = { refused: 0, accepted: 0 }
  for (let i = 0; i < amount(3_000, 500_000); i++) {
    // Only at the top: the other validator lets `then` see what `if` has seen.
    const rest = from.chance(0.2) ? { unevaluatedProperties: someSchema(from, 3) } : {}
    const schema = { allOf: [someSchema(from)], ...rest, $defs: { one: someSchema(from, 4) } }
    const value = someValue(from)
    const isRefused = findingsOf(value, schema).length > 0
    const { valid } = new Validator(structuredClone(schema) as Schema, '2020-12', false).validate(value)
    counts[isRefused ? 'refused' : 'accepted']++
    expect({ isRefused, schema, value }).toEqual({ isRefused: !valid, schema, value })
  }
  expect(Math.min(counts.refused, counts.accepted)).toBeGreaterThan(500)
})

it(`the check finds nothing in a value that passes the plain test of its schema (seed ${usualSeed})`, () => {
  const from = random()
  const counts = { passed: 0, refused: 0, 'not plain': 0 }
  for (let i = 0; i < amount(4_000, 500_000); i++) {
    const [schema, value] = [someSchema(from, 2) as JsonSchema, someValue(from, 1)]
    const test = plainTestOf(schema)
    counts[test === undefined ? 'not plain' : test(value) ? 'passed' : 'refused']++
    if (test?.(value)) expect({ found: findingsOf(value, schema), schema }).toEqual({ found: [], schema })
  }
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(50)
})

it('the check accepts values that take too long to check', () => {
  const alternatives = Array.from({ length: 2_000 }, (_, i) => ({ properties: { k: { const: i } }, required: ['k'] }))
  const value = Array.from({ length: 3_000 }, () => ({ k: -1 }))
  expect(findingsOf(value, { items: { oneOf: alternatives } })).toEqual([])
  expect(findingsOf(value.slice(0, 1), { items: { oneOf: alternatives } })).not.toEqual([])
})
