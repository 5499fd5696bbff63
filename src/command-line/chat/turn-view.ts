// One turn of a conversation at a terminal: the model's text as it comes, a line for each call in flight, and one that
// stays for each call of the model that has ended.
// Invariant: lines of calls begin at the left edge, below all text, and nothing that others wrote moves on the screen.

import type { AgentEvent } from '../../agent/index.js'
import { type Colours, coloursFor } from '../colours.js'
import { LiveCalls, progressText } from '../live-calls.js'
import { MarkdownText } from '../markdown.js'
import { harmless, show } from '../print.js'
import { timeText } from '../units.js'
import type { Alone } from '../watched-run.js'

/** The line of the model while it is awaited. */
const MODEL = 'model'
const LONGEST_ARGUMENTS = 60
const MOST_NAMES = 5

export class TurnView {
  readonly #model: string
  readonly #colours: Colours = coloursFor(process.stderr)
  readonly #live = new LiveCalls(process.stderr, this.#colours)
  readonly #text = new MarkdownText(coloursFor(process.stdout))
  /** The tools that a program has called, with their numbers, by the id of the model's call. */
  readonly #inside = new Map<string, Map<string, number>>()
  readonly #given = new Map<string, string>()

  constructor(model: string) {
    this.#model = model
    this.#live.begin(MODEL, model)
  }

  readonly onEvent = (event: AgentEvent): void => {
    switch (event.type) {
      case 'text':
        this.#live.finish(MODEL)
        return this.#live.above(() => process.stdout.write(this.#text.push(event.text)))
      case 'reasoning':
        return this.#live.rename(MODEL, `${this.#model} is thinking`)
      case 'tool_call':
        return this.#begun(event)
      case 'progress':
        return this.#live.rename(event.callId, progressText(event.name, event))
      case 'tool_response':
        return this.#ended(event)
      case 'error':
        return event.severity === 'warning' ? this.#say(event.message) : undefined
      case 'turn':
      case 'usage':
      case 'approval':
    }
  }

  /** Keeps the screen for a question. */
  readonly alone: Alone = (work) => {
    this.#endText()
    return this.#live.away(work)
  }

  /** Ends the text and removes the lines. */
  end(): void {
    this.#live.end()
    this.#endText()
  }

  #begun({ callId, parentId, name, arguments: given }: Extract<AgentEvent, { type: 'tool_call' }>): void {
    this.#live.finish(MODEL)
    this.#endText()
    this.#live.begin(callId, name)
    if (parentId === null) this.#given.set(callId, argumentsText(given))
    else {
      const names = this.#inside.get(parentId) ?? new Map<string, number>()
      this.#inside.set(parentId, names.set(name, (names.get(name) ?? 0) + 1))
    }
  }

  #ended({ callId, parentId, name, isError, ms }: Extract<AgentEvent, { type: 'tool_response' }>): void {
    this.#live.finish(callId)
    if (parentId !== null) return
    const { dim, green, red } = this.#colours
    const mark = isError ? red('✗') : green('✓')
    const inside = insideText(this.#inside.get(callId))
    const about = harmless(`${this.#given.get(callId) ?? ''} ${timeText(ms)}${inside}`)
    this.#live.above(() => process.stderr.write(`${mark} ${harmless(name)} ${dim(about.trim())}\n`))
    this.#live.begin(MODEL, this.#model)
  }

  #say(text: string): void {
    this.#endText()
    this.#live.above(() => show(process.stderr, text))
  }

  #endText(): void {
    this.#live.above(() => process.stdout.write(this.#text.end()))
  }
}

/** Arguments in one short line; of a program its length. */
function argumentsText(given: Readonly<Record<string, unknown>> | undefined): string {
  if (given === undefined) return ''
  if (typeof given.code === 'string') return `(${given.code.trimEnd().split('\n').length} lines)`
  const text = Object.entries(given)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(' ')
  return text.length <= LONGEST_ARGUMENTS ? text : `${text.slice(0, LONGEST_ARGUMENTS - 1)}…`
}

/** The tools that a program has called: `: shop.search ×12, shop.get`. */
function insideText(names: ReadonlyMap<string, number> | undefined): string {
  if (names === undefined) return ''
  const shown = [...names].slice(0, MOST_NAMES).map(([name, count]) => (count === 1 ? name : `${name} ×${count}`))
  const more = names.size - shown.length
  return `: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
