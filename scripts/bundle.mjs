// Bundles everything that Node loads: the package's entries with all packages that they use, in chunks that are loaded
// on demand, and each thread's entry as one file. A start then reads a few files instead of a thousand. The modules of
// the TypeScript compiler stay beside the bundles for the tests, and are left out of the package.
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'rolldown'
import { ZodFirstPartyTypeKind } from 'zod/v3'

const require = createRequire(import.meta.url)
const JSONC = '\0jsonc-parser'
const AJV = '\0no ajv'
const ZOD_3 = '\0no zod 3'

/** The entries of threads and of worker processes, and the modules that threads load. */
const threads = [
  'sandbox/worker.js',
  'sandbox/host-worker.js',
  'sandbox/worker-process-main.js',
  'interpreter/stages.js',
  'interpreter/locales/look-up.js',
  'gateway/reading/large-message-work.js',
  'meta-tools/desk-work.js',
  'builtin/files/work.js',
  'builtin/web/work.js',
  'builtin/sql/database-process.js',
  'builtin/sql/sqlite-process.js',
]
/** What a module requires when it needs it, by the name that it writes: packages, and a module with its packages. */
const loadedLate = {
  '@jsonjoy.com/fs-core': '@jsonjoy.com/fs-core',
  'image-size': 'image-size',
  minisearch: 'minisearch',
  pino: 'pino',
  yaml: 'yaml',
  './parsers.js': 'interpreter/javascript/parsers.js',
}
/** Loaded by a module of a thread that other modules of it load as well. */
const apart = { 'meta-tools/desk-work.js': [/interpreter\/stages\.js$/] }

/** True for the modules that the package runs; see package.json. */
export const shipped = (name) => name === 'main.js' || name.startsWith('bundle/') || threads.includes(name)

/** Replaces each thread's entry by one file with all its imports. Resolves with the bundled modules. */
export async function bundleThreads(dist) {
  const modules = []
  for (const name of threads) {
    const file = path.join(dist, name)
    const output = { ...form, file: `${file}.bundle`, codeSplitting: false }
    const built = await build({
      ...settings(dist, path.dirname(file)),
      input: file,
      external: apart[name] ?? [],
      output,
    })
    modules.push(...modulesOf(built))
    renameSync(output.file, file)
    makeAscii(file)
  }
  return modules
}

/** What a command with a server loads at once: decompressing it would take a fiftieth of its start. */
const STARTING = new Set(['child.js', 'modern.js', 'run.js', 'start.js'])

/** Replaces larger modules by compressed texts and modules that evaluate them. */
export async function compressModules(dist) {
  for (const name of threads.filter((one) => one !== 'interpreter/stages.js'))
    await compressModule(dist, path.join(dist, name))
  rmSync(path.join(dist, 'interpreter/stages.js'))
  for (const name of readdirSync(path.join(dist, 'bundle')).filter((one) => !STARTING.has(one)))
    await compressModule(dist, path.join(dist, 'bundle', name), [/^\.\.?\/(?!rolldown-runtime)/])
}

