// The host's replies: a letter and a text (foreign.ts of the host has the letters). Records of kept files in a reply
// have a method `read` besides their keys.

import { builtin } from '../calls/signature.js'
import { decodeJson, decodePlainJson } from '../json/decode.js'
import { equal } from '../operators/comparison.js'
import { FatalError, guestError, type HostMarks } from '../values/errors.js'
import { PROTOCOL, type Protocol } from '../values/protocol.js'
import { type Said, said, spelled, word } from '../values/said.js'
import { remember } from '../values/tool-data.js'
import { Bytes, type RecordDict, type Value } from '../values/values.js'
import { hostCall } from './sandbox-functions.js'

/** The value of the host's reply. Throws if it is a failure. */
export function receive(reply: string): Value {
  const body = reply.slice(1)
  const letter = reply[0]
  switch (letter) {
    case 'u':
    case 'd':
      return remember(decodePlainJson(body), body, says, letter === 'u')
    case 'j':
      return withReads(decodePlainJson(body), body)
    case 'T':
      return body
    case 'U':
    case 'D':
      return remember(decodeJson(body), body, says, letter === 'U')
    case 'J':
      return withReads(decodeJson(body), body)
  }
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
  // The words of tools and of people are shown unchanged. The host's other messages are marked, and a message without
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

// ---- kept files --------------------------------------------------------------------------------------------------

/** The same value, in which records of kept files can be read. */
function withReads(value: Value, text: string): Value {
  if (text.indexOf('"path":"results/') >= 0 && text.indexOf('"sha256":"') >= 0) markRecords(value)
  return value
}

function markRecords(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const { path, sha256 } = value as RecordDict
  if (typeof path === 'string' && typeof sha256 === 'string')
    Object.defineProperty(value, PROTOCOL, { value: recordProtocol, enumerable: false })
  for (const inner of value instanceof Map ? value.values() : Object.values(value)) markRecords(inner)
}

const recordProtocol: Protocol = {
  getAttribute: (x, name) => (name === 'read' ? builtin('read', '', () => readFile(x as RecordDict)) : undefined),
}

/** The content of a kept file. */
export function readFile({ path, sha256 }: RecordDict): Value {
  const named = sha256 === undefined ? { path } : { path, sha256 }
  const payload = `{"namespace":"artifacts","member":"read","positional":[],"named":${JSON.stringify(named)}}`
  return bytesOf(receive(hostCall(payload)) as string)
}

/** The bytes of a text from the channel, where the code of each character is a byte. */
function bytesOf(characters: string): Value {
  const bytes = new Uint8Array(characters.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i)
  return new Bytes(bytes)
}

/** True if a text still denotes a value. */
function says(text: string, x: Value): boolean {
  return equal(decodeJson(text), x)
}
