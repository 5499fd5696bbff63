// A web page tries to reach the gateway on this machine: through its own host name, resolved to this machine, or from a
// foreign origin.

import { request } from 'node:http'
import { expect, it } from 'vitest'
import { initialize, openGateway } from '../serving/callers.js'

/** The status and the body. `fetch` would set its own Host. */
function send(port: number, headers: Record<string, string>, path = '/mcp'): Promise<[number | undefined, string]> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, method: 'POST', headers: { ...initialize.headers, ...headers } }
    const sent = request(options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        // The answer of a good request is a stream that stays open.
        if (response.statusCode === 200) response.destroy()
      })
      response.on('close', () => resolve([response.statusCode, text]))
    })
    sent.on('error', reject)
    sent.end(initialize.body)
  })
}

it('a page under a foreign name, or of a foreign origin, gets nothing', async () => {
  const { serving } = await openGateway({ serve: { allowedOrigins: ['https://app.example.com'] } })
  const { port } = serving
  const own = `127.0.0.1:${port}`
  const refused: [Record<string, string>, string][] = [
    [{ host: `evil.example:${port}` }, 'this is not the host'],
    [{ host: `127.0.0.1.evil.example:${port}` }, 'this is not the host'],
    [{ host: `localhost@evil.example` }, 'this is not the host'],
    [{ host: own, origin: 'https://evil.example' }, 'may not connect'],
    [{ host: own, origin: 'null' }, 'may not connect'],
    [{ host: own, origin: `http://localhost:${port + 1}` }, 'may not connect'],
    [{ host: `evil.example:${port}`, origin: `http://evil.example:${port}` }, 'this is not the host'],
  ]
  for (const [headers, words] of refused)
    for (const path of ['/mcp', '/metrics', '/healthz', '/readyz']) {
      const [status, text] = await send(port, headers, path)
      expect([status, text.includes(words)], `${JSON.stringify(headers)} ${text}`).toEqual([403, true])
    }
  for (const headers of [
    { host: own },
    { host: `localhost:${port}`, origin: `http://localhost:${port}` },
    { host: own, origin: 'https://app.example.com' },
  ])
    expect((await send(port, headers))[0]).toBe(200)
})
