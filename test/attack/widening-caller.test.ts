// A caller whose key allows one tool tries all other means: headers, the name of its client, the way of calling, paths.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { addKey } from '../../dist/index.js'
import { openGateway, textOf } from '../serving/callers.js'

const folder = mkdtempSync(path.join(tmpdir(), 'starbind-widening-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('no statement of a caller gives it more than its key', async () => {
  const called: string[] = []
  const tool = (name: string) => ({ call: () => void called.push(name) })
  const servers = {
    shop: { inProcess: { count: tool('count'), sell: tool('sell'), burn: tool('burn') }, toolsToDeny: ['burn'] },
    desk: { inProcess: { note: tool('note') } },
  }
  const keysFile = path.join(folder, 'keys.json')
  const key = addKey(keysFile, 'little', { toolsToExecute: ['shop/count', 'shop/burn'] })
  const callers = { boss: { toolsToExecute: ['*'], codeMode: false } }
  const { caller } = await openGateway({ servers, serve: { keysFile, callers } })
  const tries = [
    {},
    { 'x-mcp-include-tools': '*', 'x-bf-mcp-include-tools': 'shop-*,desk/*' },
    { 'x-mcp-include-clients': '*' },
    { 'x-starbind-code-mode': 'false' },
    { 'x-starbind-code-mode': 'auto' },
  ]
  for (const more of tries)
    for (const name of ['test', 'boss'])
      for (const at of ['/mcp', '/mcp/shop', '/mcp/desk']) {
        const connected = caller({ path: at, name, headers: { authorization: `Bearer ${key}`, ...more } })
        if (at === '/mcp/desk') {
          await expect(connected).rejects.toThrow('there is nothing at /mcp/desk')
          continue
        }
        const client = await connected
        const names = (await client.listTools()).tools.map((one) => one.name)
        expect(names.filter((one) => /sell|burn|note/.test(one))).toEqual([])
        for (const wanted of ['shop_sell', 'shop_burn', 'desk_note', 'sell', 'burn', 'note'])
          await expect(client.callTool({ name: wanted })).rejects.toThrow('there is no tool')
        if (!names.includes('executeToolCode')) continue
        for (const code of ['shop.sell()', 'shop.burn()', 'desk.note()', 'getattr(shop, "se" + "ll")()']) {
          const result = await client.callTool({ name: 'executeToolCode', arguments: { code } })
          expect(result.isError, `${code} ${textOf(result)}`).toBe(true)
        }
      }
  expect(called).toEqual([])
})

it('a server that it may not see is refused like a missing one', async () => {
  const keysFile = path.join(folder, 'few.json')
  const key = addKey(keysFile, 'little', { servers: ['shop'] })
  const servers = {
    shop: { inProcess: { count: { call: () => 3 } } },
    desk: { inProcess: { note: { call: () => 1 } } },
  }
  const callers = { shy: { toolsToDeny: ['shop'] } }
  const { fetch } = await openGateway({ servers, serve: { keysFile, callers } })
  const begin = (name: string) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name, version: '1' } },
  })
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const ask = async (server: string, init: RequestInit) => {
    const response = await fetch(`/mcp/${server}`, { ...init, headers: { ...headers, ...init.headers } })
    const { date: _, ...shown } = Object.fromEntries(response.headers)
    return [response.status, shown, (await response.text()).replaceAll(server, 'NAME')]
  }
  const tries: RequestInit[] = [
    { method: 'GET' },
    { method: 'DELETE' },
    { method: 'POST', body: JSON.stringify(begin('test')) },
    { method: 'POST', body: '{' },
    { method: 'POST', body: 'null' },
    { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) },
    { method: 'POST', body: JSON.stringify(begin('test')), headers: { 'mcp-session-id': 'x' } },
  ]
  for (const init of tries) expect(await ask('desk', init)).toEqual(await ask('none', init))
  const hidden: RequestInit = { method: 'POST', body: JSON.stringify(begin('shy')) }
  expect(await ask('shop', hidden)).toEqual(await ask('none', hidden))
  expect((await ask('shop', { method: 'POST', body: JSON.stringify(begin('test')) }))[0]).toBe(200)
})
