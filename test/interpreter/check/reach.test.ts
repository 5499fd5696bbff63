// The reach of programs against their calls: random programs pass servers and tools around in every way, and each
// called tool must be in the reach that was computed before the run. A failure prints the seed.

import { afterAll, expect, it } from 'vitest'
import { bindServers } from '../../../dist/bindings/index.js'
import { compile } from '../../../dist/interpreter/stages.js'
import { openSandbox } from '../../../dist/sandbox/index.js'
import { amount, random as newRandom } from '../../random.js'

const ROUNDS = amount(200, 10_000)
// All the time there is: no program here is to end by it.
const sandbox = openSandbox({ limits: { wallMs: 600_000, cpuMs: 300_000 } })
afterAll(() => sandbox.close())

const inputSchema = { type: 'object' }
const tools = ['read', 'write', 'find'].map((name) => ({ name, inputSchema }))
const bindings = bindServers([
  { name: 'one', tools },
  { name: 'two', tools },
])

const TOOLS = tools.map(({ name }) => [name, name])
const NAMES = `J${JSON.stringify([
  ['one', 'one', TOOLS],
  ['two', 'two', TOOLS],
])}` as const

/** Statements that make something that leads to a server out of something that does, as `g`. */
const WAYS = [
  'g = one',
  'g = g',
  'h = g\ng = h',
  'g, h = two, one',
  '[g] = [two]',
  'g = {"k": one}["k"]',
  'g = [two, one][-1]',
  'g = (lambda: two)()',
  'g = (lambda x=one: x)()',
  'def give():\n    return two\ng = give()',
  'def take(x):\n    return x\ng = take(g)',
  'g = one if True else two',
  'g = None or two',
  'for g in [one, two]:\n    pass',
  'g = [s for s in (one, two)][1]',
  'import two as g',
  'import one\ng = one',
  'class Box:\n    s = two\ng = Box.s',
  'class Keep:\n    def __init__(self, s):\n        self.s = s\ng = Keep(one).s',
  'if (w := two):\n    g = w',
  'g: object = one',
  'try:\n    raise ValueError(two)\nexcept ValueError as e:\n    g = e.args[0]',
  'def outer():\n    global g\n    g = two\nouter()',
  'g = dict(s=one).get("s")',
  'g = next(iter([two]))',
  'import functools\ng = functools.partial(lambda s: s, one)()',
  'def gen():\n    yield two\ng = list(gen())[0]',
  'g = max([one], key=lambda s: 1)',
  'match two:\n    case g:\n        pass',
  'match [one, two]:\n    case [_, g]:\n        pass',
  'match {"s": one}:\n    case {"s": g} | [g]:\n        pass',
  'match one, two:\n    case (*_, g):\n        pass',
  'match 1:\n    case 1 if (g := two):\n        pass',
  'g = runtime.servers["one"]',
  'n = "o" + "ne"\ng = runtime.servers[n]',
  'import mcp.runtime as rt\nrt = rt\ng = rt.servers.two',
]
const CALLS = [
  'g.read()',
  'g.write()',
  'getattr(g, "find")()',
  'getattr(g, "re" + "ad")()',
  'f = g.find\nf()',
  'g.read.safe()',
  '[t for t in [g.write]][0]()',
  'for t in (g.read, g.find):\n    t()',
  '{"t": g.write}["t"]()',
  'list(map(lambda t: t(), [g.find]))',
  'from one import write as w1\nw1()',
  'def late():\n    return g.find()\nlate()',
  'import operator\noperator.attrgetter("write")(g)()',
  'import operator\noperator.methodcaller("find")(g)',
  '(lambda s: s.write())(g)',
  'name = dir(g)[0]\ngetattr(g, name)()',
  'two.find(**{"a": one.read()})',
  'f"{one.write()}"',
  'print(hasattr(g, "read"), type(g), g)',
  'runtime.call("one", "read")',
  'runtime.servers["two"].write()',
  'runtime.servers.one["find"]()',
  'c = runtime.call\nc("two", "find", {})',
]

it('the reported reach includes every call of a run', async () => {
  const random = newRandom()
  const { seed } = random
  let called = 0
  let exact = 0
  const failed: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const ways = Array.from({ length: random.below(3) }, () => random.pick(WAYS))
    const calls = Array.from({ length: 1 + random.below(2) }, () => random.pick(CALLS))
    const code = ['g = two', ...ways, ...calls].join('\n')
    const compiled = compile({ text: code, language: 'starlark' }, { foreign: bindings.foreign })
    if (!compiled.ok) {
      failed.push(`${compiled.diagnostics[0]!.message}\n${code}`)
      continue
    }
    const { reach } = compiled.program
    const beyond: string[] = []
    const end = await sandbox.run({
      image: compiled.program.image,
      code: compiled.program.code,
      sourceBytes: code.length,
      onPrint: () => {},
      onCall: ({ payload }) => {
        const { namespace, member } = JSON.parse(payload) as { namespace: string; member: string }
        if (namespace === 'runtime') return member === 'names' ? NAMES : 'Jnull'
        called++
        const isSaid =
          reach.widened === 'all' ||
          reach.widened.includes(namespace) ||
          reach.tools.some((tool) => tool.namespace === namespace && tool.member === member)
        if (!isSaid) beyond.push(`${namespace}.${member}`)
        return 'J[]'
      },
    })
    if (end.kind !== 'completed') failed.push(`${end.kind}\n${code}`)
    if (reach.widened.length === 0) exact++
    expect({ seed, round, code, beyond }).toEqual({ seed, round, code, beyond: [] })
  }
  // Programs that do not run show nothing.
  expect(failed).toEqual([])
  expect(called).toBeGreaterThan(ROUNDS / 2)
  // And the answer is not always "anything".
  expect(exact).toBeGreaterThan(ROUNDS / 40)
})
