// Somebody on this machine, or with a key for other things, asks the page's interface.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { addKey, removeKey } from '../../dist/index.js'
import type { Failure } from '../../dist/page/interface.js'
import { operations } from '../../dist/page/operations.js'
import { openPage } from '../page/page-service.js'

const folder = mkdtempSync(path.join(tmpdir(), 'starbind-page-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('every operation but the sign-in needs a session', async () => {
  const { url } = await openPage()
  for (const [name, { method, path }] of Object.entries(operations)) {
    if (name === 'login' || name === 'openApi') continue
    const asked = await fetch(`${url}api/v1/${path.replace(/\{\w+\}/g, 'x')}`, { method })
    expect([name, asked.status, ((await asked.json()) as Failure).error.code]).toEqual([name, 401, 'not-signed-in'])
  }
  // Without keys on this machine, a made-up one is none.
  const headers = { authorization: 'Bearer sb_made_up' }
  expect((await fetch(`${url}api/v1/session`, { headers })).status).toBe(403)
})

it('a key without page: true opens nothing, and a removed key no longer does', async () => {
  const keysFile = path.join(folder, 'keys.json')
  const plain = addKey(keysFile, 'plain')
  const good = addKey(keysFile, 'good', { page: true })
  const { url, ask } = await openPage({ serve: { port: 0, keysFile } })
  const withKey = (key: string) => fetch(`${url}api/v1/session`, { headers: { authorization: `Bearer ${key}` } })
  const login = (token: string) => fetch(`${url}api/v1/login`, { method: 'POST', body: JSON.stringify({ token }) })
  expect([(await withKey(plain)).status, (await login(plain)).status]).toEqual([403, 403])
  expect(await (await withKey(good)).json()).toMatchObject({
    name: 'good',
    token: '',
    may: { approve: false, manage: false },
  })
  const signedIn = await login(good)
  const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!
  expect(await signedIn.json()).toMatchObject({ name: 'good', token: expect.stringMatching(/^[\w-]{43}$/) })
  const session = () => fetch(`${url}api/v1/session`, { headers: { cookie } })
  expect((await session()).status).toBe(200)
  removeKey(keysFile, 'good')
  expect([(await session()).status, (await withKey(good)).status]).toEqual([401, 401])
  // The person at this machine needs none.
  expect((await ask('GET', 'runs')).status).toBe(200)
})
