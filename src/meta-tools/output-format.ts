// A result in the notation that was asked for. Knows JSON trees and three notations. Invariant: numbers keep their spelling, and a value that a
// notation can't hold is left in JSON, with the reason.

import { encode } from '@toon-format/toon'
import { compactText, type JsonEntry, type JsonNode } from './json-tree.js'

export const outputFormats = ['json', 'toon', 'csv'] as const

export type OutputFormat = (typeof outputFormats)[number]

export type Formatted =
  | { readonly ok: true; readonly lines: readonly string[] }
  /** Without a full stop. */
  | { readonly ok: false; readonly reason: string }

export function formatResult(node: JsonNode, format: Exclude<OutputFormat, 'json'>): Formatted {
  return format === 'csv' ? csv(node) : { ok: true, lines: encode(plain(node)).split('\n') }
}

/** The value for an encoder that takes numbers as numbers. */
function plain(node: JsonNode): unknown {
  switch (node.kind) {
    case 'list':
      return node.items.map(plain)
    case 'dict':
      return Object.fromEntries(node.entries.map(([key, one]) => [JSON.parse(key) as string, plain(one)]))
    case 'string':
      return JSON.parse(node.text)
    case 'scalar':
      return /^-?\d{16,}$/.test(node.text) ? BigInt(node.text) : JSON.parse(node.text)
  }
}

function csv(node: JsonNode): Formatted {
  const refuse = (reason: string): Formatted => ({ ok: false, reason: `CSV needs a list of flat dicts, and ${reason}` })
  if (node.kind !== 'list') return refuse(`the result is a ${node.kind}`)
  const columns = new Map<string, string>()
  const rows: Map<string, JsonNode>[] = []
  for (const [i, item] of node.items.entries()) {
    if (item.kind !== 'dict') return refuse(`item ${i} is a ${item.kind === 'scalar' ? 'single value' : item.kind}`)
    const deep = item.entries.find(([, one]) => one.kind === 'list' || one.kind === 'dict')
    if (deep !== undefined) return refuse(`item ${i} has a ${deep[1].kind} under ${deep[0]}`)
    for (const [key] of item.entries) columns.set(key, cell(JSON.parse(key) as string))
    rows.push(new Map(item.entries as JsonEntry[]))
  }
  const keys = [...columns.keys()]
  const lines = rows.map((row) => keys.map((key) => cellOf(row.get(key))).join(','))
  return { ok: true, lines: [[...columns.values()].join(','), ...lines] }
}

/** None and what is missing are empty; an empty text is `""`. */
function cellOf(node: JsonNode | undefined): string {
  if (node === undefined) return ''
  if (node.kind === 'string') return node.text === '""' ? '""' : cell(JSON.parse(node.text) as string)
  const text = compactText(node)
  return text === 'null' ? '' : text
}

function cell(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
