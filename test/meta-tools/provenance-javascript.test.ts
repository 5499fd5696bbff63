// Values that came out of a tool are put into every place of every message that the guest of JavaScript and its engine
// have, and none of them is in an answer. What the program says itself, and names that the model knows, are.

import { afterAll, describe, expect, it } from 'vitest'
import { globalNames } from '../../dist/interpreter/javascript/globals.js'
import { amount, random } from '../random.js'
import { bench, text } from './bench.js'

const MARK = /SECRET|481516|4815\.162/

const row = {
  name: 'SECRET words',
  key: 'SECRETkey',
  n: 481516,
  f: 4815.162342,
  q: `SECRET' and "SECRET" and \`SECRET\``,
  page: `<html class="SECRET">it's\n${'<p>SECRET 481516</p>\n'.repeat(200)}`,
  list: ['SECRET', 481516],
  SECRETkey: { SECRETinner: 'SECRET' },
}

const inputSchema = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 10, maximum: 1000, multipleOf: 5 },
    state: { enum: ['open', 'closed'] },
    fixed: { const: 'one' },
    when: { type: 'string', pattern: '^[0-9-]+$', maxLength: 30 },
    short: { type: 'string', minLength: 1000 },
    inner: {
      type: 'object',
      properties: { known: { type: 'object', additionalProperties: false, properties: { deep: { type: 'integer' } } } },
      additionalProperties: { type: 'integer' },
    },
    list: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 3 },
    either: { anyOf: [{ type: 'integer' }, { type: 'array', items: { type: 'integer' } }] },
    kind: {
      oneOf: [
        { type: 'object', properties: { is: { const: 'a' } }, required: ['is'] },
        { type: 'object', properties: { is: { const: 'b' } }, required: ['is'] },
      ],
    },
  },
  additionalProperties: false,
}

const { execute } = bench(
  { row: { answers: text(JSON.stringify(row)) }, typed: { inputSchema, answers: text('ok') } },
  { limits: { cpuMs: 2_000, wallMs: 60_000, memoryBytes: 64 * 2 ** 20 } },
)

async function failureOf(code: string, language: 'javascript' | 'starlark' = 'javascript'): Promise<string> {
  const answer = await execute({ code, language })
  const seen = JSON.stringify([answer.text, answer.structured])
  if (MARK.test(seen)) return `${code}\n\n${answer.text}`
  return answer.isError ? answer.text.split('\n')[0]!.replace(/^[^\]]*\] /, '') : 'it went through'
}

const waiting = (expression: string): boolean => /\bawait\b|Promise/.test(expression)

function programOf(expression: string): string {
  return waiting(expression)
    ? `const row = await api.row()\nawait (async () => { await (${expression}) })()`
    : `const row = api.row();\n(() => { ${expression} })()`
}

// ---- every function -----------------------------------------------------------------------------------------------

const VALUES = [
  'row.name',
  'row.n',
  '-row.n',
  'row.f',
  'row',
  'row.q',
  'row.list',
  '{ [row.key]: row.name }',
  '() => { throw row.name }',
  '() => row.name',
  'Symbol(row.name)',
  'BigInt(row.n)',
  '[[row.name, row.n]]',
]

const RECEIVERS: Readonly<Record<string, string>> = {
  Array: '[3, 1, 2]',
  ArrayBuffer: 'new ArrayBuffer(8)',
  BigInt: '10n',
  Boolean: 'true',
  DataView: 'new DataView(new ArrayBuffer(8))',
  Date: 'new Date(0)',
  Error: 'new Error("e")',
  Iterator: '[1, 2].values()',
  'Intl.Collator': 'new Intl.Collator()',
  'Intl.DateTimeFormat': 'new Intl.DateTimeFormat()',
  'Intl.ListFormat': 'new Intl.ListFormat("en")',
  'Intl.NumberFormat': 'new Intl.NumberFormat()',
  'Intl.PluralRules': 'new Intl.PluralRules("en")',
  'Intl.RelativeTimeFormat': 'new Intl.RelativeTimeFormat("en")',
  Map: 'new Map([[1, 2]])',
  Number: '5.5',
  Object: '({ a: 1 })',
  Promise: 'Promise.resolve(1)',
  RegExp: '/a(b)?/g',
  Set: 'new Set([1])',
  String: '"a text"',
  Symbol: 'Symbol("a")',
  TextDecoder: 'new TextDecoder()',
  TextEncoder: 'new TextEncoder()',
  URL: 'new URL("https://a.example/b?c=d")',
  URLSearchParams: 'new URLSearchParams("a=b")',
  Uint8Array: 'new Uint8Array([1, 2, 3])',
  WeakMap: 'new WeakMap()',
  WeakSet: 'new WeakSet()',
}

