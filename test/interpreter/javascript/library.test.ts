// The guest's own library against Node's: texts of values, numbers, dates, the order of texts, URLs, base64, JSON. The
// same expressions run in both, and the results are compared one by one.

import { inspect } from 'node:util'
import { runInNewContext } from 'node:vm'
import { afterAll, describe, expect, it } from 'vitest'
import { amount, type Random, random } from '../../random.js'
import { world } from './world.js'

const { TZ } = process.env
process.env.TZ = 'UTC'
afterAll(() => {
  if (TZ === undefined) delete process.env.TZ
  else process.env.TZ = TZ
})
const run = world()

/** The results of both sides for each expression; a failure is its name. */
async function compared(expressions: readonly string[]): Promise<{ here: unknown[]; there: unknown[] }> {
  const asked = expressions.map((e) => `() => (${e})`).join(',\n')
  const program = `const ask = (f) => { try { const x = f(); return x === undefined ? 'undefined' : x } catch (e) { return e.name } }\nresult = [${asked}].map(ask)`
  const { result, failure } = await run(program, { sourceBytes: 4_000_000 })
  if (failure !== undefined) throw new Error(failure)
  const globals = { URL, URLSearchParams, TextEncoder, TextDecoder, atob, btoa, structuredClone }
  const there = runInNewContext(`${program}; JSON.stringify(result)`, { ...globals }) as string
  return { here: JSON.parse(result!) as unknown[], there: JSON.parse(there) as unknown[] }
}

async function agree(expressions: readonly string[]): Promise<void> {
  const { here, there } = await compared(expressions)
  const differences = expressions.flatMap((e, i) =>
    JSON.stringify(here[i]) === JSON.stringify(there[i]) ? [] : [{ e, here: here[i], node: there[i] }],
  )
  expect(differences).toEqual([])
}

const product = (...lists: readonly (readonly string[])[]): string[][] =>
  lists.reduce<string[][]>((all, list) => all.flatMap((one) => list.map((x) => [...one, x])), [[]])

describe('numbers in English', () => {
  const numbers =
    '0 -0 1 -1 0.5 1.005 2.5 3.14159 999 1000 1234.5 1234567.891 -98765.4321 1e15 1e21 1.5e-7 0.045 99.995 12345678901234567890n NaN Infinity'.split(
      ' ',
    )
  const options = [
    '',
    '"en-US"',
    '"en-US", { minimumFractionDigits: 2 }',
    '"en-US", { maximumFractionDigits: 0 }',
    '"en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 }',
    'undefined, { style: "percent" }',
    '"en-US", { style: "percent", maximumFractionDigits: 1 }',
    '"en-US", { style: "currency", currency: "USD" }',
    '"en-US", { style: "currency", currency: "EUR", minimumFractionDigits: 0 }',
    '"en-US", { style: "currency", currency: "JPY" }',
    '"en-US", { style: "currency", currency: "usd", currencyDisplay: "code" }',
    '"en-US", { style: "currency", currency: "CHF" }',
    '"en-US", { style: "currency", currency: "USD", currencySign: "accounting" }',
    '"en-US", { notation: "compact" }',
    '"en-US", { notation: "compact", maximumFractionDigits: 1 }',
    '"en-US", { useGrouping: false }',
    '"en-US", { minimumIntegerDigits: 3 }',
    '"en-US", { maximumSignificantDigits: 3 }',
    '"en-US", { minimumSignificantDigits: 3 }',
    '"en-US", { signDisplay: "always" }',
    '"en-US", { signDisplay: "exceptZero" }',
    '"en-US", { signDisplay: "never" }',
    '"en-US", { style: "unit", unit: "kilometer" }',
    '"en-US", { minimumFractionDigits: 5, maximumFractionDigits: 2 }',
    '"en-US", { style: "currency" }',
  ]
  it('are written as in Node', () => agree(product(numbers, options).map(([n, o]) => `(${n}).toLocaleString(${o})`)))
  it('are written as in Node by Intl.NumberFormat', () =>
    agree(
      product(numbers.slice(0, 12), options.slice(1, 12)).map(([n, o]) => `new Intl.NumberFormat(${o}).format(${n})`),
    ))
  const from = random()
  it(`are written as in Node for random values (seed ${from.seed})`, () =>
    agree(
      Array.from({ length: amount(300, 5_000) }, () => {
        const n = (from.below(2_000_001) - 1_000_000) / 10 ** from.below(8)
        return `(${n}).toLocaleString(${from.pick(options)})`
      }),
    ))
})

