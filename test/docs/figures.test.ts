// The README's figures are true, or come from a document that a bench writes.

import { existsSync } from 'node:fs'
import path from 'node:path'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, it } from 'vitest'
import { metaTools } from '../../dist/index.js'
import { defaultLimits, limitNames } from '../../dist/sandbox/index.js'
import { documents, root, textOf } from './blocks.js'

const readme = textOf('README.md')
const prose = readme.replace(/\s+/g, ' ')
const table = readme.slice(readme.indexOf('## What it costs, compared'), readme.indexOf('## The command line'))

it('the tokens of the definitions are those of every request', () => {
  // Hosts give a model nothing else of a definition.
  const shown = metaTools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
  const tokens = encode(JSON.stringify(shown)).length
  expect(table).toContain(`| ${tokens} tokens, whatever the servers |`)
  expect(prose).toContain(`starbind's four definitions take ${tokens} and never change`)
})

it('repeated figures are the same', () => {
  for (const figure of ['251,700', '610', '801']) expect(readme.split(figure).length, figure).toBeGreaterThan(2)
})

it('the limits are those of runs', () => {
  const { wallMs, cpuMs, memoryBytes, toolCalls, printedBytes } = defaultLimits
  expect(table).toContain(`${limitNames.length} limits`)
  expect(prose).toContain(
    `${wallMs / 1000} s of time, ${cpuMs / 1000} s of computing, ${memoryBytes / 2 ** 20} MiB of memory, ` +
      `${toolCalls.toLocaleString('en')} calls, ${printedBytes / 2 ** 20} MiB of output`,
  )
})

it('measured figures are those of docs/benchmarks.md', () => {
  const [, list] = /What the README says:\n\n((?:- .*\n)+)/.exec(textOf('docs/benchmarks.md'))!
  const figures = list!.trimEnd().split('\n')
  expect(figures.length).toBeGreaterThan(1)
  for (const figure of figures) expect(table).toContain(figure.slice(2))
})

it('comparisons of speed are those of docs/benchmarks.md, or else of docs/performance.md', () => {
  if (textOf('docs/benchmarks.md').includes('## Engines')) return
  const [, go, python] = /\| geometric mean \|[^|]*\|[^|]*\|[^|]*\| ([\d.]+) +\| ([\d.]+) +\|/.exec(
    textOf('docs/performance.md'),
  )!
  expect(table).toContain(`${go} of starlark-go's time, ${Number(python).toFixed(1)} times CPython's`)
})

it('every bench that a document names exists', () => {
  const named = documents.flatMap((document) =>
    [...textOf(document).matchAll(/`node (bench\/[\w-]+\.mjs)/g)].map((match) => match[1]!),
  )
  expect(new Set(named).size).toBeGreaterThan(4)
  expect(named.filter((bench) => !existsSync(path.join(root, bench)))).toEqual([])
})
