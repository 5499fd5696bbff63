// Converts an upstream's answer into the guest's value.
// Invariant: base64 never enters the program's text, JSON text is passed on unchanged, and an upstream's words are
// quoted.

import type { ForeignError, ForeignReply } from '../interpreter/index.js'
import type { Artifact, KnownContent } from '../vfs/index.js'
import { parseJson, spelling, writeByType } from './exact-json.js'
import { messages, notes } from './messages.js'
import type { Signature } from './signature.js'
import type { ContentBlock, ToolOutcome } from './tool.js'

/** Stores large or binary content outside the program; returns the program's view of it. Undefined: it is too large. */
export type KeepFile = (name: string, content: Uint8Array | string, known: KnownContent) => Artifact | undefined

/**
 * The form of text that is JSON: data that remembers its text (`auto`; `data` if it is known to be data), data alone
 * (`json`, scalars too), or text.
 */
export type ResultForm = 'auto' | 'data' | 'json' | 'text'

interface ConversionOptions {
  /** `server.tool`, for messages. */
  readonly path: string
  /** The program's names of the two. */
  readonly server: string
  readonly tool: string
  readonly signature: Signature
  readonly form: ResultForm
  readonly keep: KeepFile | undefined
}

/** The maximum length of a failed tool's words for the program that catches the error. */
const LONGEST_WORDS = 10_000

interface Converted {
  readonly reply: ForeignReply
  /** Notes for readers of the answer, one fact each. */
  readonly notes: readonly string[]
}

export function convertOutcome(outcome: ToolOutcome, options: ConversionOptions): Converted {
  if (outcome.isError) {
    const { path, server, tool } = options
    const words = wordsOf(outcome)
    const data = failureData(outcome, words)
    const facts = { server, tool, words: words.slice(0, LONGEST_WORDS), ...(data === undefined ? {} : { data }) }
    return { reply: errorReply({ ...messages.toolFailed(path, words), ...facts }), notes: [] }
  }
  if (outcome.structuredContent !== undefined && outcome.structuredContent !== null)
    return structuredReply(outcome, outcome.structuredContent, options)
  if (outcome.read?.structured !== undefined) return readReply(outcome, outcome.read, options)
  const texts = textsOf(outcome)
  if (texts.length === outcome.content.length)
    return { reply: textReply(texts, options.form, outcome.read?.isJson), notes: [] }
  const values = outcome.content.map((block, i) => blockValue(block, options, outcome.read?.files?.[i]))
  return { reply: `J${JSON.stringify(values.length === 1 ? values[0] : values)}`, notes: [] }
}

export function errorReply(error: ForeignError): ForeignReply {
  return `E${JSON.stringify(error)}`
}

/** The size in bytes of the answer that a model would see if it had called the upstream itself. */
export function sizeOf(outcome: ToolOutcome): number {
  if (outcome.content.length === 0) {
    if (outcome.read?.structured !== undefined) return Buffer.byteLength(outcome.read.structured)
    return outcome.structuredContent === undefined
      ? 0
      : Buffer.byteLength(JSON.stringify(outcome.structuredContent) ?? '')
  }
  let size = 0
  for (const block of outcome.content) size += isText(block) ? Buffer.byteLength(block.text) : blockSize(block)
  return size
}

function blockSize(block: ContentBlock): number {
  const bulk =
    'data' in block ? block.data : isResource(block) ? (block.resource.text ?? block.resource.blob) : undefined
  return typeof bulk === 'string' ? Buffer.byteLength(bulk) : Buffer.byteLength(JSON.stringify(block))
}

/** An answer that is not parsed here, unless it repeats contents. */
function readReply(
  outcome: ToolOutcome,
  { structured, lone, mark }: NonNullable<ToolOutcome['read']>,
  options: ConversionOptions,
): Converted {
  const { kept, besides } = keptBesides(outcome, options.path, options)
  const text = (options.signature.unwraps ? lone : undefined) ?? structured!
  if (mark === undefined) return { reply: `J${text}`, notes: besides }
  const marks = outcome.content.map((_, i) => `${mark}:${i}`)
  const value = withRecords(JSON.parse(text), marks, kept)
  return { reply: `J${writeByType(value, options.signature.returns).text}`, notes: besides }
}

