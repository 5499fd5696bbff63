// Many streams of chat clients at once: node bench/endpoint.mjs [STREAMS] [CHUNKS_PER_SECOND] [ROUNDS]. The model, the
// clients and the gateway are processes of their own. Every stream has two rounds of the model with a call of a tool
// between them. It reports the gateway's event-loop delay, the time of a stream, and its memory after each round.

import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { heldBytes, megabytes, residentBytes } from './measure.mjs'

const self = fileURLToPath(import.meta.url)
const CHUNKS = 100
const WORDS = 'about twenty letters '

const roles = {
  model(perSecond) {
    const chunk = (delta, finish_reason = null) =>
      `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
    const call = { index: 0, id: 'call', type: 'function', function: { name: 'shop_count', arguments: '{}' } }
    const http = createServer(async (request, response) => {
      let body = ''
      for await (const piece of request.setEncoding('utf8')) body += piece
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const isSecond = JSON.parse(body).messages.at(-1).role === 'tool'
      if (!isSecond) return response.end(`${chunk({ tool_calls: [call] })}${chunk({}, 'tool_calls')}data: [DONE]\n\n`)
      let left = CHUNKS
      const timer = setInterval(() => {
        response.write(chunk({ content: WORDS }))
        if (--left > 0) return
        clearInterval(timer)
        response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
      }, 1000 / perSecond)
    })
    http.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${http.address().port}/v1`))
  },
  async clients(streams, rounds, url) {
    const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'How many?' }] })
    for (let round = 0; round < rounds; round++) {
      const times = await Promise.all(
        Array.from({ length: streams }, async () => {
          const begun = performance.now()
          const text = await (await fetch(url, { method: 'POST', body })).text()
          if (text.split(WORDS).length !== CHUNKS + 1 || !text.endsWith('[DONE]\n\n')) throw new Error(text.slice(-500))
          return performance.now() - begun
        }),
      )
      console.log(Math.max(...times))
    }
  },
}

/** Starts a role in a process of its own; the lines that it prints. */
function start(role, ...given) {
  const child = spawn(process.execPath, [self, role, ...given.map(String)], { stdio: ['ignore', 'pipe', 'inherit'] })
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() }
}

async function measure(streams = 200, perSecond = 30, rounds = 5) {
  const { CodeMode, modelsOf } = await import('../dist/bundle/index.js')
  const { chatEndpoint } = await import('../dist/bundle/agent.js')
  const model = start('model', perSecond)
  const { value: baseUrl } = await model.lines.next()
  const shop = { count: { description: 'Counts.', annotations: { readOnlyHint: true }, call: () => 3 } }
  const codeMode = await CodeMode.open({ servers: { shop: { inProcess: shop } }, serve: { port: 0 } })
  const models = modelsOf({ m: { baseUrl, mode: 'direct' } })
  const { url } = await codeMode.serveHttp({ routes: chatEndpoint(codeMode, { models }) })
  const clients = start('clients', streams, rounds, new URL('/v1/chat/completions', url).href)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const ms = (nanoseconds) => (nanoseconds / 1e6).toFixed(1)
  for (let round = 1; round <= rounds; round++) {
    delay.reset()
    delay.enable()
    const { value: slowest } = await clients.lines.next()
    delay.disable()
    const memory = `heap ${megabytes(heldBytes())}, process ${megabytes(residentBytes())}`
    const took = `slowest stream ${Number(slowest).toFixed(0)} ms (the model takes ${(CHUNKS / perSecond) * 1000} ms)`
    const held = `event loop p50 ${ms(delay.percentile(50))} p99 ${ms(delay.percentile(99))} max ${ms(delay.max)} ms`
    console.log(`${streams} streams, ${perSecond} chunks a second each: ${held}; ${took}; ${memory}`)
  }
  model.child.kill()
  await codeMode.close()
}

const [first, ...rest] = process.argv.slice(2)
if (roles[first] === undefined) await measure(...[first, ...rest].filter(Boolean).map(Number))
else await roles[first](...rest.map((one) => (Number.isNaN(Number(one)) ? one : Number(one))))
