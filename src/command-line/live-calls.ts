// The live view of a run at a terminal: the output, and below it a line for each call in flight and one for servers
// that are still starting.
// Invariant: the lines stay below all output and disappear when the run ends.

import type { RunEvent } from '../index.js'
import type { Colours } from './colours.js'
import { harmless } from './print.js'
import { timeText } from './units.js'

/** The terminal that shows the lines. */
interface Screen {
  /** Undefined or 0 if the terminal does not report it. */
  readonly columns: number | undefined
  write(text: string): unknown
}

const FRAME_MS = 100
const MOST_LINES = 8
const USUAL_COLUMNS = 80
const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'

interface LiveOptions {
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number
  /** The names of starting servers. */
  readonly starting?: () => readonly string[]
}

export class LiveCalls {
  readonly #screen: Screen
  readonly #colours: Colours
  readonly #now: () => number
  readonly #starting: () => readonly string[]
  readonly #underway = new Map<string, { name: string; readonly since: number }>()
  readonly #timer: NodeJS.Timeout
  #drawn = 0
  #frame = 0
  #isAway = false
  readonly #erase = () => this.#write('', 0)

  constructor(screen: Screen, colours: Colours, options: LiveOptions = {}) {
    this.#screen = screen
    this.#colours = colours
    this.#now = options.now ?? (() => performance.now())
    this.#starting = options.starting ?? (() => [])
    this.#timer = setInterval(() => this.draw(), FRAME_MS)
    this.#timer.unref()
    process.once('exit', this.#erase)
  }

  /** Records an event of a run. */
  onEvent(event: RunEvent): void {
    if (event.type === 'call.started') this.begin(event.callId, `${event.server}.${event.tool}`)
    if (event.type === 'call.progress') this.rename(event.callId, progressText(`${event.server}.${event.tool}`, event))
    if (event.type === 'call.finished') this.finish(event.callId)
  }

  /** Adds a line, which appears with the next frame, so that short calls do not flicker. */
  begin(id: string, name: string): void {
    this.#underway.set(id, { name: harmless(name), since: this.#now() })
  }

  /** Changes a line, if it is there. */
  rename(id: string, name: string): void {
    const underway = this.#underway.get(id)
    if (underway) underway.name = harmless(name)
  }

  /** Removes a line. */
  finish(id: string): void {
    this.#underway.delete(id)
  }

  /** Draws the current lines. */
  draw(): void {
    if (this.#isAway) return
    const { dim, cyan } = this.#colours
    const glyph = SPINNER[this.#frame++ % SPINNER.length]!
    const columns = this.#screen.columns || USUAL_COLUMNS
    const lines = [...this.#underway.values()].slice(0, MOST_LINES).map(({ name, since }) => {
      const time = timeText(this.#now() - since)
      return `${cyan(glyph)} ${fitted(name, columns - time.length - 4)} ${dim(time)}`
    })
    const more = this.#underway.size - lines.length
    if (more > 0) lines.push(dim(`  and ${more} more`))
    const starting = this.#starting()
    if (starting.length > 0)
      lines.push(`${cyan(glyph)} ${fitted(harmless(`still starting: ${starting.join(', ')}`), columns - 3)}`)
    this.#write(lines.map((line) => `${line}\n`).join(''), lines.length)
  }

  /** Writes above the lines. */
  above(write: () => void): void {
    this.#write('', 0)
    write()
  }

  /** Hides the lines while something else uses the screen. */
  async away<T>(work: () => Promise<T>): Promise<T> {
    this.#write('', 0)
    this.#isAway = true
    return work().finally(() => {
      this.#isAway = false
    })
  }

  /** Removes the lines permanently. */
  end(): void {
    clearInterval(this.#timer)
    process.off('exit', this.#erase)
    this.#erase()
  }

  #write(text: string, lines: number): void {
    const erase = this.#drawn === 0 ? '' : `\x1b[${this.#drawn}A\x1b[0J`
    if (erase + text !== '') this.#screen.write(erase + text)
    this.#drawn = lines
  }
}

/** A call with its progress: `api.copy: 40 of 120`. */
export function progressText(
  name: string,
  { progress, total }: { readonly progress: number; readonly total?: number | undefined },
): string {
  return `${name}: ${progress}${total === undefined ? '' : ` of ${total}`}`
}

/** A line that wraps would take more rows than are counted. */
function fitted(text: string, columns: number): string {
  return text.length <= columns ? text : `${text.slice(0, Math.max(1, columns - 1))}…`
}
