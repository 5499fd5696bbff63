// The compared engines, each in a process of its own, and the reasons for missing ones.

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const here = path.dirname(fileURLToPath(import.meta.url))
const bench = path.dirname(here)
const root = path.dirname(bench)

/** Installs the packages for the bench alone, from its own lock and without install scripts. */
function installPeers() {
  if (existsSync(path.join(bench, 'node_modules'))) return
  console.error('installing the engines of bench/package.json …')
  const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  spawnSync('npm', options, { cwd: bench, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' })
}

function versionOf(name) {
  for (const folder of [bench, root]) {
    const file = path.join(folder, 'node_modules', name, 'package.json')
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')).version
  }
  return undefined
}

function adapter(name, packageName, about) {
  const version = packageName === undefined ? readVersion() : versionOf(packageName)
  if (version === undefined) return { missing: `npm could not install ${packageName}` }
  return { version, command: [process.execPath, path.join(here, 'contestant.mjs'), name], ...about }
}

function readVersion() {
  return JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).version
}

/** starlark-go of Debian's packages, built here. */
function starlarkGo() {
  const source = '/usr/share/gocode/src/go.starlark.net'
  const binary = path.join(root, '.cache', 'bench', 'starlark-go')
  if (!existsSync(source)) return { missing: 'Debian’s packages golang-go and golang-starlark-dev are not installed' }
  mkdirSync(path.dirname(binary), { recursive: true })
  const { status, error } = spawnSync('go', ['build', '-o', binary, '.'], {
    cwd: path.join(here, 'starlark-go'),
    env: { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) return { missing: `go could not build it${error ? `: ${error.code}` : ''}` }
  return { version: debianVersion(), command: [binary], language: 'starlark' }
}

function debianVersion() {
  const asked = ['-W', '-f', '$' + '{Version}', 'golang-starlark-dev']
  return `Debian ${spawnSync('dpkg-query', asked, { encoding: 'utf8' }).stdout?.trim() ?? ''}`
}

function cpython() {
  const { status, stdout } = spawnSync('python3', ['--version'], { encoding: 'utf8' })
  if (status !== 0) return { missing: 'there is no python3' }
  return {
    version: stdout.trim().split(' ')[1],
    command: ['python3', path.join(here, 'cpython.py')],
    language: 'starlark',
  }
}

/** Every engine by name, with its command or the reason why it is missing. `walled`: designed for untrusted code. */
export function findEngines() {
  installPeers()
  return {
    'starbind, Starlark': { ...adapter('starbind', undefined, { language: 'starlark', walled: true }), ours: true },
    'starbind, JavaScript': { ...adapter('starbind', undefined, { language: 'javascript', walled: true }), ours: true },
    Monty: adapter('monty', '@pydantic/monty', { language: 'starlark', walled: true }),
    'Vercel run': adapter('run', 'run', { language: 'javascript', walled: true }),
    'sebastianwessel/quickjs': adapter('sebastianwessel-quickjs', '@sebastianwessel/quickjs', {
      language: 'javascript',
      walled: true,
    }),
    Pyodide: adapter('pyodide', 'pyodide', { language: 'starlark', walled: true }),
    'QuickJS, bare': adapter('quickjs', 'quickjs-emscripten-core', { language: 'javascript' }),
    'starlark-go': starlarkGo(),
    CPython: cpython(),
    'utcp/code-mode': { missing: 'it needs isolated-vm 6, a native addon that has no build for Node 20' },
  }
}

/** Starts an engine. It answers one request after the other. */
export function start({ command: [program, ...args] }) {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  let [errors, ended] = ['', undefined]
  child.stderr.on('data', (data) => {
    errors = (errors + data).slice(-2000)
  })
  const waiting = []
  const finish = (answer) => waiting.shift()?.(answer)
  createInterface({ input: child.stdout }).on('line', (line) => finish(JSON.parse(line)))
  child.on('close', (code) => {
    ended = { error: `its process ended with ${code}: ${errors.trim().split('\n').at(-1)}` }
    while (waiting.length > 0) finish(ended)
  })
  child.stdin.on('error', () => {})
  return {
    pid: child.pid,
    /** Sends a request. Resolves with `{ms, result}` or `{error}`. */
    ask(request) {
      if (ended !== undefined) return Promise.resolve(ended)
      return new Promise((resolve) => {
        waiting.push(resolve)
        child.stdin.write(`${JSON.stringify(request)}\n`)
      })
    },
    async stop() {
      if (ended !== undefined) return
      const closed = new Promise((resolve) => child.once('close', resolve))
      child.stdin.end()
      const late = setTimeout(() => child.kill('SIGKILL'), 5000)
      await closed
      clearTimeout(late)
    },
  }
}

/** The text of a task for an engine. Throws where there is none. */
export function textOf(task, { language, ours }) {
  const file = path.join(here, 'tasks', `${task}.${language === 'javascript' ? 'js' : 'star'}`)
  const text = readFileSync(file, 'utf8')
  const named = ours ? text.replace(/\b(tool|slow|wait)\(/g, 'host.$1(') : text
  return language === 'javascript' ? named.replace(/main\(\)\n$/, 'return main()\n') : named
}
