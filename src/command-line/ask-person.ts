// Asks the person at the terminal about calls: the display and the keys.
// Invariant: text of a program or a tool can't hide any part of the question or move on the screen.

import { type ApprovalAnswer, type ApprovalRequest, type AskedCall, visible } from '../index.js'
import { paged } from './pager.js'
import { answerTo, isPersonThere } from './question.js'
import type { Alone } from './watched-run.js'

/** A terminal whose input another reader owns. */
export interface SharedTerminal {
  /** One typed line; empty if the input has ended. */
  answerTo(question: string): Promise<string>
  /** Lends the terminal to another program. */
  lend<T>(work: () => Promise<T>): Promise<T>
}

interface AskingOptions {
  /** Default: no other reader. */
  readonly terminal?: SharedTerminal
  /** Whether the run can be resumed by another command. Default true. */
  readonly isKept?: boolean
}

/** A question about calls; those of a model belong to no program. */
type Question = Pick<ApprovalRequest, 'runId' | 'calls'> & Partial<Pick<ApprovalRequest, 'program' | 'canAlsoCall'>>

/**
 * Undefined if there is no person. `alone` keeps others from writing to the screen meanwhile.
 */
export function askingPerson(
  alone: Alone,
  options: AskingOptions = {},
): ((question: Question) => Promise<ApprovalAnswer[]>) | undefined {
  if (!isPersonThere()) return undefined
  const { isKept = true } = options
  return ({ program, calls, canAlsoCall = [], runId }) =>
    alone(async () => {
      if (canAlsoCall.length > 0) write(`the program can also call ${canAlsoCall.join(', ')}`)
      const answers: ApprovalAnswer[] = []
      for (const call of calls) {
        const answer = await decisionOn(call, program?.text ?? '', options)
        answers.push(answer)
        if (answer === 'pause') break
      }
      if (answers.at(-1) === 'pause' && isKept)
        write(`to continue later: starbind approve ${runId}, then starbind resume ${runId}`)
      return calls.map((_, i) => answers[i] ?? 'pause')
    })
}

const KEYS: Readonly<Record<string, ApprovalAnswer>> = { y: 'once', a: 'run', n: 'deny', q: 'pause' }

const ownTerminal: SharedTerminal = { answerTo, lend: (work) => work() }

async function decisionOn(
  call: AskedCall,
  source: string,
  { terminal = ownTerminal, isKept = true }: AskingOptions,
): Promise<ApprovalAnswer> {
  const { server, tool, line, reason, arguments: given, argumentDigest } = call
  if (line !== null) write(`${line} | ${source.split(/\r\n|\r|\n/)[line - 1] ?? ''}`)
  write(`call ${server}.${tool} with`)
  const text = JSON.stringify(given, null, 2) ?? `arguments with the digest ${argumentDigest}`
  const lines = text.split('\n').map((one) => `  ${visible(one)}`)
  const isCut = showFirst(lines)
  if (reason === 'unknown') write('it was sent once and its effect is unknown; approving it sends it again')
  const view = isCut ? '[v]iew all arguments, ' : ''
  const quit = isKept ? '[q]uit and decide later' : '[q]uit'
  while (true) {
    const answer = await terminal.answerTo(`${view}[y]es, [a]ll of this tool in this run, [n]o, ${quit}? `)
    const key = answer.charAt(0).toLowerCase()
    if (isCut && key === 'v') {
      if (!(await terminal.lend(() => paged(`${lines.join('\n')}\n`)))) lines.forEach(write)
      continue
    }
    // A closed terminal gives an empty answer, too.
    const said = answer === '' ? 'pause' : KEYS[key]
    if (said !== undefined) return said
  }
}

/** The rows that the question needs besides the arguments. */
const ROWS_AROUND = 8

/** Shows as many lines as fit above the question. True: there are more, and a line says so. */
function showFirst(lines: readonly string[]): boolean {
  const { rows, columns } = process.stderr
  const width = Math.max(20, columns || 80)
  const room = Math.max(5, (rows || 24) - ROWS_AROUND)
  const onScreen = lines.flatMap((line) => line.match(new RegExp(`.{1,${width}}`, 'gu')) ?? [])
  const isCut = onScreen.length > room
  for (const line of isCut ? onScreen.slice(0, room) : lines) write(line)
  if (isCut) write(`  … and ${onScreen.length - room} more lines of arguments`)
  return isCut
}

function write(text: string): void {
  process.stderr.write(`${visible(text)}\n`)
}
