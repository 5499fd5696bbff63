// Rewriting keeps the meaning of a program: random programs run unchanged and rewritten in the same engine, and their
// actions are compared in order. A grammar of expressions, statements and destructuring generates them, with sequences,
// chains and bare heads wherever JavaScript allows them.

import { afterAll, expect, it } from 'vitest'
import { compile } from '../../../dist/interpreter/stages.js'
import { openSandbox } from '../../../dist/sandbox/index.js'
import { amount, type Random, random } from '../../random.js'

const sandbox = openSandbox({ maxWorkers: 1, spareWorkers: 0, limits: { wallMs: 600_000, cpuMs: 300_000 } })
afterAll(() => sandbox.close())

const PRELUDE = `
const show = (x) => {
  if (typeof x === 'function') return 'function'
  if (x instanceof Error) return x.name
  if (x instanceof Promise) return 'promise'
  try { return JSON.stringify(x, (k, v) => typeof v === 'function' ? 'function' : typeof v === 'bigint' ? v + 'n' : v === undefined ? 'undefined' : v) } catch { return 'no JSON' }
}
const log = [], t = (x) => { log.push(show(x)); return x }
class K { static b = K; constructor(...x) { this.x = x; t('new') } get stack() { return t(this.x) } static *[Symbol.iterator]() { yield 8 } }
let a = 1, b = [1, [2], 3], c = { x: 1, y: [4, 5], stack: { b: K, n: 2 } }, d = null, n = 0
const o = { stack: { b: K, c: [6] }, m(...x) { return this === o ? x : t('lost') }, f: (...x) => x, K }
function* g(...x) { yield* x; yield 7 }
const tag = (s, ...x) => [s.raw.length, ...x]
`

interface Place {
  readonly isAsync?: boolean
  readonly isGenerator?: boolean
}

class Grower {
  readonly #r: Random
  readonly #promises: boolean
  #names = 0

  constructor(r: Random, promises: boolean) {
    this.#r = r
    this.#promises = promises
  }

  program(): string {
    const top = this.#promises ? { isAsync: true } : {}
    const statements = Array.from({ length: 6 }, () => this.statement(3, top))
    return `${PRELUDE}${statements.map((s) => `try {\n${s}\n} catch (e) { t(e instanceof Error ? e.name : ['thrown', e]) }`).join('\n')}\nreturn log`
  }

