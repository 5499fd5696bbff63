// Timers over the clock of a run behave as in Node, in the same order, without real delays.

import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { world } from './world.js'

const run = world()

/**
 * Each prints what it sees. Delays are far enough apart for Node to keep them apart, but for one that a busy machine
 * lets wait: it has several tries.
 */
const programs: Readonly<Record<string, string>> = {
  'fire in the order of their moments': `
setTimeout(() => console.log('c'), 60)
setTimeout(() => console.log('a'), 20)
setTimeout(() => console.log('b'), 40)
setTimeout((x, y) => console.log('first', x, y), 0, 1, 'two')
queueMicrotask(() => console.log('job'))
console.log('now')`,
  'fire at the same moment in the order of their making': `
for (let i = 0; i < 5; i++) setTimeout(() => console.log(i), 500)
setTimeout(() => console.log('odd delays'), Number.NaN)
setTimeout(() => console.log('are one'), -5)`,
  'are waited for': `
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
await sleep(20)
console.log('later')
for (const n of [1, 2, 3]) { await sleep(1); console.log(n) }
const all = await Promise.all([30, 10, 20].map(async (ms) => { await sleep(ms); console.log('slept', ms); return ms }))
console.log(all)`,
  'are cleared': `
const id = setTimeout(() => console.log('never'), 10)
clearTimeout(id)
clearTimeout(undefined)
clearTimeout(12345)
const now = setImmediate(() => console.log('never'))
clearImmediate(now)
setImmediate((x) => console.log('immediate', x), 7)`,
  'repeat until they are cleared': `
let n = 0
const id = setInterval((step) => {
  n += step
  console.log(n)
  if (n >= 6) clearInterval(id)
}, 5, 2)`,
  'repeat beside others': `
const seen = []
const id = setInterval(() => seen.push('i'), 50)
setTimeout(() => seen.push('t120'), 120)
await new Promise((resolve) => setTimeout(resolve, 175))
clearInterval(id)
console.log(seen.join(' '))`,
  race: `
const within = (promise, ms) =>
  Promise.race([promise, new Promise((_, reject) => setTimeout(() => reject(new Error('took more than ' + ms + ' ms')), ms))])
const slow = new Promise((resolve) => setTimeout(() => resolve('slow'), 200))
try { await within(slow, 20) } catch (error) { console.log(error.message) }
console.log(await within(Promise.resolve('quick'), 20))`,
  'may be left': `
setTimeout(() => console.log('never'), 200).unref()
setTimeout(() => console.log('ref'), 10).unref().ref()
const late = setTimeout(() => console.log('refreshed'), 30)
await new Promise((resolve) => setTimeout(resolve, 20))
late.refresh()
setTimeout(() => console.log('before'), 20)
console.log(late.hasRef())
const closed = setTimeout(() => console.log('never'), 5)
closed.close()`,
  'tell performance.now': `
const start = performance.now()
await new Promise((resolve) => setTimeout(resolve, 30))
const took = performance.now() - start
console.log(took >= 29, took < 3000, performance.now() > start)`,
  'end what is aborted': `
const controller = new AbortController()
controller.signal.addEventListener('abort', () => console.log('heard', controller.signal.reason))
controller.signal.onabort = (event) => console.log('on', event.type, event.target === controller.signal)
setTimeout(() => controller.abort('enough'), 10)
const quick = AbortSignal.timeout(5)
const either = AbortSignal.any([controller.signal, quick])
await new Promise((resolve) => setTimeout(resolve, 40))
console.log(controller.signal.aborted, quick.reason.name, quick.reason.message, either.reason.name)
try { quick.throwIfAborted() } catch (error) { console.log(error.name) }
const bare = new AbortController()
bare.abort()
bare.abort('again')
console.log(bare.signal.reason.name, bare.signal.reason.message, AbortSignal.abort(3).reason)
try { new AbortSignal() } catch (error) { console.log(error.message) }`,
  poll: `
let calls = 0
const status = async () => (++calls < 4 ? 'pending' : 'done')
async function poll(delay) {
  for (;;) {
    const now = await status()
    if (now === 'done') return calls
    await new Promise((resolve) => setTimeout(resolve, delay))
    delay *= 2
  }
}
console.log(await poll(2))`,
  page: `
async function* pages() {
  for (let page = 1; page <= 3; page++) {
    await new Promise((resolve) => setTimeout(resolve, 2))
    yield [page, page * 10]
  }
}
const all = []
for await (const page of pages()) all.push(...page)
console.log(all)`,
}

describe('timers', () => {
  it.each(Object.entries(programs))('%s', async (_, program) => {
    const { printed, failure } = await run(program)
    expect(failure).toBe(undefined)
    const inNode = () =>
      execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }).split('\n')
    await expect.poll(inNode).toEqual([...printed, ''])
  })

  it('take no real time', async () => {
    const program =
      'await new Promise((r) => setTimeout(r, 3_600_000 * 24))\nreturn Math.round(performance.now() / 3_600_000)'
    expect((await run(program)).result).toBe('24')
  })

  it('report wrong arguments, and fail their program if they fail', async () => {
    expect((await run('setTimeout("alert(1)", 5)')).failure).toBe(
      'program error [type-error] TypeError: setTimeout takes a function\n' +
        '  program:1:1\n' +
        '  1 | setTimeout("alert(1)", 5)\n' +
        '    | ^^^^^^^^^^^^^^^^^^^^^^^^^',
    )
    expect((await run('setTimeout(() => { throw new Error("boom") }, 5)\nawait null\nreturn 1')).failure).toBe(
      'program error [error] Error: boom\n' +
        '  program:1:26\n' +
        '  1 | setTimeout(() => { throw new Error("boom") }, 5)\n' +
        '    |                          ^^^^^^^^^^^^^^^^^',
    )
  })

  it('that never end are reported when the program is over', async () => {
    expect((await run('setInterval(() => {}, 10)\nreturn 1')).failure).toBe(
      'program error [endless-timers] Error: the program is over, and its timers never end\n' +
        'hint: clear the interval: clearInterval(id)',
    )
  })

  it('cannot be a result', async () => {
    expect((await run('setTimeout(() => console.log("late"), 5)')).result).toBe(undefined)
    expect((await run('let result\nsetTimeout(() => { result = "late" }, 5)')).result).toBe('"late"')
  })
})
