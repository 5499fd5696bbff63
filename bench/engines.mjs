// Engines side by side: the same tasks in starbind and in others, in turns.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { findEngines, start, textOf } from './engines/engines.mjs'
import { geometricMean, inTurns, median, milliseconds, residentBytes, rounded, spread } from './measure.mjs'

const COMPUTE = {
  fib: 'fib(24), recursive',
  loop: 'a million loop steps',
  records: '20,000 records, filtered and grouped',
  sort: '50,000 items, sorted three times',
  strings: '50,000 lines of text',
  'big-integers': 'factorials of 500 to 519',
  json: '5,000 records to JSON and back, twice',
}
/** Programs beside this repository, with results of their own, for the engines that speak Starlark. */
const STARLARK_PROGRAMS = fileURLToPath(new URL('../../shared/bench/', import.meta.url))

export async function engines({ quick = false } = {}) {
  const found = findEngines()
  const there = Object.entries(found).filter(([, engine]) => engine.command !== undefined)
  const missing = Object.entries(found).filter(([, engine]) => engine.missing !== undefined)
  const cold = await coldStarts(there, quick)
  const teams = there.map(([name, engine]) => ({ name, engine, process: start(engine), cells: {} }))
  await measureTasks(teams, quick)
  await measureMany(teams, quick)
  const programs = quick ? undefined : await starlarkPrograms(teams)
  await Promise.all(teams.map((team) => team.process.stop()))
  return {
    title: 'Engines',
    intro: [
      'Each engine has a process of its own. They do the same tasks in turns, each as its users would call it: a program ' +
        'goes in as text, and its value comes out. Host calls answer with the same record of ten fields. Monty, Pyodide, ' +
        'starlark-go and CPython run the Starlark text, which is Python, too; the others run the same task in JavaScript.',
      `Versions: ${there.map(([name, { version }]) => `${name} ${version}`).join(', ')}.`,
      ...missing.map(([name, engine]) => `${name} is missing: ${engine.missing}.`),
    ],
    tables: [taskTable(teams, cold), ...(programs === undefined ? [] : [programs])],
    facts: factsOf(teams, programs),
  }
}

/** From the start of a process to the first result. */
async function coldStarts(there, quick) {
  const acts = there.map(([, engine]) => async () => {
    const begun = performance.now()
    const process = start(engine)
    const { error } = await process.ask({ op: 'time', text: textOf('trivial', engine), times: 1 })
    const ms = performance.now() - begun
    await process.stop()
    if (error !== undefined) throw new Error(error)
    return ms
  })
  const times = await inTurns(quick ? 1 : 5, acts)
  return new Map(there.map(([name], i) => [name, times[i]]))
}

async function measureTasks(teams, quick) {
  const rounds = quick ? 1 : 3
  await inTurns(rounds, [() => measure(teams, 'trivial', { times: quick ? 5 : 300, warm: quick ? 1 : 200 })])
  const tasks = quick ? ['fib', 'json', 'slow'] : [...Object.keys(COMPUTE), 'calls', 'slow']
  for (const task of tasks) {
    await inTurns(task === 'slow' ? 1 : rounds, [() => measure(teams, task, { times: quick ? 1 : undefined })])
    const results = new Set(teams.map(({ cells }) => cells[task].result).filter((one) => one !== undefined))
    if (results.size > 1) throw new Error(`the engines disagree on ${task}: ${[...results].join(' and ')}`)
  }
}

/** One turn of every engine. Without `times` each runs for about a second, and at most fifteen times. */
async function measure(teams, task, { times, warm = 0 }) {
  for (const { engine, process, cells } of teams) {
    const cell = (cells[task] ??= { ms: [] })
    if (cell.error !== undefined) continue
    const text = textOf(task, engine)
    if (warm > 0 && cell.ms.length === 0) await process.ask({ op: 'time', text, times: warm })
    const expected = cell.ms.length === 0 ? undefined : median(cell.ms)
    const runs = times ?? (expected === undefined ? 1 : Math.max(1, Math.min(15, Math.floor(700 / expected))))
    const { ms, result, error } = await process.ask({ op: 'time', text, times: runs })
    if (error !== undefined) cell.error = error
    else {
      // The first run of a process is not warm.
      cell.ms = cell.first ? ms : [...cell.ms, ...ms]
      cell.first = expected === undefined && times === undefined && task !== 'slow'
      cell.result = JSON.stringify(result)
    }
  }
}

/** Many runs at once, and the memory of waiting runs. */
async function measureMany(teams, quick) {
  for (const { engine, process, cells } of teams) {
    const [many, waiting] = quick ? [4, 2] : [200, 50]
    cells.idle = { bytes: residentBytes(process.pid) }
    const fresh = start(engine)
    await fresh.ask({ op: 'time', text: textOf('trivial', engine), times: 3 })
    cells.idle = { bytes: residentBytes(fresh.pid) }
    cells.perRun = await memoryOf(fresh, engine, { waiting, idle: cells.idle.bytes })
    await fresh.stop()
    const asked = { op: 'at-once', text: textOf('trivial', engine), times: many }
    const answers = await inTurns(quick ? 1 : 5, [() => process.ask(asked)])
    const failed = answers[0].find(({ error }) => error !== undefined)
    cells.many = failed ?? { ms: answers[0].flatMap(({ ms }) => ms) }
  }
}

