// starbind with OpenAI's Responses. `node examples/hosts/openai-responses.mjs`; with a key of your own, leave the scripted model out.

import OpenAI from 'openai'
import { CodeMode } from 'starbind'
import { openaiResponses } from 'starbind/openai'
import { question, servers, told } from './conversation.mjs'
import { scriptedModel } from './scripted-model.mjs'

const model = await scriptedModel('openai-responses')
const client = new OpenAI({ apiKey: 'offline', baseURL: model.url })

const codeMode = await CodeMode.open({ servers, bindingLevel: 'tool' })
const { tools, answer } = openaiResponses(codeMode)

const input = [{ role: 'user', content: question }]
for (;;) {
  const response = await client.responses.create({ model: 'gpt-5.4', input, tools })
  const answers = await answer(response.output)
  const asked = response.output.filter(({ type }) => type === 'function_call')
  for (const [i, { output }] of answers.entries()) told(asked[i].name, output)
  input.push(...response.output, ...answers)
  if (answers.length > 0) continue
  console.log(response.output_text)
  break
}

await codeMode.close()
await model.close()
