// Checks the package, by hand and every night: packs a copy of the repository as `npm publish` would, checks its
// contents, installs it into an empty project, and uses it there on every supported Node: as a command, as a module, as
// types. Then some 1,500 programs have to end there as in the form that the tests use. Node's versions come from npm.
//
//   node scripts/check-package.mjs [20 22 24 26]      default: the Node that runs this
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { permissive } from './dependencies.mjs'
import { nodeOf } from './node-of.mjs'

const MOST_BYTES = 3_000_000
const MOST_INSTALLED_BYTES = 25_000_000
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const place = mkdtempSync(path.join(tmpdir(), 'starbind-package-'))
const run = (command, args, cwd, env = {}) =>
  execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })

const consumer = `import { CodeMode, version } from 'starbind'
import { openaiChat } from 'starbind/openai'
const codeMode = await CodeMode.open({ servers: { demo: { inProcess: { add: { call: ({ a, b }) => a + b } } } } })
const { result } = await codeMode.run('result = demo.add(a=20, b=22)')
console.log(version, result, openaiChat(codeMode).tools.length, await codeMode.run('1 // 0').then((run) => run.error.code))
await codeMode.close()
`

// What is loaded on demand, too.
const everyModule = `import { readdirSync } from 'node:fs'
const folder = new URL('node_modules/starbind/dist/bundle/', import.meta.url)
for (const name of readdirSync(folder)) if (/\\.c?js$/.test(name)) await import(new URL(name, folder))
console.log('loaded')
process.exit()
`

const GOOSE = 'extensions:\n  far:\n    type: streamable_http\n    enabled: true\n    uri: https://example.com/mcp\n'
const GOOSE_IMPORTED = JSON.stringify({ mcpServers: { far: { url: 'https://example.com/mcp' } } }, null, 2)

const types = `import { CodeMode, type RunResult } from 'starbind'
import { openaiChat, openaiResponses } from 'starbind/openai'
import { anthropicMessages } from 'starbind/anthropic'
import { geminiFunctions } from 'starbind/gemini'
import { aiSdkTools } from 'starbind/ai-sdk'
import { langchainTools } from 'starbind/langchain'
import { addAgents, createAgent } from 'starbind/agent'
await using codeMode = await CodeMode.open({})
const run: RunResult = await codeMode.run('result = 1')
export const all = [run, openaiChat, openaiResponses, anthropicMessages, geminiFunctions, aiSdkTools, langchainTools, createAgent, addAgents]
`

try {
  const tarball = pack()
  const project = install(tarball)
  reportLicenses(project)
  audit(project)
  for (const version of process.argv.length > 2 ? process.argv.slice(2) : ['']) use(project, version)
  comparePrograms(project)
  console.log('the package is whole')
} finally {
  rmSync(place, { recursive: true })
}

/** Packs the files that git knows, so that no other file gets in. */
function pack() {
  const copy = path.join(place, 'copy')
  for (const file of run('git', ['ls-files', '-z'], root).split('\0').filter(Boolean))
    cpSync(path.join(root, file), path.join(copy, file), { recursive: true })
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
  const output = run('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', place], copy)
  const [{ filename, unpackedSize, files, size }] = JSON.parse(output.slice(output.indexOf('[\n')))
  const strangers = files
    .map((file) => file.path)
    .filter(
      (name) =>
        !/^(dist\/.*\.(c?js(\.br)?|json(\.br)?|txt(\.br)?|wasm\.br|d\.ts)|dist\/page\/(app\/)?[\w.-]+\.(html|css|svg)\.br|package\.json|starbind\.schema\.json|[A-Z]+(\.md)?)$/.test(
          name,
        ),
    )
  if (strangers.length > 0) throw new Error(`in the package, and why? ${strangers.join(', ')}`)
  if (unpackedSize > MOST_BYTES) throw new Error(`${unpackedSize} bytes unpacked, want at most ${MOST_BYTES}`)
  console.log(`${files.length} files, ${size} bytes packed, ${unpackedSize} unpacked`)
  return path.join(place, filename)
}

function install(tarball) {
  const project = path.join(place, 'project')
  mkdirSync(project)
  writeFileSync(path.join(project, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }))
  const started = Date.now()
  const add = (...packages) =>
    run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages], project)
  add(tarball)
  const bytes = bytesIn(path.join(project, 'node_modules'))
  console.log(`installed in ${Math.round((Date.now() - started) / 1000)} s, ${bytes} bytes`)
  if (bytes > MOST_INSTALLED_BYTES) throw new Error(`${bytes} bytes installed, want at most ${MOST_INSTALLED_BYTES}`)
  add('typescript@latest', '@types/node@20')
  return project
}

function bytesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0)
}

