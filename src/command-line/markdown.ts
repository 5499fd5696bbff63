// Markdown in the colours of a terminal, while it is still being written: each word appears as soon as its meaning is
// certain. Blocks are lines: headings, items, quotes, fences and rules; only a table waits for its end. Libraries for
// this need the whole text, and packages for syntax colouring besides.
// Invariant: what a model writes can't move on the screen, and takes time linear in its length: no text waits longer
// than MOST_HELD characters, and no marker is looked for further away.

import type { Colours } from './colours.js'
import { harmless } from './print.js'
import { tableText } from './table.js'

/** The longest text between two markers, and the longest that waits for a marker. */
const MOST_HELD = 400
const MOST_ROWS = 200

type Style = (text: string) => string

export class MarkdownText {
  readonly #colours: Colours
  /** The end of the last line, which is not shown yet. */
  #held = ''
  /** The style of the last line if a part of it is shown. */
  #begun: Style | undefined
  #fence: string | undefined
  #rows: string[] = []

  constructor(colours: Colours) {
    this.#colours = colours
  }

  /** What to show for the next piece. Without colours it is the text. */
  push(piece: string): string {
    const text = harmless(piece.replaceAll('\r', ''))
    if (!this.#colours.isColorSupported) {
      this.#begun = text === '' ? this.#begun : text.endsWith('\n') ? undefined : String
      return text
    }
    const lines = (this.#held + text).split('\n')
    this.#held = lines.pop()!
    return lines.map((line) => this.#whole(line)).join('') + this.#part()
  }

  /** What to show at the end of the text, with the end of its last line. */
  end(): string {
    const { isColorSupported } = this.#colours
    const rest = isColorSupported ? (this.#held === '' && !this.#begun ? '' : this.#whole(this.#held)) : ''
    const shown = isColorSupported ? rest + this.#table() : this.#begun ? '\n' : ''
    this.#held = ''
    this.#begun = undefined
    this.#fence = undefined
    return shown
  }

  /** The rest of a line that has ended. */
  #whole(line: string): string {
    const begun = this.#begun
    this.#begun = undefined
    if (begun) return `${line === '' ? '' : begun(line)}\n`
    const { cyan, dim } = this.#colours
    const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (this.#fence !== undefined) {
      const isEnd = fence?.startsWith(this.#fence) && line.trim() === fence
      if (isEnd) this.#fence = undefined
      return `${isEnd ? dim(line) : cyan(line)}\n`
    }
    if (/^\s*\|.*\|\s*$/.test(line) && this.#rows.length < MOST_ROWS) {
      this.#rows.push(line)
      return ''
    }
    const above = this.#table()
    if (fence !== undefined) {
      this.#fence = fence
      return `${above}${dim(line)}\n`
    }
    if (/^ {0,3}([-*_])( *\1){2,} *$/.test(line)) return `${above}${dim('─'.repeat(40))}\n`
    const { mark, style, rest } = this.#block(line)
    return `${above}${mark}${style(rest)}\n`
  }

  /** As much of the last line as is certain. */
  #part(): string {
    const line = this.#held
    if (this.#begun === undefined) {
      if (line.length < MOST_HELD && !this.#isKnown(line)) return ''
      const above = this.#table()
      const { mark, style, rest } =
        this.#fence === undefined ? this.#block(line) : { mark: '', style: this.#colours.cyan, rest: line }
      this.#begun = style
      this.#held = rest
      return above + mark + this.#certain(style)
    }
    return this.#certain(this.#begun)
  }

  /** Whether the kind of a line is certain from its beginning. */
  #isKnown(line: string): boolean {
    return this.#fence === undefined ? /^\s*(?![|`~])\S+\s+\S/.test(line) : !/^\s*[`~]*$/.test(line)
  }

  #certain(style: Style): string {
    const end = this.#fence === undefined ? certainLength(this.#held) : this.#held.length
    const shown = this.#held.slice(0, end)
    this.#held = this.#held.slice(end)
    return shown === '' ? '' : style(shown)
  }

  /** What stands for the mark of a block, and the style of its text. */
  #block(line: string): { readonly mark: string; readonly style: Style; readonly rest: string } {
    const { bold, cyan, dim, underline } = this.#colours
    const inline: Style = (text) => inlineText(text, this.#colours)
    const [, indent = '', mark = ''] = /^(\s*)(#{1,6} +|[-*+] +|\d{1,9}[.)] +|> ?)?/.exec(line)!
    const rest = line.slice(indent.length + mark.length)
    if (mark.startsWith('#')) {
      const heading: Style = mark.length < 4 ? (text) => bold(underline(text)) : bold
      return { mark: '', style: (text) => heading(inline(text)), rest }
    }
    if (mark.startsWith('>')) return { mark: `${indent}${dim('│ ')}`, style: (text) => dim(inline(text)), rest }
    if (/^[-*+]/.test(mark)) return { mark: `${indent}${cyan('•')} `, style: inline, rest }
    return { mark: mark === '' ? indent : indent + cyan(mark), style: inline, rest }
  }

  /** The rows of a table so far. */
  #table(): string {
    const rows = this.#rows.map(cellsIn)
    const lines = this.#rows
    this.#rows = []
    const [head, rule, ...body] = rows
    const isTable = rule?.every((cell) => /^:?-+:?$/.test(cell)) ?? false
    if (!isTable) return lines.map((line) => `${inlineText(line, this.#colours)}\n`).join('')
    const columns = head!.map((cell, i) => ({
      title: inlineText(cell, this.#colours),
      isNumber: rule?.[i]?.endsWith(':') ?? false,
    }))
    const cells = body.map((row) => columns.map((_, i) => inlineText(row[i] ?? '', this.#colours)))
    return `${tableText(columns, cells, this.#colours)}\n`
  }
}

function cellsIn(row: string): string[] {
  return row
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))
}

/** The length of the text in front of the first marker that may not have ended, up to a space. */
function certainLength(text: string): number {
  if (text.length > 2 * MOST_HELD) return text.length
  const closed = text.replace(SPANS, (span) => 'x'.repeat(span.length))
  const opener = closed.search(/[*~](?!\s)|[`[\\]|\b_|_\b/)
  return (opener < 0 ? closed : closed.slice(0, opener)).search(/\s\S*$/) + 1
}

const SPAN = {
  escape: '\\\\[\\\\`*_~[\\](){}#+.!|<>-]',
  code: '`[^`]{1,400}`',
  bold: '\\*\\*(?=\\S)[^*]{1,400}\\*\\*|\\b__(?=\\S)[^_]{1,400}__\\b',
  italic: '\\*(?=[^\\s*])[^*]{1,400}(?<=\\S)\\*|\\b_(?=\\S)[^_]{1,400}_\\b',
  struck: '~~[^~]{1,400}~~',
  link: '!?\\[[^\\][]{0,400}\\]\\([^()\\s]{0,400}\\)',
}
const SPANS = new RegExp(Object.values(SPAN).join('|'), 'g')

/** A text with its code, bold, italic and struck words and links. */
function inlineText(text: string, colours: Colours): string {
  const { bold, cyan, dim, italic, strikethrough, underline } = colours
  return text.replace(SPANS, (span) => {
    const inner = (marks: number) => inlineText(span.slice(marks, -marks), colours)
    if (span.startsWith('\\')) return span.slice(1)
    if (span.startsWith('`')) return cyan(span.slice(1, -1))
    if (span.startsWith('**') || span.startsWith('__')) return bold(inner(2))
    if (span.startsWith('~~')) return strikethrough(inner(2))
    if (/^[*_]/.test(span)) return italic(inner(1))
    const [, name, address] = /^!?\[(.*)\]\((.*)\)$/.exec(span)!
    return name === '' || name === address ? underline(address!) : `${underline(name!)} ${dim(`(${address})`)}`
  })
}
