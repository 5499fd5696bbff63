import { describe, expect, it } from 'vitest'
import {
  bindServers,
  type CallRecord,
  checkArguments,
  exactText,
  type JsonSchema,
  type PerformOptions,
  type Tool,
  type ToolOutcome,
} from '../../dist/bindings/index.js'
import { matches } from '../../dist/bindings/patterns.js'
import { DiagnosticError } from '../../dist/diagnostics/index.js'

interface Sent {
  readonly server: string
  readonly tool: string
  readonly args: unknown
}

const ok: ToolOutcome = { isError: false, content: [{ type: 'text', text: 'done' }] }

function bench(tools: readonly Partial<Tool>[], outcome: ToolOutcome | (() => Promise<ToolOutcome>) = ok) {
  const bindings = bindServers([
    {
      name: 'my-server',
      tools: tools.map((tool, i) => ({ name: `tool-${i}`, inputSchema: { type: 'object' }, ...tool })),
    },
  ])
  const sent: Sent[] = []
  const caller = {
    async call(server: string, tool: string, args: unknown) {
      sent.push({ server, tool, args })
      return typeof outcome === 'function' ? outcome() : outcome
    },
  }
  /** The text between the brackets of the call, as JSON: positional arguments, then keywords. */
  const call = async (positional: string, named: string, options: PerformOptions = {}, member = 'tool_0') => {
    const text = `{"namespace":"my_server","member":"${member}","positional":${positional},"named":${named}}`
    const { reply, record } = await bindings.perform(text, caller, options)
    if (!reply.startsWith('E')) return { reply, record }
    // What of the message is a value is looked at below.
    const { values: _, ...error } = JSON.parse(reply.slice(1))
    return { reply: error, record }
  }
  return { bindings, sent, call, perform: (text: string) => bindings.perform(text, caller) }
}

const schema = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 100 },
    'repo-name': { type: 'string' },
    state: { enum: ['open', 'closed'] },
    from: { type: 'string' },
    filter: {
      type: 'object',
      properties: { labels: { type: 'array', items: { type: 'string' } } },
      additionalProperties: false,
    },
    note: { type: ['string', 'null'] },
  },
  required: ['repo-name'],
}

