// Builds dist/: the host with the TypeScript compiler, and the guest's prelude with rolldown, as one JavaScript text
// for QuickJS. The prelude never runs in Node, so it is bundled separately and read as data. The tables for the
// compiler (signatures, methods, names) come from the prelude itself, which runs in QuickJS for this, and are written
// beside it. Everything that Node loads is bundled, because it then starts faster (see bundle.mjs), and the guest
// images of the languages are evaluated once here and stored.
//
// With --packed, and for `npm pack` and `npm publish`, it builds the published form: without comments, indentation and
// images. Images are four times as large as everything else, and the first process that needs them makes them. With
// --if-changed, it does nothing if the build is up to date.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import variant from '@jitl/quickjs-wasmfile-release-sync'
import { newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core'
import { build } from 'rolldown'
import { minifySync } from 'rolldown/utils'
import { bundleEntries, bundleThreads, compressModules, licensesOf, shipped } from './bundle.mjs'
import { bundlePage } from './bundle-page.mjs'
import { characterNames } from './character-names.mjs'
import { writeOutDeclared } from './declarations.mjs'
import { librarySources } from './library-sources.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const dist = path.join(root, 'dist')
const require = createRequire(import.meta.url)

if (process.argv.includes('--if-changed') && isUpToDate()) process.exit()
rmSync(dist, { recursive: true, force: true })
const tsc = path.join(path.dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
execFileSync(process.execPath, [tsc, '-p', path.join(root, 'tsconfig.json')], { stdio: 'inherit' })
writeOutDeclared(root, dist)

/**
 * The parts that are left out of the preludes, because programs of their kind can't name them: exports by module of
 * library.ts.
 */
const withoutModules = { './modules/python-modules.js': 'pythonModules' }
const preludes = {
  default: { file: path.join(dist, 'interpreter/prelude.js'), strict: false, leftOut: {} },
  bare: { file: path.join(dist, 'interpreter/prelude-bare.js'), strict: false, leftOut: withoutModules },
  strict: {
    file: path.join(dist, 'interpreter/prelude-strict.js'),
    strict: true,
    leftOut: { ...withoutModules, './modules/language.js': 'languageModules' },
  },
}
for (const { file, leftOut } of Object.values(preludes)) {
  await build({
    input: path.join(root, 'src/interpreter/prelude/index.ts'),
    plugins: [
      {
        name: 'leave out',
        resolveId: (source, importer) =>
          importer?.endsWith('/library.ts') && leftOut[source] !== undefined ? `\0${leftOut[source]}` : null,
        load: (id) => (id.startsWith('\0') && id.endsWith('Modules') ? `export const ${id.slice(1)} = {}` : null),
      },
    ],
    // QuickJS tests at every read of a captured `let` or `const` whether it was assigned; `var` has no such test.
    output: { file, format: 'iife', minify: false, intro: "'use strict'", topLevelVar: true },
    logLevel: 'warn',
  })
}
await build({
  input: path.join(root, 'src/interpreter/javascript/guest/index.ts'),
  output: {
    file: path.join(dist, 'interpreter/javascript/guest.js'),
    format: 'iife',
    minify: false,
    intro: "'use strict'",
    topLevelVar: true,
  },
  logLevel: 'warn',
})
await describePrelude()
await compileLibraryModules()
writeFileSync(path.join(dist, 'interpreter/character-names.txt'), characterNames())
copyFileSync(require.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'), path.join(dist, 'sandbox/quickjs.wasm'))
await writeDigests()
const modules = [...(await bundleThreads(dist)), ...(await bundleEntries(dist, entries())), ...(await bundlePage(dist))]
writeFileSync(path.join(dist, 'LICENSES.txt'), licensesOf(modules))
if (process.argv.includes('--packed') || ['pack', 'publish'].includes(process.env.npm_command)) await pack()
else await storeImages()
chmodSync(path.join(dist, 'main.js'), 0o755)

/** True if all files are newer than their sources. The compiler writes first, and images come last. */
function isUpToDate() {
  const compiled = path.join(dist, 'index.js')
  if (!existsSync(compiled) || !existsSync(path.join(dist, 'sandbox/images'))) return false
  const folders = ['src', 'scripts']
  const within = folders.flatMap((name) =>
    readdirSync(path.join(root, name), { recursive: true }).map((file) => path.join(name, file)),
  )
  const { mtimeMs } = statSync(compiled)
  return [...folders, ...within, 'package-lock.json', 'tsconfig.json'].every(
    (name) => statSync(path.join(root, name)).mtimeMs < mtimeMs,
  )
}

async function describePrelude() {
  const quickjs = await newQuickJSWASMModuleFromVariant(variant)
  const tables = {}
  for (const [name, { file, strict }] of Object.entries(preludes)) {
    const context = quickjs.newContext()
    const ask = 'var tables; globalThis.$starbindHooks = (hooks) => { tables = JSON.stringify(hooks.describe()) };\n'
    const text = `${ask}const STARBIND_STRICT = ${strict}, STARBIND_LIBRARY = {};\n${readFileSync(file, 'utf8')}`
    context.unwrapResult(context.evalCode(text, 'prelude.js')).dispose()
    const answer = context.getProp(context.global, 'tables')
    tables[name] = JSON.parse(context.getString(answer))
    answer.dispose()
    context.dispose()
  }
  writeFileSync(path.join(dist, 'interpreter/prelude.json'), JSON.stringify(tables))
}

/** Compiles the modules of Python's library that are not written by hand, and writes their members for the compiler. */
async function compileLibraryModules() {
  const { compileLibrary } = await import(pathToFileURL(path.join(dist, 'interpreter/compile/index.js')).href)
  const written = path.join(dist, 'interpreter/prelude.json')
  const tables = JSON.parse(readFileSync(written, 'utf8'))
  const sources = librarySources()
  const { compiled, members } = compileLibrary(Object.values(sources).flat())
  const { default: universe } = tables
  universe.library = {}
  for (const [image, named] of Object.entries(sources)) {
    const code = named.map(([name]) => `${JSON.stringify(name)}: ${compiled.get(name).code}`)
    writeFileSync(path.join(dist, `interpreter/${image}.js`), withoutSpaces(`({${code.join(',\n')}})`))
    for (const [name] of named) {
      const own = universe.modules[name]
      const paths = own === undefined ? [name] : compiled.get(name).members.map((member) => `${name}.${member}`)
      for (const path of paths) universe.library[path] = image
    }
  }
  universe.names.push(...[...members.keys()].filter((name) => universe.modules[name] === undefined))
  universe.modules = Object.fromEntries(members)
  universe.libraryWords = [...new Set([...compiled.values()].flatMap(({ words }) => words))]
  writeFileSync(written, JSON.stringify(tables))
}

/** So that a start need not read the texts of an image to find out which of the stored ones it is. */
async function writeDigests() {
  const load = (file) => import(pathToFileURL(path.join(dist, file)).href)
  const [{ guestImage, imageNames }, { digestOf }] = await Promise.all(
    ['interpreter/images.js', 'sandbox/image-store.js'].map(load),
  )
  const digests = await Promise.all(imageNames().map(async (name) => [name, await digestOf(guestImage(name))]))
  writeFileSync(path.join(dist, 'interpreter/digests.json'), JSON.stringify(Object.fromEntries(digests)))
}

/** An expression as shorter text. */
function withoutSpaces(text) {
  const options = { compress: false, mangle: false, codegen: { removeWhitespace: true } }
  return minifySync('library.js', text, options).code.replace(/;\s*$/, '')
}

/** The package's entries beside the command line, by the name of the file in `bundle/`. */
function entries() {
  const { exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const offered = Object.values(exports).filter(({ types }) => types !== undefined)
  return Object.fromEntries(
    offered.map((one) => [path.basename(one.default, '.js'), path.join(root, one.types.replace(/d\.ts$/, 'js'))]),
  )
}

async function storeImages() {
  const load = (file) => import(pathToFileURL(path.join(dist, file)).href)
  const [{ compile }, { storeImage }] = await Promise.all(['interpreter/stages.js', 'sandbox/image-store.js'].map(load))
  // One program for each image.
  for (const [language, text, strict] of [
    ['starlark', '', false],
    ['starlark', 'import re', false],
    ['starlark', 'import tomllib', false],
    ['starlark', 'import email', false],
    ['starlark', '', true],
    ['javascript', '', false],
  ]) {
    const compiled = compile({ text, language }, { dialect: { strict } })
    if (compiled.ok) await storeImage(compiled.program.image)
  }
}

async function pack() {
  const guests = [...Object.keys(librarySources()), 'javascript/guest'].map((name) =>
    path.join(dist, `interpreter/${name}.js`),
  )
  const bundles = Object.values(preludes).map(({ file }) => file)
  for (const file of [...guests, ...bundles]) writeFileSync(file, minified(readFileSync(file, 'utf8')))
  for (const file of guests) compress(file)
  compressTogether(bundles, path.join(dist, 'interpreter/preludes.json.br'))
  compress(path.join(dist, 'interpreter/prelude.json'))
  compress(path.join(dist, 'interpreter/character-names.txt'))
  compress(path.join(dist, 'sandbox/quickjs.wasm'))
  await compressModules(dist)
  dropModules()
  await bundleDeclarations()
}

/** A text for guests, in which functions and classes have names that programs can see. */
function minified(text) {
  const options = { compress: false, mangle: { keepNames: true }, codegen: { removeWhitespace: true } }
  return minifySync('guest.js', text, options).code.replace(/;\s*$/, '')
}

/** Files that share most of their text take little more room than the largest of them. */
function compressTogether(files, place) {
  const texts = Object.fromEntries(files.map((file) => [path.basename(file), readFileSync(file, 'utf8')]))
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS }
  writeFileSync(place, brotliCompressSync(JSON.stringify(texts), { params }))
  for (const file of files) rmSync(file)
}

/** Compresses what is read and not loaded as a module. */
function compress(file) {
  writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)))
  rmSync(file)
}

