// A caller whose key allows one tool tries everything else that it can say: headers, the name of its client, the way of calling, paths.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { addKey } from '../../dist/index.js'
import { openGateway, textOf } from '../serving/callers.js'

const folder = mkdtempSync(path.join(tmpdir(), 'starbind-widening-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('nothing that a caller says gives it more than its key', async () => {
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
        const client = await caller({ path: at, name, headers: { authorization: `Bearer ${key}`, ...more } })
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
