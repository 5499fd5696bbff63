// Run by ten-thousand-runs.test.ts with --expose-gc: prints what a process holds after 100 runs and after as many as its
// argument says.

const dist = process.env.TESTED_DIST ?? new URL('../../dist', import.meta.url).pathname
const { openSandbox } = await import(`${dist}/sandbox/index.js`)

const image = { name: 'plain', source: '' }
const sandbox = openSandbox({ maxWorkers: 2, spareWorkers: 0, maxWaiting: 1000 })
const workers = new Set()
process.on('worker', (worker) => {
  workers.add(worker)
  worker.once('exit', () => workers.delete(worker))
})

const ordinary = { code: 'hostPrint("p"); hostCall("c") + "done"' }
const failing = [
  { code: 'throw new Error("no")' },
  { code: 'syntax error' },
  { code: 'for (;;) {}', limits: { wallMs: 3 } },
  { code: 'for (;;) {}', limits: { cpuMs: 3 } },
  { code: 'function f() { f() } f()', limits: { stackBytes: 128 * 1024 } },
  { code: 'const a = []; for (;;) a.push({})', limits: { memoryBytes: 2 * 1024 * 1024 } },
  { code: 'for (;;) hostPrint("x")', limits: { printedLines: 50 } },
  { code: 'hostCall("")', onCall: () => Promise.reject(new Error('down')) },
  { code: 'hostCall("")', cancel: true },
  { code: 'hostCall("x".repeat(2e6))' },
]
// A few fail in the ways that cost a worker.
const slow = [
  { code: 'const a = []; for (;;) a.push({})', limits: { memoryBytes: 24 * 1024 * 1024 } },
  { code: 'const a = []; a.length = 2 ** 32 - 1; a.lastIndexOf(1)', limits: { wallMs: 3 } },
]

const kinds = {}

async function one(i) {
  const failure =
    i % 10 === 9 ? (i % 1000 === 999 ? slow[Math.floor(i / 1000) % 2] : failing[Math.floor(i / 10) % 10]) : ordinary
  const abort = new AbortController()
  const onCall = failure.cancel
    ? () => new Promise(() => setImmediate(() => abort.abort()))
    : (failure.onCall ?? (() => 'reply '))
  const end = await sandbox.run({
    image,
    code: failure.code,
    limits: failure.limits ?? {},
    signal: abort.signal,
    onCall,
    onPrint: () => undefined,
  })
  return end.kind
}

async function runs(from, to) {
  let next = from
  const line = async () => {
    while (next < to) {
      const kind = await one(next++)
      kinds[kind] = (kinds[kind] ?? 0) + 1
    }
  }
  await Promise.all([line(), line()])
}

/** Workers say that they are idle after they have said how a run ended, and a turn may be planned still. */
async function atRest() {
  const isBusy = () => process.getActiveResourcesInfo().some((name) => /Worker|Port|Timeout|Immediate/.test(name))
  for (let i = 0; i < 1000 && isBusy(); i++) await new Promise((done) => setTimeout(done, 10))
}

async function census() {
  // A worker that was late to stop is ended some time after its run, and may be counted among the warm ones until then.
  do {
    await sandbox.warm(image, 2)
    for (let i = 0; i < 20; i++) await one(0)
    await atRest()
  } while (workers.size !== 2)
  for (let i = 0; i < 3; i++) globalThis.gc()
  const { heapUsed, rss } = process.memoryUsage()
  return {
    workers: workers.size,
    handles: process.getActiveResourcesInfo().length,
    heapBytes: heapUsed,
    residentBytes: rss,
  }
}

await runs(0, 100)
const first = await census()
await runs(100, Number(process.argv[2]))
let last = await census()
// When the workers' own garbage is collected is their matter, and what leaks stays: the least of some figures counts.
for (let i = 0; i < 20 && last.residentBytes > first.residentBytes * 1.4; i++) last = await census()
console.log(JSON.stringify({ first, last, kinds }))
await sandbox.close()
