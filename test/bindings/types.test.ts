// Types from schemas: each case is a schema, the type expected for a parameter `p` of that schema, and the classes
// expected above it.

import { describe, expect, it } from 'vitest'
import { bindServers, type JsonSchema, serverStub, toolDocs } from '../../dist/bindings/index.js'
import { readStub } from './stub-reader.js'

/** The stub of a tool `t`, without head and imports: classes and the line of the function. */
function stubOf(inputSchema: object, outputSchema?: object): string {
  const { servers } = bindServers([
    {
      name: 's',
      tools: [
        {
          name: 't',
          inputSchema: inputSchema as JsonSchema,
          ...(outputSchema ? { outputSchema: outputSchema as JsonSchema } : {}),
        },
      ],
    },
  ])
  const stub = serverStub(servers[0]!, { descriptionLength: 100 })
  readStub(stub)
  return stub.slice(stub.indexOf('\n\n') + 2, -1)
}

function typeOf(schema: unknown, root: object = {}): { readonly type: string; readonly classes: string } {
  const stub = stubOf({ type: 'object', properties: { p: schema }, required: ['p'], ...root })
  const [, classes = '', type] =
    /^([\s\S]*?)(?:\n\n)?def t\(p: ([\s\S]*)\) -> Any: \.\.\.(?: {2}#.*)?$/.exec(stub) ?? []
  return { type: type ?? stub, classes }
}

describe('plain types', () => {
  it.each<[unknown, string]>([
    [{ type: 'string' }, 'str'],
    [{ type: 'integer' }, 'int'],
    [{ type: 'number' }, 'float'],
    [{ type: 'boolean' }, 'bool'],
    [{ type: 'null' }, 'None'],
    [true, 'Any'],
    [{}, 'Any'],
    [{ description: 'anything' }, 'Any'],
    [{ type: ['string', 'number'] }, 'str | float'],
    [{ type: ['string', 'null'] }, 'str | None'],
    [{ type: ['null', 'string'] }, 'str | None'],
    [{ type: 'string', nullable: true }, 'str | None'],
    [{ type: 'array', items: { type: 'string' } }, 'list[str]'],
    [{ type: 'array' }, 'list[Any]'],
    [{ items: { type: 'integer' } }, 'list[int]'],
    [{ type: 'array', items: { type: ['integer', 'null'] } }, 'list[int | None]'],
    [{ type: 'array', items: false }, 'list[Never]'],
    [{ type: 'object' }, 'dict[str, Any]'],
    [{ type: 'object', additionalProperties: { type: 'integer' } }, 'dict[str, int]'],
    [{ type: 'object', additionalProperties: false }, 'dict[str, Never]'],
    [
      { type: 'object', patternProperties: { '^x': { type: 'number' } }, additionalProperties: false },
      'dict[str, float]',
    ],
    [
      { type: 'object', propertyNames: { enum: ['a', 'b'] }, additionalProperties: true },
      'dict[Literal["a", "b"], Any]',
    ],
    [{ type: 'object', propertyNames: { type: 'string' }, additionalProperties: {} }, 'dict[str, Any]'],
  ])('%j is %s', (schema, type) => {
    expect(typeOf(schema)).toEqual({ type, classes: '' })
  })
})

describe('values', () => {
  it.each<[unknown, string]>([
    [{ enum: ['a', 'b'] }, 'Literal["a", "b"]'],
    [{ type: 'string', enum: ['a', 'a'] }, 'Literal["a"]'],
    [{ enum: [1, -2, 30000000000000000000] }, 'Literal[1, -2, 30000000000000000000]'],
    [{ enum: [true] }, 'Literal[True]'],
    [{ enum: [true, false] }, 'bool'],
    [{ enum: ['a', null] }, 'Literal["a"] | None'],
    [{ enum: [0.5, 1] }, 'float | Literal[1]'],
    [{ type: 'string', enum: ['a', null] }, 'Literal["a"]'],
    [{ const: 'x' }, 'Literal["x"]'],
    [{ const: null }, 'None'],
    [{ const: 1.5 }, 'float'],
    [{ const: { a: 1 } }, 'dict[str, Any]'],
    [{ enum: [[1, 2]] }, 'list[Literal[1, 2]]'],
    [{ enum: ['a', 'b'], nullable: true }, 'Literal["a", "b"] | None'],
    [{ anyOf: [{ const: 'a' }, { const: 'b' }, { type: 'null' }] }, 'Literal["a", "b"] | None'],
    [{ anyOf: [{ type: 'string' }, { const: 'b' }] }, 'str'],
    [
      { enum: ['"', '\\', 'a\nb', '\u202e', '\ud800', '\u{e0041}'] },
      String.raw`Literal["\"", "\\", "a\nb", "\u202e", "\ud800", "\U000e0041"]`,
    ],
  ])('%j is %s', (schema, type) => {
    expect(typeOf(schema).type).toBe(type)
  })
})

describe('combined schemas', () => {
  it.each<[string, unknown, string]>([
    ['anyOf', { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, 'str | list[str]'],
    ['oneOf', { oneOf: [{ type: 'integer' }, { type: 'null' }] }, 'int | None'],
    [
      'equal branches',
      {
        anyOf: [
          { type: 'string', format: 'uri' },
          { type: 'string', format: 'email' },
        ],
      },
      'str',
    ],
    ['a branch that is anything', { anyOf: [{ type: 'string' }, {}] }, 'Any'],
    ['a type beside anyOf', { type: 'string', anyOf: [{ format: 'uri' }, { minLength: 2 }] }, 'str'],
    [
      'anyOf inside anyOf',
      { anyOf: [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, { type: 'integer' }] },
      'str | int | None',
    ],
    [
      'anyOf and oneOf together',
      { anyOf: [{ type: ['string', 'integer'] }], oneOf: [{ type: 'string' }, { type: 'boolean' }] },
      'str',
    ],
    ['allOf', { allOf: [{ type: ['string', 'integer'] }, { type: ['integer', 'null'] }] }, 'int'],
    ['allOf that narrows a number', { allOf: [{ type: 'number' }, { type: 'integer' }] }, 'int'],
    ['allOf that leaves nothing', { allOf: [{ type: 'string' }, { type: 'integer' }] }, 'Never'],
    ['allOf of enums', { allOf: [{ enum: ['a', 'b', 'c'] }, { enum: ['b', 'c', 'd'] }] }, 'Literal["b", "c"]'],
    [
      'a tuple',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
      'tuple[str, int]',
    ],
    ['a tuple of draft 7', { type: 'array', items: [{ type: 'string' }, { type: 'integer' }] }, 'tuple[str, int]'],
    [
      'a tuple with a rest',
      { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'integer' } },
      'list[str | int]',
    ],
    [
      'a tuple of draft 7 with a rest',
      { type: 'array', items: [{ type: 'string' }], additionalItems: { type: 'null' } },
      'list[str | None]',
    ],
  ])('%s', (_, schema, type) => {
    expect(typeOf(schema).type).toBe(type)
  })
})

describe('records', () => {
  it('have required and optional keys in the order of the schema', () => {
    const schema = {
      type: 'object',
      properties: { b: { type: 'string' }, a: { type: 'integer' }, c: { type: 'boolean' } },
      required: ['a'],
    }
    expect(typeOf(schema)).toEqual({
      type: 'P',
      classes: 'class P(TypedDict):\n    b: NotRequired[str]\n    a: int\n    c: NotRequired[bool]',
    })
  })

  it('state once that nothing is required', () => {
    expect(typeOf({ type: 'object', properties: { a: { type: 'string' }, b: {} } }).classes).toBe(
      'class P(TypedDict, total=False):\n    a: str\n    b: Any',
    )
  })

  it('may have keys that are not identifiers', () => {
    const properties = { 'a-b': { type: 'string' }, from: { type: 'string' }, $x: {}, __y: {}, 'q"': {} }
    expect(typeOf({ type: 'object', properties, required: ['from'] }).classes).toBe(
      String.raw`P = TypedDict("P", {"a-b": NotRequired[str], "from": str, "$x": NotRequired[Any], "__y": NotRequired[Any], "q\"": NotRequired[Any]})`,
    )
  })

  it('state the type of additional keys', () => {
    expect(typeOf({ type: 'object', properties: { a: {} }, additionalProperties: { type: 'integer' } }).classes).toBe(
      'class P(TypedDict, total=False):\n    a: Any\n    # any other key: int',
    )
  })

  it('have required keys without a description', () => {
    expect(typeOf({ type: 'object', required: ['id'] }).classes).toBe('class P(TypedDict):\n    id: Any')
  })

  it('nest, and are named after their place, in the singular', () => {
    const issue = {
      type: 'object',
      properties: { labels: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } } },
    }
    expect(typeOf({ type: 'array', items: issue })).toEqual({
      type: 'list[P]',
      classes:
        'class P(TypedDict, total=False):\n    labels: list[Label]\nclass Label(TypedDict, total=False):\n    name: str',
    })
  })

  it('of alternatives are named after their discriminating constant', () => {
    const shape = (kind: string, key: string) => ({
      type: 'object',
      properties: { kind: { const: kind }, [key]: { type: 'number' } },
      required: ['kind', key],
    })
    expect(typeOf({ oneOf: [shape('circle', 'radius'), shape('square', 'side')] })).toEqual({
      type: 'CircleP | SquareP',
      classes:
        'class CircleP(TypedDict):\n    kind: Literal["circle"]\n    radius: float\n' +
        'class SquareP(TypedDict):\n    kind: Literal["square"]\n    side: float',
    })
  })

  it('of alternatives include the keys beside the alternatives', () => {
    const schema = {
      type: 'object',
      properties: { id: { type: 'string' } },
      required: ['id'],
      anyOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: { type: 'string' } } }],
    }
    expect(typeOf(schema)).toEqual({
      type: 'P | TP',
      classes:
        'class P(TypedDict):\n    id: str\n    a: NotRequired[str]\nclass TP(TypedDict):\n    id: str\n    b: NotRequired[str]',
    })
  })

  it('are merged if alternatives differ only in the required keys', () => {
    const schema = { type: 'object', properties: { a: {}, b: {} }, anyOf: [{ required: ['a'] }, { required: ['b'] }] }
    expect(typeOf(schema).classes).toBe('class P(TypedDict, total=False):\n    a: Any\n    b: Any')
  })

  it('merge allOf', () => {
    const schema = {
      allOf: [
        { type: 'object', properties: { a: { type: 'string' }, b: { type: ['string', 'null'] } }, required: ['a'] },
        { properties: { b: { type: 'string' }, c: { type: 'integer' } }, required: ['c'] },
      ],
    }
    expect(typeOf(schema).classes).toBe('class P(TypedDict):\n    a: str\n    b: NotRequired[str]\n    c: int')
  })

  it('include the keys of if, then, else and dependencies', () => {
    const schema = {
      type: 'object',
      properties: { kind: { type: 'string' } },
      if: { properties: { kind: { const: 'file' } } },
      then: { properties: { path: { type: 'string' } }, required: ['path'] },
      else: { properties: { url: { type: 'string' } } },
      dependentSchemas: { kind: { properties: { size: { type: 'integer' } } } },
    }
    expect(typeOf(schema).classes).toBe(
      'class P(TypedDict, total=False):\n    kind: str\n    path: str\n    url: str\n    size: int',
    )
  })

  it('of equal shape are declared once, those of different shapes under different names', () => {
    const point = { type: 'object', properties: { x: { type: 'number' }, y: { type: 'number' } }, required: ['x', 'y'] }
    const labelled = { type: 'object', properties: { text: { type: 'string' } } }
    const stub = stubOf({
      type: 'object',
      properties: { start: point, end: point, style: { type: 'object', properties: { start: labelled } } },
    })
    expect(stub).toBe(
      [
        'class Start(TypedDict):',
        '    x: float',
        '    y: float',
        'class Style(TypedDict, total=False):',
        '    start: TStart',
        'class TStart(TypedDict, total=False):',
        '    text: str',
        '',
        'def t(start: Start = ..., end: Start = ..., style: Style = ...) -> Any: ...',
      ].join('\n'),
    )
  })

  it('never take the names of functions or of typing', () => {
    const inner = { type: 'object', properties: { a: {} } }
    const { servers } = bindServers([
      {
        name: 's',
        tools: [
          { name: 'Any', inputSchema: { type: 'object', properties: { any: inner, Any: inner } } },
          {
            name: 'Box',
            inputSchema: { type: 'object', properties: { box: { type: 'object', properties: { b: {} } } } },
          },
        ],
      },
    ])
    const stub = readStub(serverStub(servers[0]!, { descriptionLength: 100 }))
    expect([...stub.records.keys()]).toEqual(['AnyAny', 'BoxBox'])
  })
})