describe('arguments', () => {
  it.each([
    ['by keyword', '[]', '{"repo_name":"r","limit":3}', { 'repo-name': 'r', limit: 3 }],
    ['by the names of the schema', '[]', '{"repo-name":"r","from":"x"}', { 'repo-name': 'r', from: 'x' }],
    ['keywords of the language with _', '[]', '{"repo_name":"r","from_":"x"}', { 'repo-name': 'r', from: 'x' }],
    ['by position in stub order', '["r",3,"open"]', '{}', { 'repo-name': 'r', limit: 3, state: 'open' }],
    ['by position and keyword', '["r"]', '{"state":"open"}', { 'repo-name': 'r', state: 'open' }],
    ['as one dict', '[{"repo_name":"r","limit":3}]', '{}', { 'repo-name': 'r', limit: 3 }],
    ['None for what can be left out', '["r",null,null]', '{"from_":null}', { 'repo-name': 'r' }],
    ['None where null is a value', '["r"]', '{"note":null}', { 'repo-name': 'r', note: null }],
    ['whole floats for integers', '["r",3.0]', '{}', { 'repo-name': 'r', limit: 3 }],
  ])('%s', async (_, positional, named, args) => {
    const { sent, call } = bench([{ inputSchema: schema }])
    expect((await call(positional, named)).reply).toBe('Tdone')
    expect(sent).toEqual([{ server: 'my-server', tool: 'tool-0', args }])
  })

  const takes = 'it takes repo_name, limit?, state?, from_?, filter?, note?'
  it.each([
    ['[]', '{}', 'missing repo_name', takes],
    ['["r"]', '{"lmit":3}', 'no parameter "lmit" (nearest: limit)', takes],
    ['[]', '{"repo":"r"}', 'no parameter "repo" (nearest: repo_name); missing repo_name', takes],
    ['["r"]', '{"\\n":3}', 'no parameter "\\n"', takes],
    ['[7]', '{}', 'repo-name: got int 7, want str'],
    ['["r","ten"]', '{}', 'limit: got str "ten", want int'],
    ['["r",1.5]', '{}', 'limit: got float 1.5, want int'],
    ['["r",true]', '{}', 'limit: got True, want int'],
    ['["r",500]', '{}', 'limit: got int 500, want at most 100'],
    ['["r",0]', '{}', 'limit: got int 0, want at least 1'],
    ['["r"]', '{"state":"opened"}', 'state: got str "opened", want Literal["open", "closed"]'],
    ['["r"]', '{"filter":{"labels":["a",1]}}', 'filter.labels[1]: got int 1, want str'],
    ['["r"]', '{"filter":{"label":[]}}', 'filter: no key "label" (nearest: labels)'],
    ['["r"]', '{"filter":"x","limit":0}', 'limit: got int 0, want at least 1; filter: got str "x", want dict'],
    ['["r"]', '{"filter":[{}]}', 'filter: got list of 1, want dict'],
  ])('%s and %s are refused: %s', async (positional, named, problem, hint?: string) => {
    const { sent, call } = bench([{ inputSchema: schema }])
    expect(await call(positional, named)).toEqual({
      reply: {
        kind: 'program',
        code: 'wrong-argument',
        message: `my_server.tool_0: ${problem}`,
        ...(hint ? { hint } : {}),
      },
    })
    expect(sent).toEqual([])
  })

  it('are refused if there are too many or one is given twice', async () => {
    const { call } = bench([{ inputSchema: schema }])
    expect((await call('[1,2,3,4,5,6,7]', '{}')).reply).toEqual({
      kind: 'program',
      code: 'too-many-arguments',
      message: 'my_server.tool_0 takes at most 6 arguments, got 7',
      hint: 'pass arguments by keyword',
    })
    expect((await call('["r"]', '{"repo_name":"s"}')).reply).toEqual({
      kind: 'program',
      code: 'argument-twice',
      message: 'my_server.tool_0 got two values for repo_name',
    })
    expect((await call('[]', '{"repo_name":"s","repo-name":"t"}')).reply).toMatchObject({ code: 'argument-twice' })
  })

  describe('as one dict, where the first parameter takes a dict', () => {
    const tool = {
      inputSchema: {
        type: 'object',
        properties: {
          document: { type: 'object' },
          options: { type: 'object', properties: { safe: { type: 'boolean' } } },
        },
        required: ['document'],
      },
    }
    it.each([
      ['its keys are parameters', '[{"document":{"a":1},"options":{}}]', { document: { a: 1 }, options: {} }],
      ['its keys are not parameters', '[{"a":1}]', { document: { a: 1 } }],
      ['it is empty', '[{}]', { document: {} }],
      ['its keys are parameters but only as a value it is right', '[{"options":1}]', { document: { options: 1 } }],
      ['there is more', '[{"document":1},{"safe":true}]', { document: { document: 1 }, options: { safe: true } }],
    ])('%s', async (_, positional, args) => {
      const { sent, call } = bench([tool])
      await call(positional, '{}')
      expect(sent.map((one) => one.args)).toEqual([args])
    })
  })

  it('are passed unchanged if the tool declares no parameters', async () => {
    const { sent, call } = bench([
      { inputSchema: { type: 'object' } },
      { inputSchema: { type: 'object', properties: {} } },
    ])
    await call('[{"any":1}]', '{}')
    await call('[]', '{"__proto__":2,"constructor":3}')
    expect(sent.map((one) => JSON.stringify(one.args))).toEqual(['{"any":1}', '{"__proto__":2,"constructor":3}'])
    expect((await call('[]', '{"any":1}', {}, 'tool_1')).reply).toEqual({
      kind: 'program',
      code: 'wrong-argument',
      message: 'my_server.tool_1: no parameter "any"',
      hint: 'call it without arguments',
    })
  })

  it('can be integers beyond the range of a double, in the ledger, too', async () => {
    const digest = async (value: string) => {
      const { sent, call } = bench([{}])
      const { record } = await call('[]', `{"a":${value}}`)
      return {
        json: exactText(JSON.stringify(sent[0]!.args)),
        digest: record!.argumentDigest,
        bytes: record!.argumentBytes,
      }
    }
    const one = await digest('[{"b":-123456789012345678901234567890}]')
    const other = await digest('[{"b":-123456789012345678901234567891}]')
    expect([one.json, one.bytes]).toEqual(['{"a":[{"b":-123456789012345678901234567890}]}', 45])
    expect(other.json).toBe('{"a":[{"b":-123456789012345678901234567891}]}')
    expect(other.digest).not.toBe(one.digest)
    expect((await digest('[{"b":-123456789012345678901234567890}]')).digest).toBe(one.digest)
  })

  it('are checked against the schema as exact numbers', async () => {
    const number = { type: 'object', properties: { a: { type: 'integer', multipleOf: 3 }, b: { maximum: 10 } } }
    const { sent, call } = bench([{ inputSchema: number }, { inputSchema: { properties: { a: { type: 'string' } } } }])
    await call('[9007199254740993]', '{}')
    expect(exactText(JSON.stringify(sent[0]!.args))).toBe('{"a":9007199254740993}')
    const problem = async (member: string, named: string) => (await call('[]', named, {}, member)).reply.message
    expect(await problem('tool_0', '{"b":12345678901234567890}')).toBe(
      'my_server.tool_0: b: got int 12345678901234567890, want at most 10',
    )
    expect(await problem('tool_1', '{"a":12345678901234567890}')).toBe(
      'my_server.tool_1: a: got int 12345678901234567890, want str',
    )
    expect(sent).toHaveLength(1)
  })

  it('do not confuse a text with an integer', async () => {
    const { sent, call } = bench([{}])
    const forged = '"\\u000000000000-0000-0000-0000-000000000000:7"'
    await call('[]', `{"a":${forged},"b":9007199254740993}`)
    expect(exactText(JSON.stringify(sent[0]!.args))).toBe(`{"a":${forged},"b":9007199254740993}`)
  })

  it('keep long exact numbers, and digits in texts', async () => {
    const { sent, call } = bench([{}])
    await call(
      '[]',
      '{"a":9007199254740991,"b":"12345678901234567890","c":1.2345678901234567,"e":[0.9876543210987654,1.5e-7,1234567890123456e20],"d":"\\"98765432109876543210"}',
    )
    expect(sent[0]!.args).toEqual({
      a: 9007199254740991,
      b: '12345678901234567890',
      c: 1.2345678901234567,
      e: [0.9876543210987654, 1.5e-7, 1234567890123456e20],
      d: '"98765432109876543210',
    })
  })
})

