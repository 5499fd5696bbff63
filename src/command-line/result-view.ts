// A result at a terminal: a list of objects as a table, other lists and objects as a tree, everything else unchanged.
// Invariant: no digit of a number is lost.

import type { RunResult } from '../index.js'
import type { Colours } from './colours.js'
import { harmless } from './print.js'
import { type Column, tableText } from './table.js'

type Row = Readonly<Record<string, unknown>>

/** Narrower columns would be useless. */
const NARROWEST = 8
const WIDEST = 60
/** Integers that parsing may have rounded. */
const LONG_NUMBER = /\d{16}/

/** The result in colours; undefined if its plain text is enough. */
export function viewOf(
  { result, resultJson = '' }: RunResult,
  { columns, colours }: { readonly columns: number; readonly colours: Colours },
): string | undefined {
  if (typeof result !== 'object' || result === null || LONG_NUMBER.test(resultJson)) return undefined
  if (sizeOf(result) === 0) return undefined
  if (isTable(result)) {
    const names = [...new Set(result.flatMap((row) => Object.keys(row)))]
    const width = Math.min(WIDEST, Math.floor(columns / names.length) - 2)
    if (width >= NARROWEST) return rowsText(result, names, { width, colours })
  }
  return treeLines(result, colours).join('\n')
}

function isTable(value: unknown): value is readonly Row[] {
  return Array.isArray(value) && value.every((row) => isObject(row) && sizeOf(row) > 0)
}

function rowsText(
  rows: readonly Row[],
  names: readonly string[],
  { width, colours }: { readonly width: number; readonly colours: Colours },
): string {
  const columns: Column[] = names.map((name) => ({
    title: cut(harmless(name), width),
    isNumber: rows.every((row) => row[name] === undefined || row[name] === null || typeof row[name] === 'number'),
  }))
  const cells = rows.map((row) => names.map((name) => cut(wordOf(row[name]), width)))
  return tableText(columns, cells, colours)
}

/** One line for each leaf, indented by its depth. */
function treeLines(value: object, colours: Colours, indent = ''): string[] {
  const { bold, dim } = colours
  const isList = Array.isArray(value)
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = isList ? dim('-') : bold(oneLine(key))
    const isBranch = typeof inner === 'object' && inner !== null && sizeOf(inner) > 0
    if (!isBranch) return [`${indent}${name}${isList ? '' : ':'} ${wordOf(inner)}`]
    const below = treeLines(inner, colours, `${indent}  `)
    if (!isList) return [`${indent}${name}:`, ...below]
    return [`${indent}${name} ${below[0]!.slice(indent.length + 2)}`, ...below.slice(1)]
  })
}

/** A value in one line. Unambiguous text has no quotes. */
function wordOf(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value !== 'string') return oneLine(JSON.stringify(value))
  return /^$|^\s|\s$|^(true|false|null|-?\d.*|[[{"].*)$/s.test(value) ? JSON.stringify(value) : oneLine(value)
}

function oneLine(text: string): string {
  return harmless(text.replace(/\r?\n|\t/g, ' '))
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(1, width - 1))}…`
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sizeOf(value: object): number {
  return Object.keys(value).length
}
