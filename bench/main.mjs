// npm run bench [engines|journey|tokens|latency|scale|builtin|replicas …] [-- --quick] [-- --document] and the options of a section.
//
// Without a name all sections run, one after the other. Each prints its tables and keeps its results in an ignored
// folder. --document writes docs/benchmarks.md, its charts, and the figures of the README and of docs/operating.md, from
// the latest results of all.
// --quick uses sizes so small that the figures mean nothing: it shows that a section works.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { machine, writeDocument } from './document.mjs'
import { textTable } from './report.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const kept = path.join(root, '.cache', 'bench')
const sections = {
  engines: async () => (await import('./engines.mjs')).engines,
  journey: async () => (await import('./journey.mjs')).journey,
  tokens: async () => (await import('./tokens.mjs')).tokens,
  latency: async () => (await import('./latency.mjs')).latency,
  scale: async () => (await import('./scale.mjs')).scale,
  builtin: async () => (await import('./builtin.mjs')).builtin,
  replicas: async () => (await import('./replicas.mjs')).replicas,
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    document: { type: 'boolean', default: false },
    catalogues: { type: 'string' },
    transcripts: { type: 'string' },
    model: { type: 'string' },
    name: { type: 'string' },
    prices: { type: 'string' },
    seconds: { type: 'string' },
    tasks: { type: 'string' },
    tools: { type: 'string' },
  },
})

const unknown = positionals.filter((name) => sections[name] === undefined)
if (unknown.length > 0) {
  console.error(`there is no section ${unknown.join(', ')}; there are ${Object.keys(sections).join(', ')}`)
  process.exit(2)
}
if (!existsSync(path.join(root, 'dist/index.js'))) {
  console.error('there is no build: npm run build')
  process.exit(2)
}
for (const name of positionals.length > 0 ? positionals : Object.keys(sections)) await runSection(name)
if (options.document) {
  const read = (name) => {
    const file = path.join(kept, `${name}.json`)
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  }
  writeDocument(root, Object.fromEntries(Object.keys(sections).map((name) => [name, read(name)])))
}

async function runSection(name) {
  const measure = await sections[name]()
  const begun = performance.now()
  const result = await measure(options)
  console.log(`\n${result.title}\n\n${result.intro.join('\n')}\n`)
  for (const table of result.tables) console.log(textTable(table))
  console.log(`(${Math.round((performance.now() - begun) / 1000)} s)`)
  if (!options.quick && !result.live) {
    mkdirSync(kept, { recursive: true })
    writeFileSync(path.join(kept, `${name}.json`), JSON.stringify({ ...result, machine: machine() }))
  }
}
