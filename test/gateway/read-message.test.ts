// What passes for a message of the protocol. Plain answers are looked at without its schema, and no less strictly.

import { expect, test } from 'vitest'
import { readMessage } from '../../dist/gateway/reading/read-message.js'

test('a plain answer is a message as it came', () => {
  const answer = { jsonrpc: '2.0', id: 7, result: { content: [{ type: 'text', text: 'a' }], more: { _meta: 1 } } }
  expect(readMessage(JSON.stringify(answer))).toEqual(answer)
})

test.each([
  ['another version', '{"jsonrpc":"1.0","id":1,"result":{}}'],
  ['no version', '{"id":1,"result":{}}'],
  ['a member too many', '{"jsonrpc":"2.0","id":1,"result":{},"more":1}'],
  ['a member called __proto__', '{"jsonrpc":"2.0","id":1,"result":{},"__proto__":{}}'],
  ['a broken number', '{"jsonrpc":"2.0","id":1.5,"result":{}}'],
  ['a list for a result', '{"jsonrpc":"2.0","id":1,"result":[]}'],
  ['nothing for a result', '{"jsonrpc":"2.0","id":1,"result":null}'],
  ['a number for its meta', '{"jsonrpc":"2.0","id":1,"result":{"_meta":5}}'],
])('an answer with %s is not a message', (_, text) => {
  expect(() => readMessage(text)).toThrow(expect.objectContaining({ name: 'ZodError' }))
})
