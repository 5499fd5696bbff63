import { describe, expect, it } from 'vitest'
import { bindServers, Observations, serverStub, toolDocs } from '../../dist/bindings/index.js'

const options = { descriptionLength: 100 }

/** What is known after some replies of a tool. */
function after(replies: readonly string[], enumerations = 0): unknown {
  const observations = new Observations({ enumerations })
  for (const reply of replies) observations.learn('s', 't', reply)
  return observations.schemaOf('s', 't')
}

const json = (value: unknown) => `J${JSON.stringify(value)}`

describe('observed shapes', () => {
  it.each<[string, string[], unknown]>([
    ['text', ['Thello'], { type: 'string' }],
    ['nothing', ['Jnull'], { type: 'null' }],
    [
      'an object',
      [json({ b: 'x', a: 1 })],
      { type: 'object', properties: { b: { type: 'string' }, a: { type: 'integer' } }, required: ['b', 'a'] },
    ],
    [
      'an object whose keys come and go',
      [json({ a: 1, b: 2 }), json({ b: 3, c: null })],
      {
        type: 'object',
        properties: { a: { type: 'integer' }, b: { type: 'integer' }, c: { type: 'null' } },
        required: ['b'],
      },
    ],
    ['numbers of both kinds', [json([1, 2.5])], { type: 'array', items: { type: 'number' } }],
    [
      'values or null',
      [json([{ a: 'x' }, { a: null }])],
      {
        type: 'array',
        items: {
          type: 'object',
          properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
          required: ['a'],
        },
      },
    ],
    ['an empty list', [json([])], { type: 'array' }],
    ['an empty list and a full one', [json([]), json([true])], { type: 'array', items: { type: 'boolean' } }],
    [
      'sometimes a list, sometimes an object',
      [json([1]), json({ error: 'x' })],
      {
        anyOf: [
          { type: 'object', properties: { error: { type: 'string' } }, required: ['error'] },
          { type: 'array', items: { type: 'integer' } },
        ],
      },
    ],
    [
      'keys that are data',
      [json({ 'ada@example.com': 1, 'bob@example.com': 2 })],
      { type: 'object', additionalProperties: { type: 'integer' } },
    ],
    [
      'keys that are numbers',
      [json({ '10001': { n: 1 }, '10002': { n: 2, m: 'x' } })],
      {
        type: 'object',
        additionalProperties: {
          type: 'object',
          properties: { n: { type: 'integer' }, m: { type: 'string' } },
          required: ['n'],
        },
      },
    ],
    [
      'too many keys',
      [
        json(
          Object.fromEntries(
            Array.from({ length: 100 }, (_, i) => [`key_${String.fromCharCode(97 + (i % 26))}${i}`, i]),
          ),
        ),
      ],
      { type: 'object', additionalProperties: { type: 'integer' } },
    ],
    [
      'keys that belong to no object',
      ['J{"__proto__":{"x":1},"constructor":2}'],
      JSON.parse(
        '{"type":"object","properties":{"__proto__":{"type":"object","properties":{"x":{"type":"integer"}},"required":["x"]},"constructor":{"type":"integer"}},"required":["__proto__","constructor"]}',
      ),
    ],
  ])('%s', (_, replies, schema) => {
    expect(JSON.stringify(after(replies))).toBe(JSON.stringify(schema))
  })

  it('contain no values, unless small enumerations are configured', () => {
    const replies = [
      json({ state: 'open', name: 'secret' }),
      json({ state: 'closed', name: 'token' }),
      json({ state: 'open', name: 'x' }),
    ]
    expect(JSON.stringify(after(replies))).not.toMatch(/open|secret/)
    expect(after(replies, 2)).toEqual({
      type: 'object',
      properties: { state: { enum: ['closed', 'open'] }, name: { type: 'string' } },
      required: ['state', 'name'],
    })
  })

  it('are bounded in depth and size', () => {
    let deep: unknown = 'x'
    for (let i = 0; i < 1_000; i++) deep = { inner: deep }
    expect(JSON.stringify(after([json(deep)])).length).toBeLessThan(1_000)
    const wide = Array.from({ length: 50 }, (_, i) => ({
      [`k${i % 7}`]: Array.from({ length: 50 }, () => ({ a: { b: { c: [1] } } })),
    }))
    expect(JSON.stringify(after([json(wide), json(wide)])).length).toBeLessThan(5_000)
  })

  it('change their version only with a new shape', () => {
    const observations = new Observations()
    const versions = [json({ a: 1 }), json({ a: 2 }), json({ a: 'x' }), 'Ttext', 'Tmore', json({ a: 1 })].map(
      (reply) => {
        observations.learn('s', 't', reply)
        return observations.version('s')
      },
    )
    expect(versions).toEqual([1, 1, 2, 3, 3, 3])
    expect(observations.version('other')).toBe(0)
  })

  it('survive saving and loading', () => {
    const observations = new Observations()
    observations.learn('s', 't', json([{ a: 1, b: [null, 'x'] }, { a: 2.5 }]))
    observations.learn('s', 'u', 'Ttext')
    const saved = JSON.stringify(observations)
    const restored = new Observations()
    expect(restored.restore(JSON.parse(saved))).toBe(true)
    expect(JSON.stringify(restored)).toBe(saved)
    expect(restored.schemaOf('s', 't')).toEqual(observations.schemaOf('s', 't'))
    restored.learn('s', 't', json([{ c: true }]))
    expect(restored.schemaOf('s', 't')).toMatchObject({ items: { properties: { a: {}, b: {}, c: {} } } })
  })

  it.each([
    null,
    7,
    {},
    { version: 2, tools: [] },
    { version: 1, tools: [{ server: 's' }] },
    { version: 1, tools: [{ server: 's', tool: 't', calls: 1, shape: { scalars: ['x'] } }] },
  ])('are not restored from other data: %j', (raw) => {
    const observations = new Observations()
    expect(observations.restore(raw)).toBe(false)
    expect(observations.version('s')).toBe(0)
  })
})

