// Random calls of `console.log` and its relatives, as JavaScript: plain data, collections, classes and rare things,
// nested, long, circular.

import type { Random } from '../../random.js'

const KEYS = [
  'a',
  'id',
  'name',
  "'a long key'",
  "'x-y'",
  '$d',
  "'é'",
  "'0'",
  "'12'",
  '_p',
  'veryLongPropertyNameIndeed',
  "'日本'",
  'a1',
]

const TEXTS = [
  '',
  'a',
  'hello',
  "it's",
  'say "hi"',
  'both \' and "',
  'line\nbreak',
  'tab\t',
  'back\\slash',
  '\u0001',
  '日本語テキスト',
  '😀',
  "`${'",
  'a fairly long text that goes on and on',
  'x'.repeat(70),
  'one line\nand another line that is long enough to be split up over lines',
]

const PLAIN = [
  '-0',
  'NaN',
  'Infinity',
  '12345n',
  'true',
  'null',
  'undefined',
  "Symbol('s')",
  'Symbol()',
  '1e21',
  '123456789.125',
  '1e-7',
  'new Date(1e12)',
  'new Date(NaN)',
  '/a+b/gi',
  '7',
  '42.5',
  "'w'",
  "'words'",
]

const FUNCTIONS = [
  '() => 1',
  'function f() {}',
  'class A {}',
  'class B extends Array {}',
  'class {}',
  'async () => 1',
  'function* g() {}',
  'async function h() {}',
  'Math.max',
  'parseInt',
  'Map',
  'Object.assign(() => 1, { a: 1 })',
  'Object.assign(function f() {}, { b: [1] })',
  '({ m() {} }).m',
  'class C { static x = 1 }',
  '({ get a() { return 1 } })',
  '({ set a(v) {} })',
  '({ get a() { return 1 }, set a(v) {} })',
  'async function* ag() {}',
]

/** Rare values that are not plain data. */
const RARE = [
  'new Number(3)',
  "new String('abc')",
  'new Boolean(false)',
  'Object(1n)',
  "Object(Symbol('q'))",
  'new WeakMap()',
  'new WeakSet()',
  'Object.freeze({ a: 1 })',
  'new ArrayBuffer(4)',
  'new DataView(new ArrayBuffer(2))',
  '[1, 2][Symbol.iterator]()',
  "'ab'[Symbol.iterator]()",
  "'aXbX'.matchAll(/X/g)",
  '(function* () {})()',
  'Math',
  'JSON',
  'globalThis.undefined',
  "'a1b2'.match(/(?<l>[a-z])(?<d>\\d)/)",
  "'a1b2'.match(/\\d/g)",
  'new Error("e").message',
  'Object.create({ inherited: 1 })',
  'Object.create(Date.prototype)',
  'Object.create(Array.prototype)',
  '(function () { return this })',
  'new Proxy({ a: 1 }, {})',
  'new Proxy([1, 2], {})',
  'Reflect',
  '[,]',
  '[undefined, , null]',
  '({ [Symbol.toStringTag]: "Tagged", a: 1 })',
  'new (class Foo { get [Symbol.toStringTag]() { return "Bar" } })()',
  '({ [Symbol("k")]: 1 })',
  '({ "__proto__x": 1, ["__proto__"]: 2 })',
  'Symbol.iterator',
  '(() => { const o = { a: 1 }; o.self = o; return o })()',
  '(() => { const o = { a: { b: {} } }; o.a.b.c = o.a; o.top = o; return o })()',
  '(() => { const m = new Map(); m.set("me", m); return m })()',
  '(() => { const a = [1]; a.push(a, [a]); return a })()',
  'Object.defineProperty({ a: 1 }, "hidden", { value: 2 })',
  'new Array(3).fill()',
  '[[]]',
  '[{}]',
  '({ a: {} })',
  '({ a: [] })',
  '({ a: { b: { c: { d: 1 } } } })',
  '[[[[1]]]]',
  '[[[[]]]]',
  '({ a: { b: { c: {} } } })',
  '({ f() {}, g: () => {}, h: class {} })',
  '[class Q {}, () => {}]',
  'new Map([[{ a: 1 }, new Set([1])]])',
  'new (class X { #p = 1; q = 2 })()',
  'new (class X { #p = 1 })()',
  'new (class extends Set {})([1])',
  'new (class Temp extends Error { constructor() { super("t"); this.stack = "s" } })().message',
  'Object.create(class K { m() {} }.prototype)',
  'Object.create(null)',
  'new (class K { constructor() { this.constructor = 5 } })()',
  'new URL("https://a.example/p?q=1").href',
  'Int8Array.of(1, 2, 3)',
  'new BigInt64Array(2)',
  'Object.assign(Object.create({ constructor: undefined }), { z: 1 })',
]

