// The time that forty stdio servers take to start, compared with starting two at a time, one pair after another: `node
// bench/upstreams.mjs [COUNT]`. Only the ratio means something: both sides are measured in one run on one machine.

import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { CodeMode } from '../dist/bundle/index.js'

const count = Number(process.argv[2] ?? 40)
const script = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', 'test', 'fixtures', 'changing-server.mjs')
const entry = { command: process.execPath, args: [script, 'a'] }
const servers = (n) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`s${i}`, entry]))

async function timeToStart(n) {
  const start = performance.now()
  const codeMode = await CodeMode.open({ servers: servers(n), warm: false })
  const took = performance.now() - start
  const ready = codeMode.servers.status().filter(({ state }) => state === 'ready').length
  await codeMode.close()
  if (ready !== n) throw new Error(`${ready} of ${n} are ready`)
  return took
}

await timeToStart(2)
const pairs = []
for (let i = 0; i < 5; i++) pairs.push(await timeToStart(2))
const pair = pairs.sort((a, b) => a - b)[2]
const all = await timeToStart(count)
const schedule = (pair * count) / 2
console.log(`two servers: ${Math.round(pair)} ms; ${count} servers: ${Math.round(all)} ms`)
console.log(`two at a time would take ${Math.round(schedule)} ms; ratio ${(all / schedule).toFixed(2)}`)
