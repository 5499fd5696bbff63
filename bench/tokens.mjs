// What tools cost a model, in o200k tokens: as raw definitions, and as starbind shows them. For each catalogue: the
// definitions that a host would put into every request; the listing; one stub (the median tool's); all stubs at server
// level and at tool level. The four meta-tools are what every request pays instead.
//
// node bench/tokens.mjs [--catalogues DIR]
import { parseArgs } from 'node:util'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { readTexts, room, usualFolder } from './catalogues.mjs'

const { values } = parseArgs({ options: { catalogues: { type: 'string', default: usualFolder } } })
const { bindServers, defaultDescriptionLength, readCatalogue, serverStub, toolStub } = await room('bindings')
const { listToolFiles, metaTools, readToolFile } = await room('meta-tools')
const { openVfs } = await room('vfs')

const tokens = (text) => encode(text).length
const options = { descriptionLength: defaultDescriptionLength }

/** A definition as hosts send it to a model: name, description, input schema. */
function definition({ name, description, inputSchema }) {
  return JSON.stringify({ name, description, inputSchema })
}

function measure(servers) {
  const bindings = bindServers(servers)
  const tools = bindings.servers.flatMap((server) => server.tools)
  const stubs = tools.map((tool) => tokens(toolStub(tool, options))).sort((a, b) => a - b)
  return {
    tools: tools.length,
    raw: tools.reduce((sum, { tool }) => sum + tokens(definition(tool)), 0),
    listing: tokens(listToolFiles({}, { bindings, vfs: openVfs() }).text),
    'one stub': stubs[Math.floor(stubs.length / 2)],
    'server level': bindings.servers.reduce((sum, server) => sum + tokens(serverStub(server, options)), 0),
    'tool level': stubs.reduce((sum, one) => sum + one, 0),
  }
}

const servers = [...readTexts(values.catalogues)].map(([name, text]) => readCatalogue(text, name, name).server)
const rows = [...servers.map((server) => [server.name, measure([server])]), ['all together', measure(servers)]]
const columns = Object.keys(rows[0][1])
const width = Math.max(...rows.map(([name]) => name.length))
console.log([''.padEnd(width), ...columns.map((column) => column.padStart(12))].join(' '))
for (const [name, row] of rows)
  console.log([name.padEnd(width), ...columns.map((column) => String(row[column]).padStart(12))].join(' '))

const files = { bindings: bindServers([]), vfs: openVfs() }
console.log(`\nthe definitions of the four meta-tools: ${tokens(JSON.stringify(metaTools))}`)
console.log(`guide.md: ${tokens(readToolFile({ fileName: 'guide.md' }, files).text)}`)
