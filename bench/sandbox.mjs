// The speed of the sandbox: each figure beside the target that it should meet. Run it after a build: `node
// bench/sandbox.mjs [name…]`. If the runtime can suspend guests, suspension is measured; `--blocking` measures the
// other channel there. Figures are medians; the spread is the range from the 10th to the 90th percentile. Other work on
// the machine shows in the spread first.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const self = fileURLToPath(import.meta.url)
const dist = process.env.TESTED_DIST ?? path.join(path.dirname(path.dirname(self)), 'dist')
const load = (file) => import(pathToFileURL(path.join(dist, file)).href)

const blocking = process.argv.includes('--blocking')
const suspends = !blocking && typeof WebAssembly.Suspending === 'function'

async function open(options) {
  const { openSandbox } = await load('sandbox/index.js')
  return openSandbox({ ...options, channel: blocking ? 'blocking' : 'auto' })
}

const plain = { name: 'plain', source: '' }
const image = starlarkImage() ?? plain

/** The image of Starlark programs, when this build has one. */
function starlarkImage() {
  const file = path.join(dist, 'interpreter/prelude-bare.js')
  if (!existsSync(file)) return undefined
  return { name: 'starlark', source: `const STARBIND_STRICT = false;\n${readFileSync(file, 'utf8')}` }
}