/** Prints every installed package with its license and its install scripts. */
function reportLicenses(project) {
  const { packages } = JSON.parse(readFileSync(path.join(project, 'node_modules/.package-lock.json'), 'utf8'))
  const rows = Object.entries(packages)
    .filter(([name]) => !/node_modules\/(@?typescript|@types)/.test(name))
    .map(([name, { version, license, hasInstallScript }]) => ({
      name: name.replace(/^node_modules\//, ''),
      version,
      license,
      hasInstallScript,
    }))
  const count = {}
  for (const { license } of rows) count[license] = (count[license] ?? 0) + 1
  console.log(
    `${rows.length} packages: ${Object.entries(count)
      .map(([license, n]) => `${license} ${n}`)
      .join(', ')}`,
  )
  const odd = rows.filter(({ license, hasInstallScript }) => hasInstallScript || !permissive.test(license ?? ''))
  if (odd.length > 0)
    throw new Error(
      `look at ${odd.map(({ name, version, license, hasInstallScript }) => `${name}@${version} (${license}${hasInstallScript ? ', install script' : ''})`).join(', ')}`,
    )
}

/** Known vulnerabilities of dependencies fail the check. A registry without an audit endpoint only gives a message. */
function audit(project) {
  try {
    run('npm', ['audit', '--json'], project)
    console.log('npm audit: nothing known')
  } catch (error) {
    const { metadata, message = 'no answer' } = JSON.parse(error.stdout || '{}')
    if (metadata?.vulnerabilities?.total > 0)
      throw new Error(`npm audit: ${JSON.stringify(metadata.vulnerabilities)}; npm audit --omit=dev names them`)
    console.log(`npm audit: not answered by this registry (${message.split(' - ')[0]})`)
  }
}

function use(project, version) {
  const node = version === '' ? process.execPath : nodeOf(version)
  const expected = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).version
  const command = path.join(project, 'node_modules/starbind/dist/main.js')
  const said = (args, env) => run(node, args, project, env).trim()
  writeFileSync(path.join(project, 'every-module.mjs'), everyModule)
  const checks = [
    ['--version', said([command, '--version']), expected],
    [
      'npx',
      run('npx', ['starbind', '--version'], project, { PATH: `${path.dirname(node)}:${process.env.PATH}` }).trim(),
      expected,
    ],
    ['a program', said([command, 'run', '-e', 'result = 6 * 7']), 'result: 42'],
    [
      'a JavaScript program',
      said([command, 'run', '--language', 'javascript', '-e', 'result = [1, 2].map((n) => n * 21)']),
      'result: [21,42]',
    ],
    ['try', /[78] calls in one program/.test(said([command, 'try'])), true],
    ['a module', said(['--input-type=module', '-e', consumer]), `${expected} 42 4 zero-division-error`],
    ['a host’s YAML', said([command, 'import', '--print', '--from', 'goose'], homeWithGoose(project)), GOOSE_IMPORTED],
    ['every module', said(['every-module.mjs']), 'loaded'],
    ['types', checkTypes(project, 'nodenext', 'nodenext'), ''],
    ['types for bundlers', checkTypes(project, 'esnext', 'bundler'), ''],
  ]
  for (const [name, got, want] of checks)
    if (got !== want)
      throw new Error(`Node ${version}: ${name}: got ${JSON.stringify(got)}, want ${JSON.stringify(want)}`)
  console.log(`Node ${said(['--version'])}: ${checks.map(([name]) => name).join(', ')}`)
}

/** The suite runs what is not minified and not compressed: programs have to end in the package as they do there. */
function comparePrograms(project) {
  run('node', ['scripts/build.mjs', '--if-changed'], root)
  const entry = path.join(project, 'node_modules/starbind/dist/bundle/index.js')
  console.log(run(process.execPath, [path.join(root, 'scripts/packed-programs.mjs'), entry], root).trim())
}

/** Its configuration needs a package that is loaded on demand. Returns an environment. */
function homeWithGoose(project) {
  mkdirSync(path.join(project, '.config/goose'), { recursive: true })
  writeFileSync(path.join(project, '.config/goose/config.yaml'), GOOSE)
  return { HOME: project, USERPROFILE: project, XDG_CONFIG_HOME: path.join(project, '.config') }
}

/** Checks our declarations without `skipLibCheck`. Mistakes in those of other packages don't count. */
function checkTypes(project, module, moduleResolution) {
  writeFileSync(path.join(project, 'use.ts'), types)
  const tsc = path.join(project, 'node_modules/typescript/bin/tsc')
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    module,
    '--moduleResolution',
    moduleResolution,
    '--target',
    'es2023',
    '--lib',
    'es2023,esnext.disposable',
    '--types',
    'node',
    'use.ts',
  ]
  try {
    return run(process.execPath, [tsc, ...options], project).trim()
  } catch (error) {
    return error.stdout.trim()
  }
}