/** Deletes the modules, which the bundles contain. */
function dropModules() {
  for (const name of readdirSync(dist, { recursive: true }))
    if (name.endsWith('.js') && !shipped(name)) rmSync(path.join(dist, name))
}

/** Replaces the declarations by those of the package's entries, and of what these name in one file. */
async function bundleDeclarations() {
  const { exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const offered = Object.values(exports).flatMap(({ types = [] }) => types)
  const names = offered.map((types) => path.relative(dist, path.join(root, types)))
  const place = path.join(dist, 'declarations')
  const { dts } = await import('rolldown-plugin-dts')
  await build({
    cwd: dist,
    input: Object.fromEntries(names.map((name) => [name.replace(/\.d\.ts$/, ''), path.join(dist, name)])),
    external: /^[^./]/,
    plugins: [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false })],
    output: { dir: place, format: 'es', chunkFileNames: '[name].d.ts' },
  })
  for (const name of readdirSync(dist, { recursive: true }))
    if (name.endsWith('.d.ts') && !name.startsWith('declarations/')) rmSync(path.join(dist, name))
  for (const name of readdirSync(place, { recursive: true }).filter((one) => one.endsWith('.d.ts'))) {
    const file = path.join(place, name)
    writeFileSync(file, withoutExamples(readFileSync(file, 'utf8')))
  }
  cpSync(place, dist, { recursive: true })
  rmSync(place, { recursive: true })
}

/** docs/api has the examples of the comments. */
function withoutExamples(text) {
  return text.replace(/^( *)( \* @example\n)(?:\1 \*(?!\/).*\n)+/gm, '').replace(/^( *) \*\n\1 \*\/$/gm, '$1 */')
}
