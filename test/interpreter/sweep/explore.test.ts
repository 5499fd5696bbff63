import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { compile, explainThrow, readOutcome } from '../../../dist/interpreter/stages.js'
import { renderDiagnostics } from '../../../dist/diagnostics/index.js'
import { openSandbox, type Sandbox } from '../../../dist/sandbox/index.js'
import { callsOf, named, oddValues, programOf, topics } from './program.js'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await openSandbox({ limits: { wallMs: 600_000, cpuMs: 60_000, printedBytes: 16 * 2 ** 20, printedLines: 200_000, sourceBytes: 4 * 2 ** 20, memoryBytes: 512 * 2**20 } })
})
afterAll(() => sandbox.close())
const pairs = process.env.PAIRS === '1'
const only = process.env.TOPIC
it.each(topics().filter((t) => !only || only.split(',').includes(t)))('%s', async (topic) => {
  const calls = callsOf(topic, pairs)
  if (calls.length === 0) return
  const t0 = Date.now()
  const py = spawnSync('python3', [path.join(import.meta.dirname, 'python.py')], { input: programOf(calls), encoding: 'utf8', maxBuffer: 2 ** 28, env: { ...process.env, TZ: 'UTC' }, timeout: 120_000 })
  if (py.status !== 0) { console.log(py.stdout.slice(-200)); throw new Error('python: ' + py.stderr.slice(-500)) }
  const theirs = py.stdout.trimEnd().split('\n')
  const t1 = Date.now()
  const ours = new Map<string, string>()
  const ends: string[] = []
  let rest = calls.map((c, i) => ({ ...c, i }))
  for (let round = 0; round < 60 && rest.length > 0; round++) {
    const text = programOf(rest)
    const compiled = compile({ text, language: 'starlark' }, {} as never)
    if (!compiled.ok) throw new Error(renderDiagnostics(compiled.diagnostics, text))
    let printed = ''
    const end = await sandbox.run({ image: compiled.program.image, code: compiled.program.code, onCall: () => Promise.reject(new Error('no')), onPrint: (p) => { printed += p + '\n' } })
    let last: [number, string] = [0, '']
    for (const line of printed.trimEnd().split('\n')) {
      const m = /^(\d+) (\[.*?\]): (.*)$/.exec(line)
      if (!m) { if (line !== '') ends.push('odd line ' + line); continue }
      last = [Number(m[1]), m[2]!]
      if (rest[Number(m[1])] === undefined) { ends.push('odd ' + line); continue }
      ours.set(`${rest[Number(m[1])]!.i} ${m[2]}`, m[3]!)
    }
    const outcome = end.kind === 'completed' ? readOutcome(compiled.program, end.payload) : undefined
    if (outcome?.ok) break
    const why = outcome && !outcome.ok ? outcome.diagnostic.code + ' ' + outcome.diagnostic.message : end.kind === 'threw' ? explainThrow(compiled.program, end).message : JSON.stringify({ ...end }).slice(0, 200)
    // the one after the last
    const flat = rest.flatMap((c, k) => c.values.map((v) => [k, `[${v.join(', ')}]`, v] as const))
    const at = flat.findIndex(([k, v]) => k === last[0] && v === last[1]) + 1
    const bad = flat[at]
    if (!bad) { ends.push('END? ' + why); break }
    ends.push(`ENDS ${rest[bad[0]]!.text} | ${named(bad[2])} : ${why}`)
    ours.set(`${rest[bad[0]]!.i} ${bad[1]}`, 'ENDS')
    rest = rest.slice(bad[0]).map((c, k) => (k === 0 ? { ...c, values: c.values.slice(c.values.indexOf(bad[2]) + 1) } : c)).filter((c) => c.values.length > 0)
  }
  const t2 = Date.now()
  const out: string[] = [...ends]
  let total = 0, differ = 0
  for (const line of theirs) {
    const m = /^(\d+) (\[.*?\]): (.*)$/.exec(line)!
    total++
    const mine = ours.get(`${m[1]} ${m[2]}`)
    if (mine === m[3]) continue
    differ++
    out.push(`${calls[Number(m[1])]!.text} | ${(JSON.parse(m[2]!) as number[]).map((i) => oddValues[i]).join(' ; ')}\n    py ${m[3]}\n    us ${mine}`)
  }
  writeFileSync(`/tmp/sweep18/${pairs ? 'pairs-' : ''}${topic}.txt`, out.join('\n') + '\n')
  console.log(`${topic}: ${total} expressions, ${differ} differ, ${ends.length} ends, python ${t1 - t0} ms, ours ${t2 - t1} ms`)
})
