// Wall: a run calls only the tools that were reported before it, in both languages. Attacks: a guest that asks for
// more, and programs that try every way to a tool which does not name it. Every called tool is in the report, or the
// run ends as outside-reach and nothing is sent.

import { describe, expect, it } from 'vitest'
import { compile } from '../../dist/interpreter/stages.js'
import { runProgram } from '../../dist/meta-tools/index.js'
import type { RunEnd, Sandbox } from '../../dist/sandbox/index.js'
import { bench, structured } from '../meta-tools/bench.js'
import { random } from '../random.js'

const stats: RunEnd['stats'] = { wallMs: 1, queueMs: 0, runMs: 1, callWaitMs: 0, memoryBytes: 0 }
const call = (member: string) => `{"namespace":"api","member":"${member}","positional":[],"named":{}}`
const tools = {
  read: { annotations: { readOnlyHint: true }, answers: structured({ read: true }) },
  remove: { answers: structured({ removed: true }) },
}

/** Makes the calls whatever the program is, and ends normally. */
function forged(payloads: readonly string[], replies: string[]): Sandbox {
  return {
    async run({ onCall }) {
      for (const [i, payload] of payloads.entries())
        replies.push(await onCall({ id: i + 1, payload, waits: false }, new AbortController().signal))
      return { kind: 'completed', payload: '{"ok":true}', stats }
    },
    isClosed: false,
    async warm() {},
    practise() {},
    async close() {},
  }
}

describe('a guest that asks for more', () => {
  it.each([
    ['starlark', 'result = api.read()'],
    ['javascript', 'api.read()'],
  ] as const)('ends the run, in %s', async (language, program) => {
    const replies: string[] = []
    const sandbox = forged([call('read'), call('remove'), call('read'), `+0-1 ${call('remove')}`], replies)
    const { context, sent } = bench(tools, { sandbox, readsAhead: () => true })
    const run = await runProgram({ text: program, language }, context)
    expect({
      sent: sent.map(({ tool }) => tool),
      calls: run.calls.map(({ tool }) => tool),
      report: run.report,
    }).toEqual({
      sent: ['read'],
      calls: ['read'],
      report: [
        'host error [outside-reach] the program called api.remove, which the check did not find in its text',
        'hint: name the tool where it is called: api.remove(…)',
        'done before this: api.read (safe to repeat)',
      ].join('\n'),
    })
    expect(replies.slice(1)).toEqual([replies[1], replies[1], replies[1]])
  })
})

// Every program reaches a value, keeps a part of it, and gets the tool from that. `T` is the server, `g` the kept part.
/** Ways in which methods of the library produce another tool's name. */
const rewritten = (method: string, of: string): string =>
  `const plain = ${of}.${method}; ${of}.${method} = function (...x) { const s = plain.apply(this, x); return typeof s === 'string' ? s.split('"read"').join('"remove"') : s }`

const js = {
  gets: [
    'g = T',
    'g = T.valueOf()',
    'const { valueOf: v } = T; g = v()',
    'Object.prototype.valueOf = function () { g = this }; -T',
    'Object.prototype.valueOf = function () { g = this; return 1 }; T < 1',
    'Object.prototype.toString = function () { g = this; return "" }; String(T)',
    'Object.prototype.toString = function () { g = this; return "" }; `${T}`',
    'Object.prototype.toString = function () { g = this; return "" }; ({})[T]',
    'Object.prototype[Symbol.toPrimitive] = function () { g = this; return "" }; T + ""',
    'Object.prototype.grab = function () { g = this }; T["gr" + "ab"]()',
    'Object.defineProperty(Object.prototype, "grab", { get() { g = this } }); try { T["gr" + "ab"] } catch {}',
    'Object.hasOwn = (o) => { g = o; return true }; T.read()',
    'Map.prototype.get = function () { g = this; return "read" }; T.read()',
    'WeakMap.prototype.get = function (k) { g = k }; help(T)',
    'WeakMap.prototype.get = function (k) { g = k }; console.log(T)',
    'Array.prototype.find = function () { g = this[3] }; T',
    'Array.prototype.map = function () { g = this[0]; return [] }; console.log(T)',
    'Array.prototype[Symbol.iterator] = function () { g = this[0]; return [].values() }; console.log(T)',
    'Reflect.get = (o) => { g = o }; T.read()',
    'Reflect.apply = (f, o) => { g = o }; T.read()',
    'Function.prototype.call = function (o) { g = o }; T.read()',
    'Function.prototype.apply = function (o) { g = o }; T.read()',
    'Object.freeze = (o) => { g = o }; T.read()',
    'JSON.stringify = (o) => { g = o }; T.read()',
    'Error.prepareStackTrace = (e, frames) => { g = frames[0]?.getThis?.() }; try { T.read(() => 1) } catch (e) { e.stack }',
    'class H { static [Symbol.hasInstance](v) { g = v; return true } }; T instanceof H',
    'const f = T.read; g = f.constructor?.prototype',
    'Function.prototype.grab = function () { g = this }; T.read.grab()',
    'const t = (s) => { g = s[0] }; t`${T}`',
    'for (const k in T) g = T[k]',
    'g = Object.getPrototypeOf(T)',
    'g = new Proxy(T, {})',
    'g = structuredClone',
    'g = Object.create(T)',
    'g = { __proto__: T }',
    'g = (() => T)()',
    'class A { static t = T }; g = A.t',
    'g = [T].at(0)',
    'const d = T, e = d; g = e',
    'function f(d = T) { return d } g = f()',
    'try { T.nope } catch (e) { g = e }',
    'g = globalThis.api ?? this?.api',
    'g = T.read.safe',
    'Object.defineProperty(Object.prototype, "positional", { set(v) { g = v } }); T.read()',
    'const { then } = T; g = then',
    'queueMicrotask(() => { g = T })',
    `${rewritten('concat', 'String.prototype')}; T.read()`,
    `${rewritten('join', 'Array.prototype')}; T.read(["x"])`,
    `${rewritten('slice', 'String.prototype')}; T.read("x")`,
    `${rewritten('replace', 'String.prototype')}; T.read("x")`,
    `${rewritten('stringify', 'JSON')}; T.read("x")`,
    `${rewritten('toString', 'Object.prototype')}; T.read("x")`,
    'label: { g = ({ T }).T; break label }',
  ],
  uses: [
    'g?.remove?.()',
    'g?.["re" + "move"]?.()',
    'typeof g?.remove === "function" ? g.remove() : 0',
    'try { const { remove } = g; remove() } catch {}',
    'for (const x of Object.values(g ?? {})) try { typeof x === "function" && x() } catch {}',
    'try { Reflect.get(Object(g), "remove")?.() } catch {}',
    'g?.[0]?.remove?.()',
  ],
  program: (get: string, use: string) => `let g; ${get.replaceAll(/\bT\b/g, 'api')}; ${use}`,
}

