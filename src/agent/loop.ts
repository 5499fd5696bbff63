// The loop: a request to the model, the calls of its reply, and again, until there are no calls or a bound is reached.
// Knows conversations and bounds; turn-calls.ts makes the calls, and a ModelFunction the replies.
// Invariant: it ends. After `maxTurns` one more reply with calls is refused, and the next request offers no tools.

import { randomUUID } from 'node:crypto'
import type { Diagnostic, Trace } from '../index.js'
import type { AgentHappening } from './agent-event.js'
import type { AgentOptions, AgentRunOptions } from './agent-options.js'
import type { AgentError, AgentResult, PendingCall, RunEnd } from './agent-result.js'
import { checkAnswer } from './answer-schema.js'
import type { Bounds } from './bounds.js'
import {
  type AssistantMessage,
  type Message,
  openCalls,
  type ToolCall,
  type ToolMessage,
  textOf,
} from './conversation.js'
import { answerMisfit, callIdRepeated, modelCallsTooMuch, modelFailed, modelSilent } from './messages.js'
import { madeCalls, mixedText } from './mixed.js'
import type { ModelFunction, ModelReply, ModelRequest, Prices } from './model.js'
import { ModelError } from './model-error.js'
import type { Offers } from './offers.js'
import { modelSpan } from './traces/spans.js'
import { type CallingRun, makeCalls, refuseAll, type TurnOutcome } from './turn-calls.js'
import { tokensOf, UsageCount } from './usage.js'

const usualRefusal =
  'This call was not made: the turns with tool calls are used up. Give your final answer now, from what you have.'

export interface LoopParts<Answer> {
  readonly options: AgentOptions<Answer>
  readonly bounds: Bounds
  readonly run: AgentRunOptions
  readonly runId: string
  readonly trace: Trace
  readonly prices: Prices | undefined
  readonly model: ModelFunction
  readonly modelName: string
  readonly offers: Offers
  readonly signal: AbortSignal
}

/** Of one reply; with more, even their refusals would be more than a model reads. */
const MOST_CALLS = 1000

/** How a run ends. */
interface Ending<Answer> {
  readonly why: RunEnd
  readonly error?: AgentError | undefined
  readonly pending?: readonly PendingCall[]
  readonly answer?: Answer
}

export class Loop<Answer> {
  readonly #parts: LoopParts<Answer>
  readonly #runId: string
  readonly #usage: UsageCount
  readonly #calling: CallingRun
  readonly #messages: Message[]
  readonly #ids: Set<string>
  #sequence = 0
  #turns = 0
  #reply: AssistantMessage | undefined
  /** The replies beyond `maxTurns` that had calls. */
  #refused = 0
  /** Where a conversation goes back to whose answers do not fit: after the last calls. */
  #checkpoint: number
  #corrections = 0
  #restarts = 0

