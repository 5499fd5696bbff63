// Reads a file: its text, some of its lines, or all of it as a file for the program.

import { closeSync, readSync } from 'node:fs'
import path from 'node:path'
import { Failure, quoted } from '../tool.js'
import type { ReadArguments } from './schemas.js'
import { slashed } from './walk.js'
import { type OpenFile, shown, type Wall } from './wall.js'

/** Of a text that a program gets. */
export const LARGEST_TEXT = 4 * 1024 * 1024
/** Of a file that becomes an artifact. */
const LARGEST_ARTIFACT = 8 * 1024 * 1024
const CHUNK = 64 * 1024
/** So much of a file shows whether it is text. */
const HEAD = 8 * 1024
const NEWLINE = 10

export function readText(wall: Wall, args: ReadArguments): string {
  const file = wall.openFile(args.path)
  try {
    return textOf(file, args)
  } finally {
    closeSync(file.fd)
  }
}

/** The text of an open file, which stays open. */
export function textOf(file: OpenFile, { path: raw, start, lines, encoding }: ReadArguments): string {
  const { size } = file.stats
  const isWhole = start === 1 && lines === undefined
  if (isWhole && size > LARGEST_TEXT)
    throw new Failure(
      `${shown(raw)} has ${size} bytes, more than ${LARGEST_TEXT}: read it in parts, such as files.read(${shown(raw)}, start=1, lines=1000)`,
    )
  if (isWhole) return decode(bytesOf(file, size), raw, encoding)
  if (start === 0) throw new Failure('start is 0, and the first line is 1')
  const place = lineRange(file, raw, { start, lines })
  return decode(bytesOf(file, place.end - place.start, place.start), raw, encoding)
}

/** The bytes from `from` on; fewer at the end of the file. */
export function bytesOf({ fd }: Pick<OpenFile, 'fd'>, count: number, from = 0): Buffer {
  const bytes = Buffer.allocUnsafe(count)
  let read = 0
  while (read < count) {
    const got = readSync(fd, bytes, read, count - read, from + read)
    if (got === 0) break
    read += got
  }
  return bytes.subarray(0, read)
}

/** Where lines begin and end, in bytes. Throws if there are no such lines, or too many of them. */
function lineRange(file: OpenFile, raw: string, { start, lines }: Pick<ReadArguments, 'start' | 'lines'>) {
  const first = start > 0 ? start : Math.max(1, countLines(file) + 1 + start)
  const chunk = Buffer.allocUnsafe(CHUNK)
  let line = 1
  let from = first === 1 ? 0 : -1
  for (let at = 0; ; ) {
    const got = readSync(file.fd, chunk, 0, CHUNK, at)
    if (got === 0) {
      if (from < 0 || from === at)
        throw new Failure(`${shown(raw)} has ${countLines(file)} lines, there is no line ${first}`)
      return { start: from, end: bounded(raw, from, at) }
    }
    for (let i = chunk.indexOf(NEWLINE); i >= 0 && i < got; i = chunk.indexOf(NEWLINE, i + 1)) {
      line++
      if (line === first) from = at + i + 1
      if (lines !== undefined && line === first + lines) return { start: from, end: bounded(raw, from, at + i + 1) }
    }
    at += got
    if (from >= 0) bounded(raw, from, at)
  }
}

function bounded(raw: string, from: number, to: number): number {
  if (to - from > LARGEST_TEXT)
    throw new Failure(`these lines of ${shown(raw)} have more than ${LARGEST_TEXT} bytes: read fewer`)
  return to
}

function countLines({ fd }: OpenFile): number {
  const chunk = Buffer.allocUnsafe(CHUNK)
  let lines = 0
  let isOpen = false
  for (let at = 0, got = 0; (got = readSync(fd, chunk, 0, CHUNK, at)) > 0; at += got) {
    for (let i = chunk.indexOf(NEWLINE); i >= 0 && i < got; i = chunk.indexOf(NEWLINE, i + 1)) lines++
    isOpen = chunk[got - 1] !== NEWLINE
  }
  return isOpen ? lines + 1 : lines
}

/** The text without its byte order mark, which also tells UTF-16. */
export function decode(bytes: Buffer, raw: string, encoding: string): string {
  const marked = encoding === 'utf-8' ? markedEncoding(bytes) : undefined
  if (marked === undefined && isBinary(bytes) && !/^utf-?16/i.test(encoding)) throw notText(raw)
  const decoder = decoderOf(marked ?? encoding)
  try {
    return decoder.decode(bytes)
  } catch {
    throw new Failure(
      `${shown(raw)} is not ${encoding} text: pass its encoding, such as encoding="latin1", or use files.artifact`,
    )
  }
}

function decoderOf(encoding: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(encoding, { fatal: true })
  } catch {
    throw new Failure(`there is no encoding ${quoted(encoding)}`)
  }
}

function markedEncoding(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

export function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, HEAD).includes(0)
}

function notText(raw: string): Failure {
  return new Failure(`${shown(raw)} is binary, not text: files.artifact(${shown(raw)}) keeps it as a file`)
}

interface WholeFile {
  readonly path: string
  readonly mimeType: string
  /** In base64. */
  readonly data: string
}

export function readWhole(wall: Wall, raw: string): WholeFile {
  const file = wall.openFile(raw)
  try {
    const { size } = file.stats
    if (size > LARGEST_ARTIFACT) throw new Failure(`${shown(raw)} has ${size} bytes, more than ${LARGEST_ARTIFACT}`)
    const mimeType = TYPES[path.extname(file.path).toLowerCase()] ?? 'application/octet-stream'
    return { path: slashed(file.path), mimeType, data: bytesOf(file, size).toString('base64') }
  } finally {
    closeSync(file.fd)
  }
}

/** The types that models and programs do something with. */
const TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.ogg': 'audio/ogg',
  '.pdf': 'application/pdf',
  '.zip': 'application/zip',
  '.csv': 'text/csv',
  '.json': 'application/json',
  '.txt': 'text/plain',
  '.md': 'text/markdown',
  '.html': 'text/html',
}