describe('dates in English, in UTC', () => {
  const dates = [
    '0',
    '"2026-01-31T09:05:07Z"',
    '"2024-12-25T23:59:59Z"',
    '"1999-07-04T00:00:00Z"',
    '"2026-11-21T12:30:00Z"',
    '"x"',
  ]
  const options = [
    '',
    '"en-US"',
    '"en-US", { timeZone: "UTC" }',
    '"en-US", { year: "numeric", month: "long", day: "numeric" }',
    '"en-US", { year: "numeric", month: "short", day: "numeric" }',
    '"en-US", { weekday: "long", year: "numeric", month: "long", day: "numeric" }',
    '"en-US", { month: "short", day: "numeric" }',
    '"en-US", { month: "long", year: "numeric" }',
    '"en-US", { month: "2-digit", day: "2-digit", year: "numeric" }',
    '"en-US", { weekday: "short" }',
    '"en-US", { dateStyle: "medium" }',
    '"en-US", { dateStyle: "long" }',
    '"en-US", { dateStyle: "full" }',
    '"en-US", { dateStyle: "short" }',
    '"en-US", { year: "numeric" }',
  ]
  it('are written as in Node', () =>
    agree(product(dates, ['toLocaleDateString'], options).map(([d, f, o]) => `new Date(${d}).${f}(${o})`)))
  it('are written as in Node with times', () =>
    agree(
      product(
        dates,
        ['toLocaleString', 'toLocaleTimeString'],
        [
          '',
          '"en-US", { hour12: false, hour: "2-digit", minute: "2-digit" }',
          '"en-US", { hour: "numeric", minute: "2-digit" }',
          '"en-US", { hourCycle: "h23" }',
        ],
      ).map(([d, f, o]) => `new Date(${d}).${f}(${o})`),
    ))
})

describe('the order of texts', () => {
  const words = [
    '',
    'a',
    'A',
    'b',
    'B',
    'z',
    'Z',
    'ä',
    'Ä',
    'é',
    'e',
    'E',
    'ß',
    'ss',
    'ø',
    'o',
    'ñ',
    'n',
    '1',
    '2',
    '10',
    'a1',
    'a10',
    'a2',
    '_',
    '-',
    ' ',
    'a b',
    'ab',
    'a-b',
    '!',
    '.',
    '~',
    '$',
    '@',
    'résumé',
    'resume',
    'Resume',
    'co-op',
    'coop',
    'item 2',
    'item 10',
    'Item 2',
    'æ',
    'ae',
  ]
  const pairs = product(words, words)
  const sign = (call: string) => `Math.sign(${call})`
  it.each([
    '',
    ', undefined, { numeric: true }',
    ', "en", { sensitivity: "base" }',
    ', "en", { sensitivity: "accent" }',
    ', "de"',
    ', ["fr-FR", "de-DE"]',
  ])('with localeCompare(x%s)', (more) =>
    agree(pairs.map(([a, b]) => sign(`${JSON.stringify(a)}.localeCompare(${JSON.stringify(b)}${more})`))),
  )
  it('is that of Node in sort', () => agree([`${JSON.stringify(words)}.sort((a, b) => a.localeCompare(b)).join('|')`]))
})

