import { describe, expect, it } from 'vitest'
import {
  bindServers,
  checkArguments,
  exampleArguments,
  exampleCall,
  type JsonSchema,
} from '../../dist/bindings/index.js'
import { catalogues, noCatalogues } from './catalogue-files.js'

describe('an example call', () => {
  it.each<[string, object, string]>([
    [
      'required parameters only',
      { properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a'] },
      's.t(a="a")',
    ],
    [
      'values that are given',
      {
        properties: {
          a: { enum: [null, 'x'] },
          b: { const: 2 },
          c: { examples: ['ex'] },
          d: { type: 'integer', default: 7 },
        },
        required: ['a', 'b', 'c', 'd'],
      },
      's.t(a="x", b=2, c="ex", d=7)',
    ],
    [
      'bounds',
      {
        properties: {
          a: { type: 'integer', minimum: 10 },
          b: { type: 'number', exclusiveMinimum: 5, maximum: 6 },
          c: { type: 'integer', maximum: -3 },
          d: { type: 'integer', multipleOf: 4, minimum: 5 },
        },
        required: ['a', 'b', 'c', 'd'],
      },
      's.t(a=10, b=5.5, c=-3, d=8)',
    ],
    [
      'formats and patterns',
      {
        properties: {
          a: { type: 'string', format: 'date' },
          b: { type: 'string', pattern: '^[0-9a-f]{40}$' },
          c: { type: 'string', minLength: 8 },
          url: { type: 'string' },
        },
        required: ['a', 'b', 'c', 'url'],
      },
      's.t(a="2026-01-31", b="0123456789abcdef0123456789abcdef01234567", c="2026-01-31", url="https://example.com")',
    ],
    [
      'nested values',
      {
        properties: {
          list: {
            type: 'array',
            minItems: 2,
            items: { type: 'object', properties: { x: { type: 'boolean' }, y: {} }, required: ['x'] },
          },
        },
        required: ['list'],
      },
      's.t(list=[{"x": True}, {"x": True}])',
    ],
    [
      'references',
      {
        properties: { a: { $ref: '#/$defs/A' } },
        required: ['a'],
        $defs: {
          A: { type: 'object', properties: { next: { $ref: '#/$defs/A' }, n: { type: 'integer' } }, required: ['n'] },
        },
      },
      's.t(a={"n": 1})',
    ],
    [
      'a choice among keys',
      { properties: { a: { type: 'string' }, b: { type: 'string' } }, anyOf: [{ required: ['b'] }] },
      's.t(b="b")',
    ],
    ['names that are keywords', { properties: { from: { type: 'string' } }, required: ['from'] }, 's.t(from_="from")'],
  ])('has %s', (_, schema, call) => {
    const inputSchema = { type: 'object', ...schema } as JsonSchema
    expect(exampleCall(bindServers([{ name: 's', tools: [{ name: 't', inputSchema }] }]).servers[0]!.tools[0]!)).toBe(
      call,
    )
  })

  it('is omitted if no correct one is found', () => {
    const inputSchema = {
      type: 'object',
      properties: { a: { type: 'string', pattern: '^q{17}[xyz]$' } },
      required: ['a'],
    }
    expect(
      exampleCall(bindServers([{ name: 's', tools: [{ name: 't', inputSchema }] }]).servers[0]!.tools[0]!),
    ).toBeUndefined()
  })

  it.skipIf(noCatalogues)(
    `passes the argument check for every tool of the saved catalogues${noCatalogues ? ` (${noCatalogues})` : ''}`,
    () => {
      for (const server of bindServers(catalogues()).servers)
        for (const tool of server.tools) {
          const args = exampleArguments(tool)
          expect(args, `${server.name}.${tool.name}`).toBeDefined()
          expect(checkArguments(tool.tool, args!)).toEqual([])
        }
    },
  )
})
