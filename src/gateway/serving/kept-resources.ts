// The files in `results/` as resources of MCP: `starbind://results/NAME`.
// Invariant: exactly the caller's own files are listed and read.

import { isTextType } from '../../bindings/index.js'
import { DiagnosticError } from '../../diagnostics/index.js'
import type { FileFacts } from '../../state/index.js'
import { notHere, resourceTooLong } from '../messages.js'
import type { Params } from '../params.js'
import type { ServedFiles } from './served-files.js'

const PREFIX = 'starbind://results/'
/** Longer contents would block the event loop as one message. */
const LONGEST = 5_000_000

/** The name of a file; undefined for other URIs. */
export function keptNameIn(uri: unknown): string | undefined {
  return typeof uri === 'string' && uri.startsWith(PREFIX) ? uri.slice(PREFIX.length) : undefined
}

export function keptUri(name: string): string {
  return `${PREFIX}${name}`
}

/** The entries of a list of resources, oldest first. */
export function listKept(files: ServedFiles): Params[] {
  return files.list().map(entryOf)
}

function entryOf({ name, mimeType, bytes, width, height, keptAt }: FileFacts): Params {
  return {
    uri: keptUri(name),
    name,
    ...(width === undefined ? {} : { description: `${width} × ${height} pixels` }),
    mimeType,
    size: bytes,
    annotations: { lastModified: new Date(keptAt).toISOString() },
  }
}

/** Rejects with a DiagnosticError if the file does not exist, is too long or can't be read. */
export async function readKept(name: string, files: ServedFiles): Promise<Params> {
  const file = files.list().find((one) => one.name === name)
  if (file === undefined) throw new DiagnosticError(notHere('resource', keptUri(name)))
  const { mimeType, bytes } = file
  if (bytes > LONGEST) throw new DiagnosticError(resourceTooLong(keptUri(name), bytes, LONGEST))
  const content = Buffer.from(await files.read(name))
  const text = isTextType(mimeType) ? textOf(content) : undefined
  const data = text === undefined ? { blob: content.toString('base64') } : { text }
  return { contents: [{ uri: keptUri(name), mimeType, ...data }] }
}

function textOf(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content)
  } catch {
    return undefined
  }
}
