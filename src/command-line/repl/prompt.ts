// The prompt: reads entries, runs them, and handles dot commands.
// Invariant: Ctrl-C ends the run, or clears the input, or (twice) ends the prompt; Ctrl-D ends the prompt. No input
// ends the process with an error.

import { writeFileSync } from 'node:fs'
import { createInterface, type Interface } from 'node:readline'
import type { CodeMode } from '../../index.js'
import { askingPerson, type SharedTerminal } from '../ask-person.js'
import { type Colours, coloursFor } from '../colours.js'
import { paintAnswer, paintFailure } from '../paint.js'
import { harmless, show } from '../print.js'
import { showingWhoStarts, whoStarts } from '../starting.js'
import { mustGoOn, stopping } from '../stopping.js'
import { watched } from '../watched-run.js'
import { forPeople, mistyped } from '../wording.js'
import { complete } from './complete.js'
import { Conversation, type ConversationOptions } from './conversation.js'
import { wantsMore } from './entry.js'
import { readHistory, writeHistory } from './history.js'

const HELP = `Type a program, line by line. What you define stays; calls that were made are not made again.
  files = shop.list_directory(path=".")     servers are names, tools are functions; Tab completes both
  .ls [words]            which servers and tools there are, or those that match words
  .cat FILE              a file of stubs, or guide.md
  .docs SERVER [TOOL]    the tools of a server, or everything about one
  .program               the entries so far, as one program
  .save FILE             the same into a file, for starbind run
  .reset                 forget them
  .exit                  or Ctrl-D`

/** Commands that other prompts have. */
const habits: Readonly<Record<string, string>> = {
  help: '.help',
  'help()': '.help',
  exit: '.exit',
  'exit()': '.exit',
  quit: '.exit',
  'quit()': '.exit',
}

/**
 * Runs until the input ends. Resolves to the exit status: 1 if the input is not a terminal and its last entry failed.
 * Throws when a signal interrupts it.
 */
export async function prompt(codeMode: CodeMode, options: ConversationOptions): Promise<number> {
  return new Prompt(codeMode, options).talk()
}

class Prompt {
  readonly #codeMode: CodeMode
  readonly #conversation: Conversation
  readonly #lines: Interface
  readonly #colours: Colours = coloursFor(process.stdout)
  readonly #interactive = process.stdin.isTTY === true && process.stdout.isTTY === true
  #typed: string[] = []
  #running: AbortController | undefined
  #leaving = false
  #isAsking = false
  #failed = false

  constructor(codeMode: CodeMode, options: ConversationOptions) {
    this.#codeMode = codeMode
    this.#conversation = new Conversation(codeMode, options)
    this.#lines = createInterface({
      input: process.stdin,
      ...(this.#interactive ? { output: process.stdout } : {}),
      terminal: this.#interactive,
      history: this.#interactive ? readHistory() : [],
      historySize: 1000,
      removeHistoryDuplicates: true,
      completer: (line: string) => complete(line, codeMode.bindings(), this.#conversation.program),
    })
  }

