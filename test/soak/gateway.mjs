// A gateway in a process of its own, which says over IPC where it serves and, when asked, how it is: the processor time for which anything held its event
// loop at the longest, how often that was over 50 ms, and what memory it has.

import { PerformanceObserver } from 'node:perf_hooks'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { computedMs } from '../fixtures/thread-time.mjs'

const { dist, keysFile } = JSON.parse(process.argv[2])
const { CodeMode } = await import(pathToFileURL(`${dist}/index.js`).href)
const script = (name) => fileURLToPath(new URL(name, import.meta.url))

const codeMode = await CodeMode.open({
  limits: { cpuMs: 1_000, wallMs: 20_000 },
  servers: {
    honest: { command: process.execPath, args: [script('../fixtures/repeating-server.mjs'), 'honest'] },
    hostile: { command: process.execPath, args: [script('hostile-server.mjs')], timeoutMs: 3_000 },
  },
  // What is kept on purpose is soon full.
  results: { maxBytes: 1_000_000 },
  serve: { port: 0, keysFile },
})
const serving = await codeMode.serveHttp()

/** What has held the loop for long, and the collections of garbage, whose time is nobody's in particular. */
let holds = []
let collections = []
const notice = (entries) => collections.push(...entries.filter(({ duration }) => duration > 1))
const observer = new PerformanceObserver((list) => notice(list.getEntries()))
observer.observe({ entryTypes: ['gc'] })
let last = { computed: computedMs(), at: performance.now() }
setInterval(() => {
  const now = { computed: computedMs(), at: performance.now() }
  if (now.computed - last.computed > 25) holds.push({ from: last.at, to: now.at, ms: now.computed - last.computed })
  last = now
}, 5).unref()

const heldFor = ({ from, to, ms }) =>
  collections
    .filter(({ startTime, duration }) => startTime >= from && startTime + duration <= to)
    .reduce((left, { duration }) => left - duration, ms)

process.on('message', (message) => {
  if (message === 'forget') {
    holds = []
    collections = []
  }
  if (message === 'figures') {
    globalThis.gc()
    notice(observer.takeRecords())
    const held = holds.map(heldFor)
    const longestMs = Math.max(0, ...held)
    const { heapUsed, external, rss } = process.memoryUsage()
    process.send({ longestMs, times: held.filter((ms) => ms > 50).length, heldBytes: heapUsed + external, rss })
  }
  if (message === 'end') codeMode.close().then(() => process.disconnect())
})
process.on('disconnect', () => process.exit())
process.send({ url: serving.url })
