// The conversation at a terminal: reads questions, shows turns, and handles dot commands.
// Invariant: Ctrl-C ends the turn, or clears the input, or (twice) ends the conversation; so does Ctrl-D.

import { figuresText } from '../../agent/index.js'
import { askingPerson } from '../ask-person.js'
import { coloursFor } from '../colours.js'
import { show } from '../print.js'
import { TypedLines } from '../typed-lines.js'
import { timeText } from '../units.js'
import type { ChatTurns } from './chat-turns.js'
import { tellEnd } from './turn-end.js'
import { TurnView } from './turn-view.js'

const HELP = `Ask, and the model answers; it may call your tools. A line that ends in \\ goes on in the next one.
  .reset     begin a new conversation
  .exit      or Ctrl-D, or Ctrl-C twice`

const habits: Readonly<Record<string, string>> = { help: '.help', exit: '.exit', quit: '.exit' }

interface ChatPromptOptions {
  readonly turns: ChatTurns
  readonly model: string
}

/** Resolves when the conversation has ended. Throws when a signal interrupts it. */
export async function chatPrompt({ turns, model }: ChatPromptOptions): Promise<void> {
  let typed: string[] = []
  let hasInterrupted = false
  const lines = new TypedLines({
    history: 'chat-history',
    keepsPastes: true,
    onInterrupt: (line) => {
      const isLast = hasInterrupted && typed.length === 0 && line === ''
      typed = []
      hasInterrupted = true
      if (!isLast) process.stdout.write('\nCtrl-C once more ends the conversation')
      return isLast
    },
  })
  const ask = async (question: string, signal: AbortSignal): Promise<void> => {
    const view = new TurnView(model)
    const begun = performance.now()
    const onApproval = askingPerson(view.alone, { terminal: lines.terminalFor(signal), isKept: false })
    const result = await turns.ask(question, { signal, onEvent: view.onEvent, onApproval }).finally(() => view.end())
    tellEnd(result)
    const figures = `${figuresText(result.usage)}, ${timeText(performance.now() - begun)}`
    process.stderr.write(`${coloursFor(process.stderr).dim(figures)}\n`)
  }
  await lines.each(
    () => (typed.length === 0 ? '> ' : '… '),
    async (line, signal) => {
      hasInterrupted = false
      const command = typed.length === 0 ? (habits[line.trim()] ?? line.trim()) : ''
      if (/^\.[a-z]+$/.test(command)) return obey(command, { turns, lines })
      const isOpen = line.endsWith('\\')
      typed.push(isOpen ? line.slice(0, -1) : line)
      if (isOpen) return
      const question = typed.join('\n').trim()
      typed = []
      if (question !== '') await ask(question, signal)
    },
  )
}

function obey(command: string, { turns, lines }: { readonly turns: ChatTurns; readonly lines: TypedLines }): void {
  if (command === '.exit') return lines.leave()
  if (command === '.help') return show(process.stdout, HELP)
  if (command === '.reset') return turns.reset()
  show(process.stderr, `there is no command ${command}; .help lists them`)
}
