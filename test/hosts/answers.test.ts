// The formats' handlers with the real output of models: several calls at once, arguments that are not JSON, tools that
// do not exist, items that are not calls, and a caller that gives up.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aiSdkTools } from '../../dist/hosts/ai-sdk.js'
import { anthropicMessages } from '../../dist/hosts/anthropic.js'
import { geminiFunctions } from '../../dist/hosts/gemini.js'
import { langchainTools } from '../../dist/hosts/langchain.js'
import { openaiChat, openaiResponses } from '../../dist/hosts/openai.js'
import { CodeMode } from '../../dist/index.js'
import { PIXEL as png } from '../fixtures/pixel.js'

let codeMode: CodeMode
beforeAll(async () => {
  codeMode = await CodeMode.open({ warm: false })
})
afterAll(() => codeMode.close())

const code = (text: string) => ({ code: text })
const five = 'result: 5'
const unknown = 'program error [unknown-meta-tool] there is no tool executeCode here\nhint: call executeToolCode'
const garbled =
  'program error [arguments-not-json] executeToolCode: the arguments are not one JSON object; nothing was done\n' +
  'hint: send the call again with its arguments as one JSON object'

describe('OpenAI', () => {
  it('answers every call of a message, in its order and under its id', async () => {
    const call = (id: string, name: string, args: string) => ({
      id,
      type: 'function' as const,
      function: { name, arguments: args },
    })
    const answers = await openaiChat(codeMode).answer([
      call('a', 'executeToolCode', JSON.stringify(code('result = 2 + 3'))),
      call('b', 'executeCode', '{}'),
      call('c', 'executeToolCode', '{"code": "resul'),
      call('d', 'executeToolCode', '["result = 5"]'),
      { id: 'e', type: 'custom' },
    ])
    expect(answers).toEqual([
      { role: 'tool', tool_call_id: 'a', content: five },
      { role: 'tool', tool_call_id: 'b', content: unknown },
      { role: 'tool', tool_call_id: 'c', content: garbled },
      { role: 'tool', tool_call_id: 'd', content: garbled },
      { role: 'tool', tool_call_id: 'e', content: expect.stringContaining('there is no tool custom here') },
    ])
  })

  it('answers nothing to a message without calls', async () => {
    const { answer } = openaiChat(codeMode)
    expect([await answer(undefined), await answer(null), await answer([])]).toEqual([[], [], []])
  })

  it('ignores items of a response that are not function calls', async () => {
    const answers = await openaiResponses(codeMode).answer([
      { type: 'reasoning' },
      { type: 'function_call', call_id: 'x', name: 'executeToolCode', arguments: '{"code": "result = 2 + 3"}' },
      { type: 'message' },
    ])
    expect(answers).toEqual([{ type: 'function_call_output', call_id: 'x', output: five }])
  })
})

describe('Anthropic', () => {
  it('marks failures as failures', async () => {
    const answers = await anthropicMessages(codeMode).answer([
      { type: 'text' },
      { type: 'tool_use', id: 'a', name: 'executeToolCode', input: code('result = 2 + 3') },
      { type: 'tool_use', id: 'b', name: 'executeCode', input: {} },
    ])
    expect(answers).toEqual([
      { type: 'tool_result', tool_use_id: 'a', content: five, is_error: false },
      { type: 'tool_result', tool_use_id: 'b', content: unknown, is_error: true },
    ])
  })
})

describe('Gemini', () => {
  it('answers with output or error, and with the id of the call, if any', async () => {
    const answers = await geminiFunctions(codeMode).answer([
      { name: 'executeToolCode', args: code('result = 2 + 3') },
      { id: 'b', name: 'executeCode' },
    ])
    expect(answers).toEqual([
      { functionResponse: { name: 'executeToolCode', response: { output: five } } },
      { functionResponse: { id: 'b', name: 'executeCode', response: { error: unknown } } },
    ])
    expect(await geminiFunctions(codeMode).answer(undefined)).toEqual([])
  })
})

describe('LangChain', () => {
  it('answers with messages that have a status', async () => {
    const answers = await langchainTools(codeMode).answer([
      { id: 'a', name: 'executeToolCode', args: code('result = 2 + 3') },
      { id: 'b', name: 'executeCode', args: {} },
    ])
    expect(answers).toEqual([
      { role: 'tool', tool_call_id: 'a', name: 'executeToolCode', content: five, status: 'success' },
      { role: 'tool', tool_call_id: 'b', name: 'executeCode', content: unknown, status: 'error' },
    ])
  })
})

