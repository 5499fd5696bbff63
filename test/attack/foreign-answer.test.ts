// Attack: another caller answers what a server asked the first one in the middle of a call, or hears of it; and the
// first answers twice.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { addKey } from '../../dist/index.js'
import { Workplace } from '../fixtures/command.js'
import { openGateway } from '../serving/callers.js'

const folder = mkdtempSync(path.join(tmpdir(), 'starbind-keys-'))
const place = new Workplace()
afterAll(() => {
  rmSync(folder, { recursive: true })
  place.remove()
})

it('a question is answered once, by the caller that was asked', async () => {
  const file = path.join(folder, 'keys.json')
  const [own, other] = [addKey(file, 'own'), addKey(file, 'other')]
  const shop = { ...place.fixture('desk-server', { env: { LOG: path.join(folder, 'log') } }), codeMode: false } as const
  const { fetch } = await openGateway({
    servers: { shop: shop as never },
    callersAnswer: true,
    serve: { keysFile: file },
  })
  const ask = async (key: string, params: object = {}) => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
    }
    const response = await fetch('/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'shop_ask',
        'x-api-key': key,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'shop_ask', ...params, _meta },
      }),
    })
    return (await response.json()) as {
      result: { requestState: string; inputRequests: object; content: object[] }
      error?: object
    }
  }
  const { requestState, inputRequests } = (await ask(own)).result
  expect(Object.keys(inputRequests)).toEqual(['q1'])
  const answer = (colour: string) => ({
    requestState,
    inputResponses: { q1: { action: 'accept', content: { colour } } },
  })
  const none = {
    code: -32602,
    message:
      'requestState names no question that is open here: it was answered, it waited too long, or another process asked ' +
      'it; repeat the request without requestState',
  }
  expect((await ask(other, answer('black'))).error).toEqual(none)
  expect((await ask(own, { ...answer('black'), requestState: `${requestState}x` })).error).toEqual(none)
  expect((await ask(own, answer('red'))).result.content).toEqual([{ type: 'text', text: 'accept: red' }])
  expect((await ask(own, answer('black'))).error).toEqual(none)
})
