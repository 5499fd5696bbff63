// Scale: the throughput of a machine, and the growth of cost with cores, callers, servers and tools. Measurements that
// would disturb each other run in processes of their own: node scale.mjs child QUESTION ARGUMENT.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { CodeMode } from '../dist/bundle/index.js'
import { connectHttp, started, upstreamEntry } from './callers.mjs'
import { median, megabytes, milliseconds, residentBytes, rounded, timed } from './measure.mjs'
import { range, sentence } from './tokens/making.mjs'

const self = fileURLToPath(import.meta.url)
const starbind = fileURLToPath(new URL('../dist/main.js', import.meta.url))

export async function scale({ quick = false } = {}) {
  const seconds = quick ? 0.2 : 2
  return {
    title: 'Scale',
    intro: ['How cost grows. Each row has a process of its own; the last column shows the cost of the step.'],
    tables: [
      coresTable(seconds),
      await callersTable(quick ? [1, 4] : [1, 4, 16, 64], seconds),
      growthTable('servers', quick ? [1, 10] : [1, 10, 50, 200], seconds),
      growthTable('tools', quick ? [10, 100] : [10, 100, 1000, 10_000], seconds),
    ],
    facts: {},
  }
}

function ask(question, argument, seconds, prefix = []) {
  const [program, ...args] = [...prefix, process.execPath, self, 'child', question, String(argument), String(seconds)]
  const text = execFileSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1 << 20,
  })
  return JSON.parse(text.trim().split('\n').at(-1))
}

// Cores.

function coresTable(seconds) {
  const pins = spawnSync('taskset', ['--version']).status === 0
  const most = availableParallelism()
  const counts = range(Math.ceil(Math.log2(most)) + 1).map((i) => Math.min(2 ** i, most))
  const rows = []
  let first
  for (const cores of pins ? counts : [most]) {
    const pinned = pins ? ['taskset', '-c', `0-${cores - 1}`] : []
    const { trivial, computing } = ask('cores', cores, seconds, pinned)
    first ??= { cores, computing, trivial }
    const against = (now, then) => (now / then / (cores / first.cores)).toFixed(2)
    rows.push([
      String(cores),
      rounded(trivial),
      rounded(computing),
      `${against(trivial, first.trivial)}, ${against(computing, first.computing)}`,
    ])
  }
  return {
    caption: 'Runs a second, by cores',
    columns: ['cores', 'trivial runs', 'runs that compute fib(18)', 'part of the ideal'],
    rows,
    note:
      '32 runs are underway at any time, in one process that is held to its cores. The process has one event loop, so ' +
      `trivial runs grow less than cores do.${pins ? '' : ' There is no taskset here, so only all cores are measured.'} The ` +
      'table does not show machines with more cores than this one.',
  }
}

const fib = 'def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\nresult = fib(18)'

async function cores(_count, seconds) {
  const codeMode = await CodeMode.open()
  const perSecond = async (code) => {
    await inFlight(codeMode, code, 32, seconds / 4)
    return inFlight(codeMode, code, 32, seconds)
  }
  const measured = { trivial: await perSecond('result = 1'), computing: await perSecond(fib) }
  await codeMode.close()
  return measured
}

/** Runs per second with `width` of them underway. */
async function inFlight(codeMode, code, width, seconds) {
  const end = performance.now() + seconds * 1000
  let done = 0
  const worker = async () => {
    while (performance.now() < end) {
      const { ok, error } = await codeMode.run(code)
      if (!ok) throw new Error(error.message)
      done++
    }
  }
  const ms = await timed(() => Promise.all(range(width).map(worker)))
  return (done * 1000) / ms
}

// Callers.

