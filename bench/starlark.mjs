// The speed of compiled Starlark: the benchmark programs in a warm worker of the real sandbox, in turns with other
// implementations.
//
//   node bench/starlark.mjs [--folder DIR] [--rounds N] [--go PATH] [--python PATH] [--default] [program…]
//
// --go is a program that takes a file, runs it a few times in one process and prints the milliseconds of each run on
// one line; --python is an interpreter. The time of a run is what the engine itself takes: without compiling, starting
// a process or waiting for a worker. Each figure is the minimum of all rounds, because other processes can only add
// time. `tool` makes its values inside the guest. Run it after a build. Exit status 1 when a checksum is wrong.

import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const dist = process.env.TESTED_DIST ?? path.join(root, 'dist')
const load = (file) => import(pathToFileURL(path.join(dist, file)).href)

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: 'string', default: path.join(root, '../shared/bench') },
    rounds: { type: 'string', default: '7' },
    go: { type: 'string' },
    python: { type: 'string' },
    default: { type: 'boolean', default: false },
  },
})
/** The number of runs of a program in each round, the same as for the others in one process. */
const RUNS = 5
/** The programs of the geometric mean. */
const JUDGED = /^b0[1-7]/

const TOOL = `(p) => {
  const names = ['open', 'closed', 'pending', 'merged']
  const tool = (x) => ({
    id: x, name: 'item-' + x, active: x % 3 !== 0, score: p.float(x * 1.5), count: (x * 7) % 1000, status: names[x % 4],
    tags: ['a', 'b', 't' + (x % 10)], owner: { login: 'user' + (x % 50), level: x % 5 }, created: '2024-01-01T00:00:00Z', note: null,
  })
  const signature = { name: 'tool', n: 1, parameters: ['x'], positional: 1, positionalOnly: 0, required: [true], argsSlot: -1, kwargsSlot: -1, builtin: true }
  return { predeclared: { tool: p.define(tool, signature) }, modules: {} }
}`

const PYTHON = `
import json, sys, time
def tool(x):
    return {"id": x, "name": "item-" + str(x), "active": x % 3 != 0, "score": x * 1.5, "count": x * 7 % 1000,
            "status": ["open", "closed", "pending", "merged"][x % 4], "tags": ["a", "b", "t" + str(x % 10)],
            "owner": {"login": "user" + str(x % 50), "level": x % 5}, "created": "2024-01-01T00:00:00Z", "note": None}
class Json:
    encode = staticmethod(lambda x: json.dumps(x, separators=(",", ":")))
    decode = staticmethod(json.loads)
code = compile(open(sys.argv[1]).read(), sys.argv[1], "exec")
times = []
for _ in range(5):
    env = {"tool": tool, "json": Json}
    start = time.perf_counter()
    exec(code, env)
    times.append((time.perf_counter() - start) * 1000)
print(*times)
`

if (!existsSync(options.folder)) {
  console.log(`no programs in ${options.folder}: give their folder with --folder`)
  process.exit(2)
}

const { compile, explainThrow, readOutcome } = await load('interpreter/stages.js')
const { openSandbox } = await load('sandbox/index.js')
const expected = expectations(path.join(options.folder, 'BASELINE.md'))
const sandbox = openSandbox({ spareWorkers: 0, limits: { wallMs: 60_000, cpuMs: 60_000 } })
const programs = readdirSync(options.folder)
  .filter((f) => f.endsWith('.star') && (positionals.length === 0 || positionals.some((p) => f.startsWith(p))))
  .sort()
  .map(prepare)

for (let round = 0; round < Number(options.rounds); round++) {
  for (const p of programs) {
    for (let i = 0; i < RUNS; i++) p.ours = Math.min(p.ours, await runOnce(p))
    if (options.go !== undefined) p.go = Math.min(p.go, elsewhere(options.go, [p.file]))
    if (options.python !== undefined) p.python = Math.min(p.python, elsewhere(options.python, ['-c', PYTHON, p.file]))
  }
}
await sandbox.close()
print()

/** The expected results, from the table beside the programs. */
function expectations(file) {
  const found = new Map()
  if (!existsSync(file)) return found
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const row = /^\| `([bx]\d+_\w+)`[^|]*\| `(.*)` \|$/.exec(line)
    if (row) found.set(row[1], row[2])
  }
  return found
}

function prepare(name) {
  const file = path.join(options.folder, name)
  const text = readFileSync(file, 'utf8')
  const extension = { name: 'bench', source: TOOL, predeclared: ['tool'], modules: {} }
  const compileOnce = () =>
    compile({ text, language: 'starlark' }, { dialect: { strict: !options.default }, extension })
  const { ok, program } = compileOnce()
  if (!ok) throw new Error(`${name} does not compile`)
  let compileMs = Infinity
  for (let i = 0; i < 40; i++) {
    const start = performance.now()
    compileOnce()
    compileMs = Math.min(compileMs, performance.now() - start)
  }
  const id = path.basename(name, '.star')
  return {
    id,
    file,
    program,
    compileMs,
    lines: text.split('\n').length,
    ours: Infinity,
    go: Infinity,
    python: Infinity,
  }
}

async function runOnce(p) {
  const end = await sandbox.run({ image: p.program.image, code: p.program.code, onCall: () => '' })
  if (end.kind !== 'completed') {
    throw new Error(`${p.id}: ${end.kind === 'threw' ? explainThrow(p.program, end).message : (end.limit ?? end.kind)}`)
  }
  const outcome = readOutcome(p.program, end.payload)
  const text = outcome.ok ? outcome.result?.text : outcome.diagnostic.message
  if (expected.has(p.id) && !options.default && text !== expected.get(p.id)) {
    console.log(`${p.id}: result ${text}, want ${expected.get(p.id)}`)
    process.exitCode = 1
  }
  return end.stats.runMs
}

/** The minimum time that another implementation prints; infinite if it can't run the program. */
function elsewhere(command, args) {
  try {
    const out = execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    const times = out.trim().split(/\s+/).map(Number)
    return times.some(Number.isNaN) ? Infinity : Math.min(...times)
  } catch {
    return Infinity
  }
}

function print() {
  const ms = (t) => (Number.isFinite(t) ? t.toFixed(1) : '-').padStart(8)
  const ratio = (a, b) => (Number.isFinite(b) ? (a / b).toFixed(2) : '-').padStart(8)
  const head = ['ours', 'go', 'python', 'ours/go', 'ours/py', 'compile'].map((h) => h.padStart(8)).join('')
  console.log(`${'program, ms'.padEnd(18)}${head}`)
  for (const p of programs)
    console.log(
      `${p.id.padEnd(18)}${ms(p.ours)}${ms(p.go)}${ms(p.python)}${ratio(p.ours, p.go)}${ratio(p.ours, p.python)}${p.compileMs.toFixed(2).padStart(8)}`,
    )
  for (const other of ['go', 'python']) {
    const judged = programs.filter((p) => JUDGED.test(p.id) && Number.isFinite(p[other]))
    if (judged.length === 0) continue
    const mean = Math.exp(judged.reduce((sum, p) => sum + Math.log(p.ours / p[other]), 0) / judged.length)
    const worst = Math.max(...judged.map((p) => p.ours / p[other]))
    console.log(`b01 to b07 against ${other}: geometric mean ${mean.toFixed(2)}, worst ${worst.toFixed(2)}`)
  }
  const lines = programs.reduce((sum, p) => sum + p.lines, 0)
  const compileMs = programs.reduce((sum, p) => sum + p.compileMs, 0)
  console.log(`compiling, warm: ${((compileMs * 100) / lines).toFixed(2)} ms per 100 lines`)
}
