// starbind with Google's Gemini. `node examples/hosts/gemini.mjs`; with a key of your own, leave the scripted model out.

import { GoogleGenAI } from '@google/genai'
import { CodeMode } from 'starbind'
import { geminiFunctions } from 'starbind/gemini'
import { question, servers, told } from './conversation.mjs'
import { scriptedModel } from './scripted-model.mjs'

const model = await scriptedModel('gemini')
const client = new GoogleGenAI({ apiKey: 'offline', httpOptions: { baseUrl: model.url } })

const codeMode = await CodeMode.open({ servers, bindingLevel: 'tool' })
const { tools, answer } = geminiFunctions(codeMode)

const contents = [{ role: 'user', parts: [{ text: question }] }]
for (;;) {
  const response = await client.models.generateContent({ model: 'gemini-3-pro', contents, config: { tools } })
  contents.push(response.candidates[0].content)
  if (!response.functionCalls) break
  const parts = await answer(response.functionCalls)
  for (const { functionResponse } of parts)
    told(functionResponse.name, functionResponse.response.output ?? functionResponse.response.error)
  contents.push({ role: 'user', parts })
}
console.log(contents.at(-1).parts[0].text)

await codeMode.close()
await model.close()
