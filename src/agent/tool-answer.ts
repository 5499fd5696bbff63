// Answers of tools as content of messages: text, and the pictures that a model can see.
// Invariant: base64 is never text, and the order of a tool's parts is kept.

import type { Answer } from '../index.js'
import type { ContentBlock } from './conversation.js'

type Entry = Readonly<Record<string, unknown>>

export interface ToolAnswer {
  readonly blocks: readonly ContentBlock[]
  readonly isError: boolean
}

/** Providers refuse larger pictures. */
const MOST_PICTURE_CHARS = 20_000_000

/** The answer of a meta-tool. */
export function blocksOfAnswer({ text, files = [], isError }: Answer): ContentBlock[] {
  // Providers take no files with a failure.
  return [{ type: 'text', text }, ...(isError ? [] : files.map((file) => blockOf(file as Entry)))]
}

/** The result of a tool, as the protocol has it. */
export function blocksOfResult({ content, structuredContent, isError }: Entry): ToolAnswer {
  const parts = Array.isArray(content) ? content : []
  const blocks =
    parts.length === 0 && structuredContent !== undefined
      ? [textBlock(JSON.stringify(structuredContent))]
      : parts.map((part) =>
          blockOf(typeof part === 'object' && part !== null ? (part as Entry) : { text: String(part) }),
        )
  return { blocks: blocks.some(({ type }) => type !== 'text') ? blocks : joined(blocks), isError: isError === true }
}

/** Texts without pictures are one text. */
function joined(blocks: readonly ContentBlock[]): ContentBlock[] {
  return [textBlock(blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n'))]
}

function blockOf(part: Entry): ContentBlock {
  const { type, text, data, uri, name } = part
  if (typeof text === 'string') return textBlock(text)
  if (type === 'resource') return blockOfResource((part.resource ?? {}) as Entry)
  if (type === 'resource_link') return textBlock([name, uri].filter((one) => typeof one === 'string').join(': '))
  if (typeof data === 'string') return blockOfBytes(data, part.mimeType)
  return textBlock(JSON.stringify(part))
}

function blockOfResource({ text, blob, uri, mimeType }: Entry): ContentBlock {
  if (typeof text === 'string') return textBlock(text)
  return typeof blob === 'string' ? blockOfBytes(blob, mimeType) : textBlock(String(uri))
}

function blockOfBytes(base64: string, mimeType: unknown): ContentBlock {
  const kind = typeof mimeType === 'string' ? mimeType : 'application/octet-stream'
  const isPicture = /^image\/[\w.+-]+$/.test(kind) && base64.length <= MOST_PICTURE_CHARS
  if (isPicture && /^[A-Za-z0-9+/]+={0,2}$/.test(base64))
    return { type: 'image_url', image_url: { url: `data:${kind};base64,${base64}` } }
  return textBlock(`[${kind}, ${Math.floor((base64.length * 3) / 4)} bytes, not shown]`)
}

function textBlock(text: string): ContentBlock {
  return { type: 'text', text }
}

/** The same blocks with at most so many characters of text. */
export function cutBlocks(blocks: readonly ContentBlock[], maxChars: number): ContentBlock[] {
  let room = maxChars
  return blocks.map((block) => {
    if (block.type !== 'text') return block
    const { text } = block
    const kept = text.slice(0, Math.max(0, room))
    room -= text.length
    return kept.length === text.length ? block : textBlock(`${kept}\n[cut: ${text.length} characters in all]`)
  })
}