describe('alternatives', () => {
  const circle = {
    type: 'object',
    properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
    required: ['kind', 'radius'],
  }
  const square = {
    type: 'object',
    properties: { kind: { const: 'square' }, side: { type: 'number' } },
    required: ['kind', 'side'],
  }
  const tool = {
    inputSchema: {
      type: 'object',
      properties: {
        shape: { anyOf: [circle, square] },
        id: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
        tree: { $ref: '#/$defs/Tree' },
      },
      $defs: { Tree: { type: 'object', properties: { left: { $ref: '#/$defs/Tree' }, size: { type: 'integer' } } } },
    },
  }
  it.each([
    ['{"shape":{"kind":"circle","radius":"big"}}', 'shape.radius: got str "big", want float'],
    ['{"shape":{"kind":"square","radius":1}}', 'shape: missing side'],
    ['{"shape":{"kind":"triangle"}}', 'shape.kind: got str "triangle", want Literal["circle", "square"]'],
    ['{"shape":7}', 'shape: got int 7, want dict'],
    ['{"id":1.5}', 'id: got float 1.5, want str | int'],
    ['{"id":[]}', 'id: got an empty list, want str | int'],
    ['{"tree":{"left":{"left":{"size":"x"}}}}', 'tree.left.left.size: got str "x", want int'],
  ])('%s: %s', async (named, problem) => {
    const { call } = bench([tool])
    expect((await call('[]', named)).reply.message).toBe(`my_server.tool_0: ${problem}`)
  })
})

