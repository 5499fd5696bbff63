// Artifacts as arguments: the program passes the record of a kept file, and the tool gets the content in the form that
// its parameter takes. The guest never holds the bytes.
// Invariant: a record is only replaced where the parameter can't take the record itself, and only by the file that it
// describes.

import { marked, type Said, said } from '../diagnostics/index.js'
import type { Artifact } from '../vfs/index.js'
import { ExactInteger } from './exact-integers.js'
import { fieldOf, itemOf, wantsText } from './remembered-text.js'
import { isObject } from './schema-object.js'
import { type Facts, type RecordType, type Type, unnamed } from './type.js'

/** A kept file and its content. Plain data. */
export interface NamedFile {
  readonly artifact: Artifact
  readonly content: Uint8Array
}

/** The files that a call names, by their paths. */
export type NamedFiles = ReadonlyMap<string, NamedFile>

const NAMED = /"path":"(results\/[\w.-]{1,200})"/g

/**
 * The files that a call's text names, and the total size of their contents in base64, one for each mention. A file that
 * would exceed `mostBytes` is not read.
 */
export function filesNamed(
  callText: string,
  find: (path: string) => NamedFile | undefined,
  mostBytes: number,
): { readonly files: NamedFiles | undefined; readonly bytes: number } {
  if (!callText.includes('"path":"results/')) return { files: undefined, bytes: 0 }
  const files = new Map<string, NamedFile>()
  let bytes = 0
  for (const [, path] of callText.matchAll(NAMED)) {
    const file = files.get(path!) ?? find(path!)
    if (file === undefined) continue
    bytes += Math.ceil(file.artifact.bytes / 3) * 4
    if (bytes > mostBytes) break
    files.set(path!, file)
  }
  return { files, bytes }
}

const MENTIONED = /results\/[\w.-]{1,200}/g

/** The kept files whose paths are anywhere in a call's arguments, as they are now. */
export function filesMentioned(argumentText: string, find: (path: string) => NamedFile | undefined): NamedFiles {
  const files = new Map<string, NamedFile>()
  for (const path of new Set(argumentText.match(MENTIONED))) {
    const file = find(path)
    if (file !== undefined) files.set(path, file)
  }
  return files
}

/** The value with contents in place of records. Problems are added to `problems`. */
export function settleArtifacts(
  value: unknown,
  { type, facts }: { readonly type: Type; readonly facts?: Facts },
  { files, problems }: { readonly files: NamedFiles; readonly problems: Said[] },
): unknown {
  if (typeof value !== 'object' || value === null || value instanceof ExactInteger) return value
  const named = recordOf(value)
  if (named !== undefined) {
    const form = formFor(type, facts)
    if (form === undefined) return value
    const file = files.get(named.path)
    if (file?.artifact.sha256 === named.sha256) return form(file)
    const path = marked(named.path, '*', named.path)
    problems.push(said`${path} ${file === undefined ? 'is not kept any more' : 'has other content by now'}`)
    return value
  }
  const inner = (one: unknown, innerType: Type) => settleArtifacts(one, { type: innerType }, { files, problems })
  if (Array.isArray(value)) return value.map((item) => inner(item, itemOf(type)))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inner(one, fieldOf(type, key))]))
}

function recordOf(value: object): { readonly path: string; readonly sha256: string } | undefined {
  if (!isObject(value)) return undefined
  const { path, sha256 } = value
  return typeof path === 'string' && path.startsWith('results/') && typeof sha256 === 'string'
    ? { path, sha256 }
    : undefined
}

type Form = (file: NamedFile) => unknown

/** The form in which a parameter takes a content; undefined: it takes none. */
function formFor(type: Type, facts: Facts | undefined): Form | undefined {
  if (wantsText(type)) {
    if (facts?.constraints.includes('format uri')) return dataUri
    const isBinary = facts?.constraints.some((one) => /base64|format (?:byte|binary)/.test(one)) === true
    return isBinary ? base64 : textOrBase64
  }
  const record = recordIn(type)
  const has = (key: string) => record?.fields.some((field) => field.key === key)
  if (has('blob') || (has('uri') && has('text'))) return resource
  return has('data') && has('mimeType') ? (file) => media(file, has('type')!) : undefined
}

function recordIn(type: Type): RecordType | undefined {
  const plain = unnamed(type)
  if (plain.kind === 'record') return plain
  return plain.kind === 'union' ? plain.members.map(recordIn).find((one) => one !== undefined) : undefined
}

function base64({ content }: NamedFile): string {
  return Buffer.from(content).toString('base64')
}

function dataUri(file: NamedFile): string {
  return `data:${file.artifact.mimeType};base64,${base64(file)}`
}

/** Types whose content is text. */
export function isTextType(mimeType: string): boolean {
  return /^text\/|[/+](?:json|xml|yaml|toml|javascript|x-ndjson)$/.test(mimeType) && !mimeType.startsWith('image/')
}

function textOrBase64(file: NamedFile): string {
  return isTextType(file.artifact.mimeType) ? Buffer.from(file.content).toString() : base64(file)
}

function resource(file: NamedFile): object {
  const { path, mimeType } = file.artifact
  const uri = `starbind://${path}`
  return isTextType(mimeType)
    ? { uri, mimeType, text: Buffer.from(file.content).toString() }
    : { uri, mimeType, blob: base64(file) }
}

function media(file: NamedFile, isTyped: boolean): object {
  const { mimeType } = file.artifact
  const type = /^(image|audio)\//.exec(mimeType)?.[1]
  return { ...(isTyped && type !== undefined ? { type } : {}), data: base64(file), mimeType }
}
