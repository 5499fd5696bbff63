// Draws docs/images/architecture.svg, the picture in ARCHITECTURE.md: where a program goes, in which thread, and
// through which rooms. Run it with node scripts/architecture-picture.mjs.

import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const WIDTH = 960
const HEIGHT = 520

/** Threads and processes, each independent of the others. */
const places = [
  { x: 16, y: 40, w: 150, h: 300, title: 'callers' },
  { x: 196, y: 40, w: 400, h: 460, title: 'the host’s event loop' },
  { x: 626, y: 40, w: 318, h: 130, title: 'host workers (threads)' },
  { x: 626, y: 190, w: 318, h: 130, title: 'guest threads, or a child process' },
  { x: 626, y: 340, w: 318, h: 160, title: 'upstreams' },
]

/** The rooms of src/, and boxes outside of it. `rooms` are folders. */
const boxes = [
  { x: 30, y: 76, w: 122, h: 66, title: 'MCP host', lines: ['Claude, Cursor …'] },
  { x: 30, y: 164, w: 122, h: 66, title: 'your program', lines: ['import starbind'] },
  { x: 30, y: 252, w: 122, h: 66, title: 'terminal', lines: ['starbind run'] },

  { x: 208, y: 76, w: 130, h: 66, title: 'gateway/serving', lines: ['MCP server, keys'], room: 'gateway/serving' },
  { x: 208, y: 164, w: 130, h: 66, title: 'library, hosts, agent', lines: ['CodeMode, Session'], room: 'library' },
  { x: 208, y: 252, w: 130, h: 66, title: 'command-line, page', lines: ['what a person sees'], room: 'command-line' },

  {
    x: 366,
    y: 76,
    w: 214,
    h: 150,
    title: 'meta-tools',
    lines: ['listToolFiles, readToolFile,', 'getToolDocs, executeToolCode:', 'submission → run → answer'],
    room: 'meta-tools',
  },
  { x: 366, y: 252, w: 64, h: 66, title: 'vfs', lines: ['results/'], room: 'vfs' },
  { x: 438, y: 252, w: 52, h: 66, title: 'state', lines: ['runs'], room: 'state' },
  {
    x: 498,
    y: 252,
    w: 82,
    h: 66,
    title: 'diagnostics',
    lines: ['failures', 'awaitable'],
    room: 'diagnostics',
  },
  { x: 366, y: 344, w: 214, h: 62, title: 'bindings', lines: ['tools as functions; checks; stubs'], room: 'bindings' },
  { x: 366, y: 424, w: 142, h: 62, title: 'gateway', lines: ['filters, audit,', 'connections'], room: 'gateway' },
  { x: 516, y: 424, w: 64, h: 62, title: 'builtin', lines: ['files', 'sql'], room: 'builtin' },

  {
    x: 642,
    y: 76,
    w: 286,
    h: 78,
    title: 'interpreter',
    lines: ['syntax → resolve → infer → check → compile', 'what failed, in the program’s own lines'],
    room: 'interpreter',
  },
  {
    x: 642,
    y: 226,
    w: 286,
    h: 78,
    title: 'sandbox',
    lines: ['QuickJS in WebAssembly: the prelude', 'and the program; limits; a pristine start'],
    room: 'sandbox',
  },
  { x: 642, y: 376, w: 286, h: 48, title: 'MCP servers', lines: ['child processes, URLs'] },
  { x: 642, y: 438, w: 286, h: 48, title: 'functions of this process', lines: [] },
]

/** The numbers are those of ARCHITECTURE.md’s sections. */
const arrows = [
  { from: [152, 109], to: [208, 109] },
  { from: [152, 197], to: [208, 197] },
  { from: [152, 285], to: [208, 285] },
  { from: [338, 97], to: [366, 97], step: 1 },
  { from: [338, 197], to: [366, 197] },
  { from: [273, 252], to: [273, 230] },
  { from: [580, 100], to: [642, 100], step: 2 },
  {
    from: [580, 200],
    via: [
      [611, 200],
      [611, 250],
    ],
    to: [642, 250],
    step: 3,
  },
  {
    from: [642, 288],
    via: [
      [611, 288],
      [611, 375],
    ],
    to: [580, 375],
    step: 4,
  },
  { from: [473, 406], to: [473, 424] },
  {
    from: [580, 455],
    via: [
      [611, 455],
      [611, 400],
    ],
    to: [642, 400],
  },
  { from: [580, 467], to: [642, 467] },
  { from: [642, 134], to: [580, 134], step: 5, below: true },
  { from: [366, 128], to: [338, 128], step: 6, below: true },
]

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function arrow({ from, to, via = [], step, below }) {
  const points = [from, ...via, to]
  const line = `<polyline class="way" points="${points.map((point) => point.join(',')).join(' ')}" marker-end="url(#head)"/>`
  if (step === undefined) return line
  const [x, y] = via.length > 0 ? via[0] : [(from[0] + to[0]) / 2, from[1]]
  const at = below ? y + 1 : y - 1
  return `${line}\n<circle class="step" cx="${x}" cy="${at}" r="9"/><text class="number" x="${x}" y="${at + 4}">${step}</text>`
}

export function picture() {
  const place = ({ x, y, w, h, title }) =>
    `<rect class="place" x="${x}" y="${y}" width="${w}" height="${h}" rx="10"/><text class="where" x="${x + w / 2}" y="${y + 22}">${escaped(title)}</text>`
  const box = ({ x, y, w, h, title, lines, room }) =>
    [
      `<rect class="${room === undefined ? 'other' : 'room'}" x="${x}" y="${y}" width="${w}" height="${h}" rx="6"/>`,
      `<text class="title" x="${x + w / 2}" y="${y + (lines.length === 0 ? h / 2 + 4 : 24)}">${escaped(title)}</text>`,
      ...lines.map((line, i) => `<text x="${x + w / 2}" y="${y + 42 + 17 * i}">${escaped(line)}</text>`),
    ].join('\n')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="The way of a program through the rooms and threads of starbind">
<style>
text { font: 12px sans-serif; fill: #444; text-anchor: middle }
.where { font-style: italic; fill: #777 } .title { font-weight: bold; font-size: 13px; fill: #222 }
.place { fill: #f6f7fa; stroke: #c9cdd8 } .room { fill: #e3ebfb; stroke: #6b7fd7 } .other { fill: #fff; stroke: #aaa }
.way { fill: none; stroke: #555; stroke-width: 1.4 } .step { fill: #3f9c8f } .number { fill: #fff; font-weight: bold }
</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z" fill="#555"/></marker></defs>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
<text class="title" x="${WIDTH / 2}" y="24">The way of a program: the numbers are those of the sections</text>
${[...places.map(place), ...boxes.map(box), ...arrows.map(arrow)].join('\n')}
</svg>
`
}

/** The folders of src/ that the picture shows. */
export const drawn = boxes.flatMap(({ room }) => (room === undefined ? [] : [room]))

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(path.join(import.meta.dirname, '../docs/images/architecture.svg'), picture())
