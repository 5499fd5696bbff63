// How well listToolFiles(query) finds tools: recall at 10 and mean reciprocal rank over the queries of a file, by default search.json.
// Usage: node bench/search.mjs [QUERIES.json] [--catalogues DIR] [--misses]
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    catalogues: { type: 'string', default: path.join(root, '..', 'shared', 'catalogues') },
    dist: { type: 'string', default: path.join(root, 'dist') },
    misses: { type: 'boolean', default: false },
  },
})

/** Saved `tools/list` answers of a folder, as servers. */
export function readServers(folder) {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => ({
      name: file.slice(0, -5),
      tools: JSON.parse(readFileSync(path.join(folder, file), 'utf8')).tools,
    }))
}

/** Recall at ten and reciprocal rank of one query. */
export function score(query, answers, find) {
  const found = find(query)
  const ranks = answers.map((answer) => found.indexOf(answer)).filter((rank) => rank >= 0)
  return {
    query,
    answers,
    found,
    recall: ranks.length / answers.length,
    reciprocal: ranks.length === 0 ? 0 : 1 / (Math.min(...ranks) + 1),
  }
}

if (!existsSync(values.catalogues)) {
  console.error(`there are no catalogues in ${values.catalogues}`)
  process.exit(2)
}
const { bindServers } = await import(path.join(values.dist, 'bindings/index.js'))
const bindings = bindServers(readServers(values.catalogues))
const find = (query) => bindings.search(query, 10).map(({ tool }) => `${tool.server.source.name}.${tool.tool.name}`)
const file = positionals[0] ?? path.join(root, 'bench/search.json')
const { queries } = JSON.parse(readFileSync(file, 'utf8'))
const scores = queries.map(({ query, answers }) => score(query, answers, find))
const mean = (key) => scores.reduce((sum, one) => sum + one[key], 0) / scores.length
if (values.misses) {
  for (const one of scores.filter(({ recall, reciprocal }) => recall < 1 || reciprocal < 1))
    console.log(
      `${one.reciprocal.toFixed(2)} ${one.recall.toFixed(2)} ${one.query}\n     want ${one.answers.join(' ')}\n     got  ${one.found.slice(0, 5).join(' ')}`,
    )
}
console.log(
  `${scores.length} queries: recall at 10 ${mean('recall').toFixed(3)}, mean reciprocal rank ${mean('reciprocal').toFixed(3)}`,
)