const figures = {
  async 'warm trivial run'(report) {
    const sandbox = await open({ spareWorkers: 0 })
    const run = () => sandbox.run({ image, code: '"done"', onCall: () => '' })
    await repeat(100, run)
    report(await repeat(1000, () => timed(run)), { unit: 'ms', target: 1 })
    await sandbox.close()
  },

  async 'restore of the pristine guest'(report) {
    for (const [name, code] of [
      ['after a trivial run', '"done"'],
      ['after a run that took 4 MB', 'let a = []; for (let i = 0; i < 40000; i++) a.push({ i }); "done"'],
      ['after a run that went 1,000 calls deep', 'const f = (n) => (n > 0 ? f(n - 1) + 1 : 0); f(1000) + ""'],
    ]) {
      const guest = await bareGuest()
      const times = await repeat(300, async () => {
        await guest.run(code)
        return timed(() => guest.restore())
      })
      report(times.slice(50), { name, unit: 'ms', target: 0.7, mark: 0.3 })
    }
  },

  async '10,000 calls in one run'(report) {
    const sandbox = await open({ spareWorkers: 0, limits: { toolCalls: 10_000 } })
    const code = 'let n = 0; for (let i = 0; i < 10000; i++) n += hostCall("12345678").length; n + ""'
    const answers = {
      'answered at once': () => '12345678',
      'answered by a promise': async () => '12345678',
      'answered in the next turn of the event loop': () => new Promise((done) => setImmediate(done, '12345678')),
    }
    for (const [name, onCall] of Object.entries(answers)) {
      report(await repeat(7, () => timed(() => sandbox.run({ image: plain, code, onCall }))), {
        name,
        unit: 'ms',
        target: suspends ? 300 : 1000,
      })
    }
    await sandbox.close()
  },

  async '10,000 calls sent and received in one run'(report) {
    const sandbox = await open({ spareWorkers: 0, limits: { toolCalls: 10_000 } })
    const ways = {
      'in order': 'for (let i = 1; i <= 10000; i++) n += hostReceive(i).length',
      'as they come': 'for (let i = 1; i <= 10000; i++) n += hostReceiveAny().length',
    }
    for (const [name, receive] of Object.entries(ways)) {
      const code = `let n = 0; for (let i = 0; i < 10000; i++) hostSend("12345678"); ${receive}; n + ""`
      report(await repeat(7, () => timed(() => sandbox.run({ image: plain, code, onCall: async () => '12345678' }))), {
        name,
        unit: 'ms',
        target: 500,
      })
    }
    await sandbox.close()
  },

  async '1 MB reply'(report) {
    const sandbox = await open({ spareWorkers: 0 })
    const json = records(1_000_000)
    const wide = json.replace('"name":"', '"name":"€')
    for (const [name, text, code, target] of [
      ['as text', json, 'hostCall("").length + ""', 20],
      ['as text with characters beyond Latin-1', wide, 'hostCall("").length + ""', 20],
      ['as data', json, 'JSON.parse(hostCall("")).length + ""', 60],
      ['as data with characters beyond Latin-1', wide, 'JSON.parse(hostCall("")).length + ""', 60],
    ]) {
      report(await repeat(15, () => timed(() => sandbox.run({ image: plain, code, onCall: () => text }))), {
        name,
        unit: 'ms',
        target,
      })
    }
    await sandbox.close()
  },

  async 'first run'(report) {
    const times = await repeat(11, () => child('first-run'))
    const bare = await repeat(11, () => child('bare'))
    report(times, { name: 'since the start of the process', unit: 'ms', target: 150 })
    report(bare, { name: 'of which Node itself', unit: 'ms' })
  },

  async 'memory of an idle worker'(report) {
    report(await repeat(3, () => child('idle-memory')), { unit: 'MB', target: 12 })
  },

  async '1,000 runs at once, each waiting one second'(report) {
    // Without suspension each would have a thread.
    if (!suspends) return
    for (const [name, waiting] of [
      ['two waves of 256 in each worker', 256],
      ['all at once', 512],
    ]) {
      const [first, again, mb] = childValues('waiting-runs', String(waiting))
      report([first], { name: `${name}, the first time`, unit: 'ms', target: 3000 })
      report([again], { name: `${name}, again`, unit: 'ms', target: 3000 })
      report([mb], { name: `${name}: resident`, unit: 'MB', target: 700 })
    }
  },

  async 'a hundred short runs beside ten that compute'(report) {
    const sandbox = await open({ maxWaiting: 1000, limits: { cpuMs: 60_000 } })
    await sandbox.warm(plain, 16)
    const abort = new AbortController()
    const long = Array.from({ length: 10 }, () =>
      sandbox.run({ image: plain, code: 'for (;;) {}', onCall: () => '', signal: abort.signal }),
    )
    await new Promise((done) => setTimeout(done, 500))
    const short = () =>
      timed(() => sandbox.run({ image: plain, code: 'let n = 0; while (n < 1000) n++; "" + n', onCall: () => '' }))
    const burst = () => Promise.all(Array.from({ length: 100 }, short))
    report(await burst(), { name: 'all at once, the first time', unit: 'ms', target: 50 })
    report((await repeat(5, burst)).flat(), { name: 'all at once, again', unit: 'ms', target: 50 })
    report(await repeat(100, short), { name: 'one after the other', unit: 'ms', target: 50 })
    abort.abort()
    await Promise.all(long)
    await sandbox.close()
  },

  async 'runs that wait'(report) {
    if (suspends) return
    const sandbox = await open({ maxWorkers: 64 })
    await sandbox.warm(plain, 64)
    const onCall = () => new Promise((done) => setTimeout(done, 1000, ''))
    const run = () => sandbox.run({ image: plain, code: 'hostCall("")', onCall })
    const together = (count) => () => Promise.all(Array.from({ length: count }, run))
    report(await repeat(3, () => timed(together(64))), {
      name: '64, each one second, on 64 workers',
      unit: 'ms',
      target: 2500,
    })
    report(await repeat(3, () => timed(together(200))), {
      name: '200, each one second, on 64 workers',
      unit: 'ms',
      target: 6000,
    })
    await sandbox.close()
  },
}