/** What prints shows what it is given. */
const SKIPPED = ['console', 'print', 'globalThis', 'undefined', 'NaN', 'Infinity', 'help', 'Intl']

interface Members {
  readonly isFunction: boolean
  readonly own: readonly string[]
  readonly inherited: readonly string[]
}

async function membersOf(name: string): Promise<Members> {
  const code = `const functions = (x) => Object.getOwnPropertyNames(x).filter((key) => {
  const { value } = Object.getOwnPropertyDescriptor(x, key)
  return typeof value === "function" && key !== "constructor"
})
return {
  isFunction: typeof ${name} === "function",
  own: functions(${name}),
  inherited: ${name}.prototype === undefined ? [] : functions(${name}.prototype),
}`
  const { structured } = await execute({ code, language: 'javascript' })
  return (structured as unknown as { result: Members }).result
}

function callsOf(name: string, { isFunction, own, inherited }: Members): string[] {
  const receiver = RECEIVERS[name]
  const places = (callee: string): string[] =>
    VALUES.flatMap((v) => [`${callee}(${v})`, `${callee}("a", ${v})`, `${callee}(${v}, ${v})`, `${callee}(1, 2, ${v})`])
  return [
    ...(isFunction ? [...places(name), ...places(`new ${name}`), `${name}()`] : []),
    ...own.flatMap((member) => places(`${name}.${member}`)),
    ...inherited.flatMap((member) => [
      ...(receiver === undefined ? [] : places(`${receiver}.${member}`)),
      ...VALUES.map((v) => `${name}.prototype.${member}.call(${v}, ${v})`),
      ...(name === 'String' ? places(`row.name.${member}`) : []),
      ...(name === 'Array' ? places(`row.list.${member}`) : []),
      ...(name === 'Number' ? places(`row.n.${member}`) : []),
    ]),
  ]
}

describe('every function and method, called with marked values', () => {
  const names = [
    ...[...globalNames].filter((name) => !SKIPPED.includes(name)),
    ...Object.keys(RECEIVERS).filter((name) => name.startsWith('Intl.')),
  ]
  const every = amount(80, 1)
  const { seed, below } = random()
  const first = below(every)
  let count = 0

  it.each(names)('%s', async (name) => {
    const calls = callsOf(name, await membersOf(name))
    const chosen = calls.filter((_, i) => i % every === first % Math.max(1, Math.min(every, calls.length)))
    for (const call of chosen) {
      const said = await failureOf(programOf(call))
      count++
      expect([seed, call, said]).toEqual([seed, call, expect.not.stringMatching(MARK)])
    }
  })

  afterAll(() => expect(count).toBeGreaterThan(names.length))
})

// ---- every statement ----------------------------------------------------------------------------------------------

