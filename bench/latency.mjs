// Latency as a caller sees it: chains of calls, each of which needs the answer before, through the SDK's client.
// Without code mode each call is a request to the upstream; in code mode one request carries a program with all of
// them.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { connectHttp, connectStdio, started, upstreamEntry } from './callers.mjs'
import { inTurns, milliseconds, rounded, spread } from './measure.mjs'

const starbind = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const callers = upstreamEntry.args[0]
const LENGTHS = [1, 5, 20, 100]
const DELAYS = [1, 20, 200]

export async function latency({ quick = false } = {}) {
  const lengths = quick ? [1, 5] : LENGTHS
  const delays = quick ? [1] : DELAYS
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-latency-'))
  const tables = []
  try {
    for (const over of ['stdio', 'HTTP']) {
      const ways = over === 'stdio' ? await overStdio(folder) : await overHttp(folder)
      try {
        tables.push(await chains(over, { ways, lengths, delays, quick }))
      } finally {
        await ways.close()
      }
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  return {
    title: 'Latency',
    intro: [
      'A chain is a number of calls, each with the answer of the call before. Directly, the SDK’s client sends them to ' +
        'the upstream one by one. In code mode it sends one program to `starbind serve`, which calls the same upstream. ' +
        'Both ways are taken in turns. The upstream’s tool answers after the time in the first column.',
    ],
    tables,
    facts: {},
  }
}

async function chains(over, { ways, lengths, delays, quick }) {
  const rows = []
  const added = delays.map((delay) => ({ name: `tools of ${delay} ms`, values: [] }))
  for (const [i, delay] of delays.entries()) {
    for (const length of lengths) {
      // Some seconds each, and at least one round.
      const rounds = quick ? 1 : Math.max(1, Math.min(40, Math.floor(2500 / (length * (delay + 2)))))
      const acts = [
        () => timeOf(direct(ways.direct, length, delay)),
        () => timeOf(inCodeMode(ways.codeMode, length, delay)),
      ]
      for (const act of acts) await act()
      const [one, other] = (await inTurns(rounds, acts)).map(spread)
      rows.push([
        `${delay} ms`,
        String(length),
        shown(one),
        shown(other),
        (other.median / one.median).toFixed(2),
        String(rounds),
      ])
      added[i].values.push(other.median / one.median)
    }
  }
  return {
    caption: `Chains of calls over ${over}`,
    columns: ['tool', 'calls', 'direct', 'code mode', 'code mode / direct', 'rounds'],
    rows,
    note:
      'The table has no model in it. Each direct call is another request to the model, which takes about a second and ' +
      'reads the whole conversation again; a program is one. So a chain of 20 calls saves 19 times what your model needs ' +
      'to answer, and the rest in the table is the machine’s part alone. Upstream and caller are on one machine.',
    chart: {
      name: `latency-${over.toLowerCase()}`,
      kind: 'lines',
      title: `A chain in code mode against the same calls made directly over ${over} (1 = the same time)`,
      points: lengths.map(String),
      across: 'calls in the chain',
      unit: '×',
      series: added,
    },
  }
}

function shown({ median, low, high }) {
  return `${milliseconds(median)} (${rounded(low)}–${rounded(high)})`
}

async function timeOf(act) {
  const begun = performance.now()
  await act()
  return performance.now() - begun
}

function direct(client, length, delay) {
  return async () => {
    let value = 0
    for (let i = 0; i < length; i++) {
      const { content } = await client.callTool({ name: 'next', arguments: { value, delay_ms: delay } })
      value = JSON.parse(content[0].text).value
    }
    if (value !== length) throw new Error(`the chain ended at ${value}`)
  }
}

function inCodeMode(client, length, delay) {
  const code = `value = 0\nfor _ in range(${length}):\n    value = counter.next(value=value, delay_ms=${delay})["value"]\nresult = value`
  return async () => {
    const { content, isError } = await client.callTool({ name: 'executeToolCode', arguments: { code } })
    if (isError || !content[0].text.includes(`result: ${length}\n`)) throw new Error(content[0].text)
  }
}

function configuration(folder, name, entry) {
  const file = path.join(folder, `${name}.json`)
  writeFileSync(file, JSON.stringify({ mcpServers: { counter: entry }, codeMode: { limits: { wallMs: 120_000 } } }))
  return file
}

async function overStdio(folder) {
  const file = configuration(folder, 'stdio', upstreamEntry)
  const served = { command: process.execPath, args: [starbind, 'serve', '--config', file, '--no-state'] }
  const [one, other] = await Promise.all([connectStdio(upstreamEntry), connectStdio(served)])
  return { direct: one, codeMode: other, close: () => Promise.all([one.close(), other.close()]) }
}

async function overHttp(folder) {
  const upstream = await started([callers, 'serve', 'http'], 'stdout')
  const file = configuration(folder, 'http', { url: upstream.url })
  const served = await started([starbind, 'serve', '--http', '--port', '0', '--config', file, '--no-state'], 'stderr')
  const [one, other] = await Promise.all([connectHttp(upstream.url), connectHttp(served.url)])
  const close = async () => {
    await Promise.all([one.close(), other.close()])
    await Promise.all([upstream.stop(), served.stop()])
  }
  return { direct: one, codeMode: other, close }
}