const starlark = {
  gets: [
    'g = T',
    'g = [T][0]',
    'g = {"a": T}["a"]',
    'g = (lambda f=T: f)()',
    'd = T\ng = d',
    'g = T if True else None',
    'for g in [T]: pass',
    '(g := T)',
    'class A:\n  f = T\ng = A.f',
    'class A:\n  def __init__(self, f=T): self.f = f\ng = A().f',
    'match T:\n  case g: pass',
    'match [T]:\n  case [*rest]: g = rest[0]',
    'g = f"{T}"',
    'g = T.read',
    'g = getattr(T, "read")',
    'g = getattr(T, "__self__", T.read)',
    'g = getattr(T.read, "__self__", None)',
    'g = getattr(T.read, "__globals__", {})',
    'g = type(T)',
    'g = T.__class__',
    'try:\n  getattr(T, "no" + "pe")\nexcept AttributeError as e:\n  g = getattr(e, "obj", None)',
    'try:\n  T.read(1, 2, 3)\nexcept Exception as e:\n  g = getattr(e, "args", [None])[0]',
    'import copy\ng = copy.copy(T)',
    'import functools\ng = functools.partial(lambda x: x, T)()',
    'import functools\ng = functools.reduce(lambda a, b: b, [None, T])',
    'import operator\ng = operator.attrgetter("read")(T)',
    'import itertools\ng = list(itertools.repeat(T, 1))[0]',
    'from types import SimpleNamespace\ng = SimpleNamespace(a=T).a',
    'class X:\n  def __eq__(self, o):\n    global kept\n    kept = o\n    return True\nkept = None\nX() == T\ng = kept',
    'class X:\n  def __contains__(self, o):\n    global kept\n    kept = o\n    return True\nkept = None\nT in X()\ng = kept',
    'class X:\n  def __getitem__(self, o): return o\ng = X()[T]',
    'class X:\n  def write(self, o):\n    global kept\n    kept = o\nkept = None\nprint(T, file=X())\ng = kept',
    'str = lambda x: x\ng = str(T)',
    'def bool(x): return x\ng = bool(T)',
    'def deco(f): return T\n@deco\ndef g(): pass',
    'def f(*a, **k): return k["t"]\ng = f(t=T)',
    'def f():\n  yield T\ng = list(f())[0]',
    'g = sorted([T], key=lambda x: 1)[0]',
    'g = max([T], key=lambda x: 1)',
    'g = list(map(lambda x: x, [T]))[0]',
    'from dataclasses import dataclass\n@dataclass\nclass D:\n  t: int\ng = D(T).t',
    'import contextlib\ng = contextlib.nullcontext(T)',
    'g = (T or None) and T',
    'g, h = T, 1',
    'import api as z\ng = z',
  ],
  uses: [
    'g.remove()',
    'getattr(g, "re" + "move")()',
    'g["remove"]()',
    'import operator\noperator.methodcaller("remove")(g)',
    'import operator\noperator.attrgetter("remove")(g)()',
    'type(g).remove(g)',
    'g.__self__.remove()',
    'g.api.remove()',
    'print(f"{g.remove()}")',
    'for n in dir(g):\n  if n == "remove": getattr(g, n)()',
  ],
  program: (get: string, use: string) => {
    const guarded = `try:\n${use.replaceAll(/^/gm, '  ')}\nexcept Exception: pass`
    return `${get.replaceAll(/\bT\b/g, 'api')}\n${guarded}`
  },
}

describe('programs that try', () => {
  it.each([
    ['javascript', js],
    ['starlark', starlark],
  ] as const)('call only reported tools, in %s', async (language, { gets, uses, program }) => {
    const { pick, seed } = random()
    const { context, sent } = bench(tools)
    let ran = 0
    for (const get of gets) {
      // Every one by its name, and two others.
      for (const use of new Set([uses[0]!, pick(uses), pick(uses)])) {
        const text = program(get, use)
        sent.length = 0
        const compiled = compile({ text, language }, { foreign: context.bindings.foreign })
        const run = await runProgram({ text, language }, context)
        const reach = compiled.ok ? compiled.program.reach : { tools: [], widened: [] }
        const isReported = (tool: string) =>
          reach.widened === 'all' || reach.widened.includes('api') || reach.tools.some(({ member }) => member === tool)
        const beyond = sent.map(({ tool }) => tool).filter((tool) => !isReported(tool))
        expect({ seed, text, beyond }).toEqual({ seed, text, beyond: [] })
        if (run.ok) ran++
      }
    }
    // Most of them run to their end, so they are not refused for other reasons.
    expect(ran).toBeGreaterThan(gets.length)
  })
})