  #name(): string {
    return `v${++this.#names}`
  }

  #one(all: readonly (() => string)[]): string {
    return this.#r.pick(all)()
  }

  statement(depth: number, at: Place): string {
    const e = (): string => this.expression(depth, at)
    const block = (): string => (depth < 1 ? 't(0)' : this.statement(depth - 1, at))
    const lone = (): string =>
      this.#one([
        () => `{ ${block()} }`,
        () =>
          `${this.#r.pick(['[a, c.x] = b', `[a] = (1, [${e()}])`, `t(${e()})`, `c.stack = ${e()}`, `({ x: a } = (1, c))`])};`,
      ])
    const end = this.#r.pick([';', '\n'])
    return this.#one([
      () => `t(${e()})${end}`,
      () => `${this.#bare(depth, at)}${end}`,
      () => `const ${this.#target(depth, at)} = ${this.#assigned(depth, at)}${end}`,
      () =>
        `let ${this.#target(depth, at)} = ${this.#assigned(depth, at)}, ${this.#name()} = ${this.#assigned(depth, at)}${end}`,
      () => `for (const ${this.#target(depth, at)} of ${this.#iterated(depth, at)}) ${lone()}`,
      () =>
        `for (${this.#r.pick(['a', '[a]', '{ x: a }', 'c.x', '[a = (1, 2)]'])} of ${this.#iterated(depth, at)}) ${lone()}`,
      () => `for (const k in ${this.#sequence(depth, at)}) t(k)`,
      () => `for (let [i, ${this.#name()}] = [0, ${this.#assigned(depth, at)}]; i < 2; i++) ${lone()}`,
      () => `if (${this.#sequence(depth, at)}) ${lone()}\nelse ${lone()}`,
      () => this.#labelled(depth, at),
      () => `n = 0; while (n++ < 2) ${lone()}`,
      () => `n = 0; do ${lone()}\nwhile (n++ < 1)`,
      () =>
        `switch (${this.#sequence(depth, at)}) { case ${e()}: ${block()}\ncase 1: ${lone()}\ndefault: [a] = ${this.#iterated(depth, at)} }`,
      () => `try { ${block()} } catch { ${block()} }`,
      () =>
        `try { ${block()}\n throw ${this.#thrown(depth, at)} } catch (${this.#r.pick(['x', '[x]', '{ x, ...y }', '{ x = (1, 2) }'])}) { t(typeof x) } finally { ${block()} }`,
      () => `t((() => { try { return ${e()} } finally { t('finally') } })())`,
      () => this.#function(depth, at),
      () =>
        `class ${this.#name()} extends ${this.#r.pick(['K', '(0, K)', 'o.K', 'o.stack.b', '(t(1), o).K', 'null', '5'])} { ${this.#members(depth)} }`,
      () =>
        at.isAsync
          ? `for await (const ${this.#target(depth, at)} of ${this.#iterated(depth, at)}) ${lone()}`
          : `t(${e()})`,
    ])
  }

  #labelled(depth: number, at: Place): string {
    const label = this.#name()
    const inner = depth < 1 ? 't(0)' : this.statement(depth - 1, at)
    const leave = `${this.#r.pick(['continue', 'break'])} ${label}`
    return `${label}: for (const ${this.#target(depth, at)} of ${this.#iterated(depth, at)}) { ${inner}\n${leave} }`
  }

  /** An expression that is a statement: it begins with what a line before it could be continued by. */
  #bare(depth: number, at: Place): string {
    const e = (): string => this.expression(depth - 1, at)
    return this.#one([
      () => `;[a, c.x] = ${this.#iterated(depth, at)}`,
      () => `;({ x: a, ...c.z } = ${this.#assigned(depth, at)})`,
      () => `;(${this.#sequence(depth, at)})`,
      () => `a = b\n;[${e()}].map((x) => t(x))`,
      () => (this.#promises ? `t(a)\nasync () => ${e()}, t(1)` : `t(a)\n;(() => ${e()}, t(1))`),
      () => `c.x ??= ${e()}`,
      () => `t(delete c.${this.#r.pick(['x', 'y', 'stack'])})`,
      () =>
        `${this.#r.pick(['c.x', 'a', 'b[0]', 'c.stack.n', 'c["stack"].n'])}${this.#r.pick(['++', '--', ' += 1', ' ||= 5'])}`,
      () => `c.stack = ${e()}`,
      () => `void ${e()}`,
    ])
  }

  #function(depth: number, at: Place): string {
    const name = this.#name()
    const isAsync = this.#promises && this.#r.chance(0.6)
    const isGenerator = !isAsync && this.#r.chance(0.4)
    const inner: Place = { isAsync, isGenerator }
    const params = this.#r.pick([
      '',
      'x',
      'x, y = (1, t(2))',
      '{ x }',
      '[x, ...y]',
      '...x',
      '{ x: [y] = [(1, 2)] } = {}',
    ])
    const given = this.#r.pick(['', '1', 'c, 2', '[1]', '{ x: [3] }', 'null', 'b'])
    const body = depth < 1 ? 't(1)' : this.statement(depth - 1, inner)
    const ends = this.#r.pick(['', `return ${this.expression(depth - 1, inner)}`, 'return (1, 2)'])
    const call = `${name}(${given})`
    const used = isGenerator
      ? `t([...${call}])`
      : isAsync && at.isAsync
        ? `t(await ${call})`
        : isAsync
          ? `${call}.catch(() => t('rejected'))`
          : `t(${call})`
    return `${isAsync ? 'async ' : ''}function${isGenerator ? '*' : ''} ${name}(${params}) { ${body}\n${ends} }\n${used}`
  }

  #members(depth: number): string {
    const e = (): string => this.expression(depth - 1, {})
    return [
      this.#r.pick(['', `x = ${e()};`, `static x = ${e()}\n`]),
      this.#r.pick(['', `get stack() { return ${e()} }`, `['m' + ${this.#r.below(9)}]() { return super.m }`]),
      this.#promises
        ? this.#r.pick([
            '',
            `async m() { return ${this.expression(depth - 1, { isAsync: true })} }`,
            `static async m() { return await (1, 2) }`,
          ])
        : '',
      this.#r.pick(['', `static { t((${e()}, 1)) }`]),
    ].join(' ')
  }

  #target(depth: number, at: Place): string {
    const name = (): string => this.#name()
    const fallback = (): string => `(${this.expression(depth - 2, at)}, ${this.expression(depth - 2, at)})`
    return this.#one([
      name,
      () => `[${name()}, ${name()} = ${fallback()}]`,
      () => `{ x: ${name()}, ...${name()} }`,
      () => `{ ['x']: [${name()}] = ${fallback()} }`,
      () => `[, ...${name()}]`,
      () => `[[${name()}] = [1], { y: ${name()} } = ${fallback()}]`,
      () => '[]',
      () => '{}',
    ])
  }

  #assigned(depth: number, at: Place): string {
    return this.#one([
      () => this.#sequence(depth, at),
      () => this.#iterated(depth, at),
      () => 'c',
      () => `a = ${this.expression(depth - 1, at)}`,
    ])
  }

  #sequence(depth: number, at: Place): string {
    return `(${this.expression(depth - 1, at)}, ${this.expression(depth - 1, at)})`
  }

  /** Mostly something that can be gone over. */
  #iterated(depth: number, at: Place): string {
    const e = (): string => this.expression(depth - 1, at)
    return this.#one([
      () => '([7], [2, 3])',
      () => `(t(1), [${e()}, [${e()}], { x: ${e()} }])`,
      () => `[${e()}, [${e()}]]`,
      () => `g(${e()})`,
      () => 'b',
      () => 'K',
      () => '"xy"',
      () => `o.m([${e()}], { x: 2 })`,
      () => `(${e()} ? [[1]] : b)`,
      () => `[...(${e()}, [1, [2]])]`,
      () => (at.isAsync ? `await (t(1), [[${e()}]])` : '[[1]]'),
      () => 'd',
      e,
    ])
  }

  #thrown(depth: number, at: Place): string {
    return this.#one([
      () => '"text"',
      () => '{ x: 1 }',
      () => '[1]',
      () => `(1, { x: ${this.expression(depth - 1, at)} })`,
      () => 'new K',
      () => '1 + 1',
      () => '`${1}`',
    ])
  }

  expression(depth: number, at: Place): string {
    if (depth <= 0)
      return this.#r.pick(['1', '"s"', 'a', 'b', 'c', 'd', 'null', 'undefined', 't(2)', 'K', '[]', '({})'])
    const e = (): string => this.expression(depth - 1, at)
    const inner = (place: Place): string => this.expression(depth - 1, place)
    return this.#one([
      e,
      () => this.#sequence(depth, at),
      () => `[${e()}, ...${this.#iterated(depth, at)}]`,
      () => `[...(${e()}, ${this.#iterated(depth - 1, at)})]`,
      () => `({ x: ${e()}, ...${e()}, m() { return ${inner({})} } })`,
      () => `Math.max(...${this.#iterated(depth, at)})`,
      () => `(${e()} ? ${e()} : ${e()})`,
      () => `(${e()} ${this.#r.pick(['+', '===', '&&', '||', '<', ','])} ${e()})`,
      () => `(${e()} ?? ${e()})`,
      () => `(${this.#r.pick(['!', 'typeof ', 'void ', '-'])}${this.#sequence(depth, at)})`,
      () => `(a = ${e()})`,
      () => `([a, c.x = ${e()}] = ${this.#iterated(depth, at)})`,
      () => `({ x: a, stack: c.y } = ${this.#assigned(depth, at)})`,
      () => `(${e()}, o).stack`,
      () => `o.stack.${this.#r.pick(['b', 'c', 'd'])}`,
      () => `o.stack?.c?.[0]`,
      () => `d?.stack.b.c`,
      () => `c?.stack.n`,
      () => `new o.stack.b(${e()})`,
      () => 'new o.stack.b',
      () => 'new (o.stack.b)',
      () => `new (t(1), o).stack.b(${e()})`,
      () => 'new K',
      () => 'new o.K().stack',
      () => 'new new Array(K)[0]',
      () => `new (class extends (${e()}, K) {})`,
      () => `o.m(${e()}, ...${this.#iterated(depth, at)})`,
      () => `o["stack"]["c"].at(-1)`,
      () => `o?.m?.(${e()})`,
      () => `tag\`\${${e()}} \${(${e()}, 2)}\``,
      () => `\`\${${this.#sequence(depth, at)}}\``,
      () => `((x, [y] = ${this.#iterated(depth, {})}) => (x, y))(${e()})`,
      () => `(() => ({ x: ${inner({})} }))()`,
      () => `((...x) => { return ${inner({})}\n })(${e()})`,
      () => `(function () { return typeof this + arguments.length + new.target })(${e()})`,
      () =>
        `[...(function* () { const x = yield ${inner({ isGenerator: true })}; yield* (${inner({ isGenerator: true })}, [1, x]) })()]`,
      () => `(() => { throw ${this.#thrown(depth, {})} })()`,
      () => (at.isGenerator ? `(yield* (${e()}, ${this.#iterated(depth - 1, at)}))` : e()),
      () => (at.isGenerator ? `(yield ${e()})` : e()),
      () => (at.isAsync ? `(await ${this.#sequence(depth, at)})` : e()),
      () =>
        at.isAsync
          ? `(await (async (x${this.#r.pick([', { y } = {}', ' = (1, 2)', ', ...[y]', ''])}) => (${inner({ isAsync: true })}, x))(${e()}))`
          : e(),
      () => (at.isAsync ? `(await (async () => ({ x: ${inner({ isAsync: true })} }))())` : e()),
      () =>
        at.isAsync
          ? `(await ({ async m([x]) { return (t(x), await ${inner({ isAsync: true })}) } }).m(${this.#iterated(depth, at)}).catch(() => 'caught'))`
          : e(),
      () => (at.isAsync ? `(await new Promise((resolve) => resolve(${inner({})})))` : e()),
    ])
  }
}

