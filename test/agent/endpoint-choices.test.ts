// The endpoint for chat clients: which models and tools there are, and which a request means.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { addKey } from '../../dist/index.js'
import { eventsOf, openChat } from './chat-service.js'

const folder = mkdtempSync(path.join(tmpdir(), 'starbind-endpoint-'))
afterAll(() => rmSync(folder, { recursive: true }))
const keysFile = path.join(folder, 'keys.json')
const key = addKey(keysFile, 'all')
const shopKey = addKey(keysFile, 'shop', { servers: ['shop'] })

const note = (words: string) => ({ description: words, call: () => words })
const service = await openChat({
  servers: {
    shop: { inProcess: { count: note('Counts.'), sell: note('Sells.') } },
    desk: { inProcess: { note: note('Notes.') } },
  },
  entry: { mode: 'direct' },
  more: {
    'org/quiet': { baseUrl: 'http://127.0.0.1:1/v1', tools: 'none' },
    broken: { baseUrl: 'http://127.0.0.1:1/v1', apiKey: '${A_VARIABLE_THAT_IS_NOT_SET}' },
  },
  serve: { keysFile },
})
const messages = [{ role: 'user' as const, content: 'Hi' }]

/** The tools that the model is offered, and what the response says about unknown names. */
async function offered(model: string, headers: Record<string, string> = {}, token = key) {
  service.says({ text: 'Hello.' })
  const asking = service.clientWith(token, headers).chat.completions.create({ model, messages })
  const { response } = await asking.withResponse()
  const [request] = service.asked()
  expect(request?.body.model).toBe('m')
  return {
    tools: (request?.body.tools ?? []).map(({ function: { name } }) => name),
    unknown: response.headers.get('x-starbind-unknown-tools'),
  }
}

const everything = ['shop_count', 'shop_sell', 'desk_note']

describe('the tools of a request', () => {
  it.each([
    ['m', everything, null],
    ['m|', everything, null],
    ['m| |', everything, null],
    ['m|none', [], null],
    ['m|*', everything, null],
    ['m|shop_sell', ['shop_sell'], null],
    [' m | shop_sell | desk_note ', ['shop_sell', 'desk_note'], null],
    ['m|shop/*', ['shop_count', 'shop_sell'], null],
    ['m|note', ['desk_note'], null],
    ['m|shop_sell|shop_buy|who', ['shop_sell'], 'shop_buy, who'],
    ['m|größe', [], 'gr??e'],
  ])('follow from the model %j', async (model, tools, unknown) => {
    expect(await offered(model)).toEqual({ tools, unknown })
  })

  it.each([
    [{ 'x-bf-mcp-include-clients': 'shop' }, ['shop_count', 'shop_sell'], null],
    [{ 'x-bf-mcp-include-clients': ' desk , bank ' }, ['desk_note'], 'bank'],
    [{ 'x-bf-mcp-include-tools': 'shop-count, desk-note' }, ['shop_count', 'desk_note'], null],
    [{ 'x-mcp-include-tools': 'shop-buy' }, [], 'shop-buy'],
    [{ 'x-mcp-include-tools': '' }, [], null],
    [{ 'x-bf-mcp-include-clients': 'shop', 'x-bf-mcp-include-tools': 'shop/count,desk/note' }, ['shop_count'], null],
  ])('follow from the headers %j', async (headers, tools, unknown) => {
    expect(await offered('m', headers)).toEqual({ tools, unknown })
  })

  it('are what both leave, and what the key may call', async () => {
    expect(await offered('m|shop_sell|desk_note', { 'x-bf-mcp-include-clients': 'shop' })).toMatchObject({
      tools: ['shop_sell'],
    })
    expect(await offered('m', {}, shopKey)).toEqual({ tools: ['shop_count', 'shop_sell'], unknown: null })
    expect(await offered('m|desk_note|shop_sell', {}, shopKey)).toEqual({ tools: ['shop_sell'], unknown: 'desk_note' })
    const headers = { 'x-bf-mcp-include-clients': 'desk' }
    expect(await offered('m', headers, shopKey)).toEqual({ tools: [], unknown: 'desk' })
  })

  it('are none where the configuration says so', async () => {
    const quiet = await openChat({
      servers: { shop: { inProcess: { count: note('Counts.') } } },
      entry: { tools: 'none', mode: 'code' },
    })
    const names = async (model: string) => {
      quiet.says({ text: 'Hello.' })
      await quiet.client.chat.completions.create({ model, messages })
      return (quiet.asked()[0]?.body.tools ?? []).map(({ function: { name } }) => name)
    }
    expect(await names('m')).toEqual([])
    expect(await names('m|*')).toContain('executeToolCode')
  })

  it('that are unknown are told in an event, too', async () => {
    service.says({ text: 'Hello.' })
    const response = await service.fetch('/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'x-starbind-events': 'all' },
      body: JSON.stringify({ model: 'm|buy', messages, stream: true }),
    })
    const [first] = (await eventsOf(response)) as object[]
    expect(first).toMatchObject({
      object: 'warning',
      event_type: 'warning',
      warning: {
        source: 'tool_selection',
        message: 'these names select no tool',
        severity: 'warning',
        context: { unknown: ['buy'] },
      },
    })
  })
})

