// Parses messages: short ones at once, long ones in pieces.
// Invariant: the result is a message of the protocol. Where parsing would lose the spelling of structured content, the
// message has it in addition.

import { randomUUID } from 'node:crypto'
import {
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type JSONRPCResultResponse,
} from '@modelcontextprotocol/sdk/types.js'
import { isTooWide, noteShallow, WIDEST } from '../depth.js'
import type { TransportOptions } from '../transports/transport.js'
import { parseInTurns, UnreadText } from './json-in-turns.js'
import { keepSpelling, SPELLING, spellingIn } from './spelling.js'

/**
 * The size up to which messages are parsed at once. The worst case takes less than half of the time that the loop may
 * be held.
 */
const LONG_CHARS = 256 * 1024

export function isLong(text: string): boolean {
  return text.length > LONG_CHARS
}

/** Shorter texts of servers are read at once. */
const SHORT_CHARS = 128 * 1024

export function mayBeLong(text: string): boolean {
  return text.length > SHORT_CHARS
}

/** Throws if a text is not a message. */
export function readMessage(text: string): JSONRPCMessage {
  return messageOf(JSON.parse(keepSpelling(text)), text)
}

export type ReadingOptions = Pick<TransportOptions, 'intake' | 'lighten'>

/** Reads a message of any length. Rejects if a text is not a message. */
export async function readAnyMessage(text: string, { intake, lighten }: ReadingOptions): Promise<JSONRPCMessage> {
  const light = await lighten(text)
  return light === text && isLong(text) ? readLongMessage(text, intake.partMaxBytes) : readMessage(light)
}

/** Rejects if a text is not a message. `maxBytes`: its maximum size. */
export async function readLongMessage(text: string, maxBytes: number): Promise<JSONRPCMessage> {
  try {
    const parsed = await parseInTurns(text, maxBytes)
    const message = messageOf(parsed, text)
    const result = 'result' in message ? message.result : undefined
    const spelling = result === undefined ? undefined : spellingIn(text)
    if (result !== undefined && spelling !== undefined) result[SPELLING] = spelling
    noteShallow(result)
    return message
  } catch (error) {
    if (error instanceof UnreadText) return insteadOf(text, `a message ${error.message}`)
    throw error
  }
}

function messageOf(parsed: unknown, text: string): JSONRPCMessage {
  if (isPlainAnswer(parsed)) return parsed
  if (isTooWide(parsed)) return insteadOf(text, `a message of more than ${WIDEST} members`)
  return JSONRPCMessageSchema.parse(parsed)
}

/** True for a plain answer. It is not checked against the schema, which takes longer than parsing. */
function isPlainAnswer(parsed: unknown): parsed is JSONRPCResultResponse {
  if (typeof parsed !== 'object' || parsed === null) return false
  const { jsonrpc, id, result } = parsed as { readonly [member: string]: unknown }
  if (jsonrpc !== '2.0' || !Number.isSafeInteger(id)) return false
  if (typeof result !== 'object' || result === null || Array.isArray(result) || '_meta' in result) return false
  let members = 0
  for (const _ in parsed) if (++members > 3) return false
  return true
}

/** The beginning and the end of a message that is too long. They identify the request that it answers. */
export class Remains {
  #head = Buffer.alloc(0)
  #tail = Buffer.alloc(0)

  take(piece: Uint8Array): void {
    if (this.#head.length < LOOK_CHARS) this.#head = Buffer.concat([this.#head, piece.subarray(0, LOOK_CHARS)])
    this.#tail = Buffer.concat([this.#tail, piece.subarray(-LOOK_CHARS)]).subarray(-LOOK_CHARS)
  }

  toString(): string {
    return `${this.#head.toString()}${this.#tail.toString()}`
  }
}

/** The mark of an answer that replaces an unread one. No server can forge it. */
export const UNREAD = `starbind/unread ${randomUUID()}`

/**
 * An error answer in place of a text that is not parsed. The beginning and the end of the text are enough. Throws if
 * the text answers no request.
 */
export function insteadOf(text: string, what: string): JSONRPCErrorResponse {
  const head = text.slice(0, LOOK_CHARS)
  const id =
    /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15})\s*,/.exec(head)?.[1] ??
    /,\s*"id"\s*:\s*(\d{1,15})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(text.slice(-LOOK_CHARS))?.[1]
  // A result may contain requests, so only the text before it can have the method of this message.
  const [before = ''] = head.split(/"(?:result|error)"\s*:/, 1)
  if (id === undefined || /"method"\s*:/.test(before)) throw new Error(`it sent ${what}`)
  return { jsonrpc: '2.0', id: Number(id), error: { code: -32000, message: what, data: UNREAD } }
}

const LOOK_CHARS = 200
