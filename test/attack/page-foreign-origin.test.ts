// A web page elsewhere lets the browser of a signed-in person send requests. SameSite keeps the cookie from them, but a
// page on another port of this machine is of the same site.

import { expect, it } from 'vitest'
import { openPage } from '../page/page-service.js'

it('a page of another origin reads nothing and changes nothing, with the cookie, too', async () => {
  const { url, cookie, token } = await openPage({ serve: { port: 0, allowedOrigins: ['http://127.0.0.1:3000'] } })
  const send = (method: string, path: string, headers: Record<string, string>) =>
    fetch(`${url}${path}`, { method, headers: { cookie, ...headers }, ...(method === 'POST' ? { body: '{}' } : {}) })
  const foreign = [
    { origin: 'http://127.0.0.1:3000', 'x-starbind-token': token },
    { 'sec-fetch-site': 'same-site', 'x-starbind-token': token },
    { 'sec-fetch-site': 'cross-site', 'x-starbind-token': token },
  ]
  for (const headers of foreign) {
    expect((await send('GET', 'api/v1/session', headers)).status).toBe(403)
    expect((await send('POST', 'api/v1/runs', headers)).status).toBe(403)
    expect((await send('POST', 'artifacts?name=a.txt', headers)).status).toBe(403)
  }
  const own = { origin: url.slice(0, -1), 'sec-fetch-site': 'same-origin' }
  // The cookie alone changes nothing, and neither does another session's token.
  for (const headers of [own, { ...own, 'x-starbind-token': 'a'.repeat(token.length) }]) {
    expect((await send('POST', 'api/v1/runs', headers)).status).toBe(403)
    expect((await send('POST', 'api/v1/logout', headers)).status).toBe(403)
    expect((await send('POST', 'artifacts?name=a.txt', headers)).status).toBe(403)
  }
  expect((await send('GET', 'api/v1/session', own)).status).toBe(200)
  expect((await send('POST', 'artifacts?name=a.txt', { ...own, 'x-starbind-token': token })).status).toBe(201)
})
