// Servers with the name of a module, a builtin or a global: each has a name that programs can use in both languages. A
// program that uses the server's own name means the tool, or is refused with the right name.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CodeMode } from '../../dist/index.js'
import { globalNamesIn } from '../../dist/interpreter/javascript/globals.js'
import { takenNames } from '../../dist/interpreter/taken-names.js'
import { universeOf } from '../../dist/interpreter/universe.js'
import { amount, usualSeed } from '../random.js'

const tool = { current_time: { call: () => 'now', inputSchema: { type: 'object', properties: {} } } }
// Names that nothing here means, although they mean something elsewhere.
const names = [...takenNames, 'eval', 'fetch', 'process', 'require', 'requests'].sort()
const fold = (name: string) => name.replaceAll('_', '').toLowerCase()
// JavaScript's other style finds a name that is the only one of its kind.
const rounds = [0, 1].map((round) =>
  names.filter((name, i) => (names.slice(0, i).some((one) => fold(one) === fold(name)) ? 1 : 0) === round),
)
const every = amount(8, 1)
const tried = names.filter((_, i) => (i + usualSeed) % every === 0)
const modes = new Map<string, CodeMode>()

beforeAll(async () => {
  for (const round of rounds) {
    const servers = Object.fromEntries(round.map((name) => [name, { inProcess: tool }]))
    const codeMode = await CodeMode.open({ servers, warm: false })
    for (const name of round) modes.set(name, codeMode)
  }
})
afterAll(async () => {
  for (const codeMode of new Set(modes.values())) await codeMode.close()
})

const guestName = (name: string) =>
  modes
    .get(name)!
    .session()
    .bindings()
    .find(({ server }) => server === name)!.name

it('the list contains every name of the languages', () => {
  const starlark = (['default', 'strict'] as const).flatMap((dialect) => [...universeOf(dialect).names])
  const all = new Set([
    ...starlark.map((name) => name.split('.')[0]!),
    ...globalNamesIn({ random: true, input: false, memory: false }),
    'result',
  ])
  // Many have a server called `memory`: it keeps its name, and hides the module.
  all.delete('memory')
  expect([...takenNames].sort()).toEqual([...all].sort())
  for (const name of takenNames) expect(guestName(name)).toBe(`${name}_`)
})

describe.each(['starlark', 'javascript'] as const)('in %s', (language) => {
  const print = language === 'starlark' ? 'print' : 'console.log'

  it('every server is reached by the name that its stub has', async () => {
    for (const name of tried) {
      const own = guestName(name)
      const checked = await modes.get(name)!.check(`${print}(${own}.current_time())`, { language })
      expect(checked, name).toMatchObject({ ok: true, reach: { tools: [{ namespace: own, member: 'current_time' }] } })
    }
  })

  it('a server’s own name reaches it, or is refused with the right name', async () => {
    const heads = language === 'starlark' ? ['', 'import NAME\n', 'from NAME import current_time\n'] : ['']
    for (const name of tried)
      for (const head of heads) {
        const call = head.startsWith('from') ? 'current_time()' : `${name}.current_time()`
        const checked = await modes.get(name)!.check(`${head.replace('NAME', name)}${print}(${call})`, { language })
        const tools = checked.ok ? checked.reach.tools.map(({ namespace }) => fold(namespace)) : [fold(name)]
        expect(tools, head + name).toEqual([fold(name)])
        if (checked.ok) continue
        const text = JSON.stringify(checked.diagnostics)
        const isWord = /^(None|True|False|enum|eval|super)$/.test(name)
        expect(isWord || text.includes(guestName(name)), `${head}${name}: ${text}`).toBe(true)
      }
  })
})

it('a program can use a module and a server of the same name', async () => {
  const codeMode = modes.get('time')!
  const ran = await codeMode.run('import time\ntime.sleep(0)\nprint(time_.current_time())')
  expect([ran.error?.message, ran.logs]).toEqual([undefined, ['now']])
  const script = await codeMode.run('console.log(Math.max(1, 2), Math_.current_time(), JSON.stringify([1]))', {
    language: 'javascript',
  })
  expect([script.error, script.logs]).toEqual([null, ['2 now [1]']])
  expect((await codeMode.run('import time\nprint(time.current_time())')).error).toMatchObject({
    code: 'not-in-module',
    message: 'time has no current_time: the server time is called time_ here, because time is a name of the language',
    hint: 'write time_.current_time(…)',
  })
})
