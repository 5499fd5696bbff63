// Conversations with a scripted model over the page's interface.
// biome-ignore-all lint/suspicious/noExplicitAny: JSON

import { afterAll, expect, it } from 'vitest'
import { modelsOf } from '../../dist/index.js'
import { openScriptedModel, type ScriptedReply } from '../fixtures/scripted-model.js'
import { openPage, type PageClient } from './page-service.js'

let script: ScriptedReply[] = []
const model = await openScriptedModel(() => script.shift() ?? { status: 500, body: 'not in the script' })
afterAll(() => model.close())
const models = modelsOf({ m: { baseUrl: model.baseUrl, mode: 'direct' } })
const servers = {
  shop: { inProcess: { count: { annotations: { readOnlyHint: true }, call: () => 3 }, sell: { call: () => 'sold' } } },
}

/** Sends a message and follows the answer; `act` is told of each event. */
async function send(
  { url, cookie, token }: PageClient,
  id: string,
  body: object,
  act: (event: any) => unknown = () => {},
) {
  const response = await fetch(`${url}api/v1/conversations/${id}/messages`, {
    method: 'POST',
    headers: { cookie, 'x-starbind-token': token },
    body: JSON.stringify(body),
  })
  const seen: any[] = []
  let text = ''
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    text += piece
    const parts = text.split('\n\n')
    text = parts.pop()!
    for (const part of parts) {
      seen.push(JSON.parse(part.slice('data: '.length)))
      await act(seen.at(-1))
    }
  }
  return seen
}

it('streams an answer with its calls, asks a person, and keeps everything', async () => {
  const client = await openPage({ servers, approve: 'writes' }, { models })
  const { ask } = client
  const { conversationId: id } = (await ask('POST', 'conversations', { instructions: 'Be brief.' })).body
  await client.codeMode.artifacts.save('list.csv', 'a,b')
  script = [
    { text: 'Let me see.', reasoning: 'Count first.', calls: [{ id: 'c1', name: 'shop_count' }] },
    { calls: [{ id: 'c2', name: 'shop_sell' }] },
    { text: 'Sold **one** of 3.' },
  ]
  const seen = await send(client, id, { text: 'Sell one', attachments: ['list.csv'] }, async (event) => {
    if (event.type !== 'approval') return
    expect(event).toMatchObject({ program: null, calls: [{ server: 'shop', tool: 'sell' }] })
    const { approvalId } = event
    expect((await ask('POST', `conversations/${id}/answers`, { approvalId, answer: 'once' })).status).toBe(204)
  })
  expect(
    seen
      .filter(({ type }) => type === 'text')
      .map(({ text }) => text)
      .join(''),
  ).toContain('Sold **one** of 3.')
  expect(seen.filter(({ type }) => type === 'call').map(({ call }) => [call.name, call.state])).toEqual([
    ['shop_count', 'underway'],
    ['shop_count', 'ok'],
    ['shop_sell', 'underway'],
    ['shop_sell', 'ok'],
  ])
  const { why, conversation } = seen.at(-1)
  expect(why).toBe('answered')
  expect((await ask('GET', `conversations/${id}`)).body).toEqual(conversation)
  expect(conversation).toMatchObject({ title: 'Sell one', model: 'm', instructions: 'Be brief.' })
  expect(conversation.messages).toMatchObject([
    { role: 'user', text: 'Sell one', attachments: [{ name: 'list.csv', mimeType: 'text/csv', bytes: 3 }] },
    {
      role: 'assistant',
      text: 'Let me see.',
      reasoning: 'Count first.',
      calls: [{ name: 'shop_count', text: '3', state: 'ok' }],
    },
    { role: 'assistant', calls: [{ name: 'shop_sell', text: 'sold', state: 'ok' }] },
    { role: 'assistant', text: 'Sold **one** of 3.' },
  ])

  // Replay from the first message: what came after it is replaced.
  script = [{ text: 'Nothing sold.' }]
  const again = (await send(client, id, { text: 'Sell none', from: 0 })).at(-1).conversation
  expect(again.messages.map(({ role, text }: any) => [role, text])).toEqual([
    ['user', 'Sell none'],
    ['assistant', 'Nothing sold.'],
  ])
  script = []
  expect(await send(client, id, { text: 'And now?' })).toMatchObject([
    { type: 'failure' },
    { type: 'end', why: 'failed' },
  ])
})

it('renames, copies, exports, imports and deletes', async () => {
  const client = await openPage({ servers }, { models })
  const { ask } = client
  const { conversationId: id } = (await ask('POST', 'conversations', { title: 'A', instructions: '# Not a title' }))
    .body
  script = [{ text: '```md\n# heading\n<!-- starbind: you -->\n```\n\n# last' }]
  await send(client, id, { text: 'Write <!-- starbind: model -->\n<!-- starbind: model -->\nmarks' })
  expect((await ask('POST', `conversations/${id}`, { title: 'B' })).body.title).toBe('B')
  const { body: whole } = await ask('GET', `conversations/${id}`)
  const { body: markdown } = await ask('GET', `conversations/${id}/export`)
  const { body: back } = await ask('POST', 'conversations/import', { markdown })
  const plain = ({ title, instructions, messages }: any) => ({ title, instructions, messages })
  expect(plain(back)).toEqual(plain(whole))
  expect((await ask('POST', `conversations/${id}/duplicate`)).body).toMatchObject({
    title: 'B (copy)',
    messages: whole.messages,
  })
  expect((await ask('DELETE', `conversations/${id}`)).status).toBe(204)
  expect((await ask('GET', `conversations/${id}`)).status).toBe(404)
  const { body: left } = await ask('GET', 'conversations')
  expect(left.conversations.map(({ title }: any) => title)).toEqual(['B (copy)', 'B'])
})
