// The text of a host's file: JSON with comments, TOML or YAML, by the file's name. Parses each format, and removes or
// inserts values without touching the surrounding text.
// Invariant: an edited text means the same as the old one plus the edit, or the edit fails.

import { isDeepStrictEqual } from 'node:util'
import jsonc from 'jsonc-parser'
import { JsonTextError, parseJsonText } from '../configuration/index.js'
import { isRecord } from './host-files.js'

export type KeyPath = readonly (string | number)[]

export interface Edit {
  /** Paths of the values to remove. Elements of a list have the highest index first. */
  readonly remove: readonly KeyPath[]
  readonly put: { readonly at: KeyPath; readonly value: unknown }
}

/** Throws if the text can't be parsed; the message is a fact for people. */
export async function readHostText(file: string, text: string): Promise<unknown> {
  try {
    if (file.endsWith('.toml')) return (await import('smol-toml')).parse(text)
    if (file.endsWith('.yaml')) return (await import('yaml')).parse(text)
    return parseJsonText(text).value
  } catch (error) {
    throw new Error(error instanceof JsonTextError ? `line ${error.place.line}: ${error.message}` : firstLine(error))
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]!
}

/** Throws if the text can't be edited safely. */
export async function editedHostText(file: string, text: string, edit: Edit): Promise<string> {
  const edited = file.endsWith('.toml')
    ? await editedToml(text, edit)
    : file.endsWith('.yaml')
      ? await editedYaml(text, edit)
      : editedJson(text, edit)
  const meant = structuredClone(await readHostText(file, text))
  for (const at of edit.remove) removeAt(meant, at)
  putAt(meant, edit.put.at, edit.put.value)
  const read = await readHostText(file, edited).catch(() => undefined)
  if (!isDeepStrictEqual(structuredClone(read), meant)) throw new Error('it can only be edited by hand')
  return edited
}

function editedJson(text: string, { remove, put }: Edit): string {
  return withValues(text, [...remove.map((at) => ({ at, value: undefined })), put])
}

/**
 * JSON with other values at some places; undefined removes a key. Comments stay, and so does the format except next to
 * the edit.
 */
export function withValues(text: string, changes: readonly Edit['put'][]): string {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  '
  const formattingOptions = {
    insertSpaces: !indent.includes('\t'),
    tabSize: indent.includes('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  }
  return changes.reduce(
    (now, { at, value }) => jsonc.applyEdits(now, jsonc.modify(now, [...at], value, { formattingOptions })),
    text,
  )
}

async function editedYaml(text: string, { remove, put }: Edit): Promise<string> {
  const { parseDocument } = await import('yaml')
  const document = parseDocument(text)
  for (const at of remove) document.deleteIn(at)
  document.setIn(put.at, document.createNode(put.value))
  return document.toString({ lineWidth: 0 })
}

/** Removes each table from its header to the next one, and appends the new one. */
async function editedToml(text: string, { remove, put }: Edit): Promise<string> {
  const { parse, stringify } = await import('smol-toml')
  const gone = [...remove, put.at].map((at) => at.join('\0'))
  let isGone = false
  const kept = text.split('\n').filter((line) => {
    if (/^\s*\[/.test(line)) {
      const name = tableName(line, parse)
      if (name !== undefined) isGone = gone.some((one) => `${name}\0`.startsWith(`${one}\0`))
    }
    return !isGone
  })
  const value = [...put.at].reverse().reduce<unknown>((inner, key) => ({ [key]: inner }), put.value)
  return `${kept.join('\n').trimEnd()}\n\n${stringify(value as Record<string, never>).trim()}\n`.trimStart()
}

/** The path in a table's header; undefined if the line only looks like a header. */
function tableName(line: string, parse: (text: string) => unknown): string | undefined {
  const path: string[] = []
  try {
    for (let value = parse(line); isRecord(value) || Array.isArray(value); ) {
      const [key] = Object.keys(value)
      if (key === undefined) break
      if (isRecord(value)) path.push(key)
      value = (value as Record<string, unknown>)[key]
    }
  } catch {
    return undefined
  }
  return path.join('\0')
}

function removeAt(root: unknown, at: KeyPath): void {
  const holder = holderOf(root, at)
  const key = at.at(-1)!
  if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else if (isRecord(holder)) delete holder[key]
}

function putAt(root: unknown, at: KeyPath, value: unknown): void {
  const holder = holderOf(root, at)
  if (Array.isArray(holder) || isRecord(holder)) (holder as Record<string, unknown>)[at.at(-1)!] = value
}

function holderOf(root: unknown, at: KeyPath): unknown {
  return at.slice(0, -1).reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], root)
}