describe('a failure quotes no value that came through a tool', () => {
  it.each<[string, string]>([
    ['null[row.key]', 'TypeError: null is null, so it has no [row.key]'],
    ['const o = undefined; o[row.key] = 1', 'TypeError: o is undefined, so it has no [row.key]'],
    ['const { [row.key]: a } = null', 'TypeError: null cannot be destructured'],
    ['const { a } = row.nothing', 'TypeError: row.nothing is undefined and cannot be destructured'],
    ['const { a: { b } } = { a: row.nothing }', 'TypeError: undefined or null cannot be destructured'],
    ['const [a] = row', 'TypeError: row is an object and cannot be iterated over'],
    ['const o = {}; o[row.key]()', 'TypeError: o[row.key] is not a function'],
    ['row.name()', 'TypeError: row.name is not a function'],
    ['new row.name()', 'TypeError: row.name is not a class'],
    ['class A extends row.name {}', 'TypeError: the class extends a value that is not a class'],
    ['row instanceof row.name', 'TypeError: the right side of instanceof is not a class'],
    ['row.key in row.name', 'TypeError: `in` needs an object on its right'],
    ['1n + row.n', 'TypeError: a BigInt does not mix with numbers'],
    ['BigInt(row.name)', 'SyntaxError: invalid bigint literal'],
    ['BigInt(row.f)', 'RangeError: cannot convert to BigInt: not an integer'],
    ['new Date(row.name).toISOString()', 'RangeError: the date is invalid'],
    ['"x".repeat(-row.n)', 'RangeError: invalid repeat count'],
    ['new RegExp("[" + row.name)', 'SyntaxError: unexpected end'],
    ['new RegExp("(?<" + row.name)', 'SyntaxError: invalid group name'],
    ['decodeURIComponent("%" + row.name)', 'URIError: expecting hex digit'],
    [
      'JSON.parse(row.name)',
      'SyntaxError: JSON.parse: unexpected token: a string of 6 characters (letters), in a string of 12 characters (letters, spaces)',
    ],
    ['JSON.parse(row.page)', "SyntaxError: JSON.parse: unexpected token: '<', in a string of 4226 characters"],
    [
      'new Intl.NumberFormat("en", { currency: row.key })',
      'RangeError: Invalid currency code : a string of 9 characters (letters)',
    ],
    [
      'new Intl.RelativeTimeFormat("en").format(1, row.q)',
      "RangeError: Invalid unit argument for Intl.RelativeTimeFormat.prototype.format() 'a string of 33 characters (letters, spaces, other signs)'",
    ],
    ['new URL(row.q)', 'TypeError: Invalid URL: a string of 33 characters (letters, spaces, other signs)'],
    ['structuredClone(() => row)', "TypeError: a function can't be cloned"],
    ['api[row.key]()', 'TypeError: api has no tool a string of 9 characters (letters)'],
    ['api[row.key] = row', "TypeError: api.* can't be assigned"],
    ['runtime.describe_server(row.key)', 'TypeError: there is no server a string of 9 characters (letters)'],
    ['runtime.describe_server(row.n)', 'TypeError: server: got an integer, want string'],
    ['results.load(row.key)', 'TypeError: no result is kept for a run a string of 9 characters (letters)'],
    ['class A { #x; static of(a) { return a.#x } }; A.of(row)', "TypeError: private class field '#x' does not exist"],
    ['const f = { [row.key]: () => 1 }[row.key]; new f()', 'TypeError: f is not a class'],
    ['Reflect.construct(Array, [], { [row.key]: () => 1 }[row.key])', 'TypeError: * is not a constructor'],
    ['(({ [row.key]: a }) => a)(null)', 'TypeError: undefined or null cannot be destructured'],
    ['Object.assign(Object.freeze({ [row.key]: 1 }), { [row.key]: 2 })', 'TypeError: the object is frozen'],
    ['const o = {}; o[row.key] = o; JSON.stringify(o)', 'TypeError: circular reference'],
    [
      'new Proxy({}, { get: (_, key) => { throw key } })[row.key]',
      'the program threw a string of 9 characters (letters)',
    ],
    ['throw row', 'the program threw an object'],
    ['throw row.name', 'the program threw a string of 12 characters (letters, spaces)'],
    ['throw row.list', 'the program threw [ a string of 6 characters (letters), an integer ]'],
    ['throw { row: row.list }', 'the program threw { row: [ a string of 6 characters (letters), an integer ] }'],
    ['throw new Map([[row.key, row.name]])', 'the program threw an object'],
    ['throw { get [row.key]() { return row.name } }', 'the program threw an object'],
    ['await Promise.reject(row.name)', 'the program threw a string of 12 characters (letters, spaces)'],
    [
      'await Promise.any([(async () => api[row.key]())()])',
      'AggregateError: every promise failed, the first with TypeError: api has no tool a string of 9 characters (letters)',
    ],
    // What the program makes of a failure that is not its own nobody can tell apart.
    ['try { null.x } catch (e) { e.message += row.name; throw e }', 'TypeError'],
    ['try { null.x } catch (e) { e.name = row.key; throw e }', 'Error: null is null, so it has no .x'],
    ['try { JSON.parse(row.key) } catch (e) { e.message = row.q; throw e }', 'SyntaxError'],
    [
      'try { JSON.parse(row.key) } catch (e) { throw structuredClone(e) }',
      'SyntaxError: JSON.parse: unexpected token: a string of 9 characters (letters), in a string of 9 characters (letters)',
    ],
    [
      'try { Reflect.construct(Array, [], { [row.key]: () => 1 }[row.key]) } catch (e) { throw structuredClone(e) }',
      'TypeError: * is not a constructor',
    ],
    [
      'try { Reflect.construct(Array, [], { [row.key]: () => 1 }[row.key]) } catch (e) { e.name = "ToolError"; throw e }',
      'Error: * is not a constructor',
    ],
    ['structuredClone(row.name.a.b)', 'TypeError: row.name.a is undefined, so it has no .b'],
  ])('%s', async (statement, message) => {
    const waits = waiting(statement) ? 'await ' : ''
    const said = await failureOf(`const row = ${waits}api.row();\n${statement}`)
    expect(said).toBe(message)
  })

  it('and keeps the program’s own words', async () => {
    const said = async (statement: string) => {
      const waits = waiting(statement) ? 'await ' : ''
      const answer = await execute({ code: `const row = ${waits}api.row()\n${statement}`, language: 'javascript' })
      return answer.text
        .split('\n')
        .find((line) => line.startsWith('program error'))!
        .replace(/^[^\]]*\] /, '')
    }
    const own = 'class Gone extends Error { constructor(what) { super(`${what} is gone`) } }\n'
    expect(await said('throw new Error(`no ${row.name}`)')).toBe('Error: no SECRET words')
    expect(await said('throw TypeError(row.name)')).toBe('TypeError: SECRET words')
    expect(await said(`${own}throw new Gone(row.key)`)).toBe('Error: SECRETkey is gone')
    expect(await said('class Gone extends RangeError {}\nthrow new Gone(row.key)')).toBe('RangeError: SECRETkey')
    expect(
      await said('class Gone extends ToolError {}\nthrow Object.assign(new Gone(row.key), { name: "Gone" })'),
    ).toBe('Gone: SECRETkey')
    expect(await said('throw Object.assign(new Error(row.n), { name: row.key })')).toBe('SECRETkey: 481516')
    expect(await said('throw structuredClone(new Error(row.name))')).toBe('Error: SECRET words')
    expect(await said('throw new AggregateError([], row.name)')).toBe('AggregateError: SECRET words')
    expect(await said('throw new AggregateError([new Error(row.name)])')).toBe(
      'AggregateError: every promise failed, the first with Error: SECRET words',
    )
    expect(await said('await Promise.reject(new Error(row.name))')).toBe('Error: SECRET words')
    expect(await said('try { null.x } catch (e) { throw new Error(`no ${row.name}`, { cause: e }) }')).toBe(
      'Error: no SECRET words',
    )
    // A message of the program's own that the engine might have said.
    expect(await said('throw new TypeError("not a function")')).toBe('TypeError: not a function')
    expect(await said('throw `no ${row.name}`')).toBe("the program threw 'no SECRET words'")
    expect(await said('throw { code: 404, what: `no ${row.name}` }')).toBe(
      "the program threw { code: 404, what: 'no SECRET words' }",
    )
    // What the model has read.
    expect(await said('console.log(row.key)\napi[row.key]()')).toBe('TypeError: api has no tool "SECRETkey"')
    expect(await said('api["to" + "Fixed"]()')).toBe('TypeError: api has no tool "toFixed"')
    expect(await said('new Intl.NumberFormat("en", { style: "money" })')).toBe(
      'RangeError: Value money out of range for Intl.NumberFormat options property style',
    )
    expect(await said('throw [row.nothing, true, null]')).toBe('the program threw [ undefined, true, null ]')
    expect(await said('throw null')).toBe('the program threw null')
  })

  it('and errors behave as in other engines', async () => {
    const { structured } = await execute({
      language: 'javascript',
      code: `class Own extends TypeError { get name() { return "Own" } }
const e = new Own("m", { cause: 1 }), plain = Error("p"), all = new AggregateError([1], "a")
return [
  e instanceof Own, e instanceof TypeError, e instanceof Error, e.cause, String(e), Object.getPrototypeOf(TypeError) === Error,
  plain instanceof Error, plain.constructor === Error, Error.prototype.constructor === Error, Error.name, Error.length,
  all.errors.length, all instanceof AggregateError, Object.keys(e).length, "cause" in plain, typeof e.stack,
  new ToolError("t") instanceof ToolError, Reflect.construct(Error, ["r"], Own) instanceof Own, Error.prototype.name,
  (() => { try { null.x } catch (caught) { return caught instanceof TypeError && caught.constructor === TypeError } })(),
]`,
    })
    const told = [true, true, true, 1, 'Own: m', true, true, true, true, 'Error', 1, 1, true, 0, false, 'string']
    expect(structured).toMatchObject({ result: [...told, true, true, 'Error', true] })
  })
})

