// What a run called, for a person: one row for each tool.

import Table from 'cli-table3'
import type { CallSummary, RunResult } from '../index.js'
import type { Colours } from './colours.js'
import { sizeText, timeText } from './units.js'

interface Row {
  count: number
  failed: number
  ms: number
  bytes: number
}

/** The table of calls, and below it what else there is to tell about a run that succeeded. Empty when nothing is. */
export function summaryOf({ report, calls, stats }: RunResult, colours: Colours): string {
  const remarks = report.split('\n').filter((line) => line !== '' && !line.startsWith('called '))
  const took = `${timeText(stats.wallMs)}${calls.length === 0 ? '' : `, ${timeText(stats.toolWaitMs)} of it waiting for tools`}`
  return [...(calls.length === 0 ? [] : [callTable(calls, colours), colours.dim(took)]), ...remarks].join('\n')
}

/** One row for each tool, in the order of their first calls. */
export function callTable(calls: readonly CallSummary[], { dim, red }: Colours): string {
  const rows = new Map<string, Row>()
  for (const { server, tool, ok, ms, bytes } of calls) {
    const row = rows.get(`${server}.${tool}`) ?? { count: 0, failed: 0, ms: 0, bytes: 0 }
    rows.set(`${server}.${tool}`, {
      count: row.count + 1,
      failed: row.failed + (ok ? 0 : 1),
      ms: row.ms + ms,
      bytes: row.bytes + bytes,
    })
  }
  const failures = calls.some((call) => !call.ok)
  const titles = ['tool', 'calls', ...(failures ? ['failed'] : []), 'time', 'bytes']
  const table = new Table({
    head: titles.map((title) => dim(title)),
    colAligns: titles.map((title) => (title === 'tool' ? 'left' : 'right')),
    chars: bare,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
  })
  for (const [tool, { count, failed, ms, bytes }] of rows)
    table.push([tool, `${count}`, ...(failures ? [red(`${failed}`)] : []), timeText(ms), sizeText(bytes)])
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
