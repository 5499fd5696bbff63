// A balancer: each request goes to the next address. One that nobody accepted goes to another, as balancers do.

import { Agent, createServer, request as send } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** `ports` may be changed at any time. Resolves with its own port. */
export async function openBalancer(ports) {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  let turn = 0
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const pass = (left) => {
      const port = ports[turn++ % ports.length]
      const { method, url, headers } = request
      const passed = send({ host: '127.0.0.1', port, method, path: url, headers, agent }, (answer) => {
        response.writeHead(answer.statusCode, answer.headers)
        answer.pipe(response)
        // A replica that was killed in the middle of its answer.
        answer.once('error', () => response.destroy())
      })
      passed.once('error', ({ code }) => {
        if (code === 'ECONNREFUSED' && left > 1) return pass(left - 1)
        if (!response.headersSent) response.writeHead(502)
        response.end()
      })
      response.once('close', () => passed.destroy())
      passed.end(body)
    }
    pass(ports.length)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    agent.destroy()
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  return { port: server.address().port, close }
}
