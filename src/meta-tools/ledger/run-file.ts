// Kept runs as files that a model reads: the list of those that have not ended, and the progress and outcome of each.
// Knows text.

import { renderDiagnostics } from '../../diagnostics/index.js'
import { type Answer, type AnswerOptions, answerText } from '../answer.js'
import { cutText } from '../cut.js'
import { noOpenRuns, runAnswered, runGoesOn, runInterrupted, runQueued, runWaits, stillWaiting } from '../messages.js'
import { callWords } from './approval.js'
import type { KeptRunFacts } from './kept-run-facts.js'

/** The name of a run in the name of a file: `runs/run-1f2e3d4c5b`. */
export function runInFile(fileName: unknown): string | undefined {
  return typeof fileName === 'string' ? /^\/?runs\/([\w-]{1,60})(?:\.\w+)?$/.exec(fileName.trim())?.[1] : undefined
}

/** True for the name of the list of runs. */
export function isRunList(fileName: unknown): boolean {
  return typeof fileName === 'string' && /^\/?runs\/?$/.test(fileName.trim())
}

/** More are not listed. */
const MOST_RUNS = 100

/** The runs that have not ended, each with the calls that it waits for; the last changed comes first. */
export function runList(runs: readonly KeptRunFacts[], maxChars: number): Answer {
  const open = runs.filter(({ state }) => state !== 'ended')
  if (open.length === 0) return { text: noOpenRuns, isError: false, structured: { runs: [], leftOut: 0 } }
  const shown = open.slice(0, MOST_RUNS).map(({ runId, state, owner, calls, expiresAt }) => ({
    runId,
    state,
    owner,
    calls: calls.filter(({ approval }) => approval === null).map(({ approval: _, ...call }) => call),
    expiresAt,
  }))
  const leftOut = open.length - shown.length
  const lines = shown.flatMap(({ runId, state, owner, calls }) => [
    lineOf(runId, state, owner),
    ...calls.map((call) => `  ${callWords(call)}`),
  ])
  if (leftOut > 0) lines.push(`and ${leftOut} more`)
  return { text: cutText(lines.join('\n'), maxChars), isError: false, structured: { runs: shown, leftOut } }
}

function lineOf(runId: string, state: KeptRunFacts['state'], owner: string): string {
  switch (state) {
    case 'paused':
      return runWaits(runId, owner)
    case 'approved':
      return runAnswered(runId, owner)
    default:
      return `${runId} of ${owner}: ${state}`
  }
}

export function runFile(run: KeptRunFacts, callsMade: number, options: AnswerOptions): Answer {
  const { runId, state, ending } = run
  if (ending !== null) {
    const { text } = answerText({ ...ending, runId, reusable: false }, options)
    return { text, isError: !ending.ok, structured: run }
  }
  switch (state) {
    case 'paused':
      return { text: renderDiagnostics([stillWaiting(runId)]), isError: false, structured: run }
    case 'queued':
      return { text: runQueued(runId, callsMade, run.lacks), isError: false, structured: run }
    case 'underway':
      return { text: runGoesOn(runId, callsMade), isError: false, structured: run }
    default:
      return { text: runInterrupted(runId, callsMade), isError: false, structured: run }
  }
}
