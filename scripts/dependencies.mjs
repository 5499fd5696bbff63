// Writes docs/dependencies.md from the lock: every package that is installed with this one, and every package whose
// code is in the bundles, with version, license and reason. A test compares the document with the lock. The reasons are
// in this file, so no dependency can be added without one. A development dependency with a reason is in the bundles.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

const reasons = {
  '@bomb.sh/tab': 'completions for shells',
  '@codemirror/autocomplete': 'completions in the editor of the page',
  '@codemirror/commands': 'keys of the editor of the page',
  '@codemirror/lang-javascript': 'programs in JavaScript in the editor of the page',
  '@codemirror/lang-python': 'programs in Starlark in the editor of the page',
  '@codemirror/language': 'how the editor of the page reads programs',
  '@codemirror/lint': 'mistakes in the editor of the page',
  '@codemirror/state': 'the text of the editor of the page',
  '@codemirror/view': 'the editor of the page',
  '@jitl/quickjs-wasmfile-release-sync': 'the engine that programs run in, as WebAssembly',
  '@jsonjoy.com/fs-core': 'the files that models read, in memory (the core of memfs)',
  '@lezer/highlight': 'colours of programs on the page',
  '@lezer/javascript': 'reads programs in JavaScript on the page',
  '@lezer/python': 'reads programs in Starlark on the page',
  '@modelcontextprotocol/sdk': 'the protocol, on both sides',
  '@opentelemetry/api': 'spans, for whoever installs an exporter',
  '@preact/signals': 'values that the page follows',
  '@sveltejs/acorn-typescript': 'reads the annotations of TypeScript, which are left out',
  '@toon-format/toon': 'writes results in TOON',
  acorn: 'reads programs in JavaScript',
  aws4fetch: 'signs requests to buckets that keep files',
  'cli-table3': 'tables at a terminal',
  commander: 'commands and options',
  'content-disposition': 'names files in headers of HTTP, and reads such names',
  'cross-spawn': 'starts servers on every system',
  'csv-parse': 'reads tables for the built-in server `files`',
  '@mdream/js': 'turns HTML pages into Markdown for `web`',
  diff: 'shows what `starbind import --move` changes, and applies diffs for `files`',
  dotenv: 'reads files of variables (`envFile`)',
  ignore: 'reads `.gitignore` files for `files`',
  'image-size': 'reads the sizes of pictures',
  'jsonc-parser': 'reads configurations, with comments and with the lines of mistakes',
  libsql: 'the file in which runs are kept (SQLite); left out where it has no build',
  marked: 'reads the Markdown of models on the page',
  minisearch: 'finds tools by words',
  mrmime: 'the types of file names',
  open: 'shows the page of a login in the default browser',
  picocolors: 'colours at a terminal',
  picomatch: 'matches names of files with patterns',
  pino: 'logs as JSON lines',
  preact: 'draws the page',
  'quickjs-emscripten-core': 'loads the engine',
  'range-parser': 'reads which part of a file is asked for',
  re2js: 'matches the patterns of schemas and of searches in linear time',
  'smol-toml': 'reads the configurations of hosts that write TOML, and TOML as data',
  yaml: 'reads and changes the configurations of hosts that write YAML, and YAML as data',
  zod: 'checks configurations and arguments',
}

/** The accepted licenses, which require only a notice. */
export const permissive = /^(MIT|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|BlueOak-1\.0\.0|Unlicense|CC0-1\.0)$/