  constructor(conversation: readonly Message[], parts: LoopParts<Answer>) {
    const { options, bounds, run, runId, trace, offers, signal } = parts
    this.#parts = parts
    this.#runId = runId
    this.#usage = new UsageCount(parts.prices)
    this.#messages = [...conversation]
    this.#checkpoint = conversation.length
    this.#ids = new Set(
      conversation.flatMap((one) => (one.role === 'assistant' ? (one.tool_calls ?? []) : [])).map(({ id }) => id),
    )
    this.#calling = {
      bounds,
      runId,
      offers,
      signal,
      onApproval: run.onApproval ?? options.onApproval,
      allowed: new Set(),
      headers: run.headers,
      trace,
      tell: (happening) => this.#tell(happening),
    }
  }

  async run(): Promise<AgentResult<Answer>> {
    const left = openCalls(this.#messages)
    if (left.length > 0) {
      const end = await this.#turn(left, this.#parts.run.approvals)
      if (end !== undefined) return this.#result(end)
    }
    for (;;) {
      const end = this.#boundReached() ?? (await this.#step())
      if (end !== undefined) return this.#result(end)
    }
  }

  /** Makes one call that has been allowed. */
  async execute(call: ToolCall): Promise<ToolMessage> {
    const { answers } = await makeCalls([call], this.#calling, { [call.id]: 'once' })
    return answers[0]!
  }

  /** One reply and its calls. Resolves with the end of the run, if this is it. */
  async #step(): Promise<Ending<Answer> | undefined> {
    const { options, bounds, modelName } = this.#parts
    const isLast = this.#refused > 0
    let reply: ModelReply
    try {
      reply = await this.#ask(isLast)
    } catch (error) {
      return this.#failed(error)
    }
    // Some models call what they were not offered.
    const message = isLast ? withoutCalls(reply.message) : this.#withOwnIds(reply.message)
    const { tool_calls: calls = [] } = message
    if (calls.length > MOST_CALLS) return this.#silent(modelCallsTooMuch(modelName, calls.length, MOST_CALLS))
    const isSilent = calls.length === 0 && textOf(message).trim() === ''
    if (isSilent && reply.finish !== 'content_filter') return this.#silent(modelSilent(modelName, reply.finish))
    this.#reply = message
    this.#messages.push(message)
    if (calls.length === 0) return this.#answered(textOf(message), endOf(reply.finish, isLast))
    this.#tell({ type: 'turn', turn: ++this.#turns, calls: calls.length })
    if (this.#turns <= bounds.maxTurns) return this.#turn(calls)
    this.#refused++
    this.#messages.push(...refuseAll(calls, options.refusal ?? usualRefusal, this.#calling))
    this.#checkpoint = this.#messages.length
    return undefined
  }

  /** The model has nothing left to call. Undefined if it has to write its answer again. */
  async #answered(text: string, why: RunEnd): Promise<Ending<Answer> | undefined> {
    const { answer: schema, corrections = 2, restarts = 1 } = this.#parts.options
    if (schema === undefined || why === 'filtered') return { why }
    const checked = await checkAnswer(text, schema)
    if ('value' in checked) return { why: why === 'length' ? 'answered' : why, answer: checked.value }
    const problems = why === 'length' ? `it was cut off; ${checked.problems}` : checked.problems
    if (this.#corrections < corrections) {
      this.#corrections++
      const words = `This answer does not fit: ${problems}. Write the whole answer again, as JSON and nothing else.`
      this.#messages.push({ role: 'user', content: [{ type: 'text', text: words }] })
      return undefined
    }
    if (this.#restarts < restarts) {
      this.#restarts++
      this.#corrections = 0
      this.#messages.length = this.#checkpoint
      return undefined
    }
    const { code, message } = answerMisfit(problems, corrections, restarts)
    this.#tell({ type: 'error', source: 'model', code, message, severity: 'error' })
    return { why: 'misfit', error: { source: 'model', code, message, status: 502 } }
  }

  async #turn(
    calls: readonly ToolCall[],
    approvals?: AgentRunOptions['approvals'],
  ): Promise<Ending<Answer> | undefined> {
    const outcome: TurnOutcome = await makeCalls(calls, this.#calling, approvals)
    this.#messages.push(...outcome.answers)
    this.#checkpoint = this.#messages.length
    const failure = this.#parts.options.strict ? outcome.answers.find(({ is_error }) => is_error) : undefined
    if (failure !== undefined)
      return { why: 'failed', error: { source: 'tool', code: 'tool-failed', message: textOf(failure) } }
    if (this.#parts.signal.aborted) return { why: 'cancelled' }
    return outcome.pending.length === 0 ? undefined : { why: 'pending', pending: outcome.pending }
  }

  async #ask(isLast: boolean): Promise<ModelReply> {
    const { options, run, runId, trace, model, modelName, offers, signal } = this.#parts
    const tools = isLast ? [] : [...offers.values()].map(({ definition }) => definition)
    const request: ModelRequest = {
      messages: [...this.#messages],
      tools,
      // A model that must call in every reply would never answer.
      ...(run.toolChoice === undefined || tools.length === 0 || this.#turns > 0 ? {} : { toolChoice: run.toolChoice }),
      settings: { ...options.settings, ...run.settings },
    }
    const begun = performance.now()
    const streamed = { text: false, reasoning: false }
    const subject = { runId, model: options.model, modelName }
    const reply = await modelSpan(trace, { subject, request }, () =>
      model(request, {
        signal,
        onDelta: ({ type, text }) => {
          streamed[type] = true
          return this.#tell({ type, text })
        },
      }),
    )
    const { message, model: saidName = modelName } = reply
    if (!streamed.reasoning && message.reasoning_content)
      this.#tell({ type: 'reasoning', text: message.reasoning_content })
    if (!streamed.text && textOf(message) !== '') this.#tell({ type: 'text', text: textOf(message) })
    const tokens = tokensOf(request, reply)
    this.#usage.add(saidName, { tokens, calls: message.tool_calls?.length ?? 0, hadTools: tools.length > 0 })
    this.#tell({ type: 'usage', model: saidName, tokens, ms: performance.now() - begun })
    return reply
  }

  #boundReached(): Ending<Answer> | undefined {
    const { maxTokens, maxCost } = this.#parts.bounds
    if (this.#parts.signal.aborted) return { why: 'cancelled' }
    if (maxTokens !== undefined && this.#usage.tokens >= maxTokens) return { why: 'tokens' }
    return maxCost !== undefined && this.#usage.cost >= maxCost ? { why: 'cost' } : undefined
  }

  #failed(error: unknown): Ending<Answer> {
    if (this.#parts.signal.aborted) return { why: 'cancelled' }
    if (error instanceof ModelError) return this.#silent(error.diagnostic, error.status)
    const reason = error instanceof Error ? error.message : String(error)
    return this.#silent(modelFailed(this.#parts.modelName, reason))
  }

  /** The end of a run whose model gave nothing that can be used. */
  #silent({ code, message, hint }: Diagnostic, status = 502): Ending<Answer> {
    this.#tell({ type: 'error', source: 'model', code, message, severity: 'error' })
    return { why: 'failed', error: { source: 'model', code, message, hint, status } }
  }

  /** Every call of a conversation has an id of its own, so that answers can be paired. */
  #withOwnIds(message: AssistantMessage): AssistantMessage {
    const { tool_calls: calls = [] } = message
    if (calls.length === 0) return withoutCalls(message)
    const tool_calls = calls.map((call): ToolCall => {
      if (call.id !== '' && !this.#ids.has(call.id)) {
        this.#ids.add(call.id)
        return call
      }
      const id = `call_${randomUUID()}`
      this.#ids.add(id)
      if (call.id !== '') {
        const { code, message: words } = callIdRepeated(call.id, id)
        this.#tell({ type: 'error', source: 'model', code, message: words, severity: 'warning' })
      }
      return { ...call, id }
    })
    return { ...message, tool_calls }
  }

  /** Reports what does not change the outcome. */
  warn({ code, message }: Diagnostic): void {
    this.#tell({ type: 'error', source: 'agent', code, message, severity: 'warning' })
  }

  /** A promise if the listener wants to hold the run back. */
  #tell(happening: AgentHappening): Promise<void> | undefined {
    const facts = { runId: this.#runId, time: Date.now(), sequence: ++this.#sequence }
    // A listener's exceptions do not concern the run.
    try {
      const told = this.#parts.run.onEvent?.({ ...happening, ...facts })
      if (told instanceof Promise) return told.then(nothing, nothing)
    } catch {}
    return undefined
  }

  #result({ why, error, answer, pending = [] }: Ending<Answer>): AgentResult<Answer> {
    const reply = this.#reply
    const reasoning = reply?.reasoning_content?.trim() ?? ''
    const made = pending.length === 0 ? [] : madeCalls(this.#messages)
    const words = reply === undefined ? '' : textOf(reply)
    return {
      runId: this.#runId,
      why,
      text: mixedText(words, made, pending),
      ...(answer === undefined ? {} : { answer }),
      reasoning: reasoning === '' ? null : reasoning,
      messages: this.#messages,
      ...(reply === undefined ? {} : { reply }),
      pending,
      made,
      usage: this.#usage.byModel(),
      ...(error === undefined ? {} : { error }),
    }
  }
}

function nothing(): void {}

function withoutCalls({ tool_calls: _, ...message }: AssistantMessage): AssistantMessage {
  return message
}

function endOf(finish: string, isLast: boolean): RunEnd {
  if (finish === 'length') return 'length'
  if (finish === 'content_filter') return 'filtered'
  return isLast ? 'turns' : 'answered'
}
