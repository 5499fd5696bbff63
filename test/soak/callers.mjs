// Callers in a process of their own. Honest ones run small programs, one after the other, and say over IPC how long each took and which answers were wrong.
// Hostile ones submit what holds up whoever reads it, and stop when they are told.

import net from 'node:net'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const { role, url, key, count, seconds, seed } = JSON.parse(process.argv[2])
const headers = { authorization: `Bearer ${key}` }
let over = Number.POSITIVE_INFINITY
const isOver = () => performance.now() >= over
const LARGEST = 250 * 1024
const filled = (piece) => piece.repeat(Math.floor(LARGEST / piece.length))
const lines = (many, line) => Array.from({ length: many }, (_, n) => line(n)).join('\n')

let state = seed
const random = (below) => {
  state = (state * 1_103_515_245 + 12_345) % 2 ** 31
  return Math.floor((state / 2 ** 31) * below)
}

async function connected(name) {
  const client = new Client({ name, version: '1' }, {})
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  return client
}
const ask = (client, name, args) => client.callTool({ name, arguments: args }, undefined, { timeout: 600_000 })
const textOf = ({ content }) => content.map(({ text = '' }) => text).join('\n')

const programs = [
  `${filled('\n')}x y`,
  lines(2000, (n) => `undefinedname${n}`),
  'a'.repeat(LARGEST),
  filled('a<!--b '),
  lines(6000, (n) => `a${n} = a${n + 1}`),
  `const x = hostile.page()${filled('.then(a)')}`,
  '('.repeat(LARGEST),
  `${filled('"a" + ')}"b"`,
  filled('f"{1}" '),
  `x = {${filled('"a":1,')}}`,
  lines(9000, (n) => `def f${n}(): return f${n + 1}()`),
  `${'`${'.repeat(700)}1${'}`'.repeat(700)}`,
  '()=>{'.repeat(500),
  'if(1){'.repeat(3000),
  'int("12345 " * 20000)',
  'int(hostile.page())',
  'result = {str(i): i for i in range(100000)}',
  'result = [[i] for i in range(200000)]',
  'for i in range(900):\n    print("x" * 1000)',
  'while True: pass',
  'x = []\nwhile True: x.append("x" * 1000)',
  'def f(): return f()\nf()',
  'const e = new Error("x"); e.stack = "at x (program.js:2:99999999999999)"; throw e',
  'String = () => undefined; throw 1',
  'Object.prototype.valueOf = function () { g = this }; -hostile; g.logs()',
  'for (;;) hostile.nothing()',
  ...[
    'page',
    'keys',
    'rows',
    'deep',
    'logs',
    'changes',
    'questions',
    'garbage',
    'blank',
    'wide',
    'pattern',
    'late',
  ].map((tool) => `r = hostile.${tool}()\nresult = len(str(r))`),
]
const nested = (depth) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
const others = [
  (client) =>
    ask(client, 'getToolDocs', {
      server: 'x'.repeat(100_000),
      tools: Array.from({ length: 5_000 }, (_, i) => `y${i}`),
    }),
  (client) => ask(client, 'listToolFiles', { query: 'x '.repeat(50_000) }),
  (client) => ask(client, 'readToolFile', { fileNames: Array.from({ length: 5_000 }, (_, i) => `servers/y${i}`) }),
  (client) => ask(client, 'executeToolCode', { code: 'x', ...nested(2_000) }),
  (client) =>
    ask(client, 'executeToolCode', { code: 'result = [{"k" + str(i): i} for i in range(4000)]', output: 'csv' }),
  stalled,
  inCrumbs,
  tooWide,
]

/** A body that never comes. */
function stalled() {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = net.connect(Number(port), hostname)
    socket.on('error', resolve).on('close', resolve)
    socket.write(`${head()}Accept: application/json, text/event-stream\r\nContent-Length: 1000000\r\n\r\n`)
    socket.write('{"jsonrpc": "2.0", "x": "'.padEnd(100_000, 'x'))
    setTimeout(() => socket.destroy(), 500)
  })
}

const head = () => {
  const { hostname, port, pathname } = new URL(url)
  return `POST ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: ${headers.authorization}\r\nContent-Type: application/json\r\n`
}

/** A body a byte at a time. */
function inCrumbs() {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = net.connect(Number(port), hostname)
    socket.on('error', resolve).on('close', resolve)
    socket.once('data', () => socket.destroy())
    socket.write(`${head()}Transfer-Encoding: chunked\r\n\r\n${'1\r\n"\r\n'.repeat(100_000)}0\r\n\r\n`)
  })
}

/** A message of which the protocol's library would look at each member. */
async function tooWide() {
  const params = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, 1]))
  const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/x', params })
  const accept = 'application/json, text/event-stream'
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, accept, 'content-type': 'application/json' },
    body,
  })
  await response.text()
}

async function honest(client, who, took, wrong) {
  for (let n = 0; n < 2 || !isOver(); n++) {
    const word = `${who}-${n}`
    const begun = performance.now()
    const answer = textOf(await ask(client, 'executeToolCode', { code: `x = honest.say(word="${word}")\nprint(x)` }))
    took.push(performance.now() - begun)
    if (!answer.startsWith(`honest says ${word}\n`)) wrong.push(`${word}: ${answer.slice(0, 300)}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

async function hostile(client, ends) {
  do {
    const at = random(programs.length + others.length)
    const act =
      at < programs.length ? (one) => ask(one, 'executeToolCode', { code: programs[at] }) : others[at - programs.length]
    // What becomes of it is its own concern.
    await act(client).then(
      () => ends.answered++,
      () => ends.failed++,
    )
  } while (!isOver())
}

const clients = await Promise.all(Array.from({ length: count }, (_, i) => connected(`${role} ${i}`)))
// Connecting takes as long as the machine lets it.
over = performance.now() + seconds * 1000
const took = []
const wrong = []
const ends = { answered: 0, failed: 0 }
process.on('disconnect', () => process.exit())
await Promise.all(
  clients.map((client, i) => (role === 'honest' ? honest(client, `${role}${i}`, took, wrong) : hostile(client, ends))),
)
// Long messages take a while to be sent.
await new Promise((resolve) => process.send({ took, wrong, ends }, resolve))
await Promise.all(clients.map((client) => client.close()))
process.disconnect()