async function callersTable(counts, seconds) {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-scale-'))
  try {
    const file = path.join(folder, 'starbind.json')
    writeFileSync(file, JSON.stringify({ mcpServers: { counter: upstreamEntry } }))
    const served = await started([starbind, 'serve', '--http', '--port', '0', '--config', file, '--no-state'], 'stderr')
    const rows = []
    let before
    for (const count of counts) {
      const measured = await callersAt(served, count, seconds)
      const growth = before === undefined ? '' : `${(measured.perSecond / before.perSecond).toFixed(2)} times the runs`
      rows.push([
        String(count),
        rounded(measured.perSecond),
        milliseconds(measured.median),
        milliseconds(measured.late),
        megabytes(residentBytes(served.pid)),
        growth,
      ])
      before = measured
    }
    await served.stop()
    return {
      caption: 'Callers of one `starbind serve` over HTTP',
      columns: ['callers', 'runs a second', 'answer, median', '99th percentile', 'memory of the server', 'growth'],
      rows,
      note:
        'Each caller sends the next program when the last is answered; a program calls one tool of a server over stdio, ' +
        'which answers at once. The callers run on the same machine and take their part of it. Where cores are used up, ' +
        'runs a second stay and answers take longer, each caller in fair turns. The table does not show a network.',
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function callersAt({ url }, count, seconds) {
  const clients = await Promise.all(range(count).map(() => connectHttp(url)))
  const times = []
  const callOnce = async (client, i) => {
    const code = `result = counter.next(value=${i})["value"]`
    const { isError, content } = await client.callTool({ name: 'executeToolCode', arguments: { code } })
    if (isError) throw new Error(content[0].text)
  }
  await Promise.all(clients.map(callOnce))
  const end = performance.now() + seconds * 1000
  const ms = await timed(() =>
    Promise.all(
      clients.map(async (client, i) => {
        while (performance.now() < end) times.push(await timed(() => callOnce(client, i)))
      }),
    ),
  )
  await Promise.all(clients.map((client) => client.close()))
  times.sort((a, b) => a - b)
  return { perSecond: (times.length * 1000) / ms, median: median(times), late: times[Math.floor(times.length * 0.99)] }
}

// Servers and tools.

const MEASURES = {
  open: 'opening',
  list: 'listing',
  firstSearch: 'first search',
  search: 'search',
  stub: 'a server’s stubs',
  docs: 'one tool’s docs',
  check: 'check',
  firstRun: 'first run',
  run: 'warm run, one call',
}

function growthTable(what, counts, seconds) {
  const all = counts.map((count) => ask(what, count, seconds))
  const [before, last] = all.slice(-2)
  const growth = (key) => `${rounded(last[key] / before[key])}×`
  const row = ([key, label]) => [label, ...all.map((one) => milliseconds(one[key])), growth(key)]
  const step = rounded(counts.at(-1) / counts.at(-2))
  return {
    caption: what === 'tools' ? 'Tools, a hundred in each server' : 'Servers of ten tools each',
    columns: ['', ...counts.map((count) => `${rounded(count)} ${what}`), `growth, last step (${step}×)`],
    rows: [
      ...Object.entries(MEASURES).map(row),
      ['memory', ...all.map(({ memory }) => megabytes(memory)), growth('memory')],
    ],
    note:
      `Work that has to look at every one of the ${what} (opening, listing, making the index of the search) may grow as ` +
      'they do; a run, a stub and the docs of one tool must not. Servers are objects of this process, so the table does ' +
      'not show how long processes take to start, and definitions are made up, with five parameters each.',
    chart: {
      name: `scale-${what}`,
      kind: 'lines',
      title: `Milliseconds, by the number of ${what}`,
      points: counts.map(rounded),
      across: what,
      unit: ' ms',
      series: Object.entries(MEASURES).map(([key, name]) => ({ name, values: all.map((one) => one[key]) })),
    },
  }
}

function toolsOf(server, count) {
  const one = (i) => {
    const properties = Object.fromEntries(
      range(5).map((j) => [
        `${sentence(i + j, 1).toLowerCase()}_${j}`,
        { type: ['string', 'integer'][j % 2], description: sentence(i * j, 8) },
      ]),
    )
    const tool = {
      description: `${sentence(server * 31 + i, 12)}.`,
      inputSchema: { type: 'object', properties },
      annotations: { readOnlyHint: true },
      call: () => ({ server, tool: i, rows: range(3) }),
    }
    return [
      `${sentence(server + i * 3, 2)
        .toLowerCase()
        .replaceAll(' ', '_')}_${i}`,
      tool,
    ]
  }
  return Object.fromEntries(range(count).map(one))
}

async function growing(servers, each, seconds) {
  const entries = range(servers).map((i) => [`server${i}`, { inProcess: toolsOf(i, each) }])
  const rounds = seconds < 1 ? 3 : 15
  const before = residentBytes()
  let codeMode
  const open = await timed(async () => {
    codeMode = await CodeMode.open({ servers: Object.fromEntries(entries) })
  })
  const last = `server${servers - 1}`
  const tool = Object.keys(entries.at(-1)[1].inProcess).at(-1)
  const code = (i) => `r = ${last}.${tool}()\nresult = r["tool"] + ${i}`
  const answered = async (answer) => {
    const { isError, text } = await answer
    if (isError) throw new Error(text)
  }
  const ran = async (i) => {
    const { ok, error } = await codeMode.run(code(i))
    if (!ok) throw new Error(error.message)
  }
  const often = async (act) => {
    const times = []
    for (let i = 0; i < rounds; i++) times.push(await timed(() => act(i)))
    return median(times)
  }
  const measured = {
    open,
    firstRun: await timed(() => ran(-1)),
    firstSearch: await timed(() => answered(codeMode.listToolFiles({ query: 'reset password' }))),
    list: await often(() => answered(codeMode.listToolFiles())),
    search: await often((i) => answered(codeMode.listToolFiles({ query: sentence(i, 3) }))),
    stub: await often(() => answered(codeMode.readToolFile({ fileName: `servers/${last}.pyi` }))),
    docs: await often(() => answered(codeMode.getToolDocs({ server: last, tool }))),
    check: await often((i) => codeMode.check(code(i))),
    run: await often(ran),
    memory: residentBytes() - before,
  }
  await codeMode.close()
  return measured
}

const questions = {
  cores,
  servers: (count, seconds) => growing(count, 10, seconds),
  tools: (count, seconds) => growing(Math.ceil(count / 100), Math.min(count, 100), seconds),
}

if (process.argv[1] === self) {
  const [question, argument, seconds] = process.argv.slice(3)
  console.log(JSON.stringify(await questions[question](Number(argument), Number(seconds))))
  process.exit(0)
}
