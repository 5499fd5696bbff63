// A gateway in a process of its own, which says over IPC where it serves and, when asked, how it is: the processor time for which anything held its event
// loop at the longest, how often that was over 50 ms, and what memory it has.

import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

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

const computedMs = () => Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
let last = computedMs()
let held = { longestMs: 0, times: 0 }
setInterval(() => {
  const now = computedMs()
  held = { longestMs: Math.max(held.longestMs, now - last), times: held.times + (now - last > 50 ? 1 : 0) }
  last = now
}, 5).unref()

process.on('message', (message) => {
  if (message === 'forget') held = { longestMs: 0, times: 0 }
  if (message === 'figures') {
    globalThis.gc()
    const { heapUsed, external, rss } = process.memoryUsage()
    process.send({ ...held, heldBytes: heapUsed + external, rss })
  }
  if (message === 'end') codeMode.close().then(() => process.disconnect())
})
process.on('disconnect', () => process.exit())
process.send({ url: serving.url })
