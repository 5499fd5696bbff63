// starbind with Anthropic's Messages. `node examples/hosts/anthropic.mjs`; with a key of your own, leave the scripted model out.

import Anthropic from '@anthropic-ai/sdk'
import { CodeMode } from 'starbind'
import { anthropicMessages } from 'starbind/anthropic'
import { question, servers, told } from './conversation.mjs'
import { scriptedModel } from './scripted-model.mjs'

const model = await scriptedModel('anthropic')
const client = new Anthropic({ apiKey: 'offline', baseURL: model.url })

const codeMode = await CodeMode.open({ servers, bindingLevel: 'tool' })
const { tools, answer } = anthropicMessages(codeMode)

const messages = [{ role: 'user', content: question }]
for (;;) {
  const message = await client.messages.create({ model: 'claude-sonnet-5-5', max_tokens: 4096, messages, tools })
  messages.push({ role: 'assistant', content: message.content })
  if (message.stop_reason !== 'tool_use') break
  const answers = await answer(message.content)
  const asked = message.content.filter(({ type }) => type === 'tool_use')
  for (const [i, { content }] of answers.entries()) told(asked[i].name, content)
  messages.push({ role: 'user', content: answers })
}
console.log(messages.at(-1).content[0].text)

await codeMode.close()
await model.close()
