// The speed of programs in JavaScript: three programs in a warm worker of the real sandbox, in turns with the same text
// as it is, in a guest without our library; and how long it takes to compile 180 lines, beside what the parser alone
// takes.
//
//   node bench/javascript.mjs [--rounds N]
//
// Each figure is the minimum of all rounds, because other processes can only add time. Run it after a build.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { parse } from 'acorn'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const load = (file) => import(pathToFileURL(path.join(root, 'dist', file)).href)
const rounds = Number(parseArgs({ options: { rounds: { type: 'string', default: '15' } } }).values.rounds)
const [{ compile }, { openSandbox }] = await Promise.all(['interpreter/stages.js', 'sandbox/index.js'].map(load))

const programs = {
  calls: 'const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2))\nreturn String(fib(25))',
  records:
    'const rows = Array.from({ length: 20000 }, (_, i) => ({ id: i, name: String(i % 100), total: i * 1.5 }))\n' +
    'const sums = {}\nfor (const { name, total } of rows) sums[name] = (sums[name] ?? 0) + total\nreturn String(Object.keys(sums).length)',
  awaits:
    'let n = 0\nconst add = async (x) => { n += x }\nfor (let i = 0; i < 20000; i++) await add(i)\nreturn String(n)',
}

const ms = (n) => n.toFixed(2).padStart(8)
const sandbox = openSandbox({ maxWorkers: 1, spareWorkers: 0 })
console.log('milliseconds: as a program, as plain JavaScript, ratio')
for (const [name, text] of Object.entries(programs)) {
  let [ours, plain] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < rounds; round++) {
    ours = Math.min(ours, await asProgram(text))
    plain = Math.min(plain, await asPlain(text))
  }
  console.log(`${name.padEnd(8)} ${ms(ours)} ${ms(plain)} ${ms(ours / plain)}`)
}
await sandbox.close()

const report = readFileSync(path.join(root, 'examples/shop/report.js'), 'utf8').replace(/^result.*$/m, '')
const long = [0, 1].map((i) => `async function part${i}() {\n${report}\n}`).join('\n')
const foreign = ['filesystem', 'memory', 'everything'].map((name) => ({
  name,
  members: ['read_text_file', 'list_directory', 'create_entities', 'search_nodes', 'get_sum'].map((tool) => ({
    name: tool,
    parameters: [],
  })),
}))
const parsing = least(() => parse(long, { ecmaVersion: 2023, sourceType: 'module' }))
const all = least(() => compile({ text: long, language: 'javascript' }, { foreign }))
console.log(`${long.split('\n').length} lines: acorn alone ${ms(parsing)}, parsed, checked and rewritten ${ms(all)}`)

async function asProgram(text) {
  const { program } = compile({ text, language: 'javascript' })
  return timeOf(program.image, program.code)
}

async function asPlain(text) {
  const code = `(${text.includes('await') ? 'async ' : ''}function () {"use strict";\n${text}\n})()`
  return timeOf({ name: 'plain', source: '' }, code)
}

async function timeOf(image, code) {
  const end = await sandbox.run({ image, code, onPrint() {}, onCall: () => '' })
  if (end.kind !== 'completed' || end.payload.startsWith('{"ok":false')) throw new Error(JSON.stringify(end))
  return end.stats.runMs
}

function least(work) {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < 40 * rounds; i++) {
    const begun = performance.now()
    work()
    best = Math.min(best, performance.now() - begun)
  }
  return best
}
