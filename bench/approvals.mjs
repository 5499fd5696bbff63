// The cost of approvals through the library: a call that needs none, compared with one without any policy; an entry of
// the ledger before a call that may write; and a replay of a thousand calls. Run it after a build.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { CodeMode } from '../dist/bundle/index.js'
import { FileStore } from '../dist/state/index.js'

const reads = { annotations: { readOnlyHint: true } }
const shop = { inProcess: { look: { ...reads, call: () => ({ a: 1 }) }, put: { call: () => ({ a: 1 }) } } }
const CALLS = 1000
const looking = `for i in range(${CALLS}): x = shop.look(i=i)`
const putting = `for i in range(${CALLS}): shop.put(i=i)\nresult = 1`
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]

/** Milliseconds of one call, the median of some runs. */
async function perCall(codeMode, code, options = {}) {
  const times = []
  for (let i = 0; i < 15; i++) {
    const { ok, stats } = await codeMode.run(code, { readAhead: false, ...options })
    if (!ok) throw new Error('it failed')
    times.push(stats.runMs / CALLS)
  }
  return median(times)
}

const folder = mkdtempSync(path.join(tmpdir(), 'bench-approvals-'))
const plain = await CodeMode.open({ servers: { shop } })
const asking = await CodeMode.open({ servers: { shop }, approve: 'writes' })
const kept = await CodeMode.open({ servers: { shop }, state: folder })
console.log('a read, no policy        ', (await perCall(plain, looking)).toFixed(4), 'ms')
console.log('a read, approve "writes" ', (await perCall(asking, looking)).toFixed(4), 'ms')
console.log('a write, nothing kept    ', (await perCall(plain, putting)).toFixed(4), 'ms')
console.log('a write, kept in a file  ', (await perCall(kept, putting)).toFixed(4), 'ms')

const store = new FileStore(path.join(folder, 'entries'))
await store.begin({ id: 'run', owner: 'a', state: 'underway', changedAt: 1, body: '{}' })
const times = []
for (let place = 1; place <= 2000; place++) {
  const began = performance.now()
  await store.note('run', [{ place, text: 'x'.repeat(600) }])
  times.push(performance.now() - began)
}
await store.close()
console.log('an entry of the ledger   ', median(times).toFixed(4), 'ms, the median of', times.length)

const { paused } = await asking.run(`${looking}\nshop.put(i=1)\nshop.put(i=2)`, { readAhead: false })
const replays = []
for (let i = 0; i < 5; i++) replays.push((await asking.runs.replay(paused.runId)).result.stats.runMs)
console.log('replaying', CALLS, 'calls     ', median(replays).toFixed(1), 'ms')
await Promise.all([plain.close(), asking.close(), kept.close()])
rmSync(folder, { recursive: true })
