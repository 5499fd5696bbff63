// The same random programs under CPython and under starbind. A failure names the seed; STARBIND_SEED gives another one.

import { spawnSync } from 'node:child_process'
import { afterAll, describe, expect, it } from 'vitest'
import { compile, explainThrow, readOutcome } from '../../../dist/interpreter/stages.js'
import { openSandbox } from '../../../dist/sandbox/index.js'
import { amount, random, usualSeed } from '../../random.js'
import { randomProgram } from './random-program.js'

const seed = usualSeed
const rounds = amount(40, 5_000)

/**
 * Runs programs one after the other in namespaces of their own; answers what each bound to `result`, or the name of
 * what it raised.
 */
const PYTHON = `
import json, sys
out = []
for text in json.load(sys.stdin):
    space = {}
    try:
        exec(compile(text, "program", "exec"), space)
        result = space["result"]
        out.append({"repr": repr(result), "json": json.dumps(result, separators=(",", ":"), ensure_ascii=False)})
    except Exception as e:
        out.append({"error": type(e).__name__})
json.dump(out, sys.stdout)
`
type Answer =
  | { readonly repr: string; readonly json: string }
  | { readonly error: string }
  /** Before it ran. */
  | { readonly refused: string }

const havePython = spawnSync('python3', ['-c', 'print(1)']).status === 0
if (!havePython) console.warn('differential.test.ts: no python3, skipped')

/**
 * What of an answer counts. Whatever fails under CPython may fail here before it runs; strict mode has failures of its
 * own names and writes JSON alike.
 */
function told(answer: Answer, wanted: Answer, strict: boolean): object {
  if ('refused' in answer) return 'error' in wanted ? told(wanted, wanted, strict) : answer
  if ('error' in answer) return strict ? { fails: true } : answer
  return strict ? { json: answer.json } : answer
}

describe.skipIf(!havePython)(`random programs with seed ${seed}`, () => {
  const sandbox = openSandbox({ maxWorkers: 2, spareWorkers: 0, limits: { wallMs: 600_000, cpuMs: 300_000 } })
  afterAll(() => sandbox.close())

  async function run(text: string, strict: boolean): Promise<Answer> {
    const compiled = compile({ text, language: 'starlark' }, { dialect: { strict } })
    if (!compiled.ok) return { refused: compiled.diagnostics.map((d) => d.message).join('; ') }
    const { program } = compiled
    const end = await sandbox.run({ image: program.image, code: program.code, onCall: () => '' })
    const outcome =
      end.kind === 'completed'
        ? readOutcome(program, end.payload)
        : end.kind === 'threw'
          ? ({ ok: false, diagnostic: explainThrow(program, end) } as const)
          : undefined
    if (outcome === undefined) throw new Error(`ended by ${JSON.stringify(end)}`)
    if (outcome.ok) return { repr: outcome.result?.text ?? '', json: outcome.result?.json ?? '' }
    if (outcome.diagnostic.class !== 'program error') throw new Error(outcome.diagnostic.message)
    return { error: outcome.diagnostic.message.replace(/:.*$/s, '') }
  }

  it.each([
    ['the default dialect', false],
    ['strict mode', true],
  ])('give the same under %s as under CPython', async (_, strict) => {
    const { below } = random(seed)
    const programs = Array.from({ length: rounds }, () => randomProgram(below, !strict))
    const python = spawnSync('python3', ['-W', 'ignore', '-c', PYTHON], {
      input: JSON.stringify(programs),
      encoding: 'utf8',
    })
    expect(python.stderr).toBe('')
    const answers = JSON.parse(python.stdout) as Answer[]
    for (const [i, text] of programs.entries()) {
      const wanted = answers[i]!
      const got = await run(text, strict).catch((error: Error) => ({ error: error.message }))
      expect({ seed, text, ...told(got, wanted, strict) }).toEqual({ seed, text, ...told(wanted, wanted, strict) })
    }
    // Most programs must get to their end, or nothing is compared.
    expect(answers.filter((a) => 'repr' in a).length).toBeGreaterThan(rounds / 3)
  })
})