const FORMATS = ['%s', '%d', '%i', '%f', '%O', '%c', '%%', '%x', 'a %s b %d', '%s %s', '100%', '%5d', '%s%']

export class RandomCalls {
  readonly #from: Random

  constructor(from: Random) {
    this.#from = from
  }

  call(): string {
    const { below, pick, chance } = this.#from
    if (chance(0.8)) return `console.log(${this.#list(4, 1 + below(3))})`
    if (chance(0.6)) return `console.log('${pick(FORMATS)}${pick(['', ' tail', ' %s'])}'${this.#formatted(below(4))})`
    return `console.table(${this.#table()})`
  }

  /** No functions among them: their texts are each engine's own. */
  #formatted(count: number): string {
    const { below } = this.#from
    const kinds = [() => this.#plain(), () => `[${this.#list(1, below(4))}]`, () => this.#record(1)]
    return Array.from({ length: count }, () => `, ${kinds[below(3)]!()}`).join('')
  }

  #list(depth: number, length: number): string {
    return Array.from({ length }, () => this.#value(depth)).join(', ')
  }

  #plain(): string {
    const { pick, chance } = this.#from
    return chance(0.3) ? JSON.stringify(pick(TEXTS)) : pick(PLAIN)
  }

  #record(depth: number): string {
    const { pick } = this.#from
    const keys = [...new Set(Array.from({ length: pick([0, 1, 2, 3, 4, 5, 8]) }, () => pick(KEYS)))]
    return `({ ${keys.map((key) => `${key}: ${this.#value(depth)}`).join(', ')} })`
  }

  #value(depth: number): string {
    const { below, pick, chance } = this.#from
    if (depth <= 0 || chance(0.35)) return this.#plain()
    const inner = depth - 1
    const some = (): string => this.#list(inner, pick([0, 1, 2, 3, 4, 6, 7, 8, 12, 27]))
    const kinds: (() => string)[] = [
      () => `[${some()}]`,
      () => `[${some()}]`,
      () => this.#record(inner),
      () => this.#record(inner),
      () => this.#record(inner),
      () =>
        `new Map([${Array.from({ length: below(5) }, () => `[${this.#plain()}, ${this.#value(inner)}]`).join(', ')}])`,
      () => `new Set([${some()}])`,
      () => `Array.from({ length: ${below(130)} }, (_, i) => ${pick(ELEMENTS)})`,
      () => `new Uint8Array([${Array.from({ length: below(20) }, () => below(256)).join(', ')}])`,
      () => `Object.assign([${some()}], { extra: ${this.#plain()} })`,
      () => `Object.assign(Object.create(null), ${this.#record(inner)})`,
      () =>
        `Object.assign(new (class ${pick(['A', 'Point', 'LongClassNameForTesting'])} {})(), ${this.#record(inner)})`,
      () => `new (class extends Map {})([[1, ${this.#value(inner)}]])`,
      () => pick(FUNCTIONS),
      () => pick(RARE),
    ]
    return pick(kinds)()
  }

  #table(): string {
    const { below, pick } = this.#from
    const rows = (row: () => string): string => `[${Array.from({ length: below(4) }, row).join(', ')}]`
    const kinds: (() => string)[] = [
      () => rows(() => `{ a: ${this.#plain()}, b: ${this.#value(2)} }`),
      () => rows(() => this.#plain()),
      () => `[[1, ${this.#plain()}], [${this.#plain()}, 2, 3]]`,
      () => `({ x: { a: 1 }, y: { b: ${this.#plain()} } })`,
      () => `new Map([['a', ${this.#plain()}], ['b', { c: 1 }]])`,
      () => `new Set([1, ${this.#plain()}])`,
      () => pick(TABLES),
    ]
    return pick(kinds)()
  }
}

const ELEMENTS = [
  'i',
  'i * 37 % 1000',
  "'k' + i",
  'i % 3 ? i : -i',
  '({ i })',
  "'x'.repeat(i % 7)",
  'i / 4',
  'BigInt(i)',
  '[i]',
  'i % 2 === 0',
  'null',
  "i % 5 ? i : 's'",
]

const TABLES = [
  "[{ a: 1, b: 2 }, { a: 3, c: 4 }], ['a', 'c']",
  "[{ a: 1 }], ['z']",
  "'text'",
  '[]',
  '({})',
  "({ a: 1, b: 'x' })",
  '[{ a: { b: 1 } }, 5]',
  "[{ 'é日': '日本' }]",
]
