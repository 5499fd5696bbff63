// Runs a program in legs. A leg ends where the program ends, or where it waits for a person. When the person has
// answered, the next leg runs the program from its beginning, with the recorded replies, and continues from there.
// Between legs only the ledger exists, which may be in a file.
// Invariant: an event that was reported in one leg is not reported in the next.

import { type CallMade, type Diagnostic, DiagnosticError, renderDiagnostics } from '../../diagnostics/index.js'
import { credentialNotKept, ledgerFull } from '../messages.js'
import type { RunTeller } from '../run-events.js'
import { type RunFacts, type RunResult, runError } from '../run-result.js'
import type { Question } from './approval.js'
import { type Interviewer, interviewed } from './interview.js'
import type { KeptRuns } from './kept-runs.js'
import type { LiveRun } from './live-run.js'
import { MOST_CHARACTERS } from './run-ledger.js'

/** The end of a leg. */
export interface LegEnd {
  readonly facts: RunFacts & Pick<RunResult, 'ok' | 'error'>
  readonly answer?: { readonly text: string }
  /** The open question, if the run waits. */
  readonly question?: Question
  readonly done?: readonly CallMade[]
  /** The program is not at fault and may continue when servers and configuration allow. */
  readonly isOpen?: boolean
  /** It may even continue at once, in another process. */
  readonly isReady?: boolean
}

interface LegOptions {
  readonly runs: KeptRuns
  readonly interviewer: Interviewer | undefined
  readonly signal: AbortSignal | undefined
  readonly tell: RunTeller
}

export async function runLegs<End extends LegEnd>(
  run: LiveRun,
  leg: (tell: RunTeller, isFirst: boolean) => Promise<End>,
  { runs, interviewer, signal = new AbortController().signal, tell }: LegOptions,
): Promise<End> {
  const news = new News(tell)
  for (let legs = 0; ; legs++) {
    run.ledger.rewind()
    const end = await leg(news.ofLeg(), legs === 0)
    const { question } = end
    const endWith = async (fault: Diagnostic): Promise<End> => {
      const over = unkept(end, fault)
      await runs.endings.store(run, endingOf(over))
      return over
    }
    if (question !== undefined) {
      if (run.ledger.isFull) return endWith(ledgerFull(run.id, MOST_CHARACTERS))
      let goesOn = false
      const fault = await faultIn(async () => {
        await run.pause(question)
        goesOn = interviewer !== undefined && (await interviewed(run, question, interviewer, { runs, signal }))
      })
      if (fault !== undefined) return unkept(end, fault)
      if (goesOn) continue
      return run.hides ? endWith(credentialNotKept(run.id)) : end
    }
    if (end.isOpen === true) await runs.endings.release(run, end.isReady)
    else if (run.isKept) await runs.endings.store(run, endingOf(end))
    else if (runs.keepsAll) runs.endings.storeLater(run, endingOf(end))
    return run.isTaken ? unkept(end, await run.whyTaken()) : end
  }
}

/** The reason why something could not be stored. */
async function faultIn(work: () => Promise<void>): Promise<Diagnostic | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error
    return error.diagnostics[0]
  }
}

/** The end of a run that can't be stored, or that another process has. */
function unkept<End extends LegEnd>(end: End, fault: Diagnostic): End {
  const { paused: _, resultJson: _json, resultText: _text, ...facts } = end.facts
  const { question: _asked, answer: _answer, ...rest } = end
  const over = {
    ...facts,
    ok: false,
    error: runError(fault),
    report: renderDiagnostics([{ ...fault, done: end.done ?? [] }]),
  }
  return { ...rest, facts: over } as unknown as End
}

function endingOf({ facts, answer }: LegEnd) {
  const { ok, error, resultJson, resultText, report, logs, calls, stats } = facts
  return {
    ok,
    error,
    report,
    logs,
    calls,
    stats,
    ...(resultJson === undefined ? {} : { resultJson }),
    ...(resultText === undefined ? {} : { resultText }),
    ...(answer === undefined ? {} : { answer: answer.text }),
  }
}

/** The events of a run over its legs. */
class News {
  readonly #tell: RunTeller
  #hasBegun = false
  #prints = 0

  constructor(tell: RunTeller) {
    this.#tell = tell
  }

  ofLeg(): RunTeller {
    let prints = 0
    return (event) => {
      if (event.type === 'run.started' && this.#hasBegun) return
      if (event.type === 'run.started') this.#hasBegun = true
      if (event.type === 'print') {
        prints++
        if (prints <= this.#prints) return
        this.#prints = prints
      }
      this.#tell(event)
    }
  }
}