describe('the check of arguments', () => {
  const mismatches = (inputSchema: unknown, args: Record<string, unknown>) =>
    checkArguments({ name: 't', inputSchema: inputSchema as JsonSchema }, args)

  it.each<[string, unknown, Record<string, unknown>]>([
    ['a reference to nowhere', { properties: { a: { $ref: '#/nothing' } } }, { a: 1 }],
    ['a reference to the network', { properties: { a: { $ref: 'https://example.com/x.json' } } }, { a: 1 }],
    ['a reference to itself', { $ref: '#' }, { a: 1 }],
    ['a broken pattern', { properties: { a: { pattern: '(' } } }, { a: 'x' }],
    [
      'words of the wrong form',
      { properties: { a: { minimum: 'x', enum: 'y', required: 3, maxLength: null, type: 'strange' } } },
      { a: 1 },
    ],
    [
      'formats, which the upstream may read as it likes',
      { properties: { a: { format: 'date-time' } } },
      { a: 'tomorrow' },
    ],
    ['nullable', { properties: { a: { type: 'string', nullable: true } } }, { a: null }],
    ['an id that is no address', { $id: '::::', properties: { a: { type: 'string' } } }, { a: 'x' }],
    ['two equal ids', { properties: { a: { $id: 'x:y' }, b: { $id: 'x:y' } } }, { a: 1 }],
    [
      'a tuple of draft 7',
      { $schema: 'http://json-schema.org/draft-07/schema#', properties: { a: { items: [{ type: 'string' }] } } },
      { a: ['x', 1] },
    ],
    [
      'exclusive bounds of draft 4',
      {
        $schema: 'http://json-schema.org/draft-04/schema#',
        properties: { a: { minimum: 1, exclusiveMinimum: false } },
      },
      { a: 1 },
    ],
  ])('never refuses because of %s', (_, inputSchema, args) => {
    expect(mismatches(inputSchema, args)).toEqual([])
  })

  it('takes bounded time for hostile patterns, references and values', () => {
    const evil = {
      properties: { a: { type: 'string', pattern: '^(a+)+$' }, b: { type: 'string', pattern: '^[a-z]+$' } },
    }
    expect(mismatches(evil, { a: `${'a'.repeat(60)}!` })).toHaveLength(1)
    expect(mismatches(evil, { b: 'A' })).toEqual(['b: got str "A", want text that matches ^[a-z]+$'])
    expect(mismatches(evil, { b: 'A'.repeat(2_000_000) })).toEqual([])
    const $defs: Record<string, unknown> = { d0: { type: 'string' } }
    for (let i = 1; i < 60; i++)
      $defs[`d${i}`] = { anyOf: [{ $ref: `#/$defs/d${i - 1}` }, { $ref: `#/$defs/d${i - 1}` }] }
    expect(mismatches({ properties: { a: { $ref: '#/$defs/d59' } }, $defs }, { a: 1 })).toEqual([])
    let deep: unknown = 1
    for (let i = 0; i < 20_000; i++) deep = [deep]
    expect(
      mismatches(
        { properties: { a: { $ref: '#/$defs/L' } }, $defs: { L: { items: { $ref: '#/$defs/L' } } } },
        { a: deep },
      ),
    ).toEqual([])
    expect(
      mismatches({ properties: { a: { uniqueItems: true } } }, { a: Array.from({ length: 50_000 }, (_, i) => i) }),
    ).toEqual([])
  })

  it.each<[string, string, boolean | undefined]>([
    ['^[a-z]+$', 'abc', true],
    ['^\\d{4}-\\d{2}$', '2024-1', false],
    ['^(?:a|b)?c*$', 'bcc', true],
    ['^(a+)+$', `${'a'.repeat(60)}!`, false],
    ['^(\\w+\\s?)*$', 'a b\u00a0c', true],
    ['^(?:a{0,30}){5}$', `${'a'.repeat(60)}!`, false],
    ['^.$', '\u2028', false],
    ['^[\\s\\d]+$', '1 2\ufeff', true],
    ['^\\u0041\\x42\\/[[.]$', 'AB/[', true],
    ['.*.*.*x', 'y'.repeat(500), false],
    ['(a)\\1', 'aa', undefined],
    ['^(?=a)', 'a', undefined],
    ['(?<!a)b', 'b', undefined],
    ['(', '(', undefined],
    ['^((a{0,100}){0,100}){0,100}$', 'a', undefined],
    ['x'.repeat(600), 'x', undefined],
    ['x', 'y'.repeat(600), undefined],
  ])('matches %j against %j: %j', (pattern, text, expected) => {
    expect(matches(pattern, text)?.matches).toBe(expected)
  })

  it.each<[string, unknown, Record<string, unknown>]>([
    ['not', { properties: { a: { not: { pattern: '(?=x)' } } } }, { a: 'y' }],
    ['not with a format', { properties: { a: { not: { format: 'email' } } } }, { a: 'y' }],
    ['oneOf', { properties: { a: { oneOf: [{ pattern: '(?=x)' }, { pattern: '(?=y)' }] } } }, { a: 'y' }],
    ['if', { if: { properties: { a: { format: 'email' } } }, then: { required: ['b'] } }, { a: 'y' }],
  ])('accepts undecidable schemas within %s', (_, inputSchema, args) => {
    expect(mismatches(inputSchema, args)).toEqual([])
  })

  it('applies the schemas of patternProperties', () => {
    const schema = { patternProperties: { '^x-': { type: 'integer' } }, additionalProperties: false }
    expect(mismatches(schema, { 'x-a': 1 })).toEqual([])
    expect(mismatches(schema, { 'x-a': 'b' })).toEqual(['x-a: got str "b", want int'])
    expect(mismatches(schema, { y: 1 })).toEqual(['no key "y"'])
    expect(mismatches({ patternProperties: { '(?=x)': {} }, additionalProperties: false }, { y: 1 })).toEqual([])
  })
})

