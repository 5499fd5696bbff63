// How smooth the page is: a run with a thousand calls and more, shown in Chromium while 200 events a second arrive.
//
//   node bench/page.mjs [SECONDS]      after a build, with Debian's Chromium
import { chromium } from 'playwright-core'
import { openScriptedInterface } from '../test/page/scripted-interface.mjs'
import { call, story } from '../test/page/story.mjs'

const seconds = Number(process.argv[2] ?? 10)
const PER_SECOND = 200
const PER_SEND = 10

const calls = Array.from({ length: 1000 }, (_, at) => call(at + 1, 'shop', 'get_order', at * 4, at * 4 + 60))
const answers = story()
answers['GET runs/run-43'] = { ...answers['GET runs/run-43'], timeline: calls, calls: calls.length }
const served = await openScriptedInterface(answers)
const quiet = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update']
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: quiet })
const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
await page.goto(`${served.url}#/runs/run-43`)
await page.locator('.line').first().waitFor()
await page.evaluate(`
  window.between = []
  let last = performance.now()
  const count = () => { const now = performance.now(); between.push(now - last); last = now; requestAnimationFrame(count) }
  requestAnimationFrame(count)
`)
await browser.startTracing(page, { categories: ['toplevel', '__metadata'] })
let number = calls.length
for (let tick = 0; tick < (seconds * PER_SECOND) / PER_SEND; tick++) {
  const events = Array.from({ length: PER_SEND / 2 }, () => {
    const startMs = number++ * 4
    return [null, startMs + 60].map((endMs) => ({
      type: 'call',
      runId: 'run-43',
      call: call(number, 'shop', 'get_order', startMs, endMs, { state: endMs === null ? 'underway' : 'ok' }),
    }))
  })
  served.send(...events.flat())
  await new Promise((resolve) => setTimeout(resolve, (1000 * PER_SEND) / PER_SECOND))
}
const { traceEvents } = JSON.parse(await browser.stopTracing())
const between = await page.evaluate('between.slice(2)')
const shown = await page.locator('.line').count()
await browser.close()
await served.close()

// Between two frames other processes work, too. The processor time of a task of the page is the page's alone.
const threads = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
const isPage = ({ pid, tid, tdur }) => tdur !== undefined && threads.some((one) => one.pid === pid && one.tid === tid)
const tasks = traceEvents.filter(isPage).map(({ tdur }) => tdur / 1000)
console.log(`${number} calls, ${shown} lines in the document, ${PER_SECOND} events a second for ${seconds} s`)
console.log(`between frames: median ${share(between, 0.5)} ms, 99 of 100 within ${share(between, 0.99)} ms`)
console.log(`the longest time between frames: ${share(between, 1)} ms`)
console.log(`the longest task of the page: ${share(tasks, 1)} ms of processor time`)

function share(values, part) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))].toFixed(1)
}
