// An attacker uses replicas to get at another caller's session: with a guessed or stolen id at a replica that does not
// know the session yet, with an answer to a question that another caller was asked, with the id of another caller's
// event, and with an answer that is too long to pass on.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { addKey } from '../../dist/index.js'
import { redisServer } from '../fixtures/redis.js'
import { initialize } from '../serving/callers.js'
import { openReplicas, type Replica } from '../serving/replicas.js'

const folder = mkdtempSync(path.join(tmpdir(), 'starbind-other-replica-'))
afterAll(() => rmSync(folder, { recursive: true }))

it.skipIf(redisServer === undefined)('a session at several replicas is as closed as one', async () => {
  const keysFile = path.join(folder, 'keys.json')
  const [owner, thief] = [addKey(keysFile, 'owner'), addKey(keysFile, 'thief')]
  let sold = 0
  const shop = { inProcess: { sell: { call: () => ++sold } } }
  const options = { servers: { shop }, approve: 'always' as const, serve: { keysFile, maxRequestBytes: 3_000_000 } }
  const replicas = await openReplicas(() => options)
  const [one, two] = replicas.all as [Replica, Replica]
  try {
    const headersOf = (key: string, session?: string) => ({
      ...initialize.headers,
      'x-api-key': key,
      ...(session === undefined ? {} : { 'mcp-session-id': session }),
    })
    const post = (replica: Replica, message: object, headers: Record<string, string>) =>
      replica.fetch('/mcp', { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) })
    const open = async (key: string) => {
      const params = { ...JSON.parse(initialize.body).params, capabilities: { elicitation: {} } }
      const opened = await post(one, { id: 1, method: 'initialize', params }, headersOf(key))
      await opened.text()
      return opened.headers.get('mcp-session-id')!
    }
    const [mine, theirs] = [await open(owner), await open(thief)]

    // Ids that are stolen or guessed.
    const list = { id: 2, method: 'tools/list' }
    for (const id of [mine, mine.replace(/.$/, '_'), crypto.randomUUID(), `${mine}:x`, '../form', 'x'.repeat(9000)])
      expect((await post(two, list, headersOf(thief, id))).status).toBe(404)
    expect((await post(two, list, headersOf(owner, mine))).status).toBe(200)

    // Answers to a question of somebody else.
    const program = { name: 'executeToolCode', arguments: { code: 'print(shop.sell())' } }
    const asked = await post(one, { id: 3, method: 'tools/call', params: program }, headersOf(owner, mine))
    const reader = asked.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('elicitation/create')) text += (await reader.read()).value
    const id = /"id":"([0-9a-f]{12}-\d+)"/.exec(text)![1]!
    const yes = { id, result: { action: 'accept', content: { call1: 'once' } } }
    for (const replica of [one, two]) {
      expect((await post(replica, yes, headersOf(thief, theirs))).status).toBe(202)
      expect((await post(replica, yes, headersOf(thief, mine))).status).toBe(404)
    }

    // Events of somebody else's stream.
    const event = text
      .match(/^id: .*$/gm)!
      .at(-1)!
      .slice(4)
    for (const { fetch } of [one, two]) {
      const headers = { ...headersOf(thief, theirs), 'last-event-id': event }
      expect((await fetch('/mcp', { headers })).status).toBe(400)
    }

    // An answer that is too long to pass on reaches nobody.
    const long = { ...yes, result: { ...yes.result, more: 'x'.repeat(2_000_000) } }
    expect((await post(two, long, headersOf(owner, mine))).status).toBe(413)
    expect(sold).toBe(0)

    expect((await post(two, yes, headersOf(owner, mine))).status).toBe(202)
    while (!text.includes('"id":3')) text += (await reader.read()).value
    expect([sold, text.includes('1\\n')]).toEqual([1, true])
  } finally {
    await replicas.close()
  }
})
