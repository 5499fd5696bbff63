// `console.table`: records as rows, by the rules of Node.

import { inspectCell } from './inspect.js'
import { textWidth } from './text-width.js'

interface Row {
  readonly index: string
  readonly cells: ReadonlyMap<string, string>
  /** The cell of a row that is not a record. */
  readonly value?: string
}

type Keyed = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The lines of the table; undefined for values that are not tables. */
export function tableText(data: unknown, columns?: readonly unknown[]): string | undefined {
  if (!isObject(data)) return undefined
  if (data instanceof Map) {
    const entries = [...data].map(([key, value]) => [inspectCell(key), inspectCell(value)] as const)
    return drawn(['(iteration index)', 'Key', 'Values'], numbered(entries))
  }
  if (data instanceof Set) {
    const entries = [...data].map((value) => [inspectCell(value)] as const)
    return drawn(['(iteration index)', 'Values'], numbered(entries))
  }
  const rows = Object.keys(data).map((index) => rowOf(index, (data as Keyed)[index], columns))
  const names = columns?.map(String) ?? [...new Set(rows.flatMap(({ cells }) => [...cells.keys()]))]
  const hasValues = rows.some(({ value }) => value !== undefined)
  const head = ['(index)', ...names, ...(hasValues ? ['Values'] : [])]
  const body = rows.map(({ index, cells, value }) => [
    index,
    ...names.map((name) => cells.get(name) ?? ''),
    ...(hasValues ? [value ?? ''] : []),
  ])
  return drawn(head, body)
}

function numbered(entries: readonly (readonly string[])[]): string[][] {
  return entries.map((cells, i) => [`${i}`, ...cells])
}

function rowOf(index: string, row: unknown, columns: readonly unknown[] | undefined): Row {
  if (!isObject(row) && typeof row !== 'function') return { index, cells: new Map(), value: inspectCell(row) }
  const names = columns?.map(String).filter((name) => Object.hasOwn(row, name)) ?? Object.keys(row)
  return { index, cells: new Map(names.map((name) => [name, inspectCell((row as Keyed)[name])])) }
}

function drawn(head: readonly string[], body: readonly (readonly string[])[]): string {
  const widths = head.map((text, i) => Math.max(textWidth(text), ...body.map((row) => textWidth(row[i]!))) + 2)
  const line = (cells: readonly string[]): string =>
    `│${cells.map((text, i) => ` ${text}${' '.repeat(widths[i]! - textWidth(text) - 1)}`).join('│')}│`
  const rule = (left: string, middle: string, right: string): string =>
    left + widths.map((width) => '─'.repeat(width)).join(middle) + right
  return [rule('┌', '┬', '┐'), line(head), rule('├', '┼', '┤'), ...body.map(line), rule('└', '┴', '┘')].join('\n')
}
