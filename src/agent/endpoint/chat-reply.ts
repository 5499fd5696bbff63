// Answers in the form of Chat Completions: whole, or as a stream of chunks.
// Invariant: one id for a completion, the role in the first chunk only, a finish reason in the last only, and a stream
// that was begun ends in `[DONE]`.

import type { EventStream } from './event-stream.js'
import type { Refusal } from './refusal.js'
import type { Outcome, Reply, Usage } from './reply.js'
import type { ToolEvent } from './tool-events.js'

interface ChatHead {
  readonly id: string
  readonly created: number
  readonly model: string
}

export function chatCompletion(head: ChatHead, { text, calls, finish, usage }: Outcome): object {
  const tool_calls = calls.length === 0 ? {} : { tool_calls: calls }
  return {
    ...head,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text === '' && calls.length > 0 ? null : text,
          refusal: null,
          ...tool_calls,
        },
        logprobs: null,
        finish_reason: finish,
      },
    ],
    usage: usageOf(usage),
  }
}

interface ChatStreamOptions {
  readonly includesUsage: boolean
  /** Reasoning is sent, too. */
  readonly showsReasoning: boolean
}

export class ChatStream implements Reply {
  readonly #stream: EventStream
  readonly #head: ChatHead
  readonly #options: ChatStreamOptions
  #hasBegun = false

  constructor(stream: EventStream, head: ChatHead, options: ChatStreamOptions) {
    this.#stream = stream
    this.#head = head
    this.#options = options
  }

  text(text: string): void {
    this.#chunk({ content: text })
  }

  reasoning(text: string): void {
    if (this.#options.showsReasoning) this.#chunk({ reasoning_content: text })
  }

  event(event: ToolEvent): void {
    this.#stream.send({ id: this.#head.id, model: this.#head.model, choices: [], ...event })
  }

  end({ calls, finish, usage }: Outcome): void {
    if (calls.length > 0) this.#chunk({ tool_calls: calls.map((call, index) => ({ index, ...call })) })
    this.#chunk({}, finish)
    const { id, created, model } = this.#head
    if (this.#options.includesUsage)
      this.#stream.send({ id, object: 'chat.completion.chunk', created, model, choices: [], usage: usageOf(usage) })
    this.#stream.end('[DONE]')
  }

  fail({ body }: Refusal, event?: ToolEvent): void {
    this.#stream.send(event === undefined ? { error: body } : { id: this.#head.id, ...event })
    this.#stream.end('[DONE]')
  }

  #chunk(delta: object, finish: string | null = null): void {
    const { id, created, model } = this.#head
    const role = this.#hasBegun ? {} : { role: 'assistant', ...('content' in delta ? {} : { content: '' }) }
    this.#hasBegun = true
    this.#stream.send({
      id,
      object: 'chat.completion.chunk',
      created,
      model,
      choices: [{ index: 0, delta: { ...role, ...delta }, logprobs: null, finish_reason: finish }],
      ...(this.#options.includesUsage ? { usage: null } : {}),
    })
  }
}

function usageOf({ input, output, cached, reasoning }: Usage): object {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
}
