// The quality of listToolFiles(query): recall at 10 and mean reciprocal rank over the queries of a file, by default
// search.json. A query's recall is the share of its answers among the first ten; its reciprocal rank is that of the
// first answer.
//
// node bench/search.mjs [QUERIES.json] [--catalogues DIR] [--misses]
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readTexts, room, usualFolder } from './catalogues.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    catalogues: { type: 'string', default: usualFolder },
    misses: { type: 'boolean', default: false },
  },
})

const { bindServers, readCatalogue } = await room('bindings')
const servers = [...readTexts(values.catalogues)].map(([name, text]) => readCatalogue(text, name, name).server)
const bindings = bindServers(servers)
const file = positionals[0] ?? fileURLToPath(new URL('search.json', import.meta.url))
const { queries } = JSON.parse(readFileSync(file, 'utf8'))

const scores = queries.map(({ query, answers }) => {
  const found = bindings.search(query, 10).map(({ tool }) => `${tool.server.source.name}.${tool.tool.name}`)
  const ranks = answers.map((answer) => found.indexOf(answer)).filter((rank) => rank >= 0)
  return {
    query,
    answers,
    found,
    recall: ranks.length / answers.length,
    reciprocal: ranks.length === 0 ? 0 : 1 / (Math.min(...ranks) + 1),
  }
})

if (values.misses) {
  for (const { query, answers, found, recall, reciprocal } of scores) {
    if (recall === 1 && reciprocal === 1) continue
    console.log(`${reciprocal.toFixed(2)} ${recall.toFixed(2)} ${query}`)
    console.log(`     want ${answers.join(' ')}\n     got  ${found.slice(0, 5).join(' ')}`)
  }
}
const mean = (key) => scores.reduce((sum, one) => sum + one[key], 0) / scores.length
console.log(
  `${scores.length} queries: recall at 10 ${mean('recall').toFixed(3)}, mean reciprocal rank ${mean('reciprocal').toFixed(3)}`,
)
