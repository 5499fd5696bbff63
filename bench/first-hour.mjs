// The waiting time of a new user: seconds per command against their targets, in a folder with 26 servers (good, slow,
// hanging, crashing, without their variables, lazy, one that wants a login), and the start of the command line as
// ratios to `node -e 0`, measured in turns: `node bench/first-hour.mjs [ROUNDS] [--starts]`. Everything is local.
// Seconds mean something on a machine that does nothing else; ratios do on any.

import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'

const rounds = Number(process.argv[2] ?? 9)
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const main = path.join(root, 'dist', 'main.js')
const fixture = (name) => path.join(root, 'test', 'fixtures', name)
const place = mkdtempSync(path.join(tmpdir(), 'starbind-first-hour-'))
const empty = mkdtempSync(path.join(tmpdir(), 'starbind-first-hour-'))
const env = { ...process.env, XDG_STATE_HOME: path.join(place, 'state') }
const missed = []

const SLOW_MS = 3000
const CONNECT_MS = 6000

const locked = createServer((_, response) => {
  response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
})
await new Promise((resolve) => locked.listen(0, '127.0.0.1', resolve))
try {
  writeFileSync(path.join(place, '.mcp.json'), JSON.stringify(configuration()))
  if (!process.argv.includes('--starts')) await timeCommands()
  timeStarts()
} finally {
  locked.close()
  for (const folder of [place, empty]) rmSync(folder, { recursive: true })
}
console.log(missed.length === 0 ? '\nevery target is met' : `\nmissed: ${missed.join(', ')}`)

function configuration() {
  const node = (...args) => ({ command: process.execPath, args })
  const good = node(fixture('plain-server.mjs'))
  const late = pathToFileURL(fixture('plain-server.mjs')).href
  const kinds = {
    good: [10, good],
    slow: [
      4,
      node(
        '-e',
        `setTimeout(() => (process.argv[1] = ${JSON.stringify(fixture('plain-server.mjs'))}, import('${late}')), ${SLOW_MS})`,
      ),
    ],
    hanging: [3, node('-e', 'setInterval(() => {}, 1e6)')],
    crashing: [3, node(fixture('exits-at-once.mjs'))],
    unset: [2, { ...good, env: { TOKEN: `\${STARBIND_FIRST_HOUR_UNSET}` } }],
    lazy: [3, { ...good, lazy: true }],
    locked: [1, { url: `http://127.0.0.1:${locked.address().port}/mcp` }],
  }
  const entries = Object.entries(kinds).flatMap(([kind, [count, entry]]) =>
    Array.from({ length: count }, (_, i) => [`${kind}${i + 1}`, entry]),
  )
  return { mcpServers: Object.fromEntries(entries), codeMode: { connectTimeoutMs: CONNECT_MS } }
}

/** In the order in which they are typed, because a command uses the caches of earlier ones. */
async function timeCommands() {
  const start = leastOf(() => starbind(['--version']))
  // The targets, beside the command's own start.
  const commands = [
    ['ls', 2, 'ls'],
    ['ls, again', 2, 'ls'],
    ['cat servers/good1.pyi', 2, 'cat', 'servers/good1.pyi'],
    ['docs good1 greet', 2, 'docs', 'good1', 'greet'],
    ['docs slow1 greet', SLOW_MS / 1000 + 2, 'docs', 'slow1', 'greet'],
    ["check -e 'result = good1.greet()'", 2, 'check', '-e', 'result = good1.greet()'],
    ["complete -- docs ''", 0.5, 'complete', '--', 'docs', ''],
    ["run -e 'result = 1'", 1, 'run', '-e', 'result = 1'],
    ["run -e 'result = good2.greet()'", 2, 'run', '-e', 'result = good2.greet()'],
    ["run -e 'result = lazy1.greet()'", 2, 'run', '-e', 'result = lazy1.greet()'],
    ['doctor', CONNECT_MS / 1000 + 3, 'doctor'],
  ]
  console.log(`26 servers; a command's own start (--version) takes ${start.toFixed(2)} s\n`)
  console.log('| command | seconds | target |\n| --- | ---: | ---: |')
  for (const [name, target, ...args] of commands) {
    const begun = performance.now()
    const { status, stderr } = starbind(args)
    tell(name, (performance.now() - begun) / 1000, target)
    if (status > 1) throw new Error(`${name} ended with ${status}: ${stderr}`)
  }
  tell('serve, its first listToolFiles', await firstListing(), 2)
}

function tell(name, seconds, target) {
  if (seconds > target) missed.push(name)
  console.log(`| ${name} | ${seconds.toFixed(2)} | ${target} |`)
}

/** From the request to its answer. */
async function firstListing() {
  const child = spawn(process.execPath, [main, 'serve'], { cwd: place, env, stdio: ['pipe', 'pipe', 'ignore'] })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const ask = async (id, method, params) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    for (;;) {
      const { value, done } = await lines.next()
      if (done) throw new Error('serve has ended')
      if (JSON.parse(value).id === id) return JSON.parse(value)
    }
  }
  const clientInfo = { name: 'first-hour', version: '1' }
  await ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
  const begun = performance.now()
  await ask(2, 'tools/call', { name: 'listToolFiles', arguments: {} })
  const seconds = (performance.now() - begun) / 1000
  child.stdin.end()
  await new Promise((resolve) => child.on('close', resolve))
  return seconds
}

function timeStarts() {
  const script = fixture('plain-server.mjs')
  const config = path.join(empty, 'one.json')
  writeFileSync(config, JSON.stringify({ mcpServers: { one: { command: process.execPath, args: [script] } } }))
  const hello = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18' } })}\n`
  const cases = {
    'node -e 0': [['-e', '0']],
    'the server alone, until it has answered': [[script], hello],
    '--version': [[main, '--version'], undefined, 2],
    '--help': [[main, '--help'], undefined, 2],
    'complete -- r': [[main, 'complete', '--', 'r'], undefined, 2],
    "run -e 'result=1'": [[main, 'run', '-e', 'result=1'], undefined, 5],
    'run, calling one stdio server': [[main, 'run', '--config', config, '-e', 'result = one.greet()']],
  }
  const times = Object.fromEntries(Object.keys(cases).map((name) => [name, []]))
  // The first round fills caches.
  for (let round = 0; round <= rounds; round++)
    for (const [name, [args, input]] of Object.entries(cases)) {
      const begun = performance.now()
      const { status, stderr } = spawnSync(process.execPath, args, { cwd: empty, env, input, encoding: 'utf8' })
      if (round > 0) times[name].push(performance.now() - begun)
      if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`)
    }
  const unit = median(times['node -e 0'])
  const ratioOf = (name) => median(times[name]) / unit
  const targets = { 'run, calling one stdio server': ratioOf('the server alone, until it has answered') + 5 }
  console.log(`\n| start, ${rounds} rounds in turns | ratio to \`node -e 0\` | target |\n| --- | ---: | ---: |`)
  for (const [name, [, , target = targets[name]]] of Object.entries(cases)) {
    if (target !== undefined && ratioOf(name) > target) missed.push(name)
    console.log(`| ${name} | ${ratioOf(name).toFixed(1)} | ${target?.toFixed(1) ?? ''} |`)
  }
}

function starbind(args) {
  return spawnSync(process.execPath, [main, ...args], { cwd: place, env, encoding: 'utf8' })
}

function leastOf(act) {
  const times = [1, 2, 3].map(() => {
    const begun = performance.now()
    act()
    return performance.now() - begun
  })
  return Math.min(...times) / 1000
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}
