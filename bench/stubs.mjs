// The time of stubs: reading all catalogues, listing them, rendering every stub at both levels, searching, and
// following a change of one server. Each figure is from a cold start (the first line, as a user waits for it) and the
// median of warm repetitions.
//
// node bench/stubs.mjs [--catalogues DIR]
import { parseArgs } from 'node:util'
import { readTexts, room, usualFolder } from './catalogues.mjs'

const { values } = parseArgs({ options: { catalogues: { type: 'string', default: usualFolder } } })
const texts = readTexts(values.catalogues)
const { bindServers, readCatalogue } = await room('bindings')
const { listToolFiles, readToolFile } = await room('meta-tools')
const { openVfs } = await room('vfs')

function read() {
  return [...texts].map(([name, text]) => readCatalogue(text, name, name).server)
}

/** Parses, validates, binds, lists, and reads every stub file at both levels. */
function renderAll() {
  const files = { bindings: bindServers(read()), vfs: openVfs(), answerMaxChars: Number.POSITIVE_INFINITY }
  listToolFiles({}, files)
  listToolFiles({}, { ...files, levelOf: () => 'tool' })
  for (const path of files.vfs.list('servers')) files.vfs.read(path)
  return files
}

function time(action) {
  const start = performance.now()
  action()
  return performance.now() - start
}

function median(action, times = 15) {
  const all = Array.from({ length: times }, () => time(action)).sort((a, b) => a - b)
  return all[Math.floor(times / 2)]
}

function report(what, ms, limit) {
  console.log(`${what.padEnd(64)} ${ms.toFixed(1).padStart(8)} ms${limit === undefined ? '' : `   (at most ${limit})`}`)
}

report('all stubs at both levels, cold', time(renderAll), 300)
report('all stubs at both levels, warm', median(renderAll))

const files = renderAll()
const queries = [
  'open a merge request',
  'list blobs in a storage container',
  'who wrote this line',
  'click the button',
  'delete',
]
report(
  'first query, which makes the index',
  time(() => listToolFiles({ query: queries[0] }, files)),
)
for (const query of queries)
  report(
    `query: ${query}`,
    median(() => listToolFiles({ query }, files)),
    5,
  )

const servers = read()
const before = bindServers(servers)
const { vfs, made } = counting(openVfs())
const readAll = () => {
  for (const path of vfs.list('servers')) vfs.read(path)
}
listToolFiles({}, { bindings: before, vfs })
listToolFiles({ query: queries[0] }, { bindings: before, vfs })
readAll()
const all = made.splice(0).length
const last = servers.at(-1).name
const changed = servers.map((server) => (server.name === last ? { ...server, tools: server.tools.slice(1) } : server))
const after = bindServers(changed, { previous: before })
report(
  `one server of ${servers.length} changed: bound and listed again`,
  time(() => listToolFiles({}, { bindings: bindServers(changed, { previous: before }), vfs })),
)
report(
  `one server of ${servers.length} changed: every stub file read again`,
  time(() => {
    listToolFiles({}, { bindings: after, vfs })
    readAll()
  }),
)
const others = made.filter((path) => !path.startsWith(`servers/${after.findServer(last).found.name}`)).length
console.log(`  made anew: ${made.length} files of ${all}, ${others} of them of other servers`)
report(
  `one server of ${servers.length} changed: first query, which makes the index`,
  time(() => listToolFiles({ query: queries[0] }, { bindings: after, vfs })),
)
report(
  'reading the stubs of a server that did not change',
  time(() => readToolFile({ fileName: servers[0].name }, { bindings: after, vfs })),
)

/** The file system with a record of the paths of the files that it makes. */
function counting(vfs) {
  const made = []
  const mount = vfs.mount.bind(vfs)
  vfs.mount = (group, files) =>
    mount(
      group,
      files.map((file) => ({
        ...file,
        make: () => {
          made.push(file.path)
          return file.make()
        },
      })),
    )
  return { vfs, made }
}
