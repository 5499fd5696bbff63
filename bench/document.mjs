// Writes docs/benchmarks.md and its charts from the results of the sections, and the README's figures.

import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, totalmem, type } from 'node:os'
import path from 'node:path'
import { chart } from './charts.mjs'
import { markdownTable, wrapped } from './report.mjs'

/** The machine of a measurement, without anything about its owner. */
export function machine() {
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: cpus()[0].model.replace(/\s+/g, ' ').trim(),
    cores: availableParallelism(),
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: type(),
    node: process.version,
    load: loadavg()[0].toFixed(1),
  }
}

/** Writes everything. `results` has the result of each section by its name, undefined if it has not run. */
export function writeDocument(root, results) {
  const there = Object.values(results).filter((result) => result !== undefined)
  const missing = Object.keys(results).filter((name) => results[name] === undefined)
  const shorts = Object.values(figuresOf(results)).map((text) => `- ${text}`)
  const text = [
    '# Benchmarks',
    '',
    '`npm run bench -- --document` writes this file. [performance.md](performance.md) lists experiments and their reasons.',
    'Single sections: `npm run bench engines`, `journey`, `tokens`, `latency`, `scale`, `builtin` or `replicas`. A range is from the 10th to the 90th percentile.',
    '',
    ...(shorts.length > 0 ? ['What the README says:', '', ...shorts, ''] : []),
    ...(missing.length > 0 ? [`Not measured here: ${missing.join(', ')}.`, ''] : []),
    ...Object.entries(results).flatMap(([name, result]) => (result === undefined ? [] : sectionText(name, result))),
  ]
  writeFileSync(path.join(root, 'docs/benchmarks.md'), `${text.join('\n').trimEnd()}\n`)
  for (const { chart: one } of there.flatMap(({ tables }) => tables))
    if (one !== undefined) writeFileSync(path.join(root, 'docs/images', `bench-${one.name}.svg`), chart(one))
  if (results.replicas !== undefined) writeSheet(root, results.replicas.tables.at(-1))
  writeReadme(root, figuresOf(results))
}

/** What one Redis could carry, in the document about operating. */
function writeSheet(root, table) {
  const file = path.join(root, 'docs/operating.md')
  const text = readFileSync(file, 'utf8')
  const before = text.indexOf('## Sizing\n') + '## Sizing\n'.length
  const after = text.indexOf('Measure your own programs', before)
  writeFileSync(file, `${text.slice(0, before)}\n${markdownTable(table)}\n\n${text.slice(after)}`)
}

function sectionText(name, { title, intro, tables, machine: at }) {
  const where =
    `\`npm run bench ${name}\`, ${at.date}: ${at.processor}, ${at.cores} cores, ${at.memory}, ${at.system}, ` +
    `Node ${at.node}, load average ${at.load} at the end.`
  return [
    `## ${title}`,
    '',
    ...[where, ...intro].flatMap((paragraph) => [wrapped(paragraph), '']),
    ...tables.flatMap((table) => [
      markdownTable(table),
      '',
      ...(table.chart === undefined ? [] : [`![${table.chart.title}](images/bench-${table.chart.name}.svg)`, '']),
    ]),
  ]
}

/** The README's phrases with figures, as they must be, for the sections that have run. */
function figuresOf({ engines, tokens }) {
  const phrases = {}
  const means = engines?.facts.means
  if (means?.['starlark-go'] !== undefined && means.CPython !== undefined) {
    phrases.compute = `${means['starlark-go'].toFixed(2)} of starlark-go's time, ${means.CPython.toFixed(1)} times CPython's`
  }
  if (engines?.facts.callMs !== undefined) {
    const { callMs, trivialMs } = engines.facts
    phrases.call = `about ${callMs.toFixed(2)} ms, and ${Number(trivialMs.toPrecision(1))} ms once for a warm run`
  }
  if (tokens !== undefined) {
    const { definitions, tools, servers, listing } = tokens.facts
    phrases.definitions = `${definitions.toLocaleString('en')} tokens (${tools} tools of ${servers} servers)`
    phrases.listing = `a tree of files (${listing} tokens for the ${servers} servers)`
  }
  return phrases
}

const PHRASES = {
  compute: /[\d.]+ of starlark-go's time, [\d.]+ times CPython's/,
  call: /about [\d.]+ ms, and [\d.]+ ms once for a warm run/,
  definitions: /[\d,]+ tokens \(\d+ tools of \d+ servers\)/,
  listing: /a tree of files \(\d+ tokens for the \d+ servers\)/,
}

function writeReadme(root, figures) {
  const file = path.join(root, 'README.md')
  let text = readFileSync(file, 'utf8')
  for (const [name, phrase] of Object.entries(figures)) {
    if (!PHRASES[name].test(text)) throw new Error(`README.md has no figure “${name}”`)
    text = text.replace(PHRASES[name], () => phrase)
  }
  writeFileSync(file, text)
}