describe('references', () => {
  const $defs = {
    Node: {
      type: 'object',
      properties: { value: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/Node' } } },
      required: ['value'],
    },
    Json: { anyOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#/$defs/Json' } }] },
    Unused: { type: 'object', properties: { x: {} } },
    Loop: { $ref: '#/$defs/Loop' },
    Color: { enum: ['red', 'green'] },
    'a/b~c': { type: 'integer' },
    Anchored: { $anchor: 'here', type: 'boolean' },
  }

  it('to records use their name, even if recursive, and unreachable definitions are dropped', () => {
    expect(typeOf({ $ref: '#/$defs/Node' }, { $defs })).toEqual({
      type: 'Node',
      classes: 'class Node(TypedDict):\n    value: str\n    children: NotRequired[list[Node]]',
    })
  })

  it('to recursive types that are not records become aliases', () => {
    expect(typeOf({ $ref: '#/$defs/Json' }, { $defs })).toEqual({
      type: 'Json',
      classes: 'Json: TypeAlias = str | list[Json]',
    })
  })

  it('that contain themselves directly add nothing', () => {
    const mutual = {
      A: { anyOf: [{ $ref: '#/$defs/B' }, { type: 'string' }, { type: 'array', items: { $ref: '#/$defs/A' } }] },
      B: { anyOf: [{ $ref: '#/$defs/A' }, { type: 'integer' }] },
    }
    expect(typeOf({ $ref: '#/$defs/A' }, { $defs: mutual })).toEqual({
      type: 'A',
      classes: 'A: TypeAlias = int | str | list[A]',
    })
  })

  it.each<[string, unknown, string]>([
    ['to values', { $ref: '#/$defs/Color' }, 'Literal["red", "green"]'],
    ['with words beside them', { $ref: '#/$defs/Color', description: 'x', default: 'red' }, 'Literal["red", "green"]'],
    ['in alternatives', { anyOf: [{ $ref: '#/$defs/Color' }, { type: 'null' }] }, 'Literal["red", "green"] | None'],
    ['with escapes', { $ref: '#/$defs/a~1b~0c' }, 'int'],
    ['to anchors', { $ref: '#here' }, 'bool'],
    ['into properties', { $ref: '#/properties/other' }, '#/properties/other'],
    ['that only loop', { $ref: '#/$defs/Loop' }, 'Any'],
    ['to nowhere', { $ref: '#/$defs/Nothing' }, 'Any'],
    ['to the network', { $ref: 'https://example.com/schema.json' }, 'Any'],
    ['to files', { $ref: 'file:///etc/passwd' }, 'Any'],
  ])('%s', (_, schema, type) => {
    if (type.startsWith('#')) {
      const stub = stubOf({ type: 'object', properties: { p: schema, other: { type: 'string' } }, required: ['p'] })
      expect(stub).toBe('def t(p: str, other: str = ...) -> Any: ...')
    } else expect(typeOf(schema, { $defs }).type).toBe(type)
  })

  it('give the reason if the type is unknown', () => {
    const line = (schema: object) =>
      stubOf({ type: 'object', properties: { p: schema }, required: ['p'], $defs })
        .split('\n')
        .at(-1)
    expect(line({ $ref: 'https://example.com/schema.json' })).toBe(
      'def t(p: Any) -> Any: ...  # p: its schema refers to a schema that is not here',
    )
    expect(line({ $ref: '#/$defs/Loop' })).toBe('def t(p: Any) -> Any: ...  # p: its schema refers to itself')
  })

  it('are merged with keywords beside them, since draft 2019-09', () => {
    const schema = { $ref: '#/definitions/Base', properties: { b: { type: 'integer' } } }
    const definitions = { Base: { type: 'object', properties: { a: { type: 'string' } } } }
    expect(typeOf(schema, { definitions }).classes).toBe('class P(TypedDict, total=False):\n    a: str\n    b: int')
    expect(typeOf(schema, { definitions, $schema: 'http://json-schema.org/draft-07/schema#' }).classes).toBe(
      'class Base(TypedDict, total=False):\n    a: str',
    )
  })

  it('to the root mean the record of all arguments', () => {
    expect(stubOf({ type: 'object', properties: { name: { type: 'string' }, inner: { $ref: '#' } } })).toBe(
      'class Node(TypedDict, total=False):\n    name: str\n    inner: Node\n\ndef t(name: str = ..., inner: Node = ...) -> Any: ...',
    )
  })

  it('to the id of the document are local', () => {
    const root = { $id: 'https://example.com/tool', $defs: { A: { type: 'integer' } } }
    expect(typeOf({ $ref: 'https://example.com/tool#/$defs/A' }, root).type).toBe('int')
  })

  it('share one name if two tools refer to equal shapes', () => {
    const inputSchema = {
      type: 'object',
      properties: { p: { $ref: '#/$defs/A' } },
      $defs: { A: { type: 'object', properties: { x: {} } } },
    }
    const { servers } = bindServers([
      {
        name: 's',
        tools: [
          { name: 'a', inputSchema },
          { name: 'b', inputSchema: structuredClone(inputSchema) },
        ],
      },
    ])
    expect([...readStub(serverStub(servers[0]!, { descriptionLength: 0 })).records.keys()]).toEqual(['A'])
  })
})

describe('bounds', () => {
  it.each<[string, () => unknown, string]>([
    [
      'depth',
      () => {
        let schema: object = { type: 'string' }
        for (let i = 0; i < 5_000; i++) schema = { type: 'array', items: schema }
        return schema
      },
      'nested too deeply',
    ],
    [
      'alternatives',
      () => ({ anyOf: Array.from({ length: 1_000 }, (_, i) => ({ type: 'array', items: { const: i } })) }),
      'too many alternatives',
    ],
    [
      'size',
      () => ({
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: 30_000 }, (_, i) => [
            `k${i}`,
            { type: 'object', properties: { x: { type: 'object' } } },
          ]),
        ),
      }),
      'too large',
    ],
    [
      'repeated doubling',
      () => ({
        allOf: Array.from({ length: 30 }, () => ({ anyOf: [{ properties: { a: {} } }, { properties: { b: {} } }] })),
      }),
      'too large',
    ],
  ])('of %s give Any and a remark', (_, schema, remark) => {
    const stub = stubOf({ type: 'object', properties: { p: schema() } })
    expect(stub).toContain(remark)
  })

  it('limit a reference that doubles at each step', () => {
    const $defs: Record<string, unknown> = { d0: { type: 'string' } }
    for (let i = 1; i < 40; i++) {
      const next = { $ref: `#/$defs/d${i - 1}` }
      $defs[`d${i}`] = { type: 'object', properties: { a: next, b: next } }
    }
    // Each place is read once; below the deepest that is read there is Any.
    expect(readStub(stubOf({ type: 'object', properties: { p: { $ref: '#/$defs/d39' } }, $defs })).records.size).toBe(
      20,
    )
  })

  it.each([
    null,
    7,
    'text',
    [],
    { type: 'object', properties: 7 },
    { type: 'object', properties: { a: null, b: 3 } },
    { type: 'object', required: 'a' },
    { anyOf: {} },
    { type: ['object', 'strange'] },
  ])('hold for values that are not schemas: %j', (schema) => {
    expect(() => stubOf({ type: 'object', properties: { p: schema } })).not.toThrow()
    expect(() => stubOf({ type: 'object' }, schema as object)).not.toThrow()
    expect(() => stubOf(schema as object)).not.toThrow()
  })
})