describe('phrases', () => {
  it('join lists as in Node', () =>
    agree(
      product(
        ['[]', '["a"]', '["a", "b"]', '["a", "b", "c"]', 'new Set(["x", "y", "z", "and"])'],
        ['', '{ type: "conjunction" }', '{ type: "disjunction" }', '{ type: "unit" }'],
        ['long', 'short', 'narrow'],
      ).map(([list, options, style]) =>
        options === ''
          ? `new Intl.ListFormat().format(${list})`
          : `new Intl.ListFormat("en", { ...${options}, style: "${style}" }).format(${list})`,
      ),
    ))
  it('choose plural forms as in Node', () =>
    agree(
      product('0 1 -1 1.5 2 3 4 11 12 13 21 22 23 101 111 112 NaN'.split(' '), [
        '',
        '"en-US", { type: "ordinal" }',
      ]).map(([n, options]) => `new Intl.PluralRules(${options}).select(${n})`),
    ))
  it('describe distances in time as in Node', () =>
    agree(
      product(
        '0 -0 1 -1 2 -2 1.5 -12345.678 NaN'.split(' '),
        'second minute hour day week month quarter year days fortnight'.split(' '),
        ['', '"en", { numeric: "auto" }'],
      ).map(([n, unit, options]) => `new Intl.RelativeTimeFormat(${options}).format(${n}, "${unit}")`),
    ))
  it('are made by classes that need no new', () =>
    agree([
      'Intl.NumberFormat("en-US").format(1234.5)',
      'Intl.DateTimeFormat("en-US", { timeZone: "UTC" }).format(0)',
      'Intl.DateTimeFormat("en-US", { timeZone: "UTC" }).resolvedOptions().timeZone',
      '["b", "a"].sort(Intl.Collator().compare)',
      'Intl.NumberFormat() instanceof Intl.NumberFormat',
      'Intl.ListFormat("en")',
    ]))
})

describe('addresses', () => {
  const parts = [
    'href',
    'origin',
    'protocol',
    'username',
    'password',
    'host',
    'hostname',
    'port',
    'pathname',
    'search',
    'hash',
  ]
  const urls = [
    'https://example.com',
    'HTTPS://User:Pa%20ss@EXAMPLE.com:443/a/../b/./c?x=1&y=a b#frag ment',
    'http://example.com:8080/a//b/',
    'http://1.2.3/x',
    'http://0x7f.1/',
    'https://example.com/é/%zz?q=ü#ß',
    'mailto:a@b.c',
    'data:text/plain,hi there',
    'file:///C:/a/b',
    'file://host/x',
    'http://[::1]:80/',
    'javascript:alert(1)',
    'ftp://h:21/x',
    'http://a b/',
    'http://',
    'nothing',
    '//x/y',
    'http://example.com:99999/',
    'https://example.com/a;b=c,d?e[]=1|2',
    "https://h/?q='x'",
    'custom://h/p/../q?x#y',
    'http:\\\\h\\p',
    '  http://h/x  ',
    'https://h/a\tb',
  ] // prettier-ignore
  it('have the parts that Node finds', () =>
    agree(product(urls, parts).map(([url, part]) => `new URL(${JSON.stringify(url)}).${part}`)))
  it('are completed from a base as in Node', () =>
    agree(
      product(
        [
          '',
          'x',
          '../x',
          './x/',
          '/x',
          '//h2/x',
          '?q=1',
          '#f',
          'x?q#f',
          'http:x',
          'https://o/p',
          '../../..',
          '.',
          '..',
          'a:b',
        ],
        ['https://h/a/b/c?d#e', 'http://u:p@h:8080/', 'file:///a/b'],
      ).map(([path, base]) => `new URL(${JSON.stringify(path)}, ${JSON.stringify(base)}).href`),
    ))
  it('are not resolved against an opaque base', () =>
    agree(['', '#f', 'x', '/x', '?q'].map((path) => `new URL(${JSON.stringify(path)}, "mailto:x@y").href`)))
  it('can be changed as in Node', () =>
    agree([
      ...[
        'search = "?a=1 2"',
        'hash = "x y"',
        'pathname = "/a b/../c"',
        'port = "81"',
        'port = "443"',
        'hostname = "Other.org"',
        'protocol = "http"',
        'searchParams.set("q", "ä&=")',
        'searchParams.append("x", 1)',
        'searchParams.delete("p")',
        'searchParams.sort()',
      ].map((change) => `(() => { const u = new URL("https://h/p?p=1&o=2&p=3#f"); u.${change}; return u.href })()`),
      'URL.canParse("x")',
      'JSON.stringify({ u: new URL("http://h") })',
    ]))
  it('have queries as in Node', () =>
    agree([
      ...[
        '"a=1&b=2&a=3"',
        '"?x=%C3%A4+b"',
        '"a&b="',
        '"a=%zz"',
        '{ a: 1, b: "x y" }',
        '[["a", "1"], ["a", "2"]]',
        '""',
        '"=&=1"',
      ].flatMap((init) =>
        ['toString()', 'get("a")', 'getAll("a")', 'has("b")', 'size'].map(
          (ask) => `new URLSearchParams(${init}).${ask}`,
        ),
      ),
      '[...new URLSearchParams("a=1&b=2")]',
      '[...new URLSearchParams("a=1&b=2").keys()]',
      'Object.fromEntries(new URLSearchParams("a=1&b=2"))',
    ]))
})

