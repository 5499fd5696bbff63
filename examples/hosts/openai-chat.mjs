// starbind with OpenAI's Chat Completions. `node examples/hosts/openai-chat.mjs`; with a key of your own, leave the scripted model out.

import OpenAI from 'openai'
import { CodeMode } from 'starbind'
import { openaiChat } from 'starbind/openai'
import { question, servers, told } from './conversation.mjs'
import { scriptedModel } from './scripted-model.mjs'

const model = await scriptedModel('openai-chat')
const client = new OpenAI({ apiKey: 'offline', baseURL: model.url })

const codeMode = await CodeMode.open({ servers, bindingLevel: 'tool' })
const { tools, answer } = openaiChat(codeMode)

const messages = [{ role: 'user', content: question }]
for (;;) {
  const completion = await client.chat.completions.create({ model: 'gpt-5.4', messages, tools })
  const { message } = completion.choices[0]
  const answers = await answer(message.tool_calls)
  messages.push(message, ...answers)
  for (const [i, { content }] of answers.entries()) told(message.tool_calls[i].function.name, content)
  if (answers.length === 0) break
}
console.log(messages.at(-1).content)

await codeMode.close()
await model.close()
