// The host's replies: a letter and text. See the host's foreign.ts for the letters.

import { decodeJson } from '../json/decode.js'
import { equal } from '../operators/comparison.js'
import { FatalError, guestError, type HostMarks } from '../values/errors.js'
import { type Said, said, spelled, word } from '../values/said.js'
import { remember } from '../values/tool-data.js'
import type { Value } from '../values/values.js'

/** The value of the host's reply; throws if it is a failure. */
export function receive(reply: string): Value {
  const body = reply.slice(1)
  if (reply[0] === 'T') return body
  if (reply[0] === 'J') return decodeJson(body)
  if (reply[0] === 'D' || reply[0] === 'U')
    return remember(decodeJson(body), body, { says, undecided: reply[0] === 'U' })
  const error = JSON.parse(body) as {
    kind: string
    code: string
    message: string
    hint?: string
    server?: string
    tool?: string
    words?: string
    data?: unknown
  } & HostMarks
  if (error.kind === 'limit' || error.kind === 'host') {
    throw new FatalError(error.kind === 'limit' ? 'limit' : 'host error', error.code, error.message, error.hint)
  }
  // The words of tools and of people are shown unchanged. The host's other messages are marked; a message without its
  // marks is not shown.
  const isDenied = error.kind === 'denied'
  const isTool = error.kind === 'tool' || isDenied
  const words = (text: string): Said => (isTool ? said`${word(text)}` : said`${spelled(text)}`)
  const failure = guestError(isDenied ? 'ApprovalDenied' : isTool ? 'ToolError' : 'TypeError', words(error.message), {
    code: error.code,
    hint: error.hint === undefined ? undefined : words(error.hint),
  })
  failure.marked = error
  if (isTool) {
    const { code, server = '', tool = '', data } = error
    const own = error.words || error.message
    failure.args = [own]
    failure.uncaught = { own, text: error.message }
    const given = data === undefined ? null : decodeJson(JSON.stringify(data))
    failure.attributes = { server, tool, code, message: own, data: given }
  }
  throw failure
}

/** True if a text still denotes a value. */
function says(text: string, x: Value): boolean {
  return equal(decodeJson(text), x)
}
