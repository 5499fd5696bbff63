// starbind with a chat model of LangChain. `node examples/hosts/langchain.mjs`. The model follows the script; any chat model that can call tools
// takes its place.

import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage } from '@langchain/core/messages'
import { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import { CodeMode } from 'starbind'
import { langchainTools } from 'starbind/langchain'
import { question, servers, steps, told } from './conversation.mjs'

class ScriptedChatModel extends BaseChatModel {
  #turn = 0

  _llmType() {
    return 'scripted'
  }

  bindTools(tools) {
    if (tools.map((tool) => convertToOpenAITool(tool).function.name).length !== 4)
      throw new Error('the tools are not defined')
    return this
  }

  async _generate(messages) {
    const { calls = [], words } = steps[this.#turn++]
    const message = new AIMessage({
      content: words ? words(messages.at(-1).content) : '',
      tool_calls: calls.map(({ name, args }, i) => ({ id: `call-${this.#turn}-${i}`, type: 'tool_call', name, args })),
    })
    return { generations: [{ text: message.text, message }] }
  }
}

const codeMode = await CodeMode.open({ servers, bindingLevel: 'tool' })
const { tools, answer } = langchainTools(codeMode)
const model = new ScriptedChatModel({}).bindTools(tools)

const messages = [{ role: 'user', content: question }]
for (;;) {
  const message = await model.invoke(messages)
  const answers = await answer(message.tool_calls)
  messages.push(message, ...answers)
  for (const { name, content } of answers) told(name, content)
  if (answers.length === 0) break
}
console.log(messages.at(-1).content)

await codeMode.close()