describe('results', () => {
  const text = (value: string) => ({ type: 'text' as const, text: value })
  const result = { type: 'object', properties: { result: {} }, required: ['result'] }
  it.each<[string, ToolOutcome, Partial<Tool>, string]>([
    ['text', { isError: false, content: [text('hello')] }, {}, 'Thello'],
    [
      'JSON, as it was sent',
      { isError: false, content: [text(' {"b": 120.0, "a": 12345678901234567890}')] },
      {},
      'U {"b": 120.0, "a": 12345678901234567890}',
    ],
    ['a JSON list', { isError: false, content: [text('[1]')] }, {}, 'U[1]'],
    ['scalars that look like JSON', { isError: false, content: [text('120')] }, {}, 'T120'],
    ['text that only begins like JSON', { isError: false, content: [text('{broken')] }, {}, 'T{broken'],
    ['nothing', { isError: false, content: [] }, {}, 'Jnull'],
    ['several texts', { isError: false, content: [text('a'), text('b')] }, {}, 'Ta\nb'],
    ['several JSON texts', { isError: false, content: [text('{"a":1.0}'), text('[2]')] }, {}, 'J[{"a":1.0},[2]]'],
    [
      'structured content',
      { isError: false, content: [text('see there')], structuredContent: { a: [1] } },
      {},
      'J{"a":[1]}',
    ],
    [
      'numbers in the spelling of the text',
      { isError: false, content: [text('{ "a": 120.0 }')], structuredContent: { a: 120 } },
      {},
      'J{ "a": 120.0 }',
    ],
    [
      'a lone result',
      { isError: false, content: [], structuredContent: { result: [1] } },
      { outputSchema: result },
      'J[1]',
    ],
    [
      'a lone result in the spelling of the text',
      { isError: false, content: [text('120.0')], structuredContent: { result: 120 } },
      { outputSchema: result },
      'J120.0',
    ],
    [
      'a lone result whose text has the wrapping',
      { isError: false, content: [text('{"result": 120.0 }')], structuredContent: { result: 120 } },
      { outputSchema: result },
      'J120.0',
    ],
    [
      'a result that is not declared',
      { isError: false, content: [], structuredContent: { result: 1 } },
      {},
      'J{"result":1}',
    ],
    ['blocks of unknown types', { isError: false, content: [{ type: 'new', x: 1 }] }, {}, 'J{"type":"new","x":1}'],
    [
      'links',
      { isError: false, content: [text('see'), { type: 'resource_link', uri: 'a:b', name: 'b' }] },
      {},
      'J["see",{"type":"resource_link","uri":"a:b","name":"b"}]',
    ],
  ])('%s', async (_, outcome, tool, reply) => {
    expect((await bench([tool], outcome).call('[]', '{}')).reply).toBe(reply)
  })

  it('can be configured as text or as JSON for a tool', async () => {
    const { call } = bench([{}], { isError: false, content: [text('{"a":1}')] })
    expect((await call('[]', '{}', { resultForm: () => 'text' })).reply).toBe('T{"a":1}')
    const number = bench([{}], { isError: false, content: [text('120')] })
    expect((await number.call('[]', '{}', { resultForm: () => 'json' })).reply).toBe('J120')
  })

  it('the facts that another thread found about media are not looked for again', async () => {
    const image = (data: string) => ({ type: 'image', data, mimeType: 'image/png' })
    const facts = { sha256: 'found there', isBase64: true }
    const outcome = {
      isError: false,
      content: [image('AAAA'), image('AAAA')],
      read: { isJson: [false, false], files: [facts, { ...facts, isBase64: false }] },
    }
    const known: unknown[] = []
    const keep = (name: string, _: unknown, facts: object) => {
      known.push(facts)
      return { name, mimeType: 'image/png', bytes: 3, sha256: '', path: `results/${name}` }
    }
    const { reply } = await bench([{}], outcome).call('[]', '{}', { keep })
    expect(known).toEqual([{ mimeType: 'image/png', sha256: 'found there' }])
    expect(JSON.parse((reply as string).slice(1))[1]).toMatchObject({ bytes: 0, error: 'its data is not base64' })
  })

  it('with images, audio and resources are records with a path, never base64', async () => {
    const data = Buffer.from([137, 80, 78, 71]).toString('base64')
    const outcome: ToolOutcome = {
      isError: false,
      content: [
        { type: 'image', data, mimeType: 'image/png' },
        { type: 'audio', data, mimeType: 'audio/mpeg' },
        { type: 'resource', resource: { uri: 'a:text', mimeType: 'text/markdown', text: '# é' } },
        { type: 'resource', resource: { uri: 'a:blob', blob: data } },
      ],
    }
    const kept: [string, unknown][] = []
    const keep = (
      name: string,
      content: unknown,
      { mimeType = 'none' }: { readonly mimeType?: string | undefined },
    ) => {
      kept.push([name, content])
      return { name, mimeType, bytes: kept.length, sha256: 'd1', path: `results/${name}` }
    }
    const record = (ending: string, mimeType: string, bytes: number) => {
      const name = `my_server.tool_0-${ending}`
      return { name, mimeType, bytes, sha256: 'd1', path: `results/${name}` }
    }
    const { reply, record: sent } = await bench([{}], outcome).call('[]', '{}', { keep })
    expect(JSON.parse((reply as string).slice(1))).toEqual([
      { type: 'image', ...record('image.png', 'image/png', 1) },
      { type: 'audio', ...record('audio.mp3', 'audio/mpeg', 2) },
      { type: 'resource', uri: 'a:text', ...record('resource.md', 'text/markdown', 3), text: '# é' },
      { type: 'resource', uri: 'a:blob', ...record('resource.bin', 'none', 4) },
    ])
    expect(kept.map(([, content]) => (typeof content === 'string' ? content : [...(content as Buffer)]))).toEqual([
      [137, 80, 78, 71],
      [137, 80, 78, 71],
      '# é',
      [137, 80, 78, 71],
    ])
    expect(sent?.bytes).toBe(3 * data.length + 4)
  })
})

