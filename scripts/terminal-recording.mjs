// Draws docs/images/terminal.svg: the output of some commands at a terminal, in the folder of a reader of the README.
// `npm run recording` draws it after a build; util-linux's `script` is the terminal. A test compares its text with the
// output of the commands.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readerFolder } from './reader-folder.mjs'

const COLUMNS = 100

const commands = [
  'starbind ls',
  `starbind run -e '
products = json.decode(files.read_text_file("products.json")["content"])
result = [p for p in products if p["cents"] > 1800]'`,
  `starbind run -e 'print(files.read_txt_file(path="products.json"))'`,
]

/** Each command with the lines on the screen when it has ended. A line is a list of `{ text, style }`. */
export function recording() {
  const place = mkdtempSync(path.join(tmpdir(), 'starbind-recording-'))
  try {
    const { folder, command, env: usual } = readerFolder(place)
    const { NO_COLOR: _, FORCE_COLOR: __, CI: ___, ...rest } = usual
    const env = { ...rest, TERM: 'xterm-256color', XDG_STATE_HOME: path.join(place, 'state') }
    // Caches the tool lists: while a server starts, the terminal shows a line that is erased afterwards.
    spawnSync(command, ['ls', '--fresh'], { cwd: folder, env })
    return commands.map((typed) => {
      const line = `stty cols ${COLUMNS} rows 50; ${typed}`
      const { stdout } = spawnSync('script', ['-qec', line, '/dev/null'], {
        cwd: folder,
        env,
        input: '',
        encoding: 'utf8',
      })
      return { typed, lines: screenOf(stdout) }
    })
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** The final screen. Our commands style text, move up, and erase from there. */
function screenOf(output) {
  const lines = [[]]
  let row = 0
  let style = ''
  for (const [, sequence, end, text] of output.matchAll(/\x1b\[([\d;?]*)([A-Za-z])|([^\x1b]+)/g)) {
    if (text !== undefined) {
      for (const part of text.replaceAll('\r', '').split(/(\n)/)) {
        if (part === '\n') lines[++row] = []
        else if (part !== '') lines[row].push({ text: part, style })
      }
    } else if (end === 'm') style = styled(style, sequence)
    else if (end === 'A') row -= Number(sequence || 1)
    else if (end === 'J') lines.splice(row, lines.length, [])
  }
  return lines.filter((line, i) => i < lines.length - 1 || line.length > 0)
}

const STYLES = { 1: 'bold', 2: 'dim', 31: 'red', 32: 'green', 33: 'yellow', 36: 'cyan' }
const COLOURS = ['red', 'green', 'yellow', 'cyan']

function styled(style, sequence) {
  const now = style.split(' ').filter(Boolean)
  if (sequence === '' || sequence === '0') return ''
  if (sequence === '22') return now.filter((one) => COLOURS.includes(one)).join(' ')
  if (sequence === '39') return now.filter((one) => !COLOURS.includes(one)).join(' ')
  if (STYLES[sequence] === undefined) throw new Error(`a style that is not known: ${sequence}`)
  return [...now, STYLES[sequence]].join(' ')
}

/** The text of each line without variable parts: durations, and the width of tables with durations. */
export function steadyText(lines) {
  return lines.map((line) =>
    line
      .replace(/\b\d[\d.]* m?s\b/g, 'N ms')
      .replace(/\s+/g, ' ')
      .trim(),
  )
}

export function textOf({ typed, lines }) {
  return [...`$ ${typed}`.split('\n'), ...lines.map((line) => line.map(({ text }) => text).join(''))]
}

const LINE = 19
const CHARACTER = 7.83
const MARGIN = 18
/** Seconds until the output of a command appears, and until the next command. */
const PAUSE = { output: 0.9, command: 2.6 }

export function drawing(recorded) {
  let row = 0
  let widest = 0
  const groups = recorded.flatMap(({ typed, lines }, i) => {
    const at = i * PAUSE.command
    const prompt = `$ ${typed}`.split('\n').map((text) => [{ text, style: 'typed' }])
    const group = (all, begin) =>
      `<g style="animation-delay:${begin.toFixed(1)}s">\n${all.map((line) => lineAt(line)).join('\n')}\n</g>`
    const drawn = [group(prompt, at), group(lines, at + PAUSE.output)]
    row++
    return drawn
  })
  function lineAt(line) {
    widest = Math.max(
      widest,
      line.reduce((sum, { text }) => sum + text.length, 0),
    )
    const spans = line.map(
      ({ text, style }) => `<tspan${style === '' ? '' : ` class="${style}"`}>${escaped(text)}</tspan>`,
    )
    return `<text x="${MARGIN}" y="${MARGIN + 14 + LINE * row++}">${spans.join('')}</text>`
  }
  const [width, height] = [Math.ceil(widest * CHARACTER) + 2 * MARGIN, LINE * (row - 1) + 2 * MARGIN + 4]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="starbind at a terminal: the servers, a program with a table as its result, and a mistake that is found before anything runs">
<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #d7dae0; white-space: pre }
.typed { fill: #ffffff; font-weight: 600 } .bold { font-weight: 700; fill: #ffffff } .dim { fill: #8b93a1 }
.red { fill: #ff7b72 } .green { fill: #7ee787 } .yellow { fill: #e3b341 } .cyan { fill: #76d9e6 }
@keyframes show { from { opacity: 0 } to { opacity: 1 } }
g { animation: show 0.2s both }
@media (prefers-reduced-motion: reduce) { g { animation: none } }
</style>
<rect width="${width}" height="${height}" rx="8" fill="#16191f"/>
${groups.join('\n')}
</svg>
`
}

/** The lines of text that a drawing shows. */
export function linesOf(svg) {
  return [...svg.matchAll(/<text [^>]*>(.*?)<\/text>/g)].map(([, spans]) =>
    spans
      .replace(/<[^>]*>/g, '')
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&amp;/g, '&'),
  )
}

function escaped(text) {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(fileURLToPath(new URL('../docs/images/terminal.svg', import.meta.url)), drawing(recording()))
