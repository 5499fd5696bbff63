// The tasks with a live model, over any endpoint that speaks OpenAI's Chat Completions.

import { isDeepStrictEqual } from 'node:util'
import { openaiChat } from '../../dist/hosts/openai.js'
import { callTool, expectedOf } from './worlds.mjs'

const MOST_TRIPS = 30

/**
 * Lets a model do a task with the tools of some servers, or with meta-tools if there is a session. Resolves with `{ok,
 * trips, input, cached, output, ms, failure}`.
 */
export async function liveTask(task, { model, servers, session }) {
  const chat = session === undefined ? directChat(servers) : openaiChat(session)
  const messages = [{ role: 'user', content: questionOf(task) }]
  const used = { ok: false, trips: 0, input: 0, cached: 0, output: 0 }
  const begun = performance.now()
  try {
    while (used.trips < MOST_TRIPS) {
      const message = await ask(model, { messages, tools: chat.tools }, used)
      messages.push(message)
      if (message.tool_calls?.length > 0) messages.push(...(await chat.answer(message.tool_calls)))
      else {
        used.ok = isRight(message.content, task)
        if (!used.ok) used.failure = `it said ${JSON.stringify(String(message.content).slice(-200))}`
        break
      }
    }
    used.failure ??= used.ok ? undefined : `no answer after ${MOST_TRIPS} trips`
  } catch (error) {
    used.failure = error.message
  }
  return { ...used, ms: performance.now() - begun }
}

function questionOf(task) {
  const form = JSON.stringify(formOf(JSON.parse(JSON.stringify(expectedOf(task)))))
  return `${task.question}\n\nUse the tools. Your last line must be the answer alone, as JSON on one line in this form: ${form}`
}

/** The form of an answer, without its content. */
function formOf(value) {
  if (Array.isArray(value)) return value.slice(0, 1).map(formOf)
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value).map(([key, one]) => [key, formOf(one)])
    const alike = entries.length > 2 && entries.every(([, form]) => isDeepStrictEqual(form, entries[0][1]))
    return alike ? { '…': entries[0][1] } : Object.fromEntries(entries)
  }
  return value === null ? null : typeof value
}

function isRight(content, task) {
  const line = String(content ?? '')
    .trim()
    .split('\n')
    .at(-1)
    .replace(/^`+|`+$/g, '')
  try {
    return isDeepStrictEqual(JSON.parse(line), JSON.parse(JSON.stringify(expectedOf(task))))
  } catch {
    return false
  }
}

async function ask({ url, name, key }, request, used) {
  const response = await fetch(`${url.replace(/\/$/, '')}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
    body: JSON.stringify({ model: name, ...request }),
  })
  if (!response.ok)
    throw new Error(`the endpoint answered ${response.status}: ${(await response.text()).slice(0, 300)}`)
  const { choices, usage = {} } = await response.json()
  used.trips += 1
  used.input += usage.prompt_tokens ?? 0
  used.cached += usage.prompt_tokens_details?.cached_tokens ?? 0
  used.output += usage.completion_tokens ?? 0
  return choices[0].message
}

/** Every tool of the servers as a function of its own. */
function directChat(servers) {
  const byName = new Map()
  for (const server of servers) {
    for (const tool of server.tools) byName.set(`${server.name}__${tool.name}`.slice(0, 64), { server, tool })
  }
  const tools = [...byName].map(([name, { tool }]) => ({
    type: 'function',
    function: { name, description: tool.description, parameters: tool.inputSchema },
  }))
  const answerOne = ({ id, function: called }) => {
    const { server, tool } = byName.get(called.name) ?? {}
    if (server === undefined) return { role: 'tool', tool_call_id: id, content: `there is no tool ${called.name}` }
    const { content } = callTool(server, tool.name, JSON.parse(called.arguments || '{}'))
    return { role: 'tool', tool_call_id: id, content: content.map(({ text }) => text).join('\n') }
  }
  return { tools, answer: async (calls) => calls.map(answerOne) }
}