describe('a picture or a PDF that a model reads', () => {
  const pdf = Buffer.from('%PDF-1.4').toString('base64')
  const text =
    '# results/pixel.png\n[results/pixel.png: image/png, 1 × 1 pixels, 70 bytes]\n' +
    '# results/report.pdf\n[results/report.pdf: application/pdf, 8 bytes]\n' +
    '# results/sound.wav\n[results/sound.wav: audio/wav, 3 bytes]'
  const args = { fileNames: ['results/pixel.png', 'results/report.pdf', 'results/sound.wav'] }
  const name = 'readToolFile'
  beforeAll(async () => {
    await codeMode.artifacts.save('pixel.png', Buffer.from(png, 'base64'))
    await codeMode.artifacts.save('report.pdf', '%PDF-1.4')
    await codeMode.artifacts.save('sound.wav', 'mi!')
  })

  it('is in the result of the tool if the format allows it, and its text names it', async () => {
    const [block] = await anthropicMessages(codeMode).answer([{ type: 'tool_use', id: 'a', name, input: args }])
    const source = (media_type: string, data: string) => ({ type: 'base64', media_type, data })
    expect(block!.content).toEqual([
      { type: 'text', text },
      { type: 'image', source: source('image/png', png) },
      { type: 'document', source: source('application/pdf', pdf) },
    ])
    const item = { type: 'function_call', call_id: 'a', name, arguments: JSON.stringify(args) }
    expect((await openaiResponses(codeMode).answer([item]))[0]!.output).toEqual([
      { type: 'input_text', text },
      { type: 'input_image', image_url: `data:image/png;base64,${png}`, detail: 'auto' },
      { type: 'input_file', filename: 'report.pdf', file_data: `data:application/pdf;base64,${pdf}` },
    ])
    expect((await geminiFunctions(codeMode).answer([{ name, args }]))[0]!.functionResponse).toEqual({
      name,
      response: { output: text },
      parts: [
        { inlineData: { mimeType: 'image/png', data: png } },
        { inlineData: { mimeType: 'application/pdf', data: pdf } },
      ],
    })
    expect((await langchainTools(codeMode).answer([{ id: 'a', name, args }]))[0]!.content).toEqual([
      { type: 'text', text },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
    ])
    const call = { id: 'a', type: 'function', function: { name, arguments: JSON.stringify(args) } }
    expect((await openaiChat(codeMode).answer([call]))[0]!.content).toBe(text)
  })

  it('reaches both functions by which the AI SDK asks for the output', async () => {
    const tool = aiSdkTools(codeMode).readToolFile
    const output = await tool.execute(args, {})
    const content = {
      type: 'content',
      value: [
        { type: 'text', text },
        { type: 'media', data: png, mediaType: 'image/png' },
        { type: 'media', data: pdf, mediaType: 'application/pdf' },
      ],
    }
    expect([tool.toModelOutput(output), tool.toModelOutput({ toolCallId: 'a', input: args, output })]).toEqual([
      content,
      content,
    ])
    const plain = { type: 'text', value: five }
    expect([tool.toModelOutput(five), tool.toModelOutput({ output: five })]).toEqual([plain, plain])
  })

  it('is not in a failure', async () => {
    const input = { fileNames: ['results/pixel.png', 'results/none.png'] }
    const [block] = await anthropicMessages(codeMode).answer([{ type: 'tool_use', id: 'a', name, input }])
    expect(block).toMatchObject({ is_error: true, content: expect.stringContaining('there is no file') })
  })
})

describe('a caller that gives up', () => {
  const endless = code('while True:\n    pass')

  it('ends the programs of a message', async () => {
    const content = [{ type: 'tool_use', id: 'a', name: 'executeToolCode', input: endless }]
    const [answer] = await anthropicMessages(codeMode).answer(content, { signal: AbortSignal.timeout(50) })
    expect(answer).toMatchObject({ is_error: true, content: expect.stringContaining('[cancelled]') })
  })

  it('ends the program of a tool of the AI SDK', async () => {
    const answer = await aiSdkTools(codeMode).executeToolCode.execute(endless, {
      abortSignal: AbortSignal.timeout(50),
    })
    expect(answer).toContain('[cancelled]')
  })
})

it('one definition says the same in every format', () => {
  const inputSchema = codeMode.tools('mcp')[3]!.inputSchema
  const { description } = codeMode.tools('mcp')[3]!
  const name = 'executeToolCode'
  expect(openaiChat(codeMode).tools[3]).toEqual({
    type: 'function',
    function: { name, description, parameters: inputSchema },
  })
  expect(openaiResponses(codeMode).tools[3]).toEqual({
    type: 'function',
    name,
    description,
    parameters: inputSchema,
    strict: false,
  })
  expect(anthropicMessages(codeMode).tools[3]).toEqual({ name, description, input_schema: inputSchema })
  expect(geminiFunctions(codeMode).tools[0].functionDeclarations[3]).toEqual({
    name,
    description,
    parametersJsonSchema: inputSchema,
  })
  const standard = aiSdkTools(codeMode).executeToolCode.inputSchema['~standard']
  expect(standard.jsonSchema.input()).toEqual({ ...inputSchema, additionalProperties: false })
})
