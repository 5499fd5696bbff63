// Tables without lines, with columns two spaces apart.

import Table from 'cli-table3'
import type { Colours } from './colours.js'

export interface Column {
  readonly title: string
  /** Numbers are aligned to the right. */
  readonly isNumber: boolean
}

/** `rows` may have colours; a cell has no line breaks. */
export function tableText(columns: readonly Column[], rows: readonly (readonly string[])[], { dim }: Colours): string {
  const table = new Table({
    head: columns.map(({ title }) => dim(title)),
    colAligns: columns.map(({ isNumber }) => (isNumber ? 'right' : 'left')),
    chars: bare,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
  })
  table.push(...rows.map((row) => [...row]))
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

const bare = Object.fromEntries(
  (
    'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid ' +
    'middle'
  )
    .split(' ')
    .map((name) => [name, '']),
)
