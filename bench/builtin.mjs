// The built-in servers against the tools that do the same alone: `search` against ripgrep, `files.read` against reading
// the file, `sql` against its library. Both sides in turns, through the door that a program uses.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { CodeMode } from '../dist/bundle/index.js'
import { inTurns, median, milliseconds, timed } from './measure.mjs'

const WORDS = 'the order was shipped on a day and its price in the table of returns is not known to anybody'.split(' ')

export async function builtin({ quick = false } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-builtin-'))
  const rounds = quick ? 1 : 9
  try {
    fill(folder, { files: quick ? 100 : 10_000, rows: quick ? 1000 : 1_000_000 })
    return {
      title: 'Built-in servers',
      intro: ['What the tools cost in a program, beside the tools that do the same alone. Medians, measured in turns.'],
      tables: [
        await searchTable(folder, rounds),
        await readTable(folder, quick ? 20 : 2000),
        await sqlTable(folder, rounds),
      ],
      facts: {},
    }
  } finally {
    for (const codeMode of open.splice(0)) await codeMode.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const open = []
async function opened(servers) {
  const codeMode = await CodeMode.open({ servers })
  open.push(codeMode)
  return codeMode
}

/** Files of about 2 kB in folders of a hundred, and one table. */
function fill(folder, { files, rows }) {
  for (let i = 0; i < files; i++) {
    const inside = path.join(folder, 'tree', String(Math.floor(i / 100)))
    if (i % 100 === 0) mkdirSync(inside, { recursive: true })
    const lines = Array.from({ length: 40 }, (_, line) => {
      const words = Array.from(
        { length: 9 },
        (_, word) => WORDS[(i * 7 + line * 3 + word * (1 + (i % 5))) % WORDS.length],
      )
      return i % 50 === 0 && line === 20 ? `${words.join(' ')} refund_${i}` : words.join(' ')
    })
    writeFileSync(path.join(inside, `${i}.txt`), `${lines.join('\n')}\n`)
  }
  for (const name of ['small0.txt', 'small1.txt']) writeFileSync(path.join(folder, name), 'x'.repeat(1024))
  const lines = Array.from(
    { length: rows },
    (_, i) => `${i},customer ${i % 997},${(i * 37) % 10_000}.${i % 10}5,2025-0${1 + (i % 9)}-11`,
  )
  writeFileSync(path.join(folder, 'orders.csv'), `id,customer,price,day\n${lines.join('\n')}\n`)
}

/** Milliseconds of a call in a program, without those of the run around it. */
async function callMs(codeMode, program) {
  const { calls, error } = await codeMode.run(program, { limits: { wallMs: 120_000 } })
  if (error !== null) throw new Error(error.message)
  return calls[0].ms
}

async function searchTable(folder, rounds) {
  const codeMode = await opened({ files: { builtin: 'files', root: path.join(folder, 'tree') } })
  const hasRipgrep = spawnSync('rg', ['--version']).status === 0
  const patterns = {
    'a text in every 50th file': 'refund_\\d+',
    'a text in no file': 'refunded_\\d+',
    'words in every file': 'price +in +the',
  }
  const rows = []
  for (const [what, pattern] of Object.entries(patterns)) {
    const limit = what.includes('every file') ? ', limit=5000' : ''
    const ours = () => callMs(codeMode, `files.search(r"${pattern}"${limit})`)
    const theirs = () =>
      timed(() => spawnSync('rg', ['--line-number', '--column', pattern, folder], { maxBuffer: 1 << 28 }))
    await ours()
    const [own, other] = await inTurns(rounds, hasRipgrep ? [ours, theirs] : [ours])
    rows.push([what, milliseconds(median(own)), ...(hasRipgrep ? against(own, other) : ['not installed', ''])])
  }
  return {
    caption: 'Search of 10,000 files of 2 kB',
    columns: ['pattern', 'files.search', 'ripgrep', 'times'],
    rows,
    note: 'ripgrep is timed with its start, as a process that a program would start.',
  }
}

const against = (own, other) => [milliseconds(median(other)), (median(own) / median(other)).toFixed(2)]

async function readTable(folder, calls) {
  const inputSchema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
  const outputSchema = { type: 'string' }
  const direct = { inputSchema, outputSchema, call: ({ path: name }) => readFileSync(path.join(folder, name), 'utf8') }
  const none = { inputSchema, outputSchema, call: () => 'x' }
  const servers = { files: { builtin: 'files', root: folder }, own: { inProcess: { read: direct, none } } }
  const codeMode = await opened(servers)
  const each = async (call) => {
    const { stats, error } = await codeMode.run(`for i in range(${calls}):\n    ${call}("small%d.txt" % (i % 2))`, {
      limits: { toolCalls: calls + 1 },
    })
    if (error !== null) throw new Error(error.message)
    return stats.runMs / calls
  }
  const acts = ['files.read', 'own.read', 'own.none'].map((call) => () => each(call))
  for (const act of acts) await act()
  const [own, other, nothing] = await inTurns(9, acts)
  return {
    caption: 'Reading a file of 1 kB in a program',
    columns: [
      'files.read',
      'a function that reads it',
      'a function that does nothing',
      'more than the function that reads',
    ],
    rows: [
      [...[own, other, nothing].map((all) => milliseconds(median(all))), milliseconds(median(own) - median(other))],
    ],
    note: 'Both are functions of this process; files.read also checks the path, and what was opened.',
  }
}

async function sqlTable(folder, rounds) {
  const table = {
    caption: 'A query over a million rows of CSV',
    columns: ['query', 'sql.query', 'DuckDB alone', 'times'],
  }
  let duckDb
  try {
    duckDb = createRequire(import.meta.url)('@duckdb/node-api')
  } catch {
    return { ...table, rows: [['all', 'the package @duckdb/node-api is not installed', '', '']] }
  }
  const codeMode = await opened({ sql: { builtin: 'sql', root: folder } })
  const place = path.join(folder, 'orders.csv')
  const queries = {
    'a sum by 997 customers': (from) => `SELECT customer, sum(price) AS total FROM '${from}' GROUP BY ALL ORDER BY ALL`,
    'a count': (from) => `SELECT count(*) AS n FROM '${from}'`,
  }
  const rows = []
  for (const [what, query] of Object.entries(queries)) {
    const ours = () => callMs(codeMode, `sql.query("""${query('orders.csv')}""")`)
    const theirs = () => timed(() => alone(duckDb, query(place)))
    await ours()
    const [own, other] = await inTurns(rounds, [ours, theirs])
    rows.push([what, milliseconds(median(own)), ...against(own, other)])
  }
  return { ...table, rows, note: 'DuckDB alone has as many threads, and a new database in memory for each query, too.' }
}

async function alone(duckDb, query) {
  const instance = await duckDb.DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '512MB' })
  const connection = await instance.connect()
  await connection.runAndReadAll(query)
  connection.closeSync()
  instance.closeSync()
}