/** Stores content besides structured content; notes name the paths. */
function keptBesides(
  { content, read }: ToolOutcome,
  path: string,
  options: ConversionOptions,
): { readonly kept: unknown[]; readonly besides: string[] } {
  const [only] = content
  if (content.length === 1 && isText(only!)) return TEXT_ALONE
  const kept = content.map((block, i) => (isText(block) ? undefined : blockValue(block, options, read?.files?.[i])))
  const besides = content.flatMap((block, i) => (isText(block) ? [] : besideNote(block, kept[i], path)))
  return { kept, besides }
}

const TEXT_ALONE = { kept: [undefined], besides: [] }

/** Other content is stored, and a note names its path. */
function structuredReply(outcome: ToolOutcome, whole: unknown, options: ConversionOptions): Converted {
  const { path, signature } = options
  const unwrapped = signature.unwraps && isRecord(whole) && Object.hasOwn(whole, 'result')
  const { kept, besides } = keptBesides(outcome, path, options)
  const sentValue = unwrapped ? whole.result : whole
  const value = kept === TEXT_ALONE.kept ? sentValue : withRecords(sentValue, outcome.content.map(bulkOf), kept)
  if (value !== sentValue) return { reply: `J${writeByType(value, signature.returns).text}`, notes: besides }
  const wrapping = { whole, value, unwrapped }
  const sent = outcome.structuredText === undefined ? undefined : spelling(wrapping, [outcome.structuredText])
  const spelt = sent ?? spelling(wrapping, textsOf(outcome))
  if (spelt !== undefined) return { reply: `J${spelt}`, notes: besides }
  const { text, inexact } = writeByType(value, signature.returns)
  return { reply: `J${text}`, notes: [...besides, ...(inexact ? [notes.inexactAnswer(path)] : [])] }
}

const KINDS: Readonly<Record<string, string>> = {
  image: 'an image',
  audio: 'audio',
  resource: 'a resource',
  resource_link: 'a link to a resource',
}

/** Names the kind and the path, and reveals no content. */
function besideNote(block: ContentBlock, value: unknown, called: string): string {
  const kind = Object.hasOwn(KINDS, block.type) ? KINDS[block.type]! : 'something'
  return notes.answeredBesides(called, kind, isRecord(value) ? (value.path as string | undefined) : undefined)
}

/** Deeper values are left as they are. */
const DEEPEST_BLOCK = 6

/**
 * Structured content, with records in place of blocks that it repeats, which have the same base64. The same value where
 * there are none.
 */
function withRecords(
  value: unknown,
  bulks: readonly (string | undefined)[],
  kept: readonly unknown[],
  depth = 0,
): unknown {
  if (typeof value !== 'object' || value === null || depth > DEEPEST_BLOCK) return value
  if (bulks.every((bulk) => bulk === undefined)) return value
  const bulk = bulkOf(value)
  const same = bulk === undefined ? -1 : bulks.findIndex((one, i) => kept[i] !== undefined && one === bulk)
  if (same >= 0) return kept[same]
  const entries = Object.entries(value).map(([key, one]) => [key, withRecords(one, bulks, kept, depth + 1)] as const)
  if (entries.every(([key, one]) => one === (value as Record<string, unknown>)[key])) return value
  return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries)
}

/** The content of a block, in base64. */
function bulkOf(block: object): string | undefined {
  const { data, resource } = block as { readonly data?: unknown; readonly resource?: unknown }
  const bulk = isRecord(resource) ? resource.blob : data
  return typeof bulk === 'string' ? bulk : undefined
}

const LETTERS = { auto: 'U', data: 'D', json: 'J' } as const

/** `isJson`: the results of an earlier test for JSON. */
function textReply(texts: readonly string[], form: ResultForm, isJson?: readonly boolean[]): ForeignReply {
  if (texts.length === 0) return 'Jnull'
  if (form === 'text') return `T${texts.join('\n')}`
  if (texts.length === 1) {
    if (!isJsonData(texts[0]!, form, isJson?.[0])) return `T${texts[0]}`
    return `${LETTERS[form]}${texts[0]}`
  }
  return texts.every((text, i) => isJsonData(text, form, isJson?.[i]))
    ? `J[${texts.join(',')}]`
    : `T${texts.join('\n')}`
}

/**
 * An object or an array in JSON; with `json` also a single value. Anything else that looks like JSON is text: a name
 * may be `null`.
 */