/** The actions of the program in order, or its failure. */
async function did(code: string): Promise<unknown> {
  const probe = compile({ text: '1', language: 'javascript' }, {})
  if (!probe.ok) throw new Error('the probe is no program')
  const end = await sandbox.run({ image: probe.program.image, code, onCall: () => '' })
  if (end.kind !== 'completed') return end.kind
  const { ok, result, error } = JSON.parse(end.payload) as Ended
  return ok ? JSON.parse(result.json) : error.kind
}

interface Ended {
  readonly ok: boolean
  readonly result: { readonly json: string }
  readonly error: { readonly kind: string }
}

it.each([
  ['without promises', false],
  ['with promises', true],
])('random programs mean the same rewritten, %s', { timeout: 600_000 }, async (_, promises) => {
  const r = random()
  let compared = 0
  const rounds = amount(60, 5_000)
  for (let i = 0; i < rounds; i++) {
    const text = new Grower(r, promises).program()
    const compiled = compile({ text, language: 'javascript' }, { unchecked: true })
    if (!compiled.ok) continue
    const plain = `$starbind({}, [], ${promises}, function () {"use strict"; return ${promises ? 'async ' : ''}function () {\n${text}\n}})`
    const expected = await did(plain)
    const own = text.slice(PRELUDE.length)
    expect({ seed: r.seed, own, did: await did(compiled.program.code) }).toEqual({ seed: r.seed, own, did: expected })
    if (Array.isArray(expected)) compared++
  }
  expect(compared).toBeGreaterThan(rounds / 4)
})
