// An attacker knows the id of another caller's session and uses it: without a key, with a key of its own, or on another
// path.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { addKey } from '../../dist/index.js'
import { initialize, openGateway } from '../serving/callers.js'

const folder = mkdtempSync(path.join(tmpdir(), 'starbind-stolen-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('the id of a session alone opens nothing', async () => {
  const keysFile = path.join(folder, 'keys.json')
  const [owner, thief] = [addKey(keysFile, 'owner'), addKey(keysFile, 'thief')]
  const servers = { shop: { inProcess: { count: { call: () => 3 } } } }
  const { fetch } = await openGateway({ servers, serve: { keysFile } })
  const as = (key: string | undefined, more: Record<string, string> = {}) => ({
    ...initialize.headers,
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...more,
  })
  const opened = await fetch('/mcp', { ...initialize, headers: as(owner) })
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
  const list = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })
  const use = async (key: string | undefined, at = '/mcp', method = 'POST') => {
    const body = method === 'POST' ? { body: list } : {}
    return (await fetch(at, { method, headers: as(key, session), ...body })).status
  }
  expect(await use(undefined)).toBe(401)
  expect(await use(thief)).toBe(404)
  expect(await use(thief, '/mcp', 'DELETE')).toBe(404)
  expect(await use(thief, '/mcp', 'GET')).toBe(404)
  expect(await use(owner, '/mcp/shop')).toBe(404)
  expect(await use(owner)).toBe(200)
})
