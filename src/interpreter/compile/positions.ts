// Where generated code came from. While code is put together, a mark `\uE000id\uE001` stands in front of every token that QuickJS names in a
// stack trace: the parenthesis of a call, the bracket of a property read, the word `return`. When the text is complete the marks are
// taken out and their lines and columns written into a table. Quoted program text is ASCII, so no program can forge a mark.

import type { PositionTable, SourceRange } from '../program.js'

type Origin = SourceRange

const OPEN = '\uE000'
const CLOSE = '\uE001'

export class Origins {
  readonly #all: Origin[] = []

  /** A mark for the next token. */
  mark(origin: Origin): string {
    this.#all.push(origin)
    return `${OPEN}${(this.#all.length - 1).toString(36)}${CLOSE}`
  }

  /** Takes the marks out of the text and builds the table. `firstLine` is the line at which the text will stand. */
  settle(marked: string): { readonly code: string; readonly table: GeneratedPositions } {
    const places = new Map<number, { readonly column: number; readonly origin: Origin }[]>()
    const parts = marked.split(OPEN)
    let line = 1
    let column = 1
    const out: string[] = []
    parts.forEach((part, i) => {
      let text = part
      if (i > 0) {
        const close = part.indexOf(CLOSE)
        const origin = this.#all[Number.parseInt(part.slice(0, close), 36)]!
        text = part.slice(close + 1)
        let row = places.get(line)
        if (row === undefined) {
          row = []
          places.set(line, row)
        }
        row.push({ column, origin })
      }
      out.push(text)
      for (let at = text.indexOf('\n'), from = 0; ; at = text.indexOf('\n', from)) {
        if (at < 0) {
          column += text.length - from
          break
        }
        line++
        column = 1
        from = at + 1
      }
    })
    return { code: out.join(''), table: new GeneratedPositions(places) }
  }
}

/** The table of one compiled program. */
export class GeneratedPositions implements PositionTable {
  readonly #places: ReadonlyMap<number, readonly { readonly column: number; readonly origin: Origin }[]>

  constructor(places: ReadonlyMap<number, readonly { readonly column: number; readonly origin: Origin }[]>) {
    this.#places = places
  }

  find(line: number, column: number): Origin | undefined {
    const row = this.#places.get(line)
    if (row === undefined) return undefined
    let best: Origin | undefined
    for (const place of row) {
      if (place.column > column) break
      best = place.origin
    }
    return best ?? row[0]!.origin
  }
}
