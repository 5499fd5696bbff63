// Answers in the form of Responses: whole, or as a stream of numbered events.
// Invariant: an output is one message, if there is text, and then one item for each call; every item that was added is
// done, and a stream that was begun ends with the response.

import { randomUUID } from 'node:crypto'
import type { ToolCall } from '../conversation.js'
import type { EventStream } from './event-stream.js'
import type { Refusal } from './refusal.js'
import type { Outcome, Reply } from './reply.js'
import type { ToolEvent } from './tool-events.js'

/** The beginning of a response. `repeated`: fields of its request. */
interface ResponseHead {
  readonly id: string
  readonly created_at: number
  readonly model: string
  readonly repeated: Readonly<Record<string, unknown>>
}

interface Item {
  readonly id: string
  readonly type: string
}

export function responseOf(head: ResponseHead, outcome: Outcome): object {
  return finished(head, outcome, itemsOf(outcome))
}

function itemsOf({ text, calls }: Outcome): Item[] {
  return [...(text === '' && calls.length > 0 ? [] : [messageItem(newId('msg'), text)]), ...calls.map(callItem)]
}

function finished(head: ResponseHead, { finish, usage }: Outcome, output: readonly Item[]): object {
  const reason = {
    length: 'max_output_tokens',
    content_filter: 'content_filter',
    stop: undefined,
    tool_calls: undefined,
  }[finish]
  const { input, output: written, cached, reasoning } = usage
  return {
    ...opened(head, reason === undefined ? 'completed' : 'incomplete'),
    output,
    incomplete_details: reason === undefined ? null : { reason },
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: written,
      output_tokens_details: { reasoning_tokens: reasoning },
      total_tokens: input + written,
    },
  }
}

function opened({ repeated, ...head }: ResponseHead, status: string): object {
  return {
    ...head,
    object: 'response',
    status,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: null,
    output: [],
    parallel_tool_calls: true,
    previous_response_id: null,
    temperature: null,
    tool_choice: 'auto',
    tools: [],
    top_p: null,
    usage: null,
    ...repeated,
  }
}

function messageItem(id: string, text: string, status = 'completed'): Item {
  return { id, type: 'message', ...{ role: 'assistant', status, content: [textPart(text)] } }
}

function callItem({ id, function: { name, arguments: args } }: ToolCall): Item {
  return { id: newId('fc'), type: 'function_call', ...{ status: 'completed', call_id: id, name, arguments: args } }
}

function textPart(text: string): object {
  return { type: 'output_text', text, annotations: [], logprobs: [] }
}

function newId(kind: 'msg' | 'fc'): string {
  return `${kind}_${randomUUID().replaceAll('-', '')}`
}

export class ResponsesStream implements Reply {
  readonly #stream: EventStream
  readonly #head: ResponseHead
  readonly #showsReasoning: boolean
  readonly #message = { item_id: newId('msg'), output_index: 0, content_index: 0 }
  #text = ''
  #hasMessage = false
  #hasBegun = false
  #sequence = 0

  constructor(stream: EventStream, head: ResponseHead, { showsReasoning }: { readonly showsReasoning: boolean }) {
    this.#stream = stream
    this.#head = head
    this.#showsReasoning = showsReasoning
  }

  text(text: string): void {
    this.#begin()
    this.#addMessage()
    this.#text += text
    this.#send('response.output_text.delta', { ...this.#message, delta: text, logprobs: [] })
  }

  /** No item of the output: the client would have to send it back, and models want theirs in a form of their own. */
  reasoning(delta: string): void {
    if (!this.#showsReasoning) return
    this.#begin()
    this.#send('starbind.reasoning', { delta })
  }

  event(event: ToolEvent): void {
    this.#begin()
    this.#send(`starbind.${event.event_type}`, event)
  }

  end(outcome: Outcome): void {
    this.#begin()
    if (outcome.calls.length === 0) this.#addMessage()
    const items = [...this.#endMessage(), ...outcome.calls.map(callItem)]
    for (const [i, item] of items.entries()) if (item.type === 'function_call') this.#sendCall(item, i)
    const response = finished(this.#head, outcome, items)
    const isWhole = outcome.finish === 'stop' || outcome.finish === 'tool_calls'
    this.#send(isWhole ? 'response.completed' : 'response.incomplete', { response })
    this.#stream.end()
  }

  fail({ body: { code, message, param } }: Refusal, event?: ToolEvent): void {
    this.#begin()
    const output = this.#endMessage('incomplete')
    // Clients throw on a key `error` before they look at the type.
    if (event !== undefined) this.#send('starbind.error', { ...event, error: undefined, failure: event.error })
    this.#send('error', { code, message, param })
    const error = { code: code ?? 'server_error', message }
    this.#send('response.failed', { response: { ...opened(this.#head, 'failed'), output, error } })
    this.#stream.end()
  }

  #begin(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    const response = opened(this.#head, 'in_progress')
    this.#send('response.created', { response })
    this.#send('response.in_progress', { response })
  }

  #addMessage(): void {
    if (this.#hasMessage) return
    this.#hasMessage = true
    const { item_id: id, output_index } = this.#message
    const item = { id, type: 'message', role: 'assistant', status: 'in_progress', content: [] }
    this.#send('response.output_item.added', { output_index, item })
    this.#send('response.content_part.added', { ...this.#message, part: textPart('') })
  }

  #endMessage(status?: 'incomplete'): Item[] {
    if (!this.#hasMessage) return []
    const { item_id: id, output_index } = this.#message
    const item = messageItem(id, this.#text, status)
    this.#send('response.output_text.done', { ...this.#message, text: this.#text, logprobs: [] })
    this.#send('response.content_part.done', { ...this.#message, part: textPart(this.#text) })
    this.#send('response.output_item.done', { output_index, item })
    return [item]
  }

  #sendCall(item: Item & { readonly arguments?: unknown; readonly name?: unknown }, output_index: number): void {
    const place = { item_id: item.id, output_index }
    this.#send('response.output_item.added', { output_index, item: { ...item, status: 'in_progress', arguments: '' } })
    this.#send('response.function_call_arguments.delta', { ...place, delta: item.arguments })
    this.#send('response.function_call_arguments.done', { ...place, name: item.name, arguments: item.arguments })
    this.#send('response.output_item.done', { output_index, item })
  }

  #send(type: string, content: object): void {
    this.#stream.send({ type, sequence_number: this.#sequence++, ...content }, type)
  }
}