async function memoryOf(process, engine, { waiting, idle }) {
  let most = idle
  const looking = setInterval(() => {
    most = Math.max(most, residentBytes(process.pid))
  }, 50)
  const { error } = await process.ask({ op: 'at-once', text: textOf('waiting', engine), times: waiting })
  clearInterval(looking)
  return error === undefined ? { bytes: (most - idle) / waiting } : { error }
}

function taskTable(teams, cold) {
  const row = (label, cellOf) => [label, ...teams.map(cellOf)]
  const time =
    (task) =>
    ({ cells }) =>
      cells[task] === undefined ? '' : withSpread(cells[task])
  const bytes =
    (key) =>
    ({ cells }) =>
      cells[key].error ? '–' : `${rounded(cells[key].bytes / 1e6)} MB`
  return {
    caption: 'Medians, with the range from the 10th to the 90th percentile',
    columns: ['', ...teams.map(({ name }) => name)],
    rows: [
      row('cold start to first result', ({ name }) => withSpread({ ms: cold.get(name) })),
      row('trivial run, warm', time('trivial')),
      ...Object.entries(COMPUTE).map(([task, label]) => row(label, time(task))),
      row('10,000 host calls in sequence', time('calls')),
      row('50 host calls of 100 ms', time('slow')),
      row('200 trivial runs at once, all', time('many')),
      row('memory, idle', bytes('idle')),
      row('memory per run, of 50 that wait', bytes('perRun')),
    ],
    note:
      '“–”: the engine cannot do the task. ' +
      'The table does not show what an engine holds back: bare QuickJS, Monty, Pyodide and sebastianwessel/quickjs run a ' +
      'program in the thread that calls them, so nothing else happens there meanwhile, and none but starbind checks a ' +
      'call against a schema or keeps a record of it. CPython has no wall at all. A single machine, programs of our ' +
      'choice, and no program that a model wrote.',
    chart: {
      name: 'engines',
      kind: 'dots',
      title: 'Time of each task, as a multiple of the fastest engine’s',
      groups: Object.keys(teams[0].cells)
        .filter((task) => teams[0].cells[task].ms !== undefined)
        .map((task) => chartGroup(teams, task)),
      series: teams.map(({ name }) => name),
    },
  }
}

function chartGroup(teams, task) {
  const values = teams.map(({ cells }) => (cells[task].error ? undefined : median(cells[task].ms)))
  const least = Math.min(...values.filter((value) => value !== undefined))
  return { name: task, values: values.map((value) => (value === undefined ? undefined : value / least)) }
}

function withSpread({ ms, error }) {
  if (error !== undefined) return '–'
  const { median: middle, low, high } = spread(ms)
  return ms.length < 3 ? milliseconds(middle) : `${milliseconds(middle)} (${rangeOf(low, high)})`
}

function rangeOf(low, high) {
  return high < 0.095 ? `${rounded(low * 1000)}–${rounded(high * 1000)}` : `${rounded(low)}–${rounded(high)}`
}

/** The programs beside this repository in starbind, starlark-go and CPython; undefined if they are missing. */
async function starlarkPrograms(teams) {
  if (!existsSync(STARLARK_PROGRAMS)) return undefined
  const names = readdirSync(STARLARK_PROGRAMS).filter((file) => /^b0[1-7].*\.star$/.test(file))
  const those = ['starbind, Starlark', 'starlark-go', 'CPython'].map((name) => teams.find((team) => team.name === name))
  const present = those.filter((team) => team !== undefined)
  const times = names.map(() => present.map(() => []))
  for (let round = 0; round < 4; round++) {
    for (const [i, name] of names.entries()) {
      const text = readFileSync(path.join(STARLARK_PROGRAMS, name), 'utf8')
      for (const [j, { process }] of present.entries()) {
        const { ms, error } = await process.ask({ op: 'time', text, times: round === 0 ? 1 : 3 })
        if (error !== undefined) throw new Error(`${name}: ${error}`)
        if (round > 0) times[i][j].push(...ms)
      }
    }
  }
  const medians = times.map((row) => row.map(median))
  const ratios = present.map((_, j) => geometricMean(medians.map((row) => row[0] / row[j])))
  return {
    caption: 'Seven Starlark programs, the whole way of a warm run',
    columns: ['', ...present.map(({ name }) => name)],
    rows: [
      ...names.map((name, i) => [`\`${path.basename(name, '.star')}\``, ...times[i].map((ms) => withSpread({ ms }))]),
      ['starbind’s time as a part of it, geometric mean', ...ratios.map((ratio) => ratio.toFixed(2))],
    ],
    note:
      'Compiling counts for all three; starbind caches the compilation of a repeated program. starlark-go is held ' +
      'to no processor and collects garbage on another. The programs compute; programs of models mostly wait for tools.',
    means: Object.fromEntries(present.map(({ name }, j) => [name, ratios[j]])),
  }
}

function factsOf(teams, programs) {
  const cells = teams.find(({ name }) => name === 'starbind, Starlark').cells
  return {
    trivialMs: median(cells.trivial.ms),
    callMs: cells.calls === undefined ? undefined : median(cells.calls.ms) / 10_000,
    means: programs?.means,
  }
}
