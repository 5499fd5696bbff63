// OpenTelemetry spans of agents.

import { trace } from '@opentelemetry/api'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAgent } from '../../dist/agent/index.js'
import { openScriptedModel } from '../fixtures/scripted-model.js'
import { call, openShop, says, scripted } from './said.js'

const exporter = new InMemorySpanExporter()
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
beforeEach(() => exporter.reset())
afterAll(() => trace.disable())

const SPAN = 'b7ad6b7169203331'
const caller = { traceparent: `00-0af7651916cd43dd8448eb211c80319c-${SPAN}-01` }

async function finished(count: number): Promise<readonly ReadableSpan[]> {
  await vi.waitFor(() => expect(exporter.getFinishedSpans().length).toBe(count), { timeout: 120_000 })
  return exporter.getFinishedSpans()
}

/** The spans as a tree of names, in the order of their beginnings. */
function treeOf(spans: readonly ReadableSpan[], parent = SPAN, indent = ''): string[] {
  return spans
    .filter((span) => span.parentSpanContext?.spanId === parent)
    .toSorted((a, b) => a.startTime[0] - b.startTime[0] || a.startTime[1] - b.startTime[1])
    .flatMap((span) => [`${indent}${span.name}`, ...treeOf(spans, span.spanContext().spanId, `${indent}  `)])
}

describe('the spans of an agent', () => {
  it('are above those of its programs and calls, under the trace of its caller', async () => {
    const { codeMode } = await openShop()
    const { model } = scripted(
      says([call('a', 'executeToolCode', { code: 'print(shop.price(article="hunter2"))' })]),
      says([call('b', 'shop_fail')]),
      says('Done.'),
    )
    const agent = createAgent({ codeMode, model, mode: 'both', name: 'scripted' })
    await agent.run('What does hunter2 cost?', { runId: 'agent-1', trace: caller })
    const spans = await finished(11)
    expect(treeOf(spans)).toEqual([
      'invoke_agent',
      '  chat scripted',
      '  execute_tool executeToolCode',
      '    tools/call executeToolCode',
      '      run',
      '        tools/call shop.price',
      '  chat scripted',
      '  execute_tool shop_fail',
      '    tools/call shop_fail',
      '      tools/call shop.fail',
      '  chat scripted',
    ])
    const named = (name: string) => spans.find((span) => span.name === name)!
    expect(named('invoke_agent').attributes).toEqual({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': 'custom',
      'gen_ai.request.model': 'scripted',
      'gen_ai.conversation.id': 'agent-1',
      'gen_ai.usage.input_tokens': 300,
      'gen_ai.usage.output_tokens': 30,
      'gen_ai.response.finish_reasons': ['answered'],
    })
    expect([named('execute_tool shop_fail').attributes, named('execute_tool shop_fail').status.code]).toEqual([
      {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'shop_fail',
        'gen_ai.tool.call.id': 'b',
        'gen_ai.tool.type': 'function',
        'error.type': 'tool_error',
      },
      2,
    ])
    expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain('hunter2')
  })

  it('have the address, the settings and the tokens of an endpoint, and the code of its failure', async () => {
    const endpoint = await openScriptedModel([
      {
        text: 'Hello.',
        usage: { prompt_tokens: 7, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 5 } },
      },
      { status: 401, body: { error: { message: 'no such key' } } },
    ])
    const { codeMode } = await openShop()
    const model = { baseUrl: endpoint.baseUrl, name: 'gpt', apiKey: 'sk-hunter2', retries: 0 }
    const agent = createAgent({ codeMode, model, mode: 'code', settings: { temperature: 0.5 } })
    await agent.run('Hello?', { trace: caller })
    await agent.run('Hello?', { trace: caller })
    const spans = await finished(4)
    const common = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt',
      'gen_ai.request.temperature': 0.5,
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(endpoint.baseUrl).port),
    }
    expect(spans.filter(({ name }) => name === 'chat gpt').map((span) => [span.status.code, span.attributes])).toEqual([
      [
        0,
        {
          ...common,
          'gen_ai.response.model': 'gpt',
          'gen_ai.response.finish_reasons': ['stop'],
          'gen_ai.usage.input_tokens': 7,
          'gen_ai.usage.output_tokens': 2,
          'gen_ai.usage.cache_read.input_tokens': 5,
        },
      ],
      [2, { ...common, 'error.type': 'model-key-refused' }],
    ])
    const failed = spans.findLast(({ name }) => name === 'invoke_agent')!
    await endpoint.close()
    expect([failed.status.code, failed.attributes['error.type']]).toEqual([2, 'model-key-refused'])
  })
})
