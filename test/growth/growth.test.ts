// Input of others is processed in time linear in its size: names, paths, queries, descriptions, schemas and arguments.

import { describe, expect, it } from 'vitest'
import { bindServers, checkArguments, describedIn, type JsonSchema, serverStub } from '../../dist/bindings/index.js'
import { matches } from '../../dist/bindings/patterns.js'
import { nearestNames } from '../../dist/diagnostics/index.js'
import { getToolDocs, listToolFiles, readToolFile } from '../../dist/meta-tools/index.js'
import { openVfs } from '../../dist/vfs/index.js'
import { amount, random } from '../random.js'
import { excess, type Grower } from './growth.js'

const list = <T>(length: number, make: (i: number) => T): T[] => Array.from({ length }, (_, i) => make(i))
const keyed = (length: number, make: (i: number) => unknown) =>
  Object.fromEntries(list(length, (i) => [`k${i}`, make(i)]))

function shelf(names: readonly string[]) {
  const tools = names.map((name) => ({ name, inputSchema: { type: 'object' as const } }))
  return { bindings: bindServers([{ name: 's', tools }]), vfs: openVfs() }
}

/** All texts that are generated for one tool. */
function written(tool: { description?: string; inputSchema?: JsonSchema; outputSchema?: JsonSchema }) {
  const bindings = bindServers([{ name: 's', tools: [{ name: 't', inputSchema: { type: 'object' }, ...tool }] }])
  return () => {
    const [server] = bindings.servers
    serverStub(server!, { descriptionLength: 100 })
    for (const notation of ['python', 'typescript'] as const) describedIn(notation).docs(server!.tools[0]!, undefined)
  }
}

const described =
  (description: (n: number) => string): Grower =>
  (n) =>
    written({ description: description(n) })
const shaped =
  (schema: (n: number) => object): Grower =>
  (n) =>
    written({ inputSchema: schema(n) as JsonSchema })
const checked =
  (schema: (n: number) => object, args: (n: number) => Record<string, unknown>): Grower =>
  (n) => {
    const tool = { name: 't', inputSchema: schema(n) as JsonSchema }
    const value = args(n)
    return () => checkArguments(tool, value)
  }

const growers: Record<string, readonly [size: number, Grower]> = {
  'near names of many': [
    2_000,
    (n) => () =>
      nearestNames(
        'ba'.repeat(30),
        list(n, (i) => `${'ab'.repeat(28)}${i}`),
      ),
  ],
  'near names of a long one': [50_000, (n) => () => nearestNames('ab'.repeat(n), ['ba'.repeat(n), 'b'.repeat(n)])],
  'colliding names': [
    2_000,
    (n) => () =>
      shelf(list(n, (i) => `a${String.fromCodePoint(0x4dc0 + (i % 64))}${'-'.repeat(i % 7)}${'+'.repeat(i / 448)}`)),
  ],
  'names that collide when cut': [2_000, (n) => () => shelf(list(n, (i) => `${'a'.repeat(200)}${i}`))],
  'many wrong files': [
    2_000,
    (n) => {
      const files = shelf(list(500, (i) => `tool_${i}`))
      return () => readToolFile({ fileNames: list(n, (i) => `servers/s/tol_${i}`) }, files)
    },
  ],
  'many wrong tools': [
    2_000,
    (n) => {
      const files = shelf(list(500, (i) => `tool_${i}`))
      return () => getToolDocs({ server: 's', tools: list(n, (i) => `tol_${i}`) }, files)
    },
  ],
  'a wrong file of many': [
    5_000,
    (n) => {
      const files = shelf(list(n, (i) => `tool_${i}`))
      return () => readToolFile({ fileName: 'servers/s/tol' }, files)
    },
  ],
  'a long query': [
    50_000,
    (n) => {
      const files = shelf(list(200, (i) => `tool_${i}`))
      return () => listToolFiles({ query: 'open the thing '.repeat(n) }, files)
    },
  ],
  'a search of many tools': [
    1_000,
    (n) => {
      const files = shelf(list(n, (i) => `open_thing_${i}`))
      return () => listToolFiles({ query: 'open things' }, files)
    },
  ],
  'line breaks': [50_000, described((n) => '\n'.repeat(n))],
  'lines of spaces': [50_000, described((n) => '\n '.repeat(n))],
  quotes: [50_000, described((n) => '"'.repeat(n))],
  'line breaks and quotes': [50_000, described((n) => '\n"'.repeat(n))],
  spaces: [50_000, described((n) => `a${' '.repeat(n)}b`)],
  'signs of comments': [50_000, described((n) => '# '.repeat(n))],
  properties: [600, shaped((n) => ({ properties: keyed(n, () => ({ type: 'string' })) }))],
  required: [2_500, shaped((n) => ({ required: list(n, (i) => `k${i}`) }))],
  'an enum of lists': [2_500, shaped((n) => ({ properties: { p: { enum: list(n, (i) => [i]) } } }))],
  'a wide allOf': [1_000, shaped((n) => ({ allOf: list(n, (i) => ({ properties: { [`k${i}`]: {} } })) }))],
  'a deep allOf': [
    1_000,
    shaped((n) => ({ allOf: [list(n, () => 0).reduce<object>((inner) => ({ allOf: [inner] }), {})] })),
  ],
  'a web of references': [
    600,
    shaped((n) => ({
      properties: { p: { $ref: '#/$defs/k0' } },
      $defs: keyed(n, (i) => ({ properties: keyed(8, (j) => ({ $ref: `#/$defs/k${(i * 7 + j * 13 + 1) % n}` })) })),
    })),
  ],
  'tuples of tuples': [
    5,
    shaped((n) => ({
      properties: { p: { $ref: '#/$defs/k0' } },
      $defs: keyed(n, (i) => ({ prefixItems: [{ $ref: `#/$defs/k${i + 1}` }, { $ref: `#/$defs/k${i + 1}` }] })),
    })),
  ],
  'references to one list of values': [
    1_000,
    shaped((n) => ({
      properties: keyed(n, () => ({ $ref: '#/$defs/v' })),
      $defs: { v: { enum: list(n, (i) => `value ${i}`) } },
    })),
  ],
  'references to one list of values, in records': [
    600,
    shaped((n) => ({
      properties: keyed(n, (i) => ({ properties: { [`r${i}`]: { $ref: '#/$defs/v' } } })),
      $defs: { v: { enum: list(n, (i) => `value ${i}`) } },
    })),
  ],
  'references to one tuple': [
    1_000,
    shaped((n) => ({
      properties: keyed(n, () => ({ $ref: '#/$defs/v' })),
      $defs: { v: { prefixItems: list(60, (i) => ({ enum: list(n / 60, (j) => i + j / 1000) })) } },
    })),
  ],
  'references by anchors': [
    1_000,
    shaped((n) => ({
      properties: keyed(n, (i) => ({ $ref: `#a${i}` })),
      $defs: keyed(n, (i) => ({ $anchor: `a${i}`, type: 'string' })),
    })),
  ],
  'a default of many fields': [
    2_500,
    shaped((n) => ({
      properties: { p: { properties: keyed(n, () => ({ type: 'integer' })), default: keyed(n, (i) => i) } },
    })),
  ],
  'arguments against alternatives': [
    500,
    checked(
      (n) => ({
        properties: { a: { items: { oneOf: list(n, (i) => ({ properties: { k: { const: i } }, required: ['k'] })) } } },
      }),
      (n) => ({ a: list(n, () => ({ k: -1 })) }),
    ),
  ],
  'wrong arguments': [
    1_000,
    checked(
      () => ({ additionalProperties: { anyOf: [{ type: 'string' }, { type: 'integer' }] } }),
      (n) => keyed(n, () => []),
    ),
  ],
  'a pattern of counted repetitions': [6, (n) => () => matches(`^${'a{0,30}'.repeat(n)}$`, `${'a'.repeat(20 * n)}!`)],
}

