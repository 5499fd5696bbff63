// Somebody finds the address that opened the page: in a history, a log, a shoulder.

import { expect, it } from 'vitest'
import { openPage } from '../page/page-service.js'

it('a token opens the page once, and its cookie is out of reach for scripts and other sites', async () => {
  const { page, codeMode, url, ask } = await openPage()
  expect(codeMode.status()).toEqual([])
  const address = page.newAddress(url)!
  const open = () => fetch(address, { redirect: 'manual' })
  const [first, second] = [await open(), await open()]
  expect([first.status, first.headers.get('location'), first.headers.get('referrer-policy')]).toEqual([
    303,
    '/',
    'no-referrer',
  ])
  expect(first.headers.get('set-cookie')).toMatch(/^starbind-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
  expect([second.status, second.headers.get('set-cookie')]).toEqual([303, null])
  const guessed = await fetch(`${url}api/v1/login`, { method: 'POST', body: JSON.stringify({ token: 'a'.repeat(43) }) })
  expect([guessed.status, guessed.headers.get('set-cookie')]).toEqual([403, null])
  // Nobody elsewhere gets such an address.
  expect(page.newAddress('http://192.0.2.1:8080/mcp')).toBeUndefined()
  expect((await ask('POST', 'logout')).status).toBe(204)
  expect((await ask('GET', 'session')).status).toBe(401)
})