function isJsonData(text: string, form: ResultForm, isJson: boolean | undefined): boolean {
  if (form !== 'json' && !/^\s*[{[]/.test(text)) return false
  return isJson ?? parseJson(text) !== undefined
}

/** The words of a failed tool. */
function wordsOf(outcome: ToolOutcome): string {
  const words = textsOf(outcome)
  if (words.length === 0 && outcome.structuredContent !== undefined)
    return JSON.stringify(outcome.structuredContent) ?? ''
  return words.join(' ')
}

/** Structured content, or the parsed JSON text. */
function failureData({ structuredContent }: ToolOutcome, words: string): unknown {
  const data = structuredContent ?? (isJsonData(words, 'auto', undefined) ? JSON.parse(words) : undefined)
  return data === undefined || (JSON.stringify(data)?.length ?? 0) > LONGEST_WORDS ? undefined : data
}

/** Facts that another thread has found; absent: they are found here. */
type BulkFacts = { readonly sha256: string; readonly isBase64: boolean } | null | undefined

function blockValue(block: ContentBlock, options: ConversionOptions, facts: BulkFacts): unknown {
  if (isText(block)) return block.text
  const { type } = block
  if (isMedia(block)) return { type, ...keptBase64({ facts, ...block }, block.data, options) }
  if (isResource(block)) return resourceValue(block.resource, options, facts)
  return block
}

function resourceValue(
  resource: { readonly uri: string; readonly mimeType?: string; readonly text?: string; readonly blob?: string },
  options: ConversionOptions,
  facts: BulkFacts,
): unknown {
  const { uri, mimeType, text, blob } = resource
  const type = 'resource'
  if (typeof blob === 'string') return { type, uri, ...keptBase64({ type, mimeType, facts }, blob, options) }
  if (typeof text !== 'string') return { type: 'resource', uri, ...(mimeType === undefined ? {} : { mimeType }) }
  return { type: 'resource', uri, ...kept({ type, mimeType: mimeType ?? 'text/plain' }, text, options), text }
}

/** The alphabets of RFC 4648 and its URL form; line breaks are removed first. */
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/

interface Bulk {
  readonly type: string
  readonly mimeType?: string | undefined
  readonly facts?: BulkFacts
}

/** Invalid base64 is not kept, and the record has an error. */
function keptBase64(bulk: Bulk, data: string, options: ConversionOptions): object {
  const { mimeType, facts } = bulk
  const isBase64 = facts?.isBase64 ?? BASE64.test(data.includes('\n') ? data.replace(/[\r\n]+/g, '') : data)
  if (!isBase64) return { ...(mimeType === undefined ? {} : { mimeType }), bytes: 0, error: 'its data is not base64' }
  return kept(bulk, Buffer.from(data, 'base64'), options)
}

function kept(
  { type, mimeType, facts }: Bulk,
  content: Uint8Array | string,
  { keep, path }: ConversionOptions,
): object {
  const name = `${path}-${type}.${endingOf(mimeType)}`
  const artifact = keep?.(name, content, { mimeType, sha256: facts?.sha256 })
  if (artifact !== undefined) return artifact
  const error = keep === undefined ? {} : { error: 'it is larger than what is kept (results.maxBytes)' }
  return { ...(mimeType === undefined ? {} : { mimeType }), bytes: Buffer.byteLength(content), ...error }
}

const ENDINGS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'audio/mpeg': 'mp3',
  'audio/x-wav': 'wav',
  'text/plain': 'txt',
  'text/markdown': 'md',
  'application/gzip': 'gz',
}

function endingOf(mimeType: string | undefined): string {
  const plain = (mimeType ?? '').split(';', 1)[0]!.trim().toLowerCase()
  const own = Object.hasOwn(ENDINGS, plain) ? ENDINGS[plain] : undefined
  return own ?? (/^[a-z]+\/([a-z0-9]{1,8})$/.exec(plain)?.[1] || 'bin')
}

function textsOf(outcome: ToolOutcome): string[] {
  return outcome.content.filter(isText).map((block) => block.text)
}

function isText(block: ContentBlock): block is { type: 'text'; text: string } {
  return block.type === 'text' && typeof (block as { text?: unknown }).text === 'string'
}

function isMedia(block: ContentBlock): block is { type: 'image' | 'audio'; data: string; mimeType: string } {
  const { data, mimeType } = block as { data?: unknown; mimeType?: unknown }
  return (block.type === 'image' || block.type === 'audio') && typeof data === 'string' && typeof mimeType === 'string'
}

function isResource(block: ContentBlock): block is Extract<ContentBlock, { type: 'resource' }> {
  return block.type === 'resource' && isRecord((block as { resource?: unknown }).resource)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