  async talk(): Promise<number> {
    let history: readonly string[] | undefined
    this.#lines.on('history', (lines: string[]) => {
      // An answer to a question is not an entry.
      if (this.#isAsking) lines.shift()
      history = lines
    })
    this.#lines.on('SIGINT', () => this.#interrupt())
    stopping.addEventListener('abort', () => this.#lines.close())
    this.#ask()
    for await (const line of this.#lines) {
      await this.#during((signal) => this.#take(line, signal))
      if (this.#leaving) break
      this.#ask()
    }
    if (this.#typed.length > 0 && !stopping.aborted)
      await this.#during((signal) => this.#runEntry(this.#typed.join('\n'), signal))
    if (this.#interactive && history !== undefined) writeHistory(history)
    if (this.#interactive && !this.#leaving) process.stdout.write('\n')
    mustGoOn()
    return this.#failed && !this.#interactive ? 1 : 0
  }

  #ask(): void {
    // Another prompt would continue to read and keep the process alive.
    if (!this.#interactive || stopping.aborted) return
    this.#lines.setPrompt(this.#colours.dim(this.#typed.length === 0 ? '> ' : '… '))
    this.#lines.prompt()
  }

  /** Runs work that Ctrl-C cancels. */
  async #during(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#running = new AbortController()
    await work(AbortSignal.any([this.#running.signal, stopping]))
    this.#running = undefined
  }

  async #take(line: string, signal: AbortSignal): Promise<void> {
    if (this.#typed.length === 0 && /^\.[a-z]/.test(line)) return this.#command(line.trim(), signal)
    if (this.#typed.length === 0 && line.trim() === '') return
    const command = this.#typed.length === 0 ? habits[line.trim()] : undefined
    if (command !== undefined) return this.#command(command, signal)
    this.#typed.push(line)
    const entry = this.#typed.join('\n')
    if (await wantsMore(entry, (text) => this.#conversation.check(text, signal))) return
    this.#typed = []
    await this.#runEntry(entry, signal)
  }

  async #runEntry(entry: string, signal: AbortSignal): Promise<void> {
    const skipLines = this.#conversation.printed
    const terminal: SharedTerminal = {
      answerTo: (question) => this.#answerTo(question, signal),
      lend: (work) => this.#lend(work),
    }
    const { result, print } = await watched(
      (onEvent, alone) =>
        this.#conversation.run(entry, {
          onEvent,
          onApproval: askingPerson(alone, { terminal, isKept: false }),
          signal,
        }),
      { skipLines, isKept: false, starting: () => whoStarts(this.#codeMode).filter((name) => entry.includes(name)) },
    )
    print()
    this.#failed = !result.ok
  }

  /** One typed line about a run; empty when the run is interrupted or the terminal closes. */
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

  #interrupt(): void {
    if (this.#running !== undefined) return this.#running.abort()
    if (this.#typed.length === 0 && this.#lines.line === '') {
      this.#leaving = true
      return this.#lines.close()
    }
    this.#typed = []
    process.stdout.write('\n')
    this.#lines.write(null, { ctrl: true, name: 'u' })
    this.#ask()
  }

  async #command(line: string, signal: AbortSignal): Promise<void> {
    const [name, ...words] = line.split(/\s+/)
    switch (name) {
      case '.help':
        return show(process.stdout, HELP)
      case '.ls':
        return this.#answer('listToolFiles', words.length === 0 ? {} : { query: words.join(' ') }, signal)
      case '.cat':
        if (words.length === 0) return show(process.stderr, '.cat needs the name of a server or a file; .ls lists them')
        return this.#answer('readToolFile', { fileNames: words }, signal)
      case '.docs':
        if (words.length === 0) return show(process.stderr, '.docs needs the name of a server: .docs SERVER TOOL')
        if (words.length === 1) return this.#answer('listToolFiles', { server: words[0] }, signal)
        return this.#answer('getToolDocs', { server: words[0], tools: words.slice(1) }, signal)
      case '.program':
        return show(process.stdout, this.#conversation.program)
      case '.save':
        return this.#save(words[0])
      case '.reset':
        return this.#conversation.reset()
      case '.exit':
        this.#leaving = true
        return this.#lines.close()
      default:
        show(process.stderr, `there is no command ${name}; .help lists them`)
    }
  }

  async #answer(metaTool: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<void> {
    const { text, isError } = await showingWhoStarts(this.#codeMode, this.#codeMode.call(metaTool, args, { signal }))
    const told = forPeople(text, 'prompt')
    if (isError) show(process.stderr, told.replace(mistyped, ''), paintFailure)
    else show(process.stdout, told, paintAnswer)
  }

  #save(file: string | undefined): void {
    if (file === undefined) return show(process.stderr, '.save needs the name of a file')
    try {
      writeFileSync(file, this.#conversation.program)
      show(process.stdout, `saved; run it with: starbind run ${file}`)
    } catch (error) {
      show(process.stderr, `${file} can't be written: ${(error as NodeJS.ErrnoException).code}`)
    }
  }
}