describe('the lists', () => {
  const read = async (where: string, token = key) => {
    const response = await service.fetch(where, { headers: { authorization: `Bearer ${token}` } })
    return [response.status, await response.json()]
  }

  it('have the models, for the unchanged client', async () => {
    const client = service.clientWith(key)
    const model = (id: string) => ({ id, object: 'model', created: 0, owned_by: 'starbind' })
    expect((await client.models.list()).data).toEqual(['m', 'org/quiet', 'broken'].map(model))
    expect(await client.models.retrieve('org/quiet')).toEqual(model('org/quiet'))
    await expect(client.models.retrieve('n')).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
      param: 'model',
      message: '404 there is no model "n"; the models are m, org/quiet, broken',
    })
  })

  it('have the tools that the key may call', async () => {
    const tool = (server: string, own: string, description: string) => ({
      Name: `${server}_${own}`,
      Description: description,
      Protocol: 'MCP',
      Server: server,
      name: `${server}_${own}`,
      description,
      server,
      tool: own,
      parameters: { type: 'object' },
      needs_approval: false,
    })
    const shop = [tool('shop', 'count', 'Counts.'), tool('shop', 'sell', 'Sells.')]
    expect(await read('/v1/tools')).toEqual([200, [...shop, tool('desk', 'note', 'Notes.')]])
    expect(await read('/v1/tools', shopKey)).toEqual([200, shop])
  })
})

describe('a request without a key, or with a wrong one', () => {
  it.each(['/v1/chat/completions', '/v1/responses'])('is refused at %s', async (where) => {
    const refused = async (headers: Record<string, string>) => {
      const response = await service.fetch(where, { method: 'POST', body: '{}', headers })
      return [response.status, await response.json()]
    }
    const refusal = (message: string) => [
      401,
      { error: { message, type: 'authentication_error', param: null, code: 'invalid_api_key' } },
    ]
    expect(await refused({})).toEqual(refusal('a key is needed: Authorization: Bearer KEY'))
    const unknown = 'the key is unknown or was removed; starbind keys list shows all keys'
    expect(await refused({ authorization: 'Bearer sb_x' })).toEqual(refusal(unknown))
  })
})

describe('a model that can not be used', () => {
  it('is named to the caller without the reason', async () => {
    await expect(service.clientWith(key).chat.completions.create({ model: 'broken', messages })).rejects.toMatchObject({
      status: 503,
      message: '503 the configuration of the model broken is incomplete; the log of this server has the reason',
    })
  })
})