describe('texts and bytes', () => {
  it('are encoded and decoded as in Node', () =>
    agree(
      [
        ...['', 'a', 'ab', 'abc', 'abcd', '\u00ff\u0000', 'é'].flatMap((text) => [
          `btoa(${JSON.stringify(text)})`,
          `atob(btoa(${JSON.stringify(text)}))`,
        ]),
        'btoa("💥") && 1',
        'atob("YQ")',
        'atob("YQ==")',
        'atob("Y Q")',
        'atob("Y")',
        'atob("Y*==")',
        'atob("")',
        '[...new TextEncoder().encode("aé💥\\ud800")]',
        'new TextDecoder().decode(new Uint8Array([0xef, 0xbb, 0xbf, 97, 0xc3, 0xa9, 0xf0, 0x9f, 0x92, 0xa5]))',
        ...[
          '[0xc3]',
          '[0xe2, 0x82]',
          '[0x80, 97]',
          '[0xf0, 0x9f, 97]',
          '[0xed, 0xa0, 0x80]',
          '[0xc0, 0x80]',
          '[0xf5]',
          '[0xe0, 0x80, 0x80]',
        ].map((bytes) => `new TextDecoder().decode(new Uint8Array(${bytes}))`),
      ].filter((e) => !e.startsWith('btoa("💥")')),
    )) // prettier-ignore
  it('are cloned as in Node', () =>
    agree([
      'structuredClone({ a: [1, { b: new Date(0) }], m: new Map([[1, { c: 2 }]]), s: new Set(["x"]) }).m.get(1).c',
      'structuredClone(new Date(5)).getTime()',
      'structuredClone([1, , 3]).length',
      '(() => { const a = {}; a.self = a; const b = structuredClone(a); return b.self === b && b !== a })()',
      'structuredClone(/x/gi).flags',
      'structuredClone(new RangeError("x")).message',
    ]))
})

