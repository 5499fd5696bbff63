// Where the calls of runs lie in a waterfall: rows below each other, time from left to right. Knows no colours and no
// markup, so that pages and files draw the same.
// Invariant: every call of the section has one row, up to the bound, and a bar that can be seen, however short.

import type { Call } from '../interface.js'

export type TimelineCall = Pick<
  Call,
  'server' | 'tool' | 'state' | 'startMs' | 'endMs' | 'reused' | 'ahead' | 'line' | 'approval' | 'waitedMs' | 'bytes'
>

/** The calls of one run, or of one way to run it. */
export interface TimelineSection {
  readonly title: string
  readonly calls: readonly TimelineCall[]
  /** When it ended, or now; default: the end of its last call. */
  readonly endMs?: number | undefined
}

/** What a bar means. Each has a look of its own, not by its colour alone. */
export type Look = 'ok' | 'ahead' | 'reused' | 'failed' | 'underway' | 'waiting' | 'denied'

export interface Bar {
  readonly look: Look
  readonly x: number
  readonly width: number
  /** The part before the call was sent, in which it waited for a person; undefined: it did not. */
  readonly wait?: { readonly x: number; readonly width: number } | undefined
}

export interface Row {
  readonly y: number
  readonly label: string
  /** Everything about the call in a line. */
  readonly about: string
  readonly bar: Bar
}

export interface Block {
  readonly title: string
  readonly y: number
  readonly rows: readonly Row[]
  /** The calls that have no row. */
  readonly left: number
}

export interface Layout {
  readonly height: number
  readonly rowHeight: number
  readonly ticks: readonly { readonly x: number; readonly text: string }[]
  readonly blocks: readonly Block[]
  /** The looks that are drawn, in the order of the legend. */
  readonly looks: readonly Look[]
}

const LOOKS: readonly Look[] = ['ok', 'ahead', 'reused', 'failed', 'underway', 'waiting', 'denied']
const SHORTEST = 2
const MARGIN = 16
/** Of the whole drawing. */
export const WIDTH = 760
/** The left end of the axis, behind the labels. */
export const LEFT = MARGIN + 200
const MOST_ROWS = 500
const TITLE = 30
const AXIS = 22
const LEGEND = 30

export function layout(sections: readonly TimelineSection[], rowHeight: number): Layout {
  const end = Math.max(1, ...sections.map(endOf))
  const scale = (WIDTH - LEFT - MARGIN) / end
  const blocks: Block[] = []
  let y = 0
  for (const section of sections) {
    const shown = section.calls.slice(0, MOST_ROWS)
    const top = y + TITLE
    const rows = shown.map((call, i) => rowOf(call, { y: top + i * rowHeight, scale, end: endOf(section) }))
    blocks.push({ title: section.title, y: y + TITLE - 10, rows, left: section.calls.length - shown.length })
    y = top + rows.length * rowHeight + (shown.length < section.calls.length ? rowHeight : 0)
  }
  const drawn = new Set(
    blocks.flatMap(({ rows }) => rows.flatMap(({ bar }) => [bar.look, ...(bar.wait ? ['waiting'] : [])])),
  )
  return {
    height: y + AXIS + LEGEND,
    rowHeight,
    ticks: ticksOf(end).map((ms) => ({ x: LEFT + ms * scale, text: timeText(ms) })),
    blocks,
    looks: LOOKS.filter((look) => drawn.has(look)),
  }
}

interface Scale {
  readonly y: number
  readonly scale: number
  readonly end: number
}

function rowOf(call: TimelineCall, { y, scale, end }: Scale): Row {
  const { startMs, endMs, waitedMs } = call
  const last = Math.max(startMs, endMs ?? end)
  const wait = waitedMs === null ? undefined : { from: Math.max(0, startMs - waitedMs), to: startMs }
  return {
    y,
    label: `${call.server}.${call.tool}`,
    about: aboutCall(call),
    bar: {
      look: lookOf(call),
      x: LEFT + startMs * scale,
      width: Math.max(SHORTEST, (last - startMs) * scale),
      ...(wait === undefined
        ? {}
        : { wait: { x: LEFT + wait.from * scale, width: Math.max(SHORTEST, (wait.to - wait.from) * scale) } }),
    },
  }
}

function lookOf({ state, reused, ahead }: TimelineCall): Look {
  if (state === 'waiting' || state === 'underway' || state === 'denied') return state
  if (state !== 'ok') return 'failed'
  return reused ? 'reused' : ahead ? 'ahead' : 'ok'
}

/** `crm.get_customer, line 3: 20 to 85 ms, 120 bytes, ran ahead`. */
function aboutCall(call: TimelineCall): string {
  const { server, tool, line, startMs, endMs, bytes, state, reused, ahead, approval } = call
  const facts = [
    endMs === null ? `since ${timeText(startMs)}` : `${timeText(startMs)} to ${timeText(endMs)}`,
    ...(state === 'ok' ? [`${bytes} bytes`] : [STATES[state]]),
    ...(reused ? ['taken from an earlier run'] : []),
    ...(ahead ? ['ran ahead'] : []),
    ...(approval === null ? [] : [`${approval.answer === 'deny' ? 'denied' : 'allowed'} by ${approval.by}`]),
  ]
  return `${server}.${tool}${line === null ? '' : `, line ${line}`}: ${facts.join(', ')}`
}

const STATES: Readonly<Record<Exclude<Call['state'], 'ok'>, string>> = {
  underway: 'underway',
  waiting: 'waits for a person',
  failed: 'failed',
  lost: 'lost',
  limit: 'ended by a limit',
  denied: 'not made',
}

function endOf({ calls, endMs }: TimelineSection): number {
  return Math.max(endMs ?? 0, ...calls.map((call) => Math.max(call.startMs, call.endMs ?? 0)))
}

/** Round moments, five to ten of them. */
function ticksOf(end: number): number[] {
  const rough = end / 6
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough)!
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, i) => i * step)
}

/** `1.2 ms`, `350 ms`, `4.5 s`, `3 min`. */
export function timeText(ms: number): string {
  if (ms < 10) return `${Number(ms.toFixed(1))} ms`
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 120_000) return `${Number((ms / 1000).toFixed(1))} s`
  return `${Number((ms / 60_000).toFixed(1))} min`
}
