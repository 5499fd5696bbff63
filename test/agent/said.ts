// Models that are functions and follow a script, and a shop whose tools they call.

import { afterAll } from 'vitest'
import type { AgentEvent, Message, ModelFunction, ModelReply, ModelRequest, ToolCall } from '../../dist/agent/index.js'
import { CodeMode, type OpenOptions } from '../../dist/index.js'

export function call(id: string, name: string, args: object | string = {}): ToolCall {
  const text = typeof args === 'string' ? args : JSON.stringify(args)
  return { id, type: 'function', function: { name, arguments: text } }
}

/** A reply with words, with calls, or with both. */
export function says(words: string | readonly ToolCall[], ...calls: readonly ToolCall[]): ModelReply {
  const [text, made] = typeof words === 'string' ? [words, calls] : ['', words]
  return {
    message: {
      role: 'assistant',
      content: [{ type: 'text', text }],
      ...(made.length === 0 ? {} : { tool_calls: made }),
    },
    finish: made.length === 0 ? 'stop' : 'tool_calls',
    tokens: { input: 100, output: 10 },
  }
}

/** Replies in their order; the last one is repeated. */
export function scripted(...replies: readonly (ModelReply | ((request: ModelRequest) => ModelReply))[]) {
  const requests: ModelRequest[] = []
  const model: ModelFunction = async (request) => {
    const reply = replies[Math.min(requests.length, replies.length - 1)]!
    requests.push(request)
    return typeof reply === 'function' ? reply(request) : reply
  }
  return { model, requests }
}

/** The texts of a conversation, a line each. */
export function shown(messages: readonly Message[]): string[] {
  return messages.map((message) => {
    const text = message.content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join('')
    const calls =
      message.role === 'assistant'
        ? (message.tool_calls ?? []).map(({ id, function: { name } }) => ` ${id}:${name}`)
        : []
    return `${message.role}${message.role === 'tool' ? ` ${message.tool_call_id}` : ''}:${calls.join('')} ${text}`
  })
}

/** The events without times and runs. */
export function listening() {
  const events: AgentEvent[] = []
  return { events, onEvent: (event: AgentEvent) => void events.push(event) }
}

const opened: CodeMode[] = []
afterAll(() => Promise.all(opened.map((one) => one.close())))

/** A CodeMode that is closed at the end, over a shop unless there are other servers. */
export async function openShop(options: OpenOptions = {}) {
  const called: string[] = []
  const codeMode = await CodeMode.open({
    servers: {
      shop: {
        inProcess: {
          price: {
            description: 'The price of an article, in cents.',
            inputSchema: { type: 'object', properties: { article: { type: 'string' } }, required: ['article'] },
            annotations: { readOnlyHint: true },
            call: ({ article }: { article: string }) => {
              called.push(`price ${article}`)
              return { article, cents: article.length * 100 }
            },
          },
          order: {
            inputSchema: { type: 'object', properties: { article: { type: 'string' } }, required: ['article'] },
            call: ({ article }: { article: string }) => {
              called.push(`order ${article}`)
              return `ordered ${article}`
            },
          },
          fail: {
            call: () => {
              called.push('fail')
              throw new Error('the till is empty')
            },
          },
        },
      },
    },
    warm: false,
    ...options,
  })
  opened.push(codeMode)
  return { codeMode, called }
}