describe('a stub', () => {
  const observations = new Observations()
  const tool = {
    name: 'get',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
    description: 'Gets it.',
  }
  const declared = {
    ...tool,
    name: 'declared',
    outputSchema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
  }
  const bindings = bindServers([{ name: 's', tools: [tool, declared] }], { observations })
  const caller = {
    call: async () => ({
      isError: false,
      content: [{ type: 'text' as const, text: '{"items":[{"id":1,"note":null}],"next":"x"}' }],
    }),
  }

  it('marks texts that are sometimes JSON, and shows the shape of data that is sometimes text', () => {
    const known = new Observations()
    const text = 'Tplain words'
    const data = `U${JSON.stringify({ a: 1 })}`
    const lines = [data, text, text, data, data].map((reply) => {
      known.learn('s', 'get', reply)
      return serverStub(bindings.servers[0]!, { ...options, observations: known })
        .split('\n')
        .find((line) => line.startsWith('def get('))
    })
    const asData = 'def get() -> GetResult: ...  # observed, read-only: Gets it'
    const asEither = 'def get() -> str | GetResult: ...  # observed, read-only: Gets it'
    const asText = 'def get() -> str: ...  # JSON text, read-only: Gets it'
    expect(lines).toEqual([asData, asEither, asText, asEither, asEither])
    known.learn('s', 'get', text)
    known.learn('s', 'get', text)
    expect(toolDocs(bindings.servers[0]!.tools.find(({ name }) => name === 'get')!, known).split('\n')).toContain(
      '# earlier results were texts, and some of them JSON: parse those for the data',
    )
  })

  const stub = () => serverStub(bindings.servers[0]!, { ...options, observations })
  const call = (member: string) =>
    bindings.perform(`{"namespace":"s","member":"${member}","positional":[],"named":{}}`, caller)

  it('shows after a call the shape that the tool returned', async () => {
    expect(stub()).toContain('def get() -> Any: ...  # read-only: Gets it\n')
    const before = stub().split('\n').length
    await call('get')
    await call('declared')
    expect(stub().split('\n').length).toBeGreaterThan(before)
    expect(stub()).toBe(
      [
        '# s: 2 tools, called as s.name(...)',
        'from typing import TypedDict',
        '',
        'class DeclaredResult(TypedDict):',
        '    a: str',
        'class GetResult(TypedDict):',
        '    items: list[Item]',
        '    next: str',
        'class Item(TypedDict):',
        '    id: int',
        '    note: None',
        '',
        'def declared() -> DeclaredResult: ...  # read-only: Gets it',
        'def get() -> GetResult: ...  # observed, read-only: Gets it',
        '',
      ].join('\n'),
    )
    expect(toolDocs(bindings.servers[0]!.tools[1]!, observations).split('\n').slice(-4)).toEqual([
      '# read-only',
      '# the return type was observed in earlier results, the server does not declare one',
      '# example:',
      's.get()',
    ])
  })
})

