// Keeps the spelling of structured content. Parsing makes `120.0` and `120` one number, rounds integers beyond a
// double's range, and moves integer keys to the front. A message in which that happens gets the text of its structured
// content as an additional member before it is parsed.
// Invariant: the addition is only another spelling: a reader checks that it parses to the structured content. Any other
// text is returned unchanged.

import { memberOf, type Place, skipSpace } from './json-member.js'

/** The key of the additional member. A server that sends it itself only spells its own content differently. */
export const SPELLING = 'starbind/spelling'

/** The text of a message, with the spelling of its structured content if parsing would lose it. */
export function keepSpelling(message: string): string {
  const content = lossyContent(message)
  if (content === undefined) return message
  const text = message.slice(content.start, content.end)
  return `${message.slice(0, content.end)},${JSON.stringify(SPELLING)}:${JSON.stringify(text)}${message.slice(content.end)}`
}

/** The place of structured content that parsing would change. */
function lossyContent(message: string): Place | undefined {
  if (!message.includes('"structuredContent"') || !LOSSY.test(message)) return undefined
  const result = memberOf(message, skipSpace(message, 0), 'result')
  // The content of a task is in the result of its result.
  const inner = result && memberOf(message, result.start, 'result')
  const content = [result, inner].flatMap((one) => (one && memberOf(message, one.start, 'structuredContent')) ?? [])[0]
  return content !== undefined && LOSSY.test(message.slice(content.start, content.end)) ? content : undefined
}

/** The spelling of the structured content of a message, for other parsers of the message. */
export function spellingIn(message: string): string | undefined {
  const content = lossyContent(message)
  return content && message.slice(content.start, content.end)
}

/**
 * A long integer, a whole number with a point or an exponent, or a key that is a whole number. It also matches other
 * text, for example in strings.
 */
const LOSSY = /\d{16}|\d\.0|\d[eE][+-]?\d|"\d+"\s*:/