/** The measurements of child processes, by name; each prints one number. */
const children = {
  async 'first-run'() {
    const sandbox = await open()
    const end = await sandbox.run({ image, code: '"done"', onCall: () => '' })
    if (end.kind !== 'completed') throw new Error(JSON.stringify(end))
    console.log(performance.now())
    await sandbox.close()
  },
  async bare() {
    console.log(performance.now())
  },
  async 'waiting-runs'() {
    const sandbox = await open({ runsPerWorker: Number(process.argv[4]), maxWaiting: 1000 })
    await sandbox.warm(plain, 2)
    const onCall = () => new Promise((done) => setTimeout(done, 1000, ''))
    let most = 0
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss)
    }, 50)
    const wave = () =>
      Promise.all(Array.from({ length: 1000 }, () => sandbox.run({ image: plain, code: 'hostCall("")', onCall })))
    const [first, again] = [await timed(wave), await timed(wave)]
    clearInterval(watch)
    console.log(`${first} ${again} ${most / 1e6}`)
    await sandbox.close()
  },
  async 'idle-memory'() {
    const sandbox = await open({ maxWorkers: 18 })
    const run = () => sandbox.run({ image, code: '"done"', onCall: () => '' })
    // Loads everything that a process has once, like optimised code, before the count begins.
    await sandbox.warm(image, 2)
    await repeat(400, run)
    const before = process.memoryUsage().rss
    await sandbox.warm(image, 18)
    await Promise.all(Array.from({ length: 90 }, run))
    console.log((process.memoryUsage().rss - before) / 16 / 1e6)
    await sandbox.close()
  },
}

/** A guest without thread and channel. */
async function bareGuest() {
  const [{ buildImage, Guest }, { compileEngine }, { defaultLimits }] = await Promise.all(
    ['sandbox/guest.js', 'sandbox/engine-module.js', 'sandbox/limits.js'].map(load),
  )
  const compiled = await compileEngine()
  const guest = await Guest.create(compiled, await buildImage(compiled, image), defaultLimits.memoryBytes)
  const channel = { print: () => true, stopRequested: () => false, away: () => undefined }
  return { run: (code) => guest.run(code, defaultLimits, channel), restore: () => guest.restore() }
}

function records(bytes) {
  const one = (i) => ({
    id: i,
    name: `name ${i}`,
    tags: ['a', 'b'],
    price: i / 4,
    stock: { here: i % 7, there: null },
    ok: i % 2 === 0,
  })
  const all = []
  for (let size = 2; size < bytes; size += JSON.stringify(all.at(-1)).length + 1) all.push(one(all.length))
  return JSON.stringify(all)
}

async function repeat(times, measure) {
  const results = []
  for (let i = 0; i < times; i++) results.push(await measure())
  return results
}

async function timed(act) {
  const start = performance.now()
  await act()
  return performance.now() - start
}

function child(name) {
  return childValues(name)[0]
}

function childValues(name, ...more) {
  const args = [self, '--child', name, ...more, ...(blocking ? ['--blocking'] : [])]
  return execFileSync(process.execPath, args, { encoding: 'utf8' }).trim().split(' ').map(Number)
}

function print(group, values, { name = '', unit, target, mark }) {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  const show = (value) => `${value >= 100 ? value.toFixed(0) : value.toPrecision(3)} ${unit}`
  const beside =
    target === undefined
      ? ''
      : `target ${target} ${unit}${mark === undefined ? '' : ` (mark ${mark})`}: ${at(0.5) <= target ? 'met' : `${(at(0.5) / target).toFixed(2)} times`}`
  console.log(
    `${`${group}${name && `, ${name}`}`.padEnd(72)} ${show(at(0.5)).padStart(10)}   ${`${show(at(0.1))} to ${show(at(0.9))}`.padEnd(24)} ${beside}`,
  )
}

if (process.argv[2] === '--child') await children[process.argv[3]]()
else {
  const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'))
  const load1 = () => os.loadavg()[0].toFixed(2)
  console.log(
    `Node ${process.version}, guests ${suspends ? 'are suspended' : 'block'}, ${os.availableParallelism()} processors, load ${load1()}, image ${image.name} (${image.source.length} characters)`,
  )
  for (const [group, measure] of Object.entries(figures)) {
    if (wanted.length > 0 && !wanted.some((word) => group.includes(word))) continue
    await measure((values, options) => print(group, values, options))
  }
  console.log(`load at the end ${load1()}`)
}
