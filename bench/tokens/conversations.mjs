// The cost of a conversation. Each trip to the model carries the definitions and everything said before; the model adds
// its calls. With prompt caching a trip pays in full only for the text that is new since the previous one. The
// definitions count as cached from the beginning, the best case for hosts that send many.

import { isDeepStrictEqual } from 'node:util'
import { callTool, expectedOf } from './worlds.mjs'

/** The definition of a tool as hosts send it to a model. */
export function definitionOf({ name, description, inputSchema }) {
  return JSON.stringify({ name, description, inputSchema })
}

/** The same beside the tools of other servers, whose names may be the same. */
export function directDefinition(server, tool) {
  return definitionOf({ ...tool, name: `${server}__${tool.name}` })
}

/** Both ways of a task have the same last words. */
function finalAnswer(task) {
  return `Here is what I found:\n${JSON.stringify(expectedOf(task), null, 1)}`
}

/** The recorded calls of tools, with the answers: trips of `{says, hears}`, each a list of texts. */
export function directTrips(task, servers) {
  const trips = task.direct.map((calls) => ({
    says: calls.map(([server, tool, args]) => JSON.stringify({ name: `${server}__${tool}`, arguments: args })),
    hears: calls.map(([server, tool, args]) =>
      textOf(
        callTool(
          servers.find(({ name }) => name === server),
          tool,
          args,
        ),
        task,
      ),
    ),
  }))
  return [...trips, { says: [finalAnswer(task)], hears: [] }]
}

function textOf({ content, isError }, task) {
  if (isError) throw new Error(`${task.id}: ${content[0].text}`)
  return content.map(({ text }) => text).join('\n')
}

/**
 * The recorded calls of meta-tools, answered by a session. Throws if the last program does not have the expected
 * result.
 */
export async function codeModeTrips(task, session) {
  const trips = []
  let structured
  for (const [name, args] of task.codeMode) {
    const answer = await session.call(name, args)
    if (answer.isError) throw new Error(`${task.id}: ${answer.text}`)
    trips.push({ says: [JSON.stringify({ name, arguments: args })], hears: [answer.text] })
    structured = answer.structured
  }
  const wanted = JSON.parse(JSON.stringify(expectedOf(task)))
  if (!isDeepStrictEqual(structured.result, wanted)) {
    const shown = [structured.result, wanted].map((value) => JSON.stringify(value).slice(0, 500))
    throw new Error(`${task.id}: the program gave ${shown[0]}, and must give ${shown[1]}`)
  }
  if (task.after !== undefined) {
    const left = task.after()
    if (!isDeepStrictEqual(left, task.afterwards ?? wanted))
      throw new Error(`${task.id}: it left ${JSON.stringify(left)}`)
  }
  return [...trips, { says: [finalAnswer(task)], hears: [] }]
}

/** Tokens of all trips: `input` is all input, `fresh` the part of it that no earlier trip had, and `output`. */
export function tokensOf({ definitions, question, trips }, count) {
  let context = count(question)
  let [input, fresh, output] = [0, context, 0]
  for (const [i, { says, hears }] of trips.entries()) {
    input += definitions + context
    const said = sum(says.map(count))
    output += said
    if (i === trips.length - 1) break
    const added = said + sum(hears.map(count))
    context += added
    fresh += added
  }
  return { trips: trips.length, input, fresh, output }
}

/** Dollars for a million tokens: uncached input, output, cached input, and input that the cache stores. */
export const usualPrices = { input: 3, output: 15, cached: 0.3, stored: 3.75 }

/** Cents of a conversation, with prompt caching or without. */
export function centsOf({ input, fresh, output }, prices, caching) {
  const read = caching ? fresh * prices.stored + (input - fresh) * prices.cached : input * prices.input
  return (read + output * prices.output) / 1e4
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0)
}