/** Schemas that hold `count` others, each in its way. */
const holders: readonly ((count: number, inner: (i: number) => object) => object)[] = [
  (n, inner) => ({ type: 'object', properties: keyed(n, inner), required: list(n, (i) => `k${i}`) }),
  (n, inner) => ({ properties: keyed(n, inner), additionalProperties: false }),
  (n, inner) => ({ allOf: list(n, inner) }),
  (n, inner) => ({ anyOf: list(n, inner) }),
  (n, inner) => ({ oneOf: list(n, inner) }),
  (n, inner) => ({ prefixItems: list(n, inner), items: false }),
  (n, inner) => ({ patternProperties: Object.fromEntries(list(n, (i) => [`^k${i}$`, inner(i)])) }),
  (n, inner) => ({ dependentSchemas: keyed(n, inner) }),
  (n, inner) => ({ $defs: keyed(n, inner), properties: keyed(n, (i) => ({ $ref: `#/$defs/k${i}` })) }),
  (n, inner) => ({ enum: list(n, (i) => [JSON.stringify(inner(i))]) }),
  (n, inner) => ({ items: { if: inner(0), then: { allOf: list(n, inner) }, else: inner(1) } }),
  (n, inner) => ({ not: { anyOf: list(n, inner) } }),
  (n, inner) => ({ description: list(n, (i) => JSON.stringify(inner(i))).join('\n'), default: keyed(n, inner) }),
]
const leaves: readonly ((i: number) => object)[] = [
  (i) => ({ const: i }),
  (i) => ({ type: ['string', 'null'], pattern: `^a{1,${i % 9}}b?$`, description: `the ${i}th` }),
  (i) => ({ type: 'integer', minimum: i, maximum: i + 10 }),
  (i) => ({ title: `T${i}`, type: 'object', properties: { [`p${i}`]: { type: 'string' } } }),
  () => ({ $ref: '#' }),
]

describe('time grows no faster than the input:', () => {
  it('nested shapes of schemas', () => {
    const { seed, pick } = random()
    for (let round = 0; round < amount(4, 300); round++) {
      const [outer, middle, leaf] = [pick(holders), pick(holders), pick(leaves)]
      const schema = (n: number) => ({ properties: { a: outer(n, (i) => middle(3, (j) => leaf(i * 3 + j))) } })
      const values: readonly ((n: number) => unknown)[] = [
        (n) => keyed(n, (i) => keyed(3, (j) => i + j)),
        (n) => list(n, (i) => `k${i}`),
        () => 'a',
      ]
      const value = pick(values)
      const growers = [shaped(schema), checked(schema, (n) => ({ a: value(n) }))]
      const shape = `STARBIND_SEED=${seed}, round ${round}: ${JSON.stringify(schema(2))}`
      expect([shape, ...growers.map((grower) => excess(grower, 300))]).toEqual([shape, undefined, undefined])
    }
  })

  it.each(Object.entries(growers))('%s', (_, [size, grower]) => {
    expect(excess(grower, size)).toBe(undefined)
  })

  it('and quadratic growth is noticed', () => {
    const square: Grower = (n) => () => {
      let sum = 0
      for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) sum += i ^ j
      return sum
    }
    // A reading that is disturbed excuses, so one of three is enough.
    const found = excess(square, 4_500) ?? excess(square, 4_500) ?? excess(square, 4_500)
    expect(found).toMatch(/^\d+ ms in quarters, \d+ ms as a whole$/)
  })
})