describe('observations of several processes', () => {
  const seen = (...replies: readonly unknown[]) => {
    const made = new Observations({ enumerations: 3 })
    for (const reply of replies) made.learn('s', 't', json(reply))
    return made
  }
  const merged = (...all: readonly Observations[]) => {
    const into = new Observations({ enumerations: 3 })
    for (const one of all) expect(into.merge(JSON.parse(JSON.stringify(one)))).toBe(true)
    return into
  }
  const schema = (...all: readonly Observations[]) => merged(...all).schemaOf('s', 't')

  it.each<[readonly unknown[], readonly unknown[], object]>([
    [
      [{ a: 1 }],
      [{ a: 'x', b: 2 }],
      { properties: { a: { anyOf: [{ type: 'integer' }, { enum: ['x'] }] } }, required: ['a'] },
    ],
    [[{ a: 1 }], [{ b: 1 }], { properties: { a: {}, b: {} }, required: [] }],
    [[{ a: 1 }, { a: 2 }], [{ a: 3 }], { required: ['a'] }],
    [[{ a: 1 }, {}], [{ a: 3 }], { required: [] }],
    [[[1]], [['x']], { type: 'array', items: { anyOf: [{ type: 'integer' }, { enum: ['x'] }] } }],
    [[{ k: 'a' }, { k: 'b' }], [{ k: 'c' }, { k: 'd' }], { properties: { k: { type: 'string' } } }],
    [[null], [{ a: 1 }], { anyOf: [{ type: 'object' }, { type: 'null' }] }],
    [[], [{ __proto__: 1, a: 1 }], { required: ['a'] }],
  ])('%j and %j', (one, other, want) => {
    const [here, there] = [seen(...one), seen(...other)]
    expect(schema(here, there)).toMatchObject(want)
    const whole = merged(here, there)
    const before = [JSON.stringify(whole), whole.version('s')]
    for (const again of [here, there, merged(there, here)]) whole.merge(JSON.parse(JSON.stringify(again)))
    expect([JSON.stringify(whole), whole.version('s')]).toEqual(before)
    expect(merged(there, here).answersOf('s', 't')).toBe(whole.answersOf('s', 't'))
  })

  it('are data again when the keys of one are', () => {
    const ids = Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`id${i}`, { n: i }]))
    const want = {
      type: 'object',
      additionalProperties: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    }
    expect(schema(seen({ a: { n: 1 } }), seen(ids))).toEqual(want)
    expect(schema(seen(ids), seen({ a: { n: 1 } }))).toEqual(want)
  })

  it('are refused if they are none', () => {
    for (const raw of [null, [], { version: 2, tools: [] }, { version: 1, tools: [{ server: 's' }] }])
      expect(seen().merge(raw)).toBe(false)
  })
})
