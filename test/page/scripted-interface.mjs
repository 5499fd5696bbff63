// The page with answers of a script behind it, for what no real server says on purpose: injections, floods of events,
// and pictures that are always the same.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'

const built = fileURLToPath(new URL('../../dist/page/', import.meta.url))
/** The policy that src/page/interface.ts names. */
const policy = [
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'",
  "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ')
const kinds = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' }

/**
 * Serves the page. `answers`: by `GET runs/run-1`, a value or a function of the body and the request; a function may
 * answer with `{ stream: [events] }`, which `open: true` leaves open.
 */
export async function openScriptedInterface(answers) {
  const streams = new Set()
  const asked = []
  /** By stream: the event that it was resumed after. */
  const streamed = []
  let sent = 0
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://local')
    if (!pathname.startsWith('/api/v1/') && !pathname.startsWith('/artifacts')) return serveFile(pathname, response)
    const name = pathname.replace('/api/v1/', '')
    if (name === 'events') return openStream(response, request.headers['last-event-id'])
    const body = await bodyOf(request)
    const token = request.headers['x-starbind-token']
    asked.push({ method: request.method, name, body, token })
    const key = `${request.method} ${decodeURIComponent(name)}`
    const answer = answers[key] ?? answers[key.replace(/[^/]+$/, '*')]
    const value = typeof answer === 'function' ? answer(body, key) : answer
    await give(value, response)
  })
  const openStream = (response, lastId) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    streams.add(response)
    response.on('close', () => streams.delete(response))
    streamed.push(lastId)
    response.write(`retry: 50\ndata: ${JSON.stringify({ type: 'hello', resumed: lastId !== undefined })}\n\n`)
  }
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    asked,
    streamed,
    answers,
    /** Sends events to every open page. */
    send(...events) {
      const text = events.map((event) => `id: ${++sent}\ndata: ${JSON.stringify(event)}\n\n`).join('')
      for (const stream of streams) stream.write(text)
    },
    /** Breaks every stream off. */
    drop() {
      for (const stream of streams) stream.destroy()
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function bodyOf(request) {
  const pieces = []
  for await (const piece of request) pieces.push(piece)
  const text = Buffer.concat(pieces).toString()
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}

async function give(value, response) {
  if (value === undefined) {
    const error = { code: 'not-found', message: 'There is no such thing.' }
    response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
  } else if (value?.status !== undefined && value.error !== undefined) {
    response.writeHead(value.status, { 'content-type': 'application/json' }).end(JSON.stringify({ error: value.error }))
  } else if (value === null) {
    response.writeHead(204).end()
  } else if (value.stream !== undefined) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for await (const event of value.stream) response.write(`data: ${JSON.stringify(event)}\n\n`)
    if (value.open !== true) response.end()
  } else {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  }
}

function serveFile(pathname, response) {
  const name = pathname === '/' ? 'index.html' : pathname.slice(1)
  const file = path.join(built, `${name}.br`)
  if (!readdirSync(built).includes(`${name}.br`) || !existsSync(file)) return response.writeHead(404).end()
  const type = `${kinds[path.extname(name)]}; charset=utf-8`
  const headers = { 'content-type': type, 'content-security-policy': policy, 'x-content-type-options': 'nosniff' }
  response.writeHead(200, headers).end(brotliDecompressSync(readFileSync(file)))
}
