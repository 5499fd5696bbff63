// A value as a tree, as a table where it is a list of objects, and as text. Parts that nobody opened are not drawn.

import { useState } from 'preact/hooks'
import { number } from './amounts.js'
import { columnsOf, Exact, entriesOf, visible } from './exact.js'

const FIRST = 50

type Form = 'table' | 'tree' | 'text'

interface Value {
  readonly value: unknown
  /** Says to screen readers what the value is. */
  readonly name: string
  /** Everything is shown at once: a person decides by it. */
  readonly isWhole?: boolean
}

export function ValueView({ value, name, isWhole = false }: Value) {
  const columns = columnsOf(value)
  const isFlat = entriesOf(value) === undefined
  const [chosen, choose] = useState<Form>()
  const form = chosen ?? (columns !== undefined ? 'table' : isFlat ? 'text' : 'tree')
  const forms: Form[] = columns === undefined ? ['tree', 'text'] : ['table', 'tree', 'text']
  return (
    <div class="stack">
      {!isFlat && (
        <div class="segments" role="group" aria-label={`${name} as`}>
          {forms.map((one) => (
            <button type="button" key={one} aria-pressed={one === form} onClick={() => choose(one)}>
              {one}
            </button>
          ))}
        </div>
      )}
      {form === 'table' && columns !== undefined && <ValueTable rows={value as Row[]} columns={columns} name={name} />}
      {form === 'tree' && <ValueTree value={value} isWhole={isWhole} />}
      {form === 'text' && <pre class="text">{visible(textOf(value))}</pre>}
    </div>
  )
}

type Row = Readonly<Record<string, unknown>>

interface Table {
  readonly rows: readonly Row[]
  readonly columns: readonly string[]
  readonly name: string
}

function ValueTable({ rows, columns, name }: Table) {
  const [shown, show] = useState(FIRST)
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={`${name}, table`}>
      <table class="grid">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" class={isNumber(rows[0]?.[column]) ? 'number' : ''}>
                {visible(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shown).map((row, at) => (
            <tr key={at}>
              {columns.map((column) => (
                <td key={column} class={isNumber(row[column]) ? 'number' : ''}>
                  {Object.hasOwn(row, column) ? <Leaf value={row[column]} /> : ''}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <More shown={shown} of={rows.length} show={show} />
    </div>
  )
}

/** The members of a value, each of which opens by itself. */
function ValueTree({ value, isWhole }: { readonly value: unknown; readonly isWhole: boolean }) {
  const [shown, show] = useState(isWhole ? Number.POSITIVE_INFINITY : FIRST)
  const entries = entriesOf(value)
  if (entries === undefined) return <Leaf value={value} />
  return (
    <ul class="tree">
      {entries.slice(0, shown).map(([key, inner]) => (
        <li key={key}>
          <Branch name={key} value={inner} isWhole={isWhole} />
        </li>
      ))}
      <More shown={shown} of={entries.length} show={show} />
    </ul>
  )
}

function Branch({ name, value, isWhole }: Required<Value>) {
  const [open, setOpen] = useState(isWhole)
  const entries = entriesOf(value)
  if (entries === undefined || entries.length === 0)
    return (
      <span class="leaf">
        <span class="key">{visible(name)}</span> <Leaf value={value} />
      </span>
    )
  return (
    <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span class="key">{visible(name)}</span> <span class="soft">{sizeOf(value, entries.length)}</span>
      </summary>
      {open && <ValueTree value={value} isWhole={isWhole} />}
    </details>
  )
}

function Leaf({ value }: { readonly value: unknown }) {
  if (typeof value === 'string') return <span class="string">{visible(value)}</span>
  const entries = entriesOf(value)
  if (entries !== undefined && entries.length > 0) return <span class="soft">{shortText(value)}</span>
  return <span class="atom">{textOf(value)}</span>
}

interface Shown {
  readonly shown: number
  readonly of: number
  readonly show: (count: number) => void
}

function More({ shown, of, show }: Shown) {
  if (of <= shown) return null
  return (
    <button type="button" class="plain" onClick={() => show(shown + FIRST * 4)}>
      {number(of - shown)} more
    </button>
  )
}

const isNumber = (value: unknown): boolean => typeof value === 'number' || value instanceof Exact

const sizeOf = (value: unknown, count: number): string =>
  Array.isArray(value) ? `[${number(count)}]` : `{${number(count)}}`

const shortText = (value: unknown): string => {
  const text = textOf(value)
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

/** A value as text: JSON with its numbers as they were written, and strings without quotes. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Exact) return value.text
  return written(value, '')
}

function written(value: unknown, indent: string): string {
  if (value instanceof Exact) return value.text
  const entries = entriesOf(value)
  if (entries === undefined || entries.length === 0) return JSON.stringify(value) ?? 'null'
  const isList = Array.isArray(value)
  const deeper = `${indent}  `
  const lines = entries.map(
    ([key, inner]) => `${deeper}${isList ? '' : `${JSON.stringify(key)}: `}${written(inner, deeper)}`,
  )
  return `${isList ? '[' : '{'}\n${lines.join(',\n')}\n${indent}${isList ? ']' : '}'}`
}
