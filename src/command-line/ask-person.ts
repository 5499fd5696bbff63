// Asks the person at the terminal about calls. Knows the display and the keys.
// Invariant: text of a program or a tool can't hide any part of the question or move on the screen.

import { type ApprovalAnswer, type AskedCall, type OnApproval, visible } from '../index.js'
import { answerTo, isPersonThere } from './question.js'
import type { Alone } from './watched-run.js'

/** Undefined if there is no person. `alone` keeps others from writing to the screen meanwhile. */
export function askingPerson(alone: Alone): OnApproval | undefined {
  if (!isPersonThere()) return undefined
  return ({ program, calls, canAlsoCall, runId }) =>
    alone(async () => {
      if (canAlsoCall.length > 0) write(`the program can also call ${canAlsoCall.join(', ')}`)
      const answers: ApprovalAnswer[] = []
      for (const call of calls) {
        const answer = await decisionOn(call, program.text)
        answers.push(answer)
        if (answer === 'pause') break
      }
      if (answers.at(-1) === 'pause')
        write(`to continue later: starbind approve ${runId}, then starbind resume ${runId}`)
      return calls.map((_, i) => answers[i] ?? 'pause')
    })
}

const KEYS: Readonly<Record<string, ApprovalAnswer>> = { y: 'once', a: 'run', n: 'deny', q: 'pause' }

async function decisionOn(call: AskedCall, source: string): Promise<ApprovalAnswer> {
  const { server, tool, line, reason, arguments: given, argumentDigest } = call
  if (line !== null) write(`${line} | ${source.split(/\r\n|\r|\n/)[line - 1] ?? ''}`)
  write(`call ${server}.${tool} with`)
  for (const text of JSON.stringify(given, null, 2)?.split('\n') ?? [`arguments with the digest ${argumentDigest}`])
    write(`  ${text}`)
  if (reason === 'unknown') write('it was sent once and its effect is unknown; approving it sends it again')
  while (true) {
    const answer = await answerTo('[y]es, [a]ll of this tool in this run, [n]o, [q]uit and decide later? ')
    // A terminal that is closed says nothing either.
    const said = answer === '' ? 'pause' : KEYS[answer[0]!.toLowerCase()]
    if (said !== undefined) return said
  }
}

/** A terminal scrolls longer texts. */
function write(text: string): void {
  process.stderr.write(`${visible(text)}\n`)
}
