// The prompt: reads entries, runs them, and handles dot commands.
// Invariant: Ctrl-C ends the run, or clears the input, or (twice) ends the prompt; Ctrl-D ends the prompt. No input
// ends the process with an error.

import { writeFileSync } from 'node:fs'
import type { CodeMode } from '../../index.js'
import { askingPerson } from '../ask-person.js'
import { paintAnswer, paintFailure } from '../paint.js'
import { show } from '../print.js'
import { showingWhoStarts, whoStarts } from '../starting.js'
import { TypedLines } from '../typed-lines.js'
import { watched } from '../watched-run.js'
import { forPeople, mistyped } from '../wording.js'
import { complete } from './complete.js'
import { Conversation, type ConversationOptions } from './conversation.js'
import { wantsMore } from './entry.js'

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
  readonly #lines: TypedLines
  #typed: string[] = []
  #failed = false

  constructor(codeMode: CodeMode, options: ConversationOptions) {
    this.#codeMode = codeMode
    this.#conversation = new Conversation(codeMode, options)
    this.#lines = new TypedLines({
      history: 'repl-history',
      completer: (line) => complete(line, codeMode.bindings(), this.#conversation.program),
      onInterrupt: (line) => {
        const isEmpty = this.#typed.length === 0 && line === ''
        this.#typed = []
        return isEmpty
      },
    })
  }

  async talk(): Promise<number> {
    await this.#lines.each(
      () => (this.#typed.length === 0 ? '> ' : '… '),
      (line, signal) => this.#take(line, signal),
    )
    if (this.#typed.length > 0) await this.#lines.during((signal) => this.#runEntry(this.#typed.join('\n'), signal))
    return this.#failed && !this.#lines.isInteractive ? 1 : 0
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
    const terminal = this.#lines.terminalFor(signal)
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
        return this.#lines.leave()
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