// ---- arguments of tools -------------------------------------------------------------------------------------------

/** Arguments in JSON with `row` in them, as each language writes them. */
const ARGUMENTS: readonly (readonly [arguments: string, problem: string])[] = [
  ['{"limit": row.name}', 'limit: got a TEXT of 12 characters (letters, spaces), want INT'],
  ['{"limit": row.n}', 'limit: got an INT, want at most 1000; limit: got an INT, want a multiple of 5'],
  ['{"limit": -row.n}', 'limit: got an INT, want at least 10; limit: got an INT, want a multiple of 5'],
  [
    '{"limit": row.f}',
    'limit: got a FLOAT, want INT; limit: got a FLOAT, want at most 1000; limit: got a FLOAT, want a multiple of 5',
  ],
  ['{"limit": row.list}', 'limit: got LIST of 2, want INT'],
  ['{"state": row.key}', 'state: got a TEXT of 9 characters (letters), want OPEN'],
  ['{"state": row.n}', 'state: got an INT, want OPEN'],
  ['{"fixed": row.key}', 'fixed: got a TEXT of 9 characters (letters), want ONE'],
  [
    '{"when": row.q}',
    'when: got a TEXT of 33 characters (letters, spaces, other signs), want at most 30 characters; when: got a TEXT of 33 characters (letters, spaces, other signs), want text that matches ^[0-9-]+$',
  ],
  ['{"short": row.name}', 'short: got a TEXT of 12 characters (letters, spaces), want at least 1000 characters'],
  ['{"inner": {row.key: row.name}}', 'inner.*: got a TEXT of 12 characters (letters, spaces), want INT'],
  ['{"inner": {row.q: "x"}}', 'inner[*]: got TEXT "x", want INT'],
  ['{"inner": {"known": {row.key: 1}}}', 'inner.known: no key a TEXT of 9 characters (letters) (there are: deep)'],
  [
    '{"inner": {"known": {"deep": row.name}}}',
    'inner.known.deep: got a TEXT of 12 characters (letters, spaces), want INT',
  ],
  ['{"inner": row.name}', 'inner: got a TEXT of 12 characters (letters, spaces), want DICT'],
  ['{"list": [row.n, row.name]}', 'list[0]: got an INT, want TEXT'],
  ['{"list": [row.name]}', 'list: got LIST of 1, want at least 2 items'],
  ['{"either": row.name}', 'either: got a TEXT of 12 characters (letters, spaces), want INT | LIST[INT]'],
  ['{"kind": {"is": row.key}}', 'kind.is: got a TEXT of 9 characters (letters), want AB'],
  ['{row.key: 1}', 'no parameter a TEXT of 9 characters (letters)'],
  ['{row.q: row.name}', 'no parameter a TEXT of 33 characters (letters, spaces, other signs)'],
]