describe('failures', () => {
  it('of a tool quote its own words, on one line and bounded', async () => {
    const words = `ENOENT: no such file\n"x"\u202e ${'very '.repeat(200)}long`
    const { reply, record } = await bench([{}], { isError: true, content: [{ type: 'text', text: words }] }).call(
      '[]',
      '{}',
    )
    expect(reply.message.startsWith('my_server.tool_0 failed: "ENOENT: no such file \\"x\\" very very')).toBe(true)
    expect(reply.message.length).toBeLessThan(450)
    expect(reply).toMatchObject({ kind: 'tool', code: 'tool-failed' })
    expect(record).toMatchObject({ ok: false, outcome: 'failed' })
  })

  it.each<[ToolOutcome, string]>([
    [{ isError: true, content: [] }, 'my_server.tool_0 failed and did not say why'],
    [{ isError: true, content: [], structuredContent: { code: 7 } }, 'my_server.tool_0 failed: "{\\"code\\":7}"'],
  ])('without words: %j', async (outcome, message) => {
    const words = outcome.structuredContent === undefined ? '' : '{"code":7}'
    expect((await bench([{}], outcome).call('[]', '{}')).reply).toEqual({
      kind: 'tool',
      code: 'tool-failed',
      message,
      server: 'my_server',
      tool: 'tool_0',
      words,
      ...(outcome.structuredContent === undefined ? {} : { data: outcome.structuredContent }),
    })
  })

  it.each([
    ['program error', 'program'],
    ['tool error', 'tool'],
    ['limit', 'limit'],
    ['host error', 'host'],
  ] as const)('of the way to the tool keep their class: %s', async (kind, guest) => {
    const { reply, record } = await bench([{}], async () => {
      throw new DiagnosticError({ class: kind, code: 'some-code', message: 'a fact', hint: 'a hint' })
    }).call('[]', '{}')
    const who = guest === 'tool' ? { server: 'my_server', tool: 'tool_0' } : {}
    expect(reply).toEqual({ kind: guest, code: 'some-code', message: 'a fact', hint: 'a hint', ...who })
    expect(record).toMatchObject({ ok: false, outcome: 'lost', bytes: 0 })
  })

  it('that nobody expected reveal nothing internal', async () => {
    const { reply } = await bench([{}], async () => {
      throw new TypeError('Cannot read properties of undefined (/home/x.js:1)')
    }).call('[]', '{}')
    expect(reply).toEqual({ kind: 'host', code: 'call-failed', message: 'my_server.tool_0 could not be called' })
  })

  const cyclic: Record<string, unknown> = {}
  cyclic.itself = cyclic
  it.each([
    ['content that is none', { content: [null] }],
    ['a value within itself', { content: [], structuredContent: cyclic }],
    ['what JSON cannot hold', { content: [], structuredContent: { n: 10n } }],
    [
      'a getter that throws',
      {
        content: [],
        structuredContent: {
          get n(): never {
            throw new Error('the inside')
          },
        },
      },
    ],
  ])('in an answer are failures of its call: %s', async (_, answer) => {
    const { reply, record } = await bench([{}], async () => ({ isError: false, ...answer }) as never).call('[]', '{}')
    expect(reply).toEqual({
      kind: 'tool',
      code: 'answer-malformed',
      message: 'my_server.tool_0 answered with something that is not a tool result; it may have taken effect',
      server: 'my_server',
      tool: 'tool_0',
    })
    expect(record).toMatchObject({ ok: false, outcome: 'lost', bytes: 0 })
  })

  it.each([
    [
      '{"namespace":"my_servr","member":"x","positional":[],"named":{}}',
      'unknown-server',
      'there is no server "my_servr"',
      'did you mean my_server?',
    ],
    [
      '{"namespace":"my_server","member":"tool0","positional":[],"named":{}}',
      'unknown-tool',
      'server my_server has no tool "tool0"',
      'did you mean tool_0?',
    ],
    [
      '{"namespace":"my-sever","member":"tool_0","positional":[],"named":{}}',
      'unknown-server',
      'there is no server "my-sever"',
      'did you mean my_server?',
    ],
  ])('of names: %s', async (text, code, message, hint) => {
    const { perform, sent } = bench([{}])
    const { reply, record } = await perform(text)
    const { values: _, ...error } = JSON.parse(reply.slice(1))
    expect([error, record]).toEqual([{ kind: 'program', code, message, hint }, undefined])
    expect(sent).toEqual([])
  })

  it.each([
    '',
    'null',
    '[]',
    '{}',
    '{"namespace":1,"member":"x","positional":[],"named":{}}',
    '{"namespace":"a","member":"b","positional":{},"named":{}}',
    '{"namespace":"a","member":"b","positional":[],"named":[]}',
    '{"namespace":"a","member":"b","positional":[],"named":{},"more":1}',
    '{"namespace":"a"',
    '\u0000',
  ])('of hostile call texts: %.60s', async (text) => {
    const { perform, sent } = bench([{}])
    expect(await perform(text)).toEqual({
      reply: 'E{"kind":"host","code":"malformed-call","message":"the guest sent a malformed call"}',
    })
    expect(sent).toEqual([])
  })

  it('mark the program’s values, in the words of its language', async () => {
    const { bindings } = bench([{ inputSchema: schema }])
    const caller = { call: async () => ({ isError: false, content: [] }) }
    const refused = async (named: object, notation: 'python' | 'typescript', member = 'tool_0') => {
      const text = JSON.stringify({ namespace: 'my_server', member, positional: [], named })
      const { reply } = await bindings.perform(text, caller, { notation })
      const { message, values } = JSON.parse(reply.slice(1))
      return [message, values.map(([start, end, ...rest]: [number, number]) => [message.slice(start, end), ...rest])]
    }
    const wrong = { repo_name: 'r', limit: 'ten', filter: { 'm ore': 1 } }
    expect(await refused(wrong, 'python')).toEqual([
      'my_server.tool_0: limit: got str "ten", want int; filter: no key "m ore" (there are: labels)',
      [
        ['limit', '*', 'limit'],
        ['str "ten"', 'a str of 3 characters (letters)', 'ten'],
        ['filter', '*', 'filter'],
        ['"m ore"', 'a str of 5 characters (letters, spaces)', 'm ore'],
      ],
    ])
    expect(await refused({ repo_name: 'r', limit: 1.5, filter: { labels: [1] } }, 'typescript')).toEqual([
      'my_server.tool_0: limit: got number 1.5, want integer; filter.labels[0]: got integer 1, want string',
      [
        ['limit', '*', 'limit'],
        ['number 1.5', 'a number', '1.5'],
        ['filter', '*', 'filter'],
        ['labels', '*', 'labels'],
        ['integer 1', 'an integer', '1'],
      ],
    ])
    // What is long is not looked for.
    const long = 'x'.repeat(1001)
    expect(await refused({ repo_name: 'r', limit: long }, 'python')).toEqual([
      `my_server.tool_0: limit: got str "${'x'.repeat(59)}…", want int`,
      [
        ['limit', '*', 'limit'],
        [`str "${'x'.repeat(59)}…"`, 'a str of 1001 characters (letters)'],
      ],
    ])
    expect(await refused({}, 'typescript', 'x"y')).toEqual([
      'server my_server has no tool "x\\"y"',
      [['"x\\"y"', 'a string of 3 characters (letters, other signs)', 'x"y']],
    ])
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`q${i}`, 1]))
    const [message] = await refused(many, 'python')
    expect(message).toBe(
      `my_server.tool_0: ${Array.from({ length: 10 }, (_, i) => `no parameter "q${i}"`).join('; ')}; and 4990 more; missing repo_name`,
    )
  })

  it('of nesting are refused before the value is read', async () => {
    const { call, sent } = bench([{}])
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
    for (const levels of [201, 100_000]) {
      expect((await call('[]', `{"a":${nested(levels)}}`)).reply).toEqual({
        kind: 'program',
        code: 'too-deep',
        message: 'my_server.tool_0: an argument nests lists and dicts more than 200 levels deep',
      })
    }
    expect(sent).toEqual([])
    expect((await call('[]', `{"a":${nested(200)}}`)).reply).toBe('Tdone')
  })

  it('of size name the limit', async () => {
    const { call, sent } = bench([{ inputSchema: schema }], {
      isError: false,
      content: [{ type: 'text', text: 'é'.repeat(600) }],
    })
    expect((await call('["r"]', '{"state":"open"}', { limits: { argumentBytes: 50 } })).reply).toEqual({
      kind: 'limit',
      code: 'argument-bytes',
      message: 'the arguments of a call have 87 bytes; the limit is 50',
      hint: 'send less in one call',
    })
    expect(sent).toEqual([])
    const { reply, record } = await call('["r"]', '{}', { limits: { responseBytes: 1_000 } })
    expect(reply).toEqual({
      kind: 'limit',
      code: 'response-bytes',
      message: 'the answer of my_server.tool_0 has 1200 bytes; the limit is 1000',
      hint: 'ask for less: a filter, a page or a range',
    })
    expect(record).toMatchObject({ ok: false, outcome: 'limit', bytes: 1200 })
  })
})