describe('texts of values', () => {
  const shown = async (expressions: readonly string[]) => {
    const program = expressions.map((e) => `console.log(${e})`).join('\n')
    const { printed, failure } = await run(program, { sourceBytes: 4_000_000, printedBytes: 16_000_000 })
    if (failure !== undefined) throw new Error(failure)
    const lines: string[] = []
    const log = (...values: unknown[]) =>
      lines.push(values.map((v) => (typeof v === 'string' ? v : inspect(v))).join(' '))
    // The same realm: to inspect, classes of another one have other names.
    new Function('console', program)({ log })
    return { here: printed, there: lines }
  }
  it('are those of Node', async () => {
    const { here, there } = await shown([
      'new URL("https://u:p@x.example:8080/a/b?q=1&r=%20#h")',
      '{ a: { b: new URL("https://x.example") }, c: [new URLSearchParams("a=1&b=it\'s")] }',
      'new URLSearchParams(), new URLSearchParams({ long: "x".repeat(50), longer: "y".repeat(50) })',
      '{ a: { b: { c: { d: new URL("https://x.example") } } } }',
      '1, -0, "x", "it\'s", ["it\'s", \'"\', "a\\nb", "\\u0001\\ud800"], null, undefined, true, 12n, Symbol("s")',
      '{}',
      '[]',
      '[[]]',
      '[{}]',
      '{ a: {} }',
      '[undefined, null]',
      '[1, , 3]',
      '[, ,]',
      '{ a: 1, "b-c": 2, 3: 4, [Symbol("k")]: 5 }',
      '{ a: { b: { c: { d: 1 } } } }',
      '[[[[1]]]]',
      '{ a: [[[]]] , b: [[{}]] }',
      'Array.from({ length: 7 }, (_, i) => i)',
      'Array.from({ length: 30 }, (_, i) => i * 37)',
      'Array.from({ length: 120 }, (_, i) => i)',
      'Array.from({ length: 101 }, (_, i) => "item " + i)',
      'Array.from({ length: 10 }, (_, i) => ({ id: i, name: "n".repeat(i) }))',
      'Array.from({ length: 27 }, (_, i) => "x".repeat(i % 5))',
      '["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", "ccccccccccccccccccc"]',
      '{ text: "x".repeat(60), other: 1 }',
      '{ text: "x".repeat(57), other: 1 }',
      '{ text: "line one\\nline two\\nline three is somewhat longer than that, and goes on for a while" }',
      'new Map([["a", 1], [{ b: 1 }, [1]]])',
      'new Map()',
      'new Set([1, "x", [2]])',
      'new Set()',
      'new Map([[1, new Map([[2, new Map([[3, 4]])]])]])',
      'new Date(0)',
      'new Date(NaN)',
      '/a\\/b/gi',
      '{ d: new Date(0), r: /x/ }',
      '() => 1',
      'function named() {}',
      'class A {}',
      'class B extends Map {}',
      'async () => 1',
      'function* g() {}',
      '{ f() {}, g: () => {} }',
      'Object.assign(() => 1, { x: 1 })',
      'Object.assign(function f() {}, { x: { y: 1 } })',
      'new (class Point { constructor() { this.x = 1 } })()',
      'new (class Empty {})()',
      'Object.create(null)',
      'Object.assign(Object.create(null), { a: 1 })',
      'new (class Many extends Array {})(3)',
      '{ p: new (class P { a = { b: { c: 1 } } })() }',
      '(() => { const a = { n: 1 }; a.self = a; return a })()',
      '(() => { const a = [1]; a.push({ a }); return a })()',
      '{ get a() { return 1 }, set b(x) {}, get c() { return 1 }, set c(x) {} }',
      'Object.assign([1, 2], { extra: "x" })',
      'new Uint8Array([1, 2, 3])',
      'new Uint8Array()',
      'new Float64Array(2)',
      'Object("x")',
      'Object(1)',
      'Object(true)',
      '[Object("x")]',
      '[1.5, -2, NaN, Infinity]',
      '[true, false]',
      '["a", 1, null]',
      '[10n, 20n, 1n, 5n, 100n, 3n, 4n]',
      '{ "": 1 }',
      '{ __proto__: null, a: 1 }',
      'JSON.parse(\'{"__proto__": 1}\')',
      '"x".repeat(20000)',
      '["x".repeat(11000)]',
      '[["a", 1], ["b", 2]]',
      'Object.entries({ a: { b: 1 }, c: [1, 2] })',
      '{ a: "x", b: ["y", { z: [1, [2, [3]]] }] }',
      'new WeakMap()',
      '{ u: undefined, n: null }',
      '[[1, 2, [3, 4, [5, [6]]]], { a: { b: { c: {} } } }]',
      '{ a: 1n, s: Symbol.iterator }',
      '[`back\\`tick\'"`]',
      '["\\\\", "\\t"]',
      'new (class extends Set { constructor() { super([1]) } })()',
      '[new Error("x").message]',
    ]) // prettier-ignore
    expect(here).toEqual(there)
  })

  const from = random()
  const value = (depth: number): string =>
    depth > 4 || from.chance(0.3)
      ? from.pick([
          '1',
          '-0',
          '12345.678',
          '"text"',
          '"a longer text that takes room on its line"',
          'null',
          'undefined',
          'true',
          '"it\'s"',
          '99n',
          'new Date(86400000)',
          '[]',
          '{}',
        ])
      : from.pick([
          () => `[${list(from, depth).join(', ')}]`,
          () =>
            `{ ${list(from, depth)
              .map((v, i) =>
                `${from.pick(['key', 'a', '"b c"', 'aVeryLongNameOfAKey', 'x'])}${i}: ${v}`.replace(
                  /"b c"(\d)/,
                  '"b c$1"',
                ),
              )
              .join(', ')} }`,
          () =>
            `new Map([${list(from, depth)
              .map((v, i) => `["k${i}", ${v}]`)
              .join(', ')}])`,
          () => `new Set([${list(from, depth).join(', ')}])`,
          () =>
            `Array.from({ length: ${from.below(40)} }, (_, i) => ${from.pick(['i', 'i * i * 7', '"v" + i', '"w".repeat(i % 9)', '[i]', '{ i }'])})`,
        ])() // prettier-ignore
  const list = (r: Random, depth: number) => Array.from({ length: r.below(9) }, () => value(depth + 1))
  it(`are those of Node for random values (seed ${from.seed})`, async () => {
    for (let round = 0; round < amount(3, 100); round++) {
      const expressions = Array.from({ length: 50 }, () => value(0))
      const { here, there } = await shown(expressions)
      const differences = expressions.flatMap((e, i) =>
        here[i] === there[i] ? [] : [`${e}\n--- here\n${here[i]}\n--- Node\n${there[i]}`],
      )
      expect(differences.slice(0, 3)).toEqual([])
    }
  })

  it('follow the directives of console.log', async () => {
    const { printed } =
      await run(`console.log('%s is %d years, %i, %f, %j %o %%', 'Ada', 36.5, 36.5, 1.5, { a: 1 }, [1], 'more', { b: 2 })
console.log('100%', 5); console.log('%s'); console.group('g'); console.log('in\\nside'); console.groupEnd(); console.error('e'); console.table([{ a: 1, b: 'x' }, { a: 2 }]); console.assert(1 === 2, 'no'); console.count(); console.count()`)
    expect(printed).toEqual([
      'Ada is 36.5 years, 36, 1.5, {"a":1} [ 1 ] % more { b: 2 }',
      '100% 5',
      '%s',
      'g',
      '  in\n  side',
      'e',
      "┌─────────┬───┬─────┐\n│ (index) │ a │ b   │\n├─────────┼───┼─────┤\n│ 0       │ 1 │ 'x' │\n│ 1       │ 2 │     │\n└─────────┴───┴─────┘",
      'Assertion failed: no',
      'default: 1',
      'default: 2',
    ]) // prettier-ignore
  })
})

