// OpenTelemetry spans of a run, in the words of the conventions for generative AI: `invoke_agent`, below it `chat` for
// each request to the model and `execute_tool` for each of its calls, and below that the spans of programs and calls.
// Invariant: spans have names, numbers and outcomes, never what anybody wrote.

import { type SpanAttributes, Trace, type TraceCarrier } from '../../index.js'
import type { AgentResult } from '../agent-result.js'
import type { ModelEndpoint, ModelFunction, ModelReply, ModelRequest } from '../model.js'
import { ModelError } from '../model-error.js'
import { figuresOf } from './trace-figures.js'

interface SpanSubject {
  readonly runId: string
  readonly model: ModelFunction | ModelEndpoint
  readonly modelName: string
}

/** A run. `work` gets the trace for what belongs to it. */
export async function agentSpan<Result extends Pick<AgentResult, 'why' | 'usage' | 'error'>>(
  trace: TraceCarrier | undefined,
  subject: SpanSubject,
  work: (inner: Trace) => Promise<Result>,
): Promise<Result> {
  const attributes = { 'gen_ai.conversation.id': subject.runId, ...modelAttributes('invoke_agent', subject) }
  const failed = ({ why }: Result) => why === 'failed'
  return Trace.of(trace).span('agent', { name: 'invoke_agent', attributes, failed }, async (inner, note) => {
    const result = await work(inner)
    const { inputTokens, outputTokens } = figuresOf(result.usage)
    note({
      'gen_ai.usage.input_tokens': inputTokens,
      'gen_ai.usage.output_tokens': outputTokens,
      'gen_ai.response.finish_reasons': [result.why],
      ...(result.error === undefined ? {} : { 'error.type': result.error.code }),
    })
    return result
  })
}

/** A request to the model. */
export async function modelSpan(
  trace: Trace,
  { subject, request }: { readonly subject: SpanSubject; readonly request: ModelRequest },
  work: () => Promise<ModelReply>,
): Promise<ModelReply> {
  const attributes = { ...modelAttributes('chat', subject), ...settingAttributes(request) }
  return trace.span('model', { name: `chat ${subject.modelName}`, attributes }, async (_, note) => {
    try {
      const reply = await work()
      note(replyAttributes(reply))
      return reply
    } catch (error) {
      note({ 'error.type': error instanceof ModelError ? error.diagnostic.code : '_OTHER' })
      throw error
    }
  })
}

/** A call of the model. `work` gets the trace for what belongs to it. */
export async function toolSpan<Answer extends { readonly isError: boolean }>(
  trace: Trace,
  { name, callId }: { readonly name: string; readonly callId: string },
  work: (inner: Trace) => Promise<Answer>,
): Promise<Answer> {
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.call.id': callId,
    'gen_ai.tool.type': 'function',
  }
  const failed = ({ isError }: Answer) => isError
  return trace.span('tool', { name: `execute_tool ${name}`, attributes, failed }, async (inner, note) => {
    const answer = await work(inner)
    if (answer.isError) note({ 'error.type': 'tool_error' })
    return answer
  })
}

function modelAttributes(operation: string, { model, modelName }: SpanSubject): SpanAttributes {
  const common = { 'gen_ai.operation.name': operation, 'gen_ai.request.model': modelName }
  if (typeof model === 'function') return { ...common, 'gen_ai.provider.name': 'custom' }
  const { hostname, port, protocol } = new URL(model.baseUrl)
  return {
    ...common,
    // The form of the requests; the address says who answers them.
    'gen_ai.provider.name': 'openai',
    'server.address': hostname,
    'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
  }
}

const SETTINGS: Readonly<Record<string, string>> = {
  temperature: 'gen_ai.request.temperature',
  top_p: 'gen_ai.request.top_p',
  max_tokens: 'gen_ai.request.max_tokens',
  seed: 'gen_ai.request.seed',
}

function settingAttributes({ settings }: ModelRequest): SpanAttributes {
  return Object.fromEntries(
    Object.entries(SETTINGS).flatMap(([name, attribute]) => {
      const value = settings[name]
      return typeof value === 'number' ? [[attribute, value]] : []
    }),
  )
}

function replyAttributes({ finish, tokens, model }: ModelReply): SpanAttributes {
  return {
    'gen_ai.response.finish_reasons': [finish],
    ...(model === undefined ? {} : { 'gen_ai.response.model': model }),
    ...(tokens === undefined
      ? {}
      : {
          'gen_ai.usage.input_tokens': tokens.input,
          'gen_ai.usage.output_tokens': tokens.output,
          ...(tokens.cached === undefined ? {} : { 'gen_ai.usage.cache_read.input_tokens': tokens.cached }),
          ...(tokens.reasoning === undefined ? {} : { 'gen_ai.usage.reasoning.output_tokens': tokens.reasoning }),
        }),
  }
}