describe('the record of a call', () => {
  it('has the arguments and the outcome', async () => {
    const { call } = bench([{ inputSchema: schema, annotations: { readOnlyHint: true } }])
    const { record } = await call('["r"]', '{"limit":2}', { runStarted: performance.now() })
    expect(record).toEqual({
      server: 'my-server',
      tool: 'tool-0',
      ok: true,
      outcome: 'answered',
      startedAtMs: expect.any(Number),
      ms: expect.any(Number),
      bytes: 4,
      argumentBytes: 27,
      argumentDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
      safeToRepeat: true,
      annotations: { readOnlyHint: true },
    } satisfies CallRecord)
    expect(record!.startedAtMs).toBeGreaterThanOrEqual(0)
  })

  it('has the same digest for arguments in another order', async () => {
    const { call } = bench([{ inputSchema: schema }])
    const digest = async (positional: string, named: string) => (await call(positional, named)).record!.argumentDigest
    const usual = await digest('["r"]', '{"limit":2,"filter":{"labels":["a"]}}')
    expect(await digest('[{"filter":{"labels":["a"]},"limit":2,"repo-name":"r"}]', '{}')).toBe(usual)
    expect(await digest('["r"]', '{"limit":3}')).not.toBe(usual)
  })

  it.each([
    [{ idempotentHint: true }, true],
    [{ readOnlyHint: true }, true],
    [{ readOnlyHint: false, destructiveHint: false }, false],
    [undefined, false],
  ])('knows from %j whether the call can be repeated: %s', async (annotations, safe) => {
    const { call } = bench([annotations === undefined ? {} : { annotations }])
    expect((await call('[]', '{}')).record?.safeToRepeat).toBe(safe)
  })
})