describe('JSON', () => {
  it('is read and written as Node does', () =>
    agree([
      ...[
        '{"a":1}',
        ' [1, 2] ',
        '"x"',
        'null',
        '{"a":{"b":[1.5e3]}}',
        '123456789012345',
        '1e400',
        '-0',
        '{"__proto__":1,"constructor":2}',
      ].map((text) => `JSON.stringify(JSON.parse(${JSON.stringify(text)}))`),
      ...['{', '', 'x', "{'a':1}", '[1,]', '{"a":1}}', 'undefined'].map(
        (text) => `JSON.parse(${JSON.stringify(text)})`,
      ),
      'JSON.stringify({ a: [1, { b: 2 }], c: undefined, d: () => 1, e: null, f: NaN, g: new Date(0) }, null, 2)',
      'JSON.stringify({ a: 1, b: 2 }, ["a"])',
      'JSON.stringify([1, [2]], (k, v) => (typeof v === "number" ? v * 2 : v))',
      'JSON.parse("[1,2]", (k, v) => (typeof v === "number" ? v + 1 : v))',
      'JSON.stringify("\\u2028\\ud800")',
    ])) // prettier-ignore
  it('keeps the digits of integers', async () => {
    const { result } = await run(
      'const x = JSON.parse(\'{"id": 12345678901234567890, "s": "12345678901234567890", "n": [-9007199254740993], "f": 1234567890123456.5}\')\nresult = [JSON.stringify(x), JSON.stringify(x, null, 1).length, typeof x.id, typeof x.s, JSON.stringify({ a: 1n, b: 2 }, ["a"]), x]',
    )
    expect(result).toBe(
      '["{\\"id\\":12345678901234567890,\\"s\\":\\"12345678901234567890\\",\\"n\\":[-9007199254740993],\\"f\\":1234567890123456.5}",119,"bigint","string","{\\"a\\":1}",{"id":12345678901234567890,"s":"12345678901234567890","n":[-9007199254740993],"f":1234567890123456.5}]',
    )
  })
})

