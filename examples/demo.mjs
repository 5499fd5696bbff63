// `npm run demo`: one program across three real MCP servers, and what it cost. Knows the library's door and the files of `shop/`.
// Invariant: it ends by itself; exit status 0 when the report was printed, 1 with one clear message otherwise; the memory server's file
// lives in a temporary folder that is removed.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const shop = path.join(import.meta.dirname, 'shop')
const stop = new AbortController()

async function demo({ CodeMode, readConfiguration }, memoryFile) {
  const code = await readFile(path.join(shop, 'report.star'), 'utf8')

  heading('Three MCP servers start')
  const configuration = readConfiguration(path.join(shop, 'starbind.json'), {
    environment: { ...process.env, SHOP_MEMORY_FILE: memoryFile },
  })
  const codeMode = await CodeMode.open({ configuration, log: showProgress, signal: stop.signal })
  try {
    const missing = codeMode.servers.status().filter((server) => server.state !== 'ready')
    if (missing.length > 0)
      throw new Error(missing.map(({ name, reason }) => `the server ${name} did not start: ${reason}`).join('\n'))

    heading('What a model finds: listToolFiles()')
    show(succeeded(await codeMode.listToolFiles({})))

    heading('The program it writes: executeToolCode(code)')
    show(code)

    heading('The answer it gets')
    const answer = await codeMode.executeToolCode({ code }, { signal: stop.signal })
    show(succeeded(answer))

    heading('What that took')
    show(costs(code, answer))

    heading('Reads overlap: eight calls of a slow tool that only reads')
    show(slow)
    show(await saved(codeMode))
  } finally {
    await codeMode.close()
  }
}

/** The bill: what the tools gave to the program, and what of it all a model had to write or to read. */
function costs(code, answer) {
  const { calls } = answer.structured
  const through = calls.reduce((sum, call) => sum + call.bytes, 0)
  const written = Buffer.byteLength(code)
  const read = Buffer.byteLength(answer.text)
  return [
    [calls.length, 'tool calls, all of them made by one program'],
    [through, 'bytes of tool results went through the program'],
    [written + read, 'bytes a model would have seen:'],
    [written, '  the program that it writes'],
    [read, '  the answer that it reads'],
  ]
    .map(([count, words]) => `${count.toLocaleString('en-US').padStart(8)}  ${words}`)
    .join('\n')
}

/** The configuration says that the tool only reads: its server does not. */
const slow = `answers = [everything.trigger_long_running_operation(duration=0.4, steps=1) for i in range(8)]
result = len([a for a in answers if "completed" in str(a)])`

/** How long that takes when the program waits for every call, and when it runs ahead of them. */
async function saved(codeMode) {
  const milliseconds = async (readAhead) => {
    const { ok, result, report, stats } = await codeMode.run(slow, { readAhead, signal: stop.signal })
    if (!ok || result !== 8) throw new Error(report)
    return Math.round(stats.runMs)
  }
  return [
    [await milliseconds(false), 'ms when the program waits for every call'],
    [await milliseconds(true), 'ms when it runs ahead of them, as usual'],
  ]
    .map(([count, words]) => `${count.toLocaleString('en-US').padStart(8)}  ${words}`)
    .join('\n')
}

function succeeded(answer) {
  if (answer.isError) throw new Error(answer.text)
  return answer.text
}

// What is shown

function heading(text) {
  const bold = process.stdout.isTTY && process.env.NO_COLOR === undefined
  process.stdout.write(`\n${bold ? `\x1b[1m${text}\x1b[0m` : text}\n${'─'.repeat(text.length)}\n`)
}

function show(text) {
  process.stdout.write(`${text.trimEnd()}\n`)
}

/** One line for each server as soon as it is there, and whatever else is worth a warning. */
function showProgress({ level, server, message }) {
  if (message.startsWith('ready') || level === 'warn' || level === 'error')
    show(`${(server ?? 'starbind').padEnd(12)} ${message}`)
}

// The frame

async function main() {
  const starbind = await import('../dist/index.js').catch((error) => {
    if (error.code === 'ERR_MODULE_NOT_FOUND') throw new Error('starbind is not built yet: run npm ci first')
    throw error
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort())
  const folder = await mkdtemp(path.join(tmpdir(), 'starbind-demo-'))
  try {
    await demo(starbind, path.join(folder, 'memory.jsonl'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

try {
  await main()
} catch (error) {
  process.stderr.write(`\nThe demo failed: ${error.message}\n`)
  process.exitCode = 1
}
