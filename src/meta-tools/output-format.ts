// Formats a result as JSON, TOON or CSV.
// Invariant: numbers keep their spelling, and a value that a format can't express stays JSON, with the reason.

import { randomUUID } from 'node:crypto'
import { encode } from '@toon-format/toon'
import { compactText, type JsonEntry, type JsonNode } from './json-tree.js'

export const outputFormats = ['json', 'toon', 'csv'] as const

/**
 * A notation of a program's result in an answer.
 *
 * @example
 * import { CodeMode, type OutputFormat } from 'starbind'
 *
 * const output: OutputFormat = 'csv'
 * await using codeMode = await CodeMode.open()
 * console.log((await codeMode.executeToolCode({ code: 'result = [{"a": 1, "b": 2}]', output })).text)
 */
export type OutputFormat = (typeof outputFormats)[number]

export type Formatted =
  | { readonly ok: true; readonly lines: readonly string[] }
  /** Without a full stop. */
  | { readonly ok: false; readonly reason: string }

export function formatResult(node: JsonNode, format: Exclude<OutputFormat, 'json'>): Formatted {
  return format === 'csv' ? csv(node) : { ok: true, lines: toon(node) }
}

/**
 * The encoder would spell `120.0` as `120` and quote long integers: for such numbers it is given words, which are
 * replaced in its text.
 */
function toon(node: JsonNode): string[] {
  const spelt: string[] = []
  const word = `n${randomUUID().replaceAll('-', '')}x`
  const plain = (inner: JsonNode): unknown => {
    switch (inner.kind) {
      case 'list':
        return inner.items.map(plain)
      case 'dict':
        return Object.fromEntries(inner.entries.map(([key, one]) => [JSON.parse(key) as string, plain(one)]))
      case 'string':
        return JSON.parse(inner.text)
      case 'scalar': {
        const value: unknown = JSON.parse(inner.text)
        return JSON.stringify(value) === inner.text ? value : `${word}${spelt.push(inner.text) - 1}`
      }
    }
  }
  const text = encode(plain(node))
  return text.replace(new RegExp(`${word}(\\d+)`, 'g'), (_, i: string) => spelt[Number(i)]!).split('\n')
}

/** Larger tables are not written if most of their cells are empty: they would take time and room beyond their data. */
const ANY_CELLS = 100_000
const MOST_EMPTY = 4

function csv(node: JsonNode): Formatted {
  const refuse = (reason: string): Formatted => ({ ok: false, reason: `CSV needs a list of flat dicts, and ${reason}` })
  if (node.kind !== 'list') return refuse(`the result is a ${node.kind}`)
  const columns = new Map<string, string>()
  const rows: Map<string, JsonNode>[] = []
  let values = 0
  for (const [i, item] of node.items.entries()) {
    if (item.kind !== 'dict') return refuse(`item ${i} is a ${item.kind === 'scalar' ? 'single value' : item.kind}`)
    const deep = item.entries.find(([, one]) => one.kind === 'list' || one.kind === 'dict')
    if (deep !== undefined) return refuse(`item ${i} has a ${deep[1].kind} under ${deep[0]}`)
    for (const [key] of item.entries) columns.set(key, cell(JSON.parse(key) as string))
    rows.push(new Map(item.entries as JsonEntry[]))
    values += item.entries.length
  }
  const keys = [...columns.keys()]
  const cells = keys.length * rows.length
  if (cells > Math.max(ANY_CELLS, MOST_EMPTY * values))
    return refuse(`the result would have ${rows.length} rows of ${keys.length} columns`)
  const lines = rows.map((row) => keys.map((key) => cellOf(row.get(key))).join(','))
  return { ok: true, lines: [[...columns.values()].join(','), ...lines] }
}

/** None and missing values are empty; an empty text is `""`. */
function cellOf(node: JsonNode | undefined): string {
  if (node === undefined) return ''
  if (node.kind === 'string') return node.text === '""' ? '""' : cell(JSON.parse(node.text) as string)
  const text = compactText(node)
  return text === 'null' ? '' : text
}

function cell(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