describe('languages, currencies and time zones', () => {
  it.each([
    '(1234567.891).toLocaleString()',
    `(1234567.891).toLocaleString('de-DE', { style: 'currency', currency: 'EUR' })`,
    `(0.256).toLocaleString('fr-FR', { style: 'percent', maximumFractionDigits: 1 })`,
    `new Intl.NumberFormat('ja-JP', { style: 'currency', currency: 'JPY' }).format(5000)`,
    `new Intl.NumberFormat('en', { notation: 'compact', compactDisplay: 'long' }).format(123456789)`,
    `new Intl.NumberFormat('en-US', { style: 'unit', unit: 'kilometer-per-hour' }).format(50)`,
    `12345678901234567890n.toLocaleString('en-IN')`,
    `new Date(1709647629000).toLocaleDateString('en-CA')`,
    `new Date(1709647629000).toLocaleDateString('de-DE', { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' })`,
    `new Date(1709647629000).toLocaleTimeString('en-US', { timeZone: 'America/New_York', hour: '2-digit', minute: '2-digit' })`,
    `new Date(1709647629000).toLocaleString('en-GB', { timeZone: 'Europe/Berlin', timeZoneName: 'short' })`,
    'new Date(1709647629000).toLocaleString()',
    `new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'long', timeZone: 'Asia/Tokyo' }).format(new Date(1709647629000))`,
    `new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Stockholm', year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(new Date(1709647629000)).map(p => p.type + p.value).join()`,
    `new Intl.DateTimeFormat('en-US', { hour: 'numeric', hour12: false }).format(new Date(0))`,
    `new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' }).formatRange(new Date(1709647629000), new Date(1709647629000 + 86400000 * 3))`,
    `new Intl.RelativeTimeFormat('de', { numeric: 'auto' }).format(-1, 'day')`,
    `new Intl.RelativeTimeFormat('en', { style: 'short' }).format(3, 'months')`,
    `new Intl.PluralRules('pl').select(3)`,
    `new Intl.PluralRules('en', { type: 'ordinal' }).select(22)`,
    `new Intl.ListFormat('es', { type: 'disjunction' }).format(['a', 'b', 'c'])`,
    `new Intl.DisplayNames(['en'], { type: 'region' }).of('DE')`,
    `new Intl.DisplayNames('en', { type: 'region' }).of('ZZZZ')`,
    `['z', 'ä', 'a', 'Z', 'é', 'e'].sort(new Intl.Collator('sv').compare).join()`,
    `['file10', 'file2', 'File1'].sort((a, b) => a.localeCompare(b, undefined, { numeric: true, sensitivity: 'base' })).join()`,
    `['b_c', 'a', 'B', 'b-c', 'A', 'a b', '1', '10', '2', ''].sort((a, b) => a.localeCompare(b)).join()`,
    `'a'.localeCompare('á', 'en', { sensitivity: 'base' })`,
    `[...new Intl.Segmenter('en', { granularity: 'word' }).segment('Hello, world!')].map(s => s.segment + (s.isWordLike ? '*' : '')).join('|')`,
    `[...new Intl.Segmenter().segment('👨‍👩‍👧é')].length`,
    `new Intl.Locale('zh').maximize().toString()`,
    `new Intl.Locale('en-Latn-US').language`,
    `Intl.getCanonicalLocales('EN-us')[0]`,
    `Intl.supportedValuesOf('currency').includes('EUR')`,
    `Intl.NumberFormat.supportedLocalesOf(['de', 'xx']).join()`,
    `'istanbul'.toLocaleUpperCase('tr')`,
    `new Intl.NumberFormat('en', { style: 'money' })`,
    `new Intl.NumberFormat('en', { style: 'currency' })`,
    `new Intl.NumberFormat('en', { style: 'currency', currency: 'X' })`,
    `new Intl.NumberFormat('not a locale!')`,
    `new Intl.DateTimeFormat('en', { timeZone: 'Mars/Base' })`,
    `new Intl.DateTimeFormat('en').format(NaN)`,
    `(1).toLocaleString('en', { maximumFractionDigits: 200 })`,
    `new Intl.RelativeTimeFormat('en').format(1, 'fortnight')`,
    `new Intl.ListFormat('en').format([1, 2])`,
    `new Intl.DateTimeFormat('en').resolvedOptions().calendar`,
    `[NaN, Infinity, -0, 1e21].map(n => n.toLocaleString()).join(' ')`,
    `[1234.5, new Date(1709647629000), 'x', null].toLocaleString('de-DE')`,
    `new Intl.NumberFormat('en').formatToParts(-1234.5).map(p => p.type).join()`,
    'Object.prototype.toString.call(new Intl.NumberFormat())',
    `new Intl.NumberFormat('en-US').format('12345678901234567.89')`,
    `new Date(1709647629000).toLocaleDateString(undefined, { timeStyle: 'short' })`,
    `new Date(1709647629000).toLocaleDateString('en-US', { hour: '2-digit' })`,
  ])('%s', (expression) => agree([expression]))
})
