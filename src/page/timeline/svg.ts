// A waterfall as SVG text, for files and for pages.
// Invariant: what comes from servers and programs is text or a quoted attribute, escaped, and the drawing refers to
// nothing outside of itself.

import { escaped } from './escaped.js'
import {
  type Bar,
  type Block,
  type Layout,
  LEFT,
  type Look,
  layout,
  type Row,
  type TimelineSection,
  WIDTH,
} from './layout.js'

interface DrawOptions {
  /** What the drawing shows, for screen readers. */
  readonly label: string
  readonly rowHeight?: number
}

/** The waterfall of one or several runs, one below the other, on one axis of time. */
export function drawTimeline(sections: readonly TimelineSection[], { label, rowHeight = 18 }: DrawOptions): string {
  const drawing = layout(sections, rowHeight)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="timeline" viewBox="0 0 ${WIDTH} ${drawing.height}" role="img" aria-label="${escaped(label)}">`,
    `<style>${STYLES}</style>`,
    PATTERNS,
    ...axis(drawing),
    ...drawing.blocks.flatMap((block) => blockLines(block, drawing)),
    ...legend(drawing),
    '</svg>',
    '',
  ].join('\n')
}

function axis({ ticks, height }: Layout): string[] {
  const bottom = height - 38
  return ticks.map(
    ({ x, text }) =>
      `<path class="tick" d="M${place(x)} 18V${bottom - 8}"/><text class="time" x="${place(x)}" y="${bottom + 4}">${escaped(text)}</text>`,
  )
}

function blockLines({ title, y, rows, left }: Block, drawing: Layout): string[] {
  const more =
    left === 0 ? [] : [`<text x="16" y="${y + 20 + rows.length * drawing.rowHeight}">and ${left} more</text>`]
  return [
    `<text class="title" x="16" y="${y}">${escaped(title)}</text>`,
    ...rows.map((row) => rowLine(row, drawing)),
    ...more,
  ]
}

function rowLine({ y, label, about, bar }: Row, { rowHeight }: Layout): string {
  const words = escaped(shortened(label, (LEFT - 16) / 6.6))
  const text = `<text class="name" x="16" y="${y + rowHeight - 6}">${words}</text>`
  return `<g class="call">${text}${barMarks(bar, y, rowHeight)}<title>${escaped(about)}</title></g>`
}

function barMarks({ look, x, width, wait }: Bar, y: number, rowHeight: number): string {
  const box = (at: { x: number; width: number }, name: Look) =>
    `<rect class="${name}" x="${place(at.x)}" y="${y + 2}" width="${place(at.width)}" height="${rowHeight - 5}" rx="2"/>`
  const sign = SIGNS[look]
  const mark =
    sign === '' ? '' : `<text class="sign" x="${place(x + width + 4)}" y="${y + rowHeight - 6}">${sign}</text>`
  return `${wait === undefined ? '' : box(wait, 'waiting')}${box({ x, width }, look)}${mark}`
}

function legend({ looks, height }: Layout): string[] {
  let x = 16
  return looks.map((look) => {
    const words = `${SIGNS[look]} ${WORDS[look]}`.trim()
    const item = `<rect class="${look}" x="${x}" y="${height - 20}" width="18" height="11" rx="2"/><text x="${x + 24}" y="${height - 10}">${words}</text>`
    x += 40 + words.length * 6.6
    return item
  })
}

const WORDS: Readonly<Record<Look, string>> = {
  ok: 'answered',
  ahead: 'ran ahead',
  reused: 'taken from an earlier run',
  failed: 'failed',
  underway: 'underway',
  waiting: 'waits for a person',
  denied: 'not made',
}

/** Beside the bar. */
const SIGNS: Readonly<Record<Look, string>> = {
  ok: '',
  ahead: '',
  reused: '↺',
  failed: '✕',
  underway: '…',
  waiting: '?',
  denied: '⊘',
}

const PATTERNS = `<defs><pattern id="timeline-ahead" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="ahead-ground" width="5" height="5"/><path class="ahead-line" d="M0 0V5"/></pattern></defs>`

/** Of files; pages have the same in their own sheet. */
const STYLES = [
  '.timeline{color-scheme:light dark;--text:#333;--faint:#8884;--ok:#3f7fbf;--ahead:#3f9c8f;--bad:#c0392b;--wait:#b07d16}',
  '@media(prefers-color-scheme:dark){.timeline{--text:#ddd;--ok:#6ba4dd;--ahead:#5fbfae;--bad:#e8746a;--wait:#dba83f}}',
  '.timeline text{font:11px ui-sans-serif,system-ui,sans-serif;fill:var(--text)}',
  '.timeline .title{font-weight:bold;font-size:13px}.timeline .time{text-anchor:middle}.timeline .name{font-family:ui-monospace,monospace}',
  '.timeline .tick{stroke:var(--faint)}.timeline .ok{fill:var(--ok)}',
  '.timeline .ahead{fill:url(#timeline-ahead);stroke:var(--ahead)}.timeline .ahead-ground{fill:#8882}.timeline .ahead-line{stroke:var(--ahead);stroke-width:4}',
  '.timeline .reused{fill:none;stroke:var(--ok);stroke-dasharray:3 2}.timeline .failed{fill:var(--bad);stroke:var(--bad);fill-opacity:.35}',
  '.timeline .underway{fill:var(--ok);fill-opacity:.4;stroke:var(--ok);stroke-dasharray:6 2}',
  '.timeline .waiting{fill:none;stroke:var(--wait);stroke-dasharray:1.5 2;stroke-width:1.5}.timeline .denied{fill:none;stroke:var(--bad)}',
].join('')

function place(number: number): string {
  return String(Number(number.toFixed(1)))
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, Math.max(1, most - 1))}…`
}