/** `external`: the modules that it shares with others. */
async function compressModule(dist, file, external = []) {
  if (statSync(file).size < 10_000) return
  const isCommon = file.endsWith('.cjs')
  const output = { ...form, format: 'cjs', exports: 'named', codeSplitting: false }
  const { external: peers, ...rest } = settings(dist, path.dirname(file))
  const outside = [...peers, ...external]
  const built = await build({ ...rest, input: file, external: outside, write: false, output })
  const [{ code, exports: names, dynamicImports }] = built.output
  if (isCommon) {
    writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)))
    return writeFileSync(file, `${required}${evaluating}evaluate(require, module, module.exports, __filename)\n`)
  }
  // Not in a text, and not as the name of a method.
  const text = code.replace(/(?<=\b(?:await|return|void) |[=(,:?&|>;])import(?=\()/g, 'later')
  const found = new Set([...text.matchAll(/\blater\([`"']([^`"']+)/g)].map(([, name]) => name))
  if (found.size !== dynamicImports.length) throw new Error(`${file} imports ${dynamicImports}, found ${[...found]}`)
  writeFileSync(`${file}.br`, brotliCompressSync(ascii(text, file)))
  const shared = [...new Set([...text.matchAll(/\brequire\([`"'](\.[^`"']+)[`"']\)/g)].map(([, name]) => name))]
  const lines = [
    ...shared.map((name, i) => `import * as given${i} from ${JSON.stringify(name)}\n`),
    imported,
    `const given = { ${shared.map((name, i) => `${JSON.stringify(name)}: given${i}`).join(', ')} }\n`,
    evaluating,
    'evaluate(require, module, module.exports, __filename, later)\n',
    // Not every name of an export is one of a variable.
    `const { ${names.map((name, i) => `${name}: own${i}`).join(', ')} } = module.exports\n`,
    `export { ${names.map((name, i) => `own${i} as ${name}`).join(', ')} }\n`,
  ]
  writeFileSync(file, lines.join(''))
}

const required = `const { readFileSync } = require('node:fs')
const { compileFunction } = require('node:vm')
const { brotliDecompressSync } = require('node:zlib')
`
const imported = `import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { compileFunction } from 'node:vm'
import { brotliDecompressSync } from 'node:zlib'
const others = createRequire(import.meta.url), require = (name) => given[name] ?? others(name)
const __filename = fileURLToPath(import.meta.url), module = { exports: {} }
// Evaluated text can import nothing itself in every Node.
const later = (name) => import(name)
`
// The texts have ASCII characters only, and Latin-1 is read faster than UTF-8.
const evaluating = `const text = brotliDecompressSync(readFileSync(__filename + '.br')).toString('latin1')
const names = ['require', 'module', 'exports', '__filename', 'later']
const evaluate = compileFunction(text, names, { filename: __filename })
`

/**
 * Replaces `main.js` and writes the rest to `bundle/`. `entries`: the package's other entries, by their names. Resolves
 * with the bundled modules.
 */
export async function bundleEntries(dist, entries) {
  const { plugins, ...rest } = settings(dist, path.join(dist, 'bundle'))
  const offered = Object.entries(entries).map(([name, file]) => [name, `${OFFERED}${file}`])
  const input = { main: path.join(dist, 'main.js'), ...Object.fromEntries(offered) }
  const bundle = (write, groups) =>
    build({
      ...rest,
      plugins: [...plugins, offering],
      input,
      write,
      output: {
        ...form,
        dir: dist,
        entryFileNames: ({ name }) => (name === 'main' ? 'main.js' : `bundle/${name}.js`),
        chunkFileNames: 'bundle/[name].js',
        codeSplitting: { groups },
      },
    })
  const { output } = await bundle(false, [])
  const built = await bundle(true, loadedTogether(dist, output))
  for (const { fileName } of built.output) makeAscii(path.join(dist, fileName))
  return [...modulesOf(built), ...(await bundleLate(dist))]
}

/**
 * What a start loads is in few files, because Node takes longer to open a file than to read it. Returns the names of
 * these files with their modules. A part has what its module imports, without the parts before it, so parts import one way.
 */
function loadedTogether(dist, output) {
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]))
  const reached = (chunk, found = new Set()) => {
    if (chunk === undefined || found.has(chunk)) return found
    found.add(chunk)
    for (const name of chunk.imports) reached(chunks.get(name), found)
    return found
  }
  const chunksOf = (name) => reached(output.find(({ moduleIds }) => moduleIds.includes(path.join(dist, name))))
  const library = chunksOf('library/code-mode.js')
  const start = chunksOf('command-line/starbind.js')
  const parts = [
    ['door', chunksOf('main.js')],
    ['basics', [...start].filter((chunk) => library.has(chunk))],
    ['start', start],
    ['threads', chunksOf('command-line/threads.js')],
    ['library', library],
    ['run', chunksOf('command-line/commands/run.js')],
    ['child', [...chunksOf('gateway/link.js'), ...chunksOf('gateway/transports/child-process.js')]],
  ]
  return parts.map(([name, part], i) => {
    const ids = new Set(
      [...part].flatMap(({ moduleIds }) => moduleIds).filter((id) => id !== path.join(dist, 'main.js')),
    )
    return { name, test: (id) => ids.has(id), priority: parts.length - i }
  })
}

/** Node reads a module of ASCII alone faster, and keeps it in half of the memory. */
function makeAscii(file) {
  writeFileSync(file, ascii(readFileSync(file, 'utf8'), file))
}

function ascii(text, file) {
  // Where an escape would mean something else.
  const odd = /\\[^\0-\x7f]|String\.raw`[^`]*[^\0-\x7f`]/.exec(text)
  if (odd !== null) throw new Error(`${file} can't be written in ASCII: ${odd[0]}`)
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const OFFERED = 'offered:'

/** The command line loads nothing that it does not name, as long as no module that it imports is an entry itself. */
const offering = {
  name: 'offering',
  resolveId: (id) => (id.startsWith(OFFERED) ? id : null),
  load: (id) => (id.startsWith(OFFERED) ? `export * from ${JSON.stringify(id.slice(OFFERED.length))}` : null),
}

// Names of classes stay, so that failures can be told apart.
const form = {
  format: 'esm',
  minify: { compress: true, mangle: { keepNames: { class: true, function: false } }, codegen: true },
}

const modulesOf = ({ output }) => output.flatMap(({ modules }) => Object.keys(modules))

const settings = (dist, folder) => ({
  platform: 'node',
  // An optional peer dependency: its user installs it.
  external: [/^openai$/],
  // Our modules have no side effects, so unused ones are dropped, except entries.
  treeshake: {
    moduleSideEffects: (id) => (id.startsWith(dist + path.sep) ? shipped(path.relative(dist, id)) : undefined),
  },
  plugins: [stayingInPlace(dist, folder), wholeJsonc, withoutAjv, withoutZod3],
  logLevel: 'warn',
})

/** Its form for Node finds its own files in a way that no bundle follows; the other has no default export. */
const wholeJsonc = {
  name: 'whole jsonc-parser',
  resolveId: (id) => (id === 'jsonc-parser' ? JSONC : null),
  load: (id) =>
    id === JSONC
      ? `import * as all from ${JSON.stringify(require.resolve('jsonc-parser/lib/esm/main.js'))}\nexport default all`
      : null,
}

/** See gateway/no-validator.ts. */
const withoutAjv = {
  name: 'without ajv',
  resolveId: (id) => (id.endsWith('/validation/ajv-provider.js') ? AJV : null),
  load: (id) => (id === AJV ? 'export class AjvJsonSchemaValidator {}' : null),
}

/**
 * Nobody here makes schemas with zod 3. The SDK would, for parts of schemas of users; and what writes schemas of users as
 * JSON Schema needs the names of their kinds.
 */
const withoutZod3 = {
  name: 'without zod 3',
  resolveId: (id) => (id === 'zod/v3' ? ZOD_3 : null),
  load: (id) =>
    id === ZOD_3
      ? `export const object = undefined, ZodFirstPartyTypeKind = ${JSON.stringify(ZodFirstPartyTypeKind)}`
      : null,
}

/** Modules that are moved into one of this folder find the files beside them where these have been. */
function stayingInPlace(dist, folder) {
  const names = Object.keys(loadedLate).join('|')
  const bundled = new RegExp(`(?<=createRequire\\(import\\.meta\\.url\\)\\(')(?:${names})(?='\\))`, 'g')
  return {
    name: 'staying in place',
    load(id) {
      if (!id.startsWith(dist + path.sep)) return null
      const top = path.relative(path.dirname(id), dist).replaceAll(path.sep, '/') || '.'
      const text = readFileSync(id, 'utf8').replace(
        bundled,
        (name) => `${top}/bundle/${path.basename(name, '.js')}.cjs`,
      )
      if (path.dirname(id) === folder) return text
      const place = path.relative(folder, id).replaceAll(path.sep, '/')
      return text.replaceAll('import.meta.url', `new URL('${place}', import.meta.url).href`)
    },
  }
}

/** Writes what is required when it is first used. Resolves with the modules. */
async function bundleLate(dist) {
  const modules = []
  for (const [name, source] of Object.entries(loadedLate)) {
    const file = path.join(dist, `bundle/${path.basename(name, '.js')}.cjs`)
    const input = name === source ? require.resolve(source) : path.join(dist, source)
    const output = { ...form, format: 'cjs', file, codeSplitting: false }
    const built = await build({ input, platform: 'node', output, logLevel: 'warn' })
    modules.push(...modulesOf(built))
    makeAscii(file)
  }
  return modules
}

/** The licenses of the packages of these modules, in their authors' words; each text once, below the notices of all. */
export function licensesOf(modules) {
  const folders = new Set(modules.flatMap((id) => /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []))
  const groups = new Map()
  for (const folder of folders) {
    const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((one) => /^(licen[cs]e|copying)/i.test(one))
    const lines = file === undefined ? [] : readFileSync(path.join(folder, file), 'utf8').trim().split('\n')
    const notices = lines.filter(isNotice).map((line) => `    ${line.trim()}`)
    const text = lines.filter((line) => !isNotice(line)).join('\n')
    const key = text.replace(/\s+/g, ' ').trim()
    const group = groups.get(key) ?? { packages: new Set(), text: text.trim() }
    groups.set(key, group)
    group.packages.add([`${name} ${version}: ${license}`, ...notices].join('\n'))
  }
  const about = 'The files of this folder and those below it contain code of these packages.'
  const parts = [...groups.values()].map(({ packages, text }) => `${[...packages].sort().join('\n')}\n\n${text}`.trim())
  return `${[about, ...parts.sort()].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

/** The line of a license that names its holder; the terms of Apache's have a pattern of one. */
const isNotice = (line) => /^\s*Copyright (?!\[)/.test(line)