describe('parameters', () => {
  it('have the required ones first, then the order of the schema, with defaults', () => {
    const stub = stubOf({
      type: 'object',
      properties: {
        limit: { type: 'integer', default: 30 },
        owner: { type: 'string' },
        state: { enum: ['open', 'closed'], default: 'open' },
        labels: { type: 'array', items: { type: 'string' }, default: ['bug', 'ui'] },
        deep: { type: 'boolean', default: false },
        ratio: { type: 'number', default: 1 },
        nothing: { type: ['string', 'null'], default: null },
        wrong: { type: 'integer', default: 'ten' },
        none: { type: 'string', default: null },
        options: { type: 'object', properties: { a: { type: 'string' } }, default: { a: 'x' } },
        repo: { type: 'string' },
      },
      required: ['repo', 'owner'],
    })
    expect(stub.split('\n').at(-1)).toBe(
      'def t(owner: str, repo: str, limit: int = 30, state: Literal["open", "closed"] = "open", labels: list[str] = ["bug", "ui"], ' +
        'deep: bool = False, ratio: float = 1, nothing: str | None = None, wrong: int = ..., none: str = ..., options: Options = {"a": "x"}) -> Any: ...',
    )
  })

  it('come from references, allOf and alternatives at the root', () => {
    const $defs = { Base: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } }
    expect(stubOf({ $ref: '#/$defs/Base', $defs })).toBe('def t(a: str) -> Any: ...')
    expect(stubOf({ type: 'object', allOf: [{ $ref: '#/$defs/Base' }, { properties: { b: {} } }], $defs })).toBe(
      'def t(a: str, b: Any = ...) -> Any: ...',
    )
    const one = (key: string) => ({
      type: 'object',
      properties: { id: { type: 'string' }, [key]: { type: 'integer' } },
      required: ['id', key],
    })
    expect(stubOf({ type: 'object', oneOf: [one('a'), one('b')] })).toBe(
      'def t(id: str, a: int = ..., b: int = ...) -> Any: ...',
    )
  })

  it.each<[object, string]>([
    [{ type: 'object', properties: {} }, 'def t() -> Any: ...'],
    [{ type: 'object', properties: {}, additionalProperties: false }, 'def t() -> Any: ...'],
    [{ type: 'object', additionalProperties: false }, 'def t() -> Any: ...'],
    [{ type: 'object' }, 'def t(**extra: Any) -> Any: ...'],
    [
      { type: 'object', properties: { a: {} }, additionalProperties: { type: 'integer' } },
      'def t(a: Any = ..., **extra: int) -> Any: ...',
    ],
    [
      { type: 'object', properties: { extra: {} }, additionalProperties: true },
      'def t(extra: Any = ..., **extra_: Any) -> Any: ...',
    ],
  ])('allow additional keys as the schema does: %j', (schema, stub) => {
    expect(stubOf(schema)).toBe(stub)
  })
})

