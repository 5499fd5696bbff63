// The cost of the loop over a model, through the public door and over models that answer at once: what a turn with one
// program adds to the program's own time, and the memory of many conversations. Run it after a build.
import { createServer } from 'node:http'
import { chatEndpoint, createAgent } from '../dist/bundle/agent.js'
import { CodeMode, modelsOf } from '../dist/bundle/index.js'
import { heldBytes, megabytes, residentBytes, spread } from './measure.mjs'

const TURNS = 300
const CONVERSATIONS = 1000
const ROUNDS = 5
const code = 'result = sum([shop.price(article="tea")["cents"] for i in range(10)])'
const shop = {
  inProcess: { price: { annotations: { readOnlyHint: true }, call: ({ article }) => ({ article, cents: 300 }) } },
}
const codeMode = await CodeMode.open({ servers: { shop }, serve: { port: 0 } })

const callOf = (name, args) => ({ id: 'a', type: 'function', function: { name, arguments: JSON.stringify(args) } })
const program = callOf('executeToolCode', { code })
const isAnswered = ({ messages }) => messages.at(-1).role === 'tool'

/** A model that is a function, and makes one call. */
const calling = (call) => async (request) =>
  isAnswered(request)
    ? { message: { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] }, finish: 'stop' }
    : { message: { role: 'assistant', content: [], tool_calls: [call] }, finish: 'tool_calls' }

/** The same behind an endpoint of another server on loopback. */
const http = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const delta = isAnswered(JSON.parse(Buffer.concat(chunks)))
    ? { content: 'Done.' }
    : { tool_calls: [{ index: 0, ...program }] }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`)
})
await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve))
const endpoint = { baseUrl: `http://127.0.0.1:${http.address().port}/v1`, name: 'scripted' }

/** What a run with one program takes beside the meta-tool's own time, in milliseconds. */
async function added(model) {
  const agent = createAgent({ codeMode, model, mode: 'code' })
  const times = []
  for (let i = 0; i < TURNS; i++) {
    let own = 0
    const begun = performance.now()
    await agent.run('Go.', {
      onEvent: (event) => {
        if (event.type === 'tool_response' && event.parentId === null) own = event.ms
      },
    })
    times.push(performance.now() - begun - own)
  }
  return spread(times.slice(TURNS / 3))
}

const row = ({ median, low, high }) => `${median.toFixed(2)} ms (${low.toFixed(2)} to ${high.toFixed(2)})`
console.log('a turn with one program adds, model in this process ', row(await added(calling(program))))
console.log('a turn with one program adds, model behind HTTP     ', row(await added(endpoint)))

/** Prints the memory that is held after each thousand conversations. */
async function held(kind, converse) {
  for (let round = 1; round <= ROUNDS; round++) {
    for (let i = 0; i < CONVERSATIONS; i++) await converse()
    const heap = megabytes(heldBytes())
    const conversations = (round * CONVERSATIONS).toLocaleString('en')
    console.log(`after ${conversations} conversations ${kind}: heap ${heap}, process ${megabytes(residentBytes())}`)
  }
}

const agent = createAgent({ codeMode, model: calling(callOf('shop_price', { article: 'tea' })), mode: 'direct' })
await held('with an agent', () => agent.run('Go.'))

const models = modelsOf({ m: { baseUrl: endpoint.baseUrl, mode: 'code' } })
const { url } = await codeMode.serveHttp({ routes: chatEndpoint(codeMode, { models }) })
const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'Go.' }] })
await held('of chat clients', async () => {
  const response = await fetch(new URL('/v1/chat/completions', url), { method: 'POST', body })
  if (!(await response.text()).includes('Done.')) throw new Error('there is no answer')
})
http.close()
http.closeAllConnections()
await codeMode.close()