/** The document, from a lock. Throws if a package has no reason, no permissive license, or an install script. */
export function dependenciesDocument(lock = readJson('package-lock.json')) {
  const { packages } = lock
  const { dependencies, optionalDependencies, devDependencies = {} } = packages['']
  const installed = Object.keys({ ...dependencies, ...optionalDependencies }).sort(byText)
  const bundled = Object.keys(devDependencies).filter((name) => reasons[name] !== undefined)
  const direct = [...installed, ...bundled]
  const brought = new Map()
  for (const name of direct) for (const place of reachedFrom(name, packages)) add(brought, place, name)
  const rows = [...brought].map(([place, bringers]) => ({ place, bringers, ...packages[place] }))
  complain(direct, rows)
  const comesAlong = rows.filter(({ bringers }) => bringers.some((name) => installed.includes(name)))
  return `# Dependencies

Written by \`node scripts/dependencies.mjs\` from package-lock.json. Installing starbind brings ${comesAlong.length} packages: ${installed.length} that it loads when
they are needed, and what those need. Of ${bundled.length} others, and of what those need, the build takes the code that is used into
starbind's own files, so that a start reads a few files and nothing else is installed; \`dist/LICENSES.txt\` in the package has
their licenses. The licenses of all: ${licensesIn(rows)}. None of them runs anything when it is installed, and neither does starbind.

\`npm audit\` asks the registry for known weaknesses of these versions, of the bundled ones in a clone. It is run every night and before a
release; a registry that has no audit endpoint can't answer it. A weakness of a bundled package needs a release of starbind.

## Installed with starbind

${directTable(installed, packages, brought)}

## In starbind's bundles

${directTable(bundled, packages, brought)}

## Needed by those

| package | version | license | brought by |
| --- | --- | --- | --- |
${rows
  .filter(({ place }) => !direct.includes(nameOf(place)) || place.lastIndexOf('node_modules/') > 0)
  .toSorted(
    (a, b) => byText(nameOf(a.place), nameOf(b.place)) || byText(a.version, b.version) || byText(a.place, b.place),
  )
  .map(
    ({ place, version, license, bringers }) =>
      `| ${nameOf(place)} | ${version} | ${license} | ${bringers.join(', ')} |`,
  )
  .join('\n')}
`
}

function licensesIn(rows) {
  const count = new Map()
  for (const { license } of rows) count.set(license, (count.get(license) ?? 0) + 1)
  return [...count]
    .sort(([, a], [, b]) => b - a)
    .map(([license, n]) => `${license} ${n}`)
    .join(', ')
}

function directTable(names, packages, brought) {
  const head = '| package | version | license | what for | brings |\n| --- | --- | --- | --- | --- |'
  return [head, ...names.map((name) => directRow(name, packages, brought))].join('\n')
}

function directRow(name, packages, brought) {
  const { version, license } = packages[`node_modules/${name}`]
  const others = [...brought.values()].filter((bringers) => bringers.includes(name)).length - 1
  return `| ${name} | ${version} | ${license} | ${reasons[name]} | ${others} |`
}

function complain(direct, rows) {
  const wrong = [
    ...direct.filter((name) => reasons[name] === undefined).map((name) => `${name} has no reason`),
    ...Object.keys(reasons)
      .filter((name) => !direct.includes(name))
      .map((name) => `${name} is no dependency any more`),
    ...rows
      .filter(({ license }) => !permissive.test(license ?? ''))
      .map(({ place, license }) => `${place}: ${license}`),
    ...rows.filter(({ hasInstallScript }) => hasInstallScript).map(({ place }) => `${place} has an install script`),
  ]
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
}

/** The places in the lock of a package and all its dependencies. */
function reachedFrom(name, packages) {
  const reached = new Set()
  const visit = (place) => {
    if (place === undefined || reached.has(place)) return
    reached.add(place)
    const { dependencies, optionalDependencies } = packages[place]
    for (const one of Object.keys({ ...dependencies, ...optionalDependencies })) visit(placeOf(one, place, packages))
  }
  visit(`node_modules/${name}`)
  return reached
}

/** The place where Node finds a package: in the folder of the importing one, or in the nearest above. */
function placeOf(name, from, packages) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (packages[place] !== undefined) return place
    if (folder === '') return undefined
  }
}

function add(map, key, value) {
  map.set(key, [...(map.get(key) ?? []), value])
}

function nameOf(place) {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

function byText(a, b) {
  return a < b ? -1 : a > b ? 1 : 0
}

function readJson(name) {
  return JSON.parse(readFileSync(path.join(root, name), 'utf8'))
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(path.join(root, 'docs/dependencies.md'), dependenciesDocument())