describe('return types', () => {
  it('come from the output schema', () => {
    const output = {
      type: 'object',
      properties: { items: { type: 'array', items: { type: 'integer' } } },
      required: ['items'],
    }
    expect(stubOf({ type: 'object', properties: {} }, output)).toBe(
      'class TResult(TypedDict):\n    items: list[int]\n\ndef t() -> TResult: ...',
    )
  })

  it('are the type of a lone result’s value', () => {
    const output = {
      type: 'object',
      properties: { result: { type: 'array', items: { type: 'string' } } },
      required: ['result'],
    }
    expect(stubOf({ type: 'object', properties: {} }, output)).toBe('def t() -> list[str]: ...')
  })
})

describe('docs', () => {
  it('contain descriptions, bounds, formats, patterns, examples and defaults that a stub omits', () => {
    const { servers } = bindServers([
      {
        name: 's',
        tools: [
          {
            name: 'make-it',
            title: 'Make it',
            description: 'Makes it.\n\nIn two steps:\n  1. plan\n  2. do',
            annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
            inputSchema: {
              type: 'object',
              properties: {
                name: { type: 'string', description: 'The name.', minLength: 1, maxLength: 80, pattern: '^[a-z]+$' },
                when: { type: 'string', format: 'date-time', examples: ['2026-01-31T12:00:00Z'] },
                count: { type: 'integer', minimum: 1, maximum: 100, multipleOf: 5, default: 'ten', deprecated: true },
                tags: {
                  type: 'array',
                  items: { type: 'string', description: 'A tag.', maxLength: 20 },
                  minItems: 1,
                  uniqueItems: true,
                },
                rate: { enum: [0.5, 1.5], description: 'How fast' },
                at: {
                  type: 'object',
                  properties: { x: { type: 'number', exclusiveMinimum: 0, description: 'Left' } },
                  required: ['x'],
                },
              },
              required: ['name'],
            },
          },
        ],
      },
    ])
    expect(toolDocs(servers[0]!.tools[0]!)).toBe(
      [
        'class At(TypedDict):',
        '    x: float  # Left (> 0)',
        'def make_it(',
        '    name: str,  # The name. (1..80 characters; pattern ^[a-z]+$)',
        '    when: str = ...,  # (format date-time; for example "2026-01-31T12:00:00Z")',
        '    count: int = ...,  # (deprecated; 1..100; a multiple of 5; default "ten")',
        '    tags: list[str] = ...,  # A tag. (at least 1 items; no item twice; each: at most 20 characters)',
        '    rate: float = ...,  # How fast (one of 0.5, 1.5)',
        '    at: At = ...,',
        ') -> Any:',
        '    """',
        '    Makes it.',
        '',
        '    In two steps:',
        '      1. plan',
        '      2. do',
        '    """',
        '# tool "make-it" of server "s"',
        '# not read-only, not destructive, idempotent, closed world',
        '# example:',
        's.make_it(name="name")',
      ].join('\n'),
    )
  })
})
