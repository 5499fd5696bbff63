// The part of large-message.ts that runs in the host worker. Nothing but the worker's deadline bounds its work.

import { createHash } from 'node:crypto'
import { isTooDeep } from '../depth.js'
import { bulkOf } from './bulk.js'
import { memberOf, skipSpace } from './json-member.js'

export function learn(): void {}
export function forget(): void {}

/** The message with the answer's data as text. A message that is no answer of a tool is returned unchanged. */
export function work(input: unknown): string {
  const { text, key } = input as { readonly text: string; readonly key: string }
  const message = JSON.parse(text) as { readonly id?: unknown; readonly result?: unknown }
  const { result } = message
  if (!isObject(result) || (result.structuredContent === undefined && !Array.isArray(result.content))) return text
  const { id } = message
  const { structuredContent, content, isError } = result
  if (isTooDeep(result))
    return JSON.stringify({ jsonrpc: '2.0', id, result: { [key]: { isJson: [], isTooDeep: true } } })
  const { blocks, isJson, data } = plainBlocks(content)
  const bulks = Array.isArray(blocks) ? blocks.map(bulkOf) : []
  const light = marked(structuredContent, bulks, key)
  const isRepeated = light !== structuredContent
  const structured = isRepeated ? { ...written(light), mark: key } : structuredContent == null ? {} : spelt(text)
  const sample = structuredContent ?? data
  const read = {
    isJson,
    ...(bulks.some((bulk) => bulk !== undefined) ? { files: bulks.map(factsOf) } : {}),
    ...structured,
    ...(sample === undefined ? {} : { sample: JSON.stringify(sampleOf(sample, 0)) }),
  }
  const plain = { ...(isError === undefined ? {} : { isError }), ...(blocks === undefined ? {} : { content: blocks }) }
  return JSON.stringify({ jsonrpc: '2.0', id, result: { ...plain, [key]: read } })
}

/**
 * The text of the structured content, and that of its only key `result`, as the server sent them but with fewer
 * escapes.
 */
function spelt(message: string): { structured?: string; lone?: string } {
  const result = memberOf(message, skipSpace(message, 0), 'result')
  const whole = result && memberOf(message, result.start, 'structuredContent')
  if (whole === undefined) return {}
  const lone = memberOf(message, whole.start, 'result')
  const text = ({ start, end }: { start: number; end: number }): string => unescaped(message.slice(start, end))
  return { structured: text(whole), ...(lone === undefined ? {} : { lone: text(lone) }) }
}

/**
 * The value with marks in place of texts that repeat the base64 of a content block. The same value if there are none.
 */
function marked(value: unknown, bulks: readonly (string | undefined)[], mark: string): unknown {
  if (typeof value === 'string') {
    const index = value === '' ? -1 : bulks.indexOf(value)
    return index < 0 ? value : `${mark}:${index}`
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, one]) => [key, marked(one, bulks, mark)] as const)
  if (entries.every(([key, one]) => one === (value as Readonly<Record<string, unknown>>)[key])) return value
  return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries)
}

function written(structured: unknown): { structured: string; lone?: string } {
  const isWrapped = isObject(structured) && Object.hasOwn(structured, 'result')
  const lone = isWrapped ? JSON.stringify(structured.result) : undefined
  return { structured: JSON.stringify(structured), ...(lone === undefined ? {} : { lone }) }
}

/** The alphabets of RFC 4648 and its URL form, with line breaks. */
const BASE64 = /^[A-Za-z0-9+/_\r\n-]*={0,2}[\r\n]*$/

/** Facts about a content block's base64 that take long to compute. */
function factsOf(bulk: string | undefined): { readonly sha256: string; readonly isBase64: boolean } | null {
  if (bulk === undefined) return null
  const sha256 = createHash('sha256').update(Buffer.from(bulk, 'base64')).digest('hex')
  return { sha256, isBase64: BASE64.test(bulk) }
}

function unescaped(json: string): string {
  return json.replace(/\\(u[0-9a-fA-F]{4}|[\s\S])/g, (whole, what: string) => {
    if (what === '/') return '/'
    if (what.length === 1) return whole
    const character = String.fromCharCode(Number.parseInt(what.slice(1), 16))
    // Surrogates and characters that must be escaped stay as they are.
    return /[\u0020\u0021\u0023-\u005b\u005d-\u007e\u00a0-\u2027\u202a-\ud7ff]/.test(character) ? character : whole
  })
}

const MOST_BLOCKS = 2_000
const LARGEST_BLOCK = 10_000
const KNOWN = new Set(['text', 'image', 'audio', 'resource', 'resource_link'])

/**
 * The content blocks in a form that is parsed quickly: not too many, and without data in blocks of unknown types.
 * `data` is the parsed text of the only block, if that is JSON.
 */
function plainBlocks(content: unknown): {
  readonly blocks: unknown
  readonly isJson: boolean[]
  readonly data?: unknown
} {
  if (!Array.isArray(content)) return { blocks: content, isJson: [] }
  const all: readonly unknown[] = content
  const read = all.slice(0, MOST_BLOCKS).map(readBlock)
  const blocks = read.map(({ block }) => block)
  const isJson = read.map(({ data }) => data !== undefined)
  const more = all.length - read.length
  if (more > 0) blocks.push({ type: 'text', text: `[${more} more contents were left out]` })
  return { blocks, isJson: more > 0 ? [...isJson, false] : isJson, data: all.length === 1 ? read[0]?.data : undefined }
}

function readBlock(block: unknown): { readonly block: unknown; readonly data?: unknown } {
  if (!isObject(block)) return { block }
  if (block.type === 'text' && typeof block.text === 'string') return { block, data: jsonIn(block.text) }
  if (KNOWN.has(String(block.type))) return { block }
  const text = JSON.stringify(block)
  return { block: text.length <= LARGEST_BLOCK ? block : { type: 'text', text } }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const SAMPLE = { items: 20, keys: 200, characters: 200, depth: 20 }

/** A part of a value, with the same shape. */
function sampleOf(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.slice(0, SAMPLE.characters)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= SAMPLE.depth) return null
  if (Array.isArray(value)) return value.slice(0, SAMPLE.items).map((item) => sampleOf(item, depth + 1))
  const entries = Object.entries(value).slice(0, SAMPLE.keys)
  return Object.fromEntries(entries.map(([key, inner]) => [key, sampleOf(inner, depth + 1)]))
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
