// Tokens: tasks over real catalogues, with every tool's definition in every request and in code mode.

import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { encode as cl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { encode as o200k } from 'gpt-tokenizer/encoding/o200k_base'
import { CodeMode, metaTools } from '../dist/bundle/index.js'
import { median, rounded } from './measure.mjs'
import {
  centsOf,
  codeModeTrips,
  definitionOf,
  directDefinition,
  directTrips,
  tokensOf,
  usualPrices,
} from './tokens/conversations.mjs'
import { liveTask } from './tokens/live.mjs'
import { allTasks, readServers, serverOf, serversFor } from './tokens/worlds.mjs'

const usualFolder = fileURLToPath(new URL('../../shared/catalogues', import.meta.url))
/** Text of a model is never a special token. */
const plain = { allowedSpecial: new Set(), disallowedSpecial: new Set() }
const tokenizers = { o200k: remembering(o200k), cl100k: remembering(cl100k) }
const metaDefinitions = metaTools.map(definitionOf)
const SIZES = [0, 100, 250, 500, 800]

export async function tokens({ quick = false, catalogues = usualFolder, ...options } = {}) {
  const all = await readServers(catalogues)
  const there = new Set(all.map(({ name }) => name))
  const tasks = allTasks.filter(({ servers }) => servers.every((name) => there.has(name)))
  const most = total(all.map((one) => one.tools.length))
  const sizes = (quick ? [0, 100] : SIZES).filter((size) => size <= most)
  const servers = Object.fromEntries(all.map((one) => [one.name, { inProcess: serverOf(one) }]))
  const codeMode = await CodeMode.open({ servers })
  try {
    if (options.model !== undefined) return await live({ all, tasks, codeMode, options })
    const measured = []
    for (const size of sizes) measured.push({ size, rows: await measureAll(tasks, { all, codeMode, size }) })
    if (options.transcripts !== undefined) writeTranscripts(options.transcripts, measured.at(-1).rows)
    const catalogueRows = await measureCatalogues(all, codeMode)
    return report({ all, tasks, measured, catalogueRows })
  } finally {
    await codeMode.close()
  }
}

/** Both ways of each task, with about `size` tools; 0: with the task's own servers alone. */
async function measureAll(tasks, { all, codeMode, size }) {
  const rows = []
  for (const task of tasks) {
    const servers = serversFor(task, all, size)
    const session = codeMode.session({ filters: { servers: servers.map(({ name }) => name) }, results: 'own' })
    const ways = { direct: directTrips(task, servers), codeMode: await codeModeTrips(task, session) }
    const definitions = servers.flatMap((server) => server.tools.map((tool) => directDefinition(server.name, tool)))
    const tokensBy = (count) => ({
      direct: tokensOf(
        { definitions: total(definitions.map(count)), question: task.question, trips: ways.direct },
        count,
      ),
      codeMode: tokensOf(
        { definitions: total(metaDefinitions.map(count)), question: task.question, trips: ways.codeMode },
        count,
      ),
    })
    rows.push({
      task,
      ways,
      tools: definitions.length,
      o200k: tokensBy(tokenizers.o200k),
      cl100k: tokensBy(tokenizers.cl100k),
    })
  }
  return rows
}

/** The cost of catalogues before the first question. */
async function measureCatalogues(all, codeMode) {
  const one = async (name, servers) => {
    const session = codeMode.session({ filters: { servers: servers.map((server) => server.name) } })
    const definitions = servers.flatMap((server) => server.tools.map(definitionOf))
    const { text } = await session.listToolFiles()
    const stubs = await Promise.all(
      servers.map((server) => session.readToolFile({ fileName: `servers/${server.name}.pyi` })),
    )
    return {
      name,
      tools: definitions.length,
      o200k: total(definitions.map(tokenizers.o200k)),
      cl100k: total(definitions.map(tokenizers.cl100k)),
      listing: tokenizers.o200k(text),
      stubs: total(stubs.map((answer) => tokenizers.o200k(answer.text))),
    }
  }
  const rows = []
  for (const server of all) rows.push(await one(server.name, [server]))
  return [...rows, await one('all together', all)]
}

function report({ all, tasks, measured, catalogueRows }) {
  const together = catalogueRows.at(-1)
  const skipped = allTasks.length - tasks.length
  const definitions = total(metaDefinitions.map(tokenizers.o200k))
  return {
    title: 'Tokens',
    intro: [
      `${tasks.length} tasks over ${all.length} servers with ${together.tools} tools. Each is recorded in both ways: the ` +
        'tool calls that a model makes directly, and the meta-tool calls that it makes in code mode (search, stubs, ' +
        'programs). Upstreams have the catalogues of real servers and give answers of the size of real ones. Every ' +
        'program was run at every size and gave the expected answer.',
      ...(skipped > 0 ? [`${skipped} tasks are missing: the catalogues of their servers are not there.`] : []),
    ],
    tables: [sizesTable(measured), tasksTable(measured), cataloguesTable(catalogueRows, definitions)],
    facts: {
      tools: together.tools,
      servers: all.length,
      definitions: together.o200k,
      listing: together.listing,
      metaTools: definitions,
    },
  }
}

function sizesTable(measured) {
  const label = ({ size, rows }) =>
    size === 0 ? 'own servers only' : `about ${rounded(median(rows.map(({ tools }) => tools)))} tools`
  const cents = (rows, way, caching) => median(rows.map((row) => centsOf(row.o200k[way], usualPrices, caching)))
  const input = (rows, way, by) => median(rows.map((row) => row[by][way].input))
  const rows = measured.flatMap((one) =>
    ['direct', 'codeMode'].map((way, i) => [
      i === 0 ? label(one) : '',
      way === 'direct' ? 'direct' : 'code mode',
      rounded(median(one.rows.map((row) => row.o200k[way].trips))),
      rounded(input(one.rows, way, 'o200k')),
      rounded(input(one.rows, way, 'cl100k')),
      rounded(median(one.rows.map((row) => row.o200k[way].output))),
      rounded(cents(one.rows, way, false)),
      rounded(cents(one.rows, way, true)),
      way === 'direct' ? '' : `${one.rows.filter((row) => cheaper(row)).length} of ${one.rows.length}`,
    ]),
  )
  const series = ['direct', 'codeMode'].flatMap((way) =>
    [false, true].map((caching) => ({
      name: `${way === 'direct' ? 'direct' : 'code mode'}${caching ? ', cached' : ''}`,
      values: measured.map(({ rows: those }) => cents(those, way, caching)),
    })),
  )
  return {
    caption: 'A task, by the number of tools around it (medians over the tasks)',
    columns: [
      '',
      'way',
      'trips',
      'input, o200k',
      'input, cl100k',
      'output',
      'cents',
      'cents, cached',
      'cheaper, cached',
    ],
    rows,
    note:
      `Input counts every token of every trip. Cents are at ${usualPrices.input} dollars for a million tokens read, ` +
      `${usualPrices.output} written, ${usualPrices.cached} from the cache and ${usualPrices.stored} stored in it. The ` +
      'cache is taken to have all definitions before the task begins, which favours direct calls. The table does not show ' +
      'whether a model would find these calls: they were written by hand, without wrong turns in either way, and the ' +
      'direct way assumes that a model adds and sorts hundreds of rows without a mistake. Stubs say what results look like where an earlier task has seen it. Models with small windows ' +
      'cannot hold the definitions of 800 tools at all.',
    chart: {
      name: 'tokens',
      kind: 'lines',
      title: 'Cents of a task, by the number of tools around it',
      points: measured.map(({ size, rows: those }) =>
        size === 0 ? 'own' : rounded(median(those.map(({ tools }) => tools))),
      ),
      across: 'tools',
      unit: ' ¢',
      series,
    },
  }
}

/** Is code mode cheaper, with prompt caching? */
function cheaper({ o200k: by }) {
  return centsOf(by.codeMode, usualPrices, true) < centsOf(by.direct, usualPrices, true)
}

function tasksTable(measured) {
  const alone = measured[0].rows
  const more = measured[Math.min(2, measured.length - 1)]
  const one = ({ trips, input }) => `${trips} / ${rounded(input)}`
  const tools = rounded(median(more.rows.map((row) => row.tools)))
  return {
    caption: `Each task: trips and input tokens (o200k), with its own servers and with about ${tools} tools`,
    columns: [
      'task',
      'direct',
      'code mode',
      `direct, ${tools}`,
      `code mode, ${tools}`,
      'cents cached, direct',
      'code mode',
    ],
    rows: alone.map((row, i) => [
      `\`${row.task.id}\``,
      one(row.o200k.direct),
      one(row.o200k.codeMode),
      one(more.rows[i].o200k.direct),
      one(more.rows[i].o200k.codeMode),
      ...['direct', 'codeMode'].map((way) => rounded(centsOf(more.rows[i].o200k[way], usualPrices, true))),
    ]),
    note:
      'A single small call is cheaper directly: code mode needs a search and a look at a stub before the program. The more ' +
      'calls, the larger the results, and the more tools around, the more it saves. The table does not show how a second ' +
      'task of the same conversation would do, which need not search again.',
  }
}

function cataloguesTable(rows, definitions) {
  return {
    caption: 'What catalogues cost before anything is asked',
    columns: ['server', 'tools', 'definitions, o200k', 'definitions, cl100k', 'listing', 'all stubs'],
    rows: rows.map((row) => [
      row.name,
      ...['tools', 'o200k', 'cl100k', 'listing', 'stubs'].map((key) => rounded(row[key])),
    ]),
    note:
      `In code mode every request has the four meta-tools’ definitions instead, ${definitions} tokens (o200k). The listing ` +
      'is read at most once in a conversation. “All stubs” counts a model that reads everything; ' +
      'answers are cut at 24,000 characters, so of the largest servers it is a part.',
  }
}

async function live({ all, tasks, codeMode, options }) {
  const names = options.tasks?.split(',')
  const chosen = names === undefined ? tasks : tasks.filter(({ id }) => names.includes(id))
  const model = { url: options.model, name: options.name ?? '', key: process.env.OPENAI_API_KEY }
  const [input, output, cached = input] = (options.prices ?? `${usualPrices.input},${usualPrices.output}`)
    .split(',')
    .map(Number)
  const price = (used) => ((used.input - used.cached) * input + used.cached * cached + used.output * output) / 1e4
  const rows = []
  const sums = { direct: [], 'code mode': [] }
  for (const task of chosen) {
    const servers = serversFor(task, all, Number(options.tools ?? 0))
    for (const way of Object.keys(sums)) {
      const session = codeMode.session({ filters: { servers: servers.map(({ name }) => name) }, results: 'own' })
      const used = await liveTask(task, { model, servers, ...(way === 'direct' ? {} : { session }) })
      sums[way].push(used)
      rows.push([task.id, way, used.failure ?? 'right', ...figures(used, price)])
    }
  }
  const sum = (those, key) => total(those.map((used) => used[key]))
  for (const [way, those] of Object.entries(sums)) {
    const whole = Object.fromEntries(['trips', 'input', 'cached', 'output', 'ms'].map((key) => [key, sum(those, key)]))
    rows.push(['all', way, `${those.filter(({ ok }) => ok).length} of ${those.length} right`, ...figures(whole, price)])
  }
  return {
    title: `Tokens with the model ${model.name}`,
    intro: [`${chosen.length} tasks, each with its servers and others up to ${options.tools ?? 0} tools.`],
    tables: [
      {
        caption: 'Each task',
        columns: ['task', 'way', 'answer', 'trips', 'input', 'output', 'seconds', 'cents'],
        rows,
        note: '',
      },
    ],
    facts: {},
    live: true,
  }
}

function figures(used, price) {
  const seconds = (used.ms / 1000).toFixed(1)
  return [String(used.trips), rounded(used.input), rounded(used.output), seconds, price(used).toFixed(2)]
}

/** Writes both ways of each task as readable text. */
function writeTranscripts(folder, rows) {
  mkdirSync(folder, { recursive: true })
  for (const { task, ways } of rows) {
    const parts = Object.entries(ways).map(([way, trips]) => {
      const said = trips.map(({ says, hears }) => [...says.map((text) => `model: ${text}`), ...hears].join('\n\n'))
      return `## ${way === 'direct' ? 'Direct' : 'Code mode'}\n\n${said.join('\n\n')}`
    })
    writeFileSync(path.join(folder, `${task.id}.md`), `# ${task.question}\n\n${parts.join('\n\n')}\n`)
  }
}

/** Counts the tokens of texts; long ones are counted once. */
function remembering(encode) {
  const known = new Map()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const tokens = encode(text, plain).length
    known.set(text, tokens)
    return tokens
  }
}

function total(values) {
  return values.reduce((sum, value) => sum + value, 0)
}
