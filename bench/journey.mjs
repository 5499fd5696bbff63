// The whole way of calls and runs through the library: wall time and processor time of the whole process, starbind's
// threads included. Each part has a process of its own. A server over stdio is the SDK's own, and so is the client that
// it is compared with, in turns with ours. `node bench/journey.mjs` prints the part about calls alone.

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'
import { CodeMode } from '../dist/bundle/index.js'
import { geometricMean, inTurns, median, megabytes, milliseconds, residentBytes, spread } from './measure.mjs'
import { textTable } from './report.mjs'

const self = fileURLToPath(import.meta.url)
/** Programs beside this repository. */
const PROGRAMS = fileURLToPath(new URL('../../shared/bench/', import.meta.url))
const numbers = { a: z.int(), b: z.int() }
const reads = { readOnlyHint: true }
const LONG = { wallMs: 300_000, cpuMs: 300_000 }

export async function journey({ quick = false } = {}) {
  const tables = [callsTable(partOf('calls', quick)), startsTable(quick), wordsTable(quick)]
  return {
    title: 'The whole way',
    intro: [
      'Calls and runs as users of the library pay for them: authorised, checked against the schema, recorded, counted and ' +
        'watched. The tools are a function of this process and a server over stdio. Processor time is that of all ' +
        'threads, V8’s own included.',
    ],
    tables: tables.filter((table) => table !== undefined),
    facts: {},
  }
}

/** What a part of this file has measured in a process of its own. */
function partOf(part, quick, ...more) {
  const args = [self, part, String(quick), ...more]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }))
}

function callsTable({ rows, bytes }) {
  return {
    caption: 'Calls and runs, each',
    columns: ['', 'time', 'processor time', 'of the SDK’s client'],
    rows: [
      ...rows.map(({ what, wall, cpu, ratio }) => [
        what,
        shown(wall),
        shown(cpu),
        ratio === undefined ? '' : ratio.toFixed(2),
      ]),
      ['memory at the end', megabytes(bytes), '', ''],
    ],
    note:
      'Medians of five rounds in one process, which V8 optimises meanwhile; the first 1,000 calls are the first that the ' +
      'process makes. The memory is that of the process, with the SDK’s client in it. One program calls a tool that ' +
      'answers at once: the table does not show a tool that takes time, or several callers.',
  }
}

function shown(ms) {
  const { median: middle, low, high } = spread(ms)
  return ms.length < 3 ? milliseconds(middle) : `${milliseconds(middle)} (${milliseconds(low)}–${milliseconds(high)})`
}

/** The programs' first and tenth runs, each in a process of its own; undefined if the programs are missing. */
function startsTable(quick) {
  if (!existsSync(PROGRAMS)) return undefined
  const files = readdirSync(PROGRAMS).filter((file) => /^b0[1-7].*\.star$/.test(file))
  const times = (quick ? files.slice(0, 1) : files).map((file) => ({
    name: path.basename(file, '.star'),
    cold: partOf('starts', quick, path.join(PROGRAMS, file), 'true'),
    runs: partOf('starts', quick, path.join(PROGRAMS, file), 'run'),
  }))
  const ratios = times.map(({ runs }) => runs[0] / runs.at(-1))
  return {
    caption: 'The first run of a process against its tenth',
    columns: ['', 'first', 'first, warmed up', 'tenth', 'ratio'],
    rows: [
      ...times.map(({ name, cold, runs }, i) => [
        `\`${name}\``,
        milliseconds(cold[0]),
        milliseconds(runs[0]),
        milliseconds(runs.at(-1)),
        ratios[i].toFixed(2),
      ]),
      ['geometric mean', '', '', '', geometricMean(ratios).toFixed(2)],
    ],
    note:
      'The time in the guest alone: starting the process, its threads and reading the program are in “cold start to first result” of the engines. ' +
      'The engine’s code is compiled when it first runs, which short programs notice most. A second passes before the first program, ' +
      'in which idle threads practise with a small one; with `warm: "run"`, as `serve` opens starbind, that one takes the whole way. ' +
      'The ratio is that of the warmed first run to the tenth. One run of each.',
  }
}

const COUNTED = {
  'counts.get(word, 0) + 1':
    'counts = {}\nfor word in text.split():\n    counts[word] = counts.get(word, 0) + 1\nresult = len(counts)',
  'if word in counts':
    'counts = {}\nfor word in text.split():\n    if word in counts:\n        counts[word] += 1\n    else:\n        counts[word] = 1\nresult = len(counts)',
  'Counter(text.split())': 'from collections import Counter\nresult = len(Counter(text.split()))',
}

