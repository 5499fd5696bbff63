// The table of a run's calls: one row for each tool.

import type { CallSummary, RunResult } from '../index.js'
import type { Colours } from './colours.js'
import { tableText } from './table.js'
import { sizeText, timeText } from './units.js'

interface Row {
  count: number
  failed: number
  ms: number
  bytes: number
}

/** The table of calls, and the notes of a successful run below it. May be empty. */
export function summaryOf({ report, calls, stats }: RunResult, colours: Colours): string {
  const remarks = report.split('\n').filter((line) => line !== '' && !line.startsWith('called '))
  const took = `${timeText(stats.wallMs)}${calls.length === 0 ? '' : `, ${timeText(stats.toolWaitMs)} of it waiting for tools`}`
  return [...(calls.length === 0 ? [] : [callTable(calls, colours), colours.dim(took)]), ...remarks].join('\n')
}

/** One row for each tool, in the order of their first calls. */
export function callTable(calls: readonly CallSummary[], colours: Colours): string {
  const { red } = colours
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
  const lines = [...rows].map(([tool, { count, failed, ms, bytes }]) => [
    tool,
    `${count}`,
    ...(failures ? [red(`${failed}`)] : []),
    timeText(ms),
    sizeText(bytes),
  ])
  const columns = titles.map((title) => ({ title, isNumber: title !== 'tool' }))
  return tableText(columns, lines, colours)
}
