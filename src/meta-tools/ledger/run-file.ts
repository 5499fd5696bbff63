// A run as a file that a model reads: its progress and outcome. Knows text.

import { renderDiagnostics } from '../../diagnostics/index.js'
import { type Answer, type AnswerOptions, answerText } from '../answer.js'
import { runGoesOn, runInterrupted, stillWaiting } from '../messages.js'
import type { KeptRunFacts } from './kept-runs.js'

/** The name of a run in the name of a file: `runs/run-1f2e3d4c5b`. */
export function runInFile(fileName: unknown): string | undefined {
  return typeof fileName === 'string' ? /^\/?runs\/([\w-]{1,60})(?:\.\w+)?$/.exec(fileName.trim())?.[1] : undefined
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
    case 'underway':
      return { text: runGoesOn(runId, callsMade), isError: false, structured: run }
    default:
      return { text: runInterrupted(runId, callsMade), isError: false, structured: run }
  }
}
