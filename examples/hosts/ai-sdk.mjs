// starbind with Vercel's AI SDK. `node examples/hosts/ai-sdk.mjs`. The model is the mock that the AI SDK brings, following the script; any model of
// any of its providers takes its place.

import { generateText, stepCountIs } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { CodeMode } from 'starbind'
import { aiSdkTools } from 'starbind/ai-sdk'
import { question, servers, steps, told } from './conversation.mjs'

let turn = 0
const model = new MockLanguageModelV3({
  doGenerate: async ({ prompt, tools }) => {
    const { calls = [], words } = steps[turn++]
    if (!tools.every((tool) => tool.type === 'function' && tool.inputSchema.type === 'object'))
      throw new Error('the tools are not defined')
    return {
      finishReason: { unified: words ? 'stop' : 'tool-calls', raw: undefined },
      usage: { inputTokens: { total: 0 }, outputTokens: { total: 0 } },
      warnings: [],
      content: words
        ? [{ type: 'text', text: words(prompt.at(-1).content.at(-1).output.value) }]
        : calls.map(({ name, args }, i) => ({
            type: 'tool-call',
            toolCallId: `call-${turn}-${i}`,
            toolName: name,
            input: JSON.stringify(args),
          })),
    }
  },
})

const codeMode = await CodeMode.open({ servers, bindingLevel: 'tool' })

const { text } = await generateText({
  model,
  tools: aiSdkTools(codeMode),
  stopWhen: stepCountIs(10),
  prompt: question,
  onStepFinish: ({ toolResults }) => {
    for (const { toolName, output } of toolResults) told(toolName, output)
  },
})
console.log(text)

await codeMode.close()
