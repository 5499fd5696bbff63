// Random programs that wait at random calls, some of them in another process' place of the same ledger: they make the
// same calls and end the same as the program that never waits.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { type ApprovalRule, CodeMode, type RunResult } from '../../dist/index.js'
import { amount, type Random, random, usualSeed } from '../random.js'
import { tracker } from './tracker.js'

const folder = mkdtempSync(path.join(tmpdir(), 'starbind-pauses-'))
afterAll(() => rmSync(folder, { recursive: true }))

const TOOLS = ['get', 'label', 'close', 'fails', 'list'] as const

/** Statements of Starlark: loops, handlers, functions, calls together. */
function starlark(r: Random, depth: number): string[] {
  const call = () => {
    const tool = r.pick(TOOLS)
    return `issues.${tool}(${tool === 'list' ? '' : `number=${r.below(5)}`})`
  }
  const inner = () => indented(depth > 0 ? starlark(r, depth - 1) : [call()])
  switch (r.below(7)) {
    case 0:
      return [`for i in range(${1 + r.below(3)}):`, ...inner()]
    case 1:
      return [
        'try:',
        ...inner(),
        'except Exception as e:',
        '    print("caught", type(e).__name__)',
        ...indented([call()]),
      ]
    case 2:
      return [`if len(str(seen)) % 2 == ${r.below(2)}:`, ...inner()]
    case 3:
      return [
        `seen.append(parallel([lambda: ${call()}, lambda: ${call()}, lambda: ${call()}], return_errors=True)[${r.below(3)}].ok)`,
      ]
    case 4:
      return [`print(${JSON.stringify(r.pick(['a', 'b', 'c']))}, len(seen))`]
    default:
      return [`seen.append(${call()})`]
  }
}

function javascript(r: Random, depth: number): string[] {
  const call = () => {
    const tool = r.pick(TOOLS)
    return `issues.${tool}(${tool === 'list' ? '' : `{ number: ${r.below(5)} }`})`
  }
  const inner = () => indented(depth > 0 ? javascript(r, depth - 1) : [`await ${call()}`])
  switch (r.below(5)) {
    case 0:
      return [`for (let i = 0; i < ${1 + r.below(3)}; i++) {`, ...inner(), '}']
    case 1:
      return ['try {', ...inner(), '} catch (e) {', '  console.log("caught", e.name)', '}']
    case 2:
      return [`seen.push((await Promise.allSettled([${call()}, ${call()}, ${call()}])).map((one) => one.status))`]
    default:
      return [`seen.push(await ${call()})`]
  }
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `    ${line}`)
}

function program(r: Random, language: 'starlark' | 'javascript'): string {
  const write = language === 'starlark' ? starlark : javascript
  const lines = Array.from({ length: 2 + r.below(4) }, () => write(r, 2)).flat()
  return [
    language === 'starlark' ? 'seen = []' : 'const seen = []',
    ...lines,
    language === 'starlark' ? 'result = seen' : 'seen',
  ].join('\n')
}

const outcome = ({ ok, result, error, logs }: RunResult) => ({ ok, result, logs, error: error?.message })

it.each(['starlark', 'javascript'] as const)(
  `programs in %s behave the same with and without pauses (seed ${usualSeed})`,
  async (language) => {
    const r = random()
    const plain = tracker()
    const asking = tracker()
    await using usual = await CodeMode.open({ servers: plain.servers, language, readAhead: language === 'starlark' })
    const rules: ApprovalRule[] = [['issues/close'], 'writes', 'always', ['issues/get', 'issues/label']]
    const openAsking = (state: string | false) =>
      CodeMode.open({ servers: asking.servers, language, state, warm: false })
    await using inMemory = await openAsking(false)
    // What one of these leaves, the other goes on with.
    await using one = await openAsking(path.join(folder, language))
    await using other = await openAsking(path.join(folder, language))
    for (let n = 0; n < amount(24, 3000); n++) {
      const code = program(r, language)
      const approve = r.pick(rules)
      plain.calls.length = 0
      asking.calls.length = 0
      const expected = outcome(await usual.run(code, { readAhead: false }))
      const places = (r.chance(0.2) ? [one, other] : [inMemory]).map((codeMode) => codeMode.session({ approve }))
      const onApproval = () => (r.chance(0.5) ? 'once' : 'pause')
      let run = await places[0]!.run(code, { onApproval })
      while (run.paused !== undefined) {
        const { runId } = run.paused
        places.reverse()
        await places[0]!.runs.approve(runId)
        run = await places[0]!.resume(runId, { onApproval })
      }
      const told = `${code}\n\nasks: ${approve}`
      expect(outcome(run), told).toEqual(expected)
      // What is underway together may be sent in any order.
      const isTogether = code.includes('parallel') || code.includes('Promise')
      const [made, meant] = [asking, plain].map(({ calls }) => calls.filter(writes))
      expect(isTogether ? made!.sort() : made, told).toEqual(isTogether ? meant!.sort() : meant)
    }
  },
)

/** What only reads may have been read ahead in vain. */
function writes(call: string): boolean {
  return /^(close|label)/.test(call)
}
