// The lines that a person types at a prompt, or that come from a pipe.
// Invariant: Ctrl-C cancels the work in progress; without any, the prompt decides. No input ends the process with an
// error.

import { type Completer, createInterface, type Interface } from 'node:readline'
import type { SharedTerminal } from './ask-person.js'
import { coloursFor } from './colours.js'
import { readHistory, writeHistory } from './history.js'
import { harmless } from './print.js'
import { mustGoOn, stopping } from './stopping.js'

const MOST_LINES = 1000

interface TypedLinesOptions {
  /** The name of the file that keeps the lines of a terminal for the next start. */
  readonly history: string
  readonly completer?: Completer
  /** True: a paste of several lines is one entry, which may be changed before it is sent. Default: a line is one. */
  readonly keepsPastes?: boolean
  /** Ctrl-C with no work in progress; `line`: what is typed. True: the prompt ends. */
  readonly onInterrupt: (line: string) => boolean
}

export class TypedLines {
  /** True if a person types. */
  readonly isInteractive = process.stdin.isTTY === true && process.stdout.isTTY === true
  readonly #lines: Interface
  readonly #options: TypedLinesOptions
  #prompt = (): string => ''
  #running: AbortController | undefined
  #isLeaving = false
  #isAsking = false
  #isPasting = false
  /** For each line that was entered and not taken yet: true if it is a part of a paste. */
  readonly #entered: boolean[] = []
  /** The lines of a paste before the last one. */
  #pasted: string[] = []

  constructor(options: TypedLinesOptions) {
    this.#options = options
    this.#lines = createInterface({
      input: process.stdin,
      ...(this.isInteractive ? { output: process.stdout } : {}),
      terminal: this.isInteractive,
      history: this.isInteractive ? readHistory(options.history) : [],
      historySize: MOST_LINES,
      removeHistoryDuplicates: true,
      ...(options.completer === undefined ? {} : { completer: options.completer }),
    })
  }

  /** Awaits `take` for each line and shows the prompt before it. Throws when a signal interrupts it. */
  async each(prompt: () => string, take: (line: string, signal: AbortSignal) => Promise<void>): Promise<void> {
    let history: readonly string[] | undefined
    this.#lines.on('history', (lines: string[]) => {
      // An answer to a question is not an entry.
      if (this.#isAsking) lines.shift()
      history = lines
    })
    this.#lines.on('SIGINT', () => this.#interrupt())
    stopping.addEventListener('abort', () => this.#lines.close())
    this.#lines.on('line', () => this.#entered.push(this.#isPasting))
    if (this.isInteractive && this.#options.keepsPastes) this.#followPastes()
    this.#prompt = prompt
    this.#ask()
    for await (const line of this.#lines) {
      this.#pasted.push(line)
      if (this.#entered.shift()) continue
      const entry = this.#pasted.splice(0).join('\n')
      await this.during((signal) => take(entry, signal))
      if (this.#isLeaving) break
      this.#ask()
    }
    if (this.isInteractive && history !== undefined) writeHistory(this.#options.history, history)
    if (this.isInteractive && !this.#isLeaving) process.stdout.write('\n')
    mustGoOn()
  }

  /** Runs work that Ctrl-C cancels. */
  async during(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#running = new AbortController()
    await work(AbortSignal.any([this.#running.signal, stopping]))
    this.#running = undefined
  }

  /** Ends the prompt after the current line. */
  leave(): void {
    this.#isLeaving = true
    this.#lines.close()
  }

  /** The terminal marks pastes (bracketed paste), and readline names the marks. */
  #followPastes(): void {
    process.stdout.write('\x1b[?2004h')
    this.#lines.on('close', () => process.stdout.write('\x1b[?2004l'))
    process.stdin.on('keypress', (_, { name }: { readonly name?: string }) => {
      if (name === 'paste-start') this.#isPasting = true
      if (name === 'paste-end') this.#isPasting = false
    })
  }

  /** The terminal for questions about the work in progress. */
  terminalFor(signal: AbortSignal): SharedTerminal {
    return { answerTo: (question) => this.#answerTo(question, signal), lend: (work) => this.#lend(work) }
  }

  #ask(): void {
    // Another prompt would continue to read and keep the process alive.
    if (!this.isInteractive || stopping.aborted) return
    this.#lines.setPrompt(coloursFor(process.stdout).dim(this.#prompt()))
    this.#lines.prompt()
  }

  #interrupt(): void {
    if (this.#running !== undefined) return this.#running.abort()
    if (this.#options.onInterrupt([...this.#pasted, this.#lines.line].join('\n'))) return this.leave()
    this.#pasted = []
    process.stdout.write('\n')
    this.#lines.write(null, { ctrl: true, name: 'u' })
    this.#ask()
  }

  /** One typed line about the work in progress; empty when it is cancelled or the terminal closes. */
  async #answerTo(question: string, signal: AbortSignal): Promise<string> {
    let nobody = (): void => {}
    this.#isAsking = true
    try {
      const answer = await new Promise<string>((resolve) => {
        nobody = () => resolve('')
        signal.addEventListener('abort', nobody)
        this.#lines.on('close', nobody)
        this.#lines.question(harmless(question), { signal }, resolve)
      })
      return answer.trim()
    } finally {
      this.#isAsking = false
      this.#lines.off('close', nobody)
      signal.removeEventListener('abort', nobody)
    }
  }

  async #lend<T>(work: () => Promise<T>): Promise<T> {
    this.#lines.pause()
    try {
      return await work()
    } finally {
      this.#lines.resume()
    }
  }
}