const WORDS = {
  starlark: {
    TEXT: 'str',
    INT: 'int',
    FLOAT: 'float',
    LIST: 'list',
    DICT: 'dict',
    OPEN: 'Literal["open", "closed"]',
    ONE: 'Literal["one"]',
    AB: 'Literal["a", "b"]',
  },
  javascript: {
    TEXT: 'string',
    INT: 'integer',
    FLOAT: 'number',
    LIST: 'array',
    DICT: 'object',
    OPEN: '"open" or "closed"',
    ONE: '"one"',
    AB: '"a" or "b"',
  },
}

describe.each(['starlark', 'javascript'] as const)('a wrong argument in %s', (language) => {
  it.each(ARGUMENTS)('%s', async (given, problem) => {
    const isScript = language === 'javascript'
    const written = isScript
      ? given.replace(/(?<=\{)(row\.\w+):/g, '[$1]:')
      : given.replace(/row\.(\w+)/g, (_, key) => `row["${key}"]`)
    const said = await failureOf(`row = api.row()\napi.typed(${isScript ? written : `**${written}`})`, language)
    const words = WORDS[language]
    const want = Object.entries(words).reduce(
      (whole, [name, word]) => whole.replace(new RegExp(`\\b${name}\\b`, 'g'), () => word),
      problem,
    )
    expect(said).toBe(`TypeError: api.typed: ${want}`)
  })

  it('is shown if the model has seen it', async () => {
    const text = language === 'javascript' ? 'string' : 'str'
    const code =
      language === 'javascript'
        ? 'row = api.row()\napi.typed({ state: "op" + "" })'
        : 'row = api.row()\napi.typed(state="op" + "")'
    const want = language === 'javascript' ? '"open" or "closed"' : 'Literal["open", "closed"]'
    expect(await failureOf(code, language)).toBe(`TypeError: api.typed: state: got ${text} "op", want ${want}`)
  })
})