/** Words counted in starbind and CPython; undefined without CPython. */
function wordsTable(quick) {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-words-'))
  const file = path.join(folder, 'words.txt')
  try {
    writeFileSync(file, wordsOf(quick ? 50_000 : 5_000_000))
    const rows = partOf('words', quick, file)
    if (rows.length === 0) return undefined
    return {
      caption: 'Words of 5 MB of text counted, 119,000 of them distinct, processor time',
      columns: ['', 'starbind', 'CPython', 'ratio'],
      rows: rows.map(([name, ours, theirs]) => [
        `\`${name}\``,
        shown(ours),
        shown(theirs),
        (median(ours) / median(theirs)).toFixed(1),
      ]),
      note:
        'starbind gets the text from a tool, CPython from a file, in turns. The table does not show programs that ' +
        'do something else with words.',
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Words of three or four letters and digits. */
function wordsOf(bytes) {
  const words = []
  for (let i = 0, length = 0; length < bytes; i++) {
    const word = ((i * 7919 + ((i * i) % 101)) % 119_000).toString(26).padStart(3, 'z')
    words.push(i % 12 === 11 ? `${word}\n` : word)
    length += word.length + 1
  }
  return words.join(' ')
}

const python = (file, code) => `import time
began = time.process_time()
text = open(${JSON.stringify(file)}).read()
${code}
print((time.process_time() - began) * 1000)`

async function countWords(quick, file) {
  if (spawnSync('python3', ['--version']).status !== 0) return []
  const text = readFileSync(file, 'utf8')
  const codeMode = await CodeMode.open({
    servers: { files: { inProcess: { read: { annotations: reads, call: () => text } } } },
    limits: { ...LONG, responseBytes: 8_000_000, memoryBytes: 400 * 2 ** 20 },
  })
  const run = runOf(codeMode)
  const rows = []
  for (const [name, code] of Object.entries(COUNTED)) {
    const ours = () => cpuOf(() => run(`text = files.read()\n${code}`))
    const theirs = () => Number(execFileSync('python3', ['-c', python(file, code)], { encoding: 'utf8' }))
    rows.push([name, ...(await inTurns(quick ? 1 : 3, [ours, theirs]))])
  }
  await codeMode.close()
  return rows
}

async function cpuOf(act) {
  const began = process.cpuUsage()
  await act()
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}

async function tenRuns(quick, file, warm) {
  const codeMode = await CodeMode.open({ limits: LONG, warm: warm === 'run' ? 'run' : true })
  await new Promise((resolve) => setTimeout(resolve, 1000))
  const times = []
  for (let i = 0; i < (quick ? 2 : 10); i++) {
    const { ok, error, stats } = await codeMode.run(readFileSync(file, 'utf8'))
    if (!ok) throw new Error(error.message)
    times.push(stats.runMs)
  }
  await codeMode.close()
  return times
}

async function serveAdder() {
  const server = new McpServer({ name: 'adder', version: '1.0.0' })
  server.registerTool('add', { inputSchema: numbers, annotations: reads }, ({ a, b }) => ({
    content: [{ type: 'text', text: JSON.stringify({ sum: a + b }) }],
  }))
  await server.connect(new StdioServerTransport())
}

function runOf(codeMode) {
  return async (code) => {
    const { ok, error } = await codeMode.run(code)
    if (!ok) throw new Error(error.message)
  }
}

async function measureCalls(quick) {
  const inProcess = {
    add: { inputSchema: z.object(numbers), annotations: reads, call: ({ a, b }) => ({ sum: a + b }) },
  }
  const started = { command: process.execPath, args: [self, 'serve'] }
  const codeMode = await CodeMode.open({
    servers: { here: { inProcess }, apart: started },
    limits: { toolCalls: 100_000, ...LONG },
  })
  const client = new Client({ name: 'bench', version: '1.0.0' })
  await client.connect(new StdioClientTransport(started))
  const run = runOf(codeMode)
  const [rounds, small, many] = quick ? [1, 20, 20] : [5, 2000, 10_000]

  const rows = []
  const note = (what, taken, ratio) => rows.push({ what, ...taken, ratio })
  const perUnit = async (units, act, times = rounds) => (await measured(times, units, [act]))[0]
  note('function, the first 1,000 calls', await perUnit(1000, () => run(inSequence('here', 1000)), 1))
  note('function, in sequence', await perUnit(many, () => run(inSequence('here', many))))
  note('function, read ahead', await perUnit(many, () => run(ahead('here', many))))
  const direct = async () => {
    for (let i = 0; i < small; i++) await client.callTool({ name: 'add', arguments: { a: i, b: 1 } })
  }
  const [sdk, seq, early] = await measured(rounds, small, [
    direct,
    () => run(inSequence('apart', small)),
    () => run(ahead('apart', small)),
  ])
  const ofSdk = ({ wall }) => median(wall) / median(sdk.wall)
  note('stdio, the SDK’s client', sdk)
  note('stdio, in a program, in sequence', seq, ofSdk(seq))
  note('stdio, in a program, read ahead', early, ofSdk(early))
  const [trivial, atOnce] = quick ? [5, 5] : [400, 200]
  note('trivial run, warm', await perUnit(trivial, () => times(trivial, () => run('result = 1'))))
  const together = () => Promise.all(Array.from({ length: atOnce }, () => run('result = 1')))
  note('trivial run, 200 at once', await perUnit(atOnce, together))
  const bytes = residentBytes()
  await client.close()
  await codeMode.close()
  return { rows, bytes }
}

function inSequence(server, n) {
  return `t = 0\nfor i in range(${n}):\n    r = ${server}.add(a=i, b=1)\n    t = t + r["sum"] if t < 10**9 else 0\nresult = t`
}

function ahead(server, n) {
  return `rows = [${server}.add(a=i, b=1) for i in range(${n})]\nresult = sum(r["sum"] for r in rows)`
}

async function times(n, act) {
  for (let i = 0; i < n; i++) await act()
}

/** What one unit of each act takes, in every round, in milliseconds. */
async function measured(rounds, units, acts) {
  const taken = await inTurns(
    rounds,
    acts.map((act) => async () => {
      const began = performance.now()
      const cpu = await cpuOf(act)
      return { wall: (performance.now() - began) / units, cpu: cpu / units }
    }),
  )
  return taken.map((all) => ({ wall: all.map(({ wall }) => wall), cpu: all.map(({ cpu }) => cpu) }))
}

const PARTS = { calls: measureCalls, starts: tenRuns, words: countWords }

if (process.argv[1] === self) {
  const [part, quick, ...more] = process.argv.slice(2)
  if (part === 'serve') await serveAdder()
  else if (part === undefined) console.log(textTable(callsTable(await measureCalls(false))))
  else console.log(JSON.stringify(await PARTS[part](quick === 'true', ...more)))
}
