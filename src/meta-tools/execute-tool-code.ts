// The whole journey of a program, from a model's submission to the answer: its first and its last step. The others are
// in run-stages.ts; ARCHITECTURE.md has a section for each number.
// Invariant: no program makes these functions reject. Failures of programs, tools and limits are answers.

import { DiagnosticError, renderDiagnostics } from '../diagnostics/index.js'
import { limitCeilings } from '../sandbox/index.js'
import { type Answer, answerText, brief } from './answer.js'
import { runBegun } from './messages.js'
import type { RunContext } from './run-context.js'
import { resultOf } from './run-facts.js'
import type { RunOptions } from './run-options.js'
import { resumeRun, runToEnd, type StartedRun, startRun } from './run-program.js'
import { readSubmission } from './submission.js'

/** Runs a submitted program and answers in text. `raw`: the unchecked arguments. */
export async function executeToolCode(
  raw: Readonly<Record<string, unknown>>,
  context: RunContext,
  options: RunOptions = {},
): Promise<Answer> {
  // 1. MetaToolCall → Program. The submission is untrusted until it has been validated.
  const submission = readSubmission(raw, context.language, context.saved)
  if (!submission.ok) return { text: renderDiagnostics([submission.diagnostic]), isError: true }
  if ('resume' in submission) return resumedAnswer(submission.resume, context, options)
  const { timeoutMs, reuse, readAhead, state } = submission
  const wallMs = timeoutMs === undefined ? {} : { wallMs: Math.min(timeoutMs, limitCeilings.wallMs) }
  const limits = { ...options.limits, ...wallMs }

  // 2. to 5. Program → RunResult.
  const taken = { ...(reuse === undefined ? {} : { reuse }), ...(readAhead === undefined ? {} : { readAhead }) }
  const { maxChars, format } = { maxChars: context.answerMaxChars, format: submission.output }
  const dialect = { ...options.dialect, ...(state === undefined ? {} : { memory: state === 'session' }) }
  const running = { ...options, ...taken, limits, dialect }
  if (submission.background) return begunAnswer(await startRun(submission.program, context, running))
  const run = await runToEnd(submission.program, context, running, { maxChars, format })

  // 6. RunResult → Answer. The model sees the printed lines, the result and one line for each tool; never intermediate
  //    values.
  const { text, path } = run.answer ?? answerText(run.facts, { maxChars, format, keep: keptIn(context) })
  return {
    text,
    isError: !run.facts.ok && run.question === undefined,
    get structured() {
      return resultOf(run.facts)
    },
    get brief() {
      return brief(resultOf(run.facts), path)
    },
  }
}

function keptIn({ vfs }: RunContext) {
  return (name: string, whole: string): string => vfs.keep(name, whole)
}

/** Resumes a run and answers in text. */
async function resumedAnswer(runId: string, context: RunContext, options: RunOptions): Promise<Answer> {
  try {
    const run = await resumeRun(runId, context, options)
    const { text, path } = answerText(run, { maxChars: context.answerMaxChars, keep: keptIn(context) })
    return { text, isError: !run.ok && run.paused === undefined, structured: run, brief: brief(run, path) }
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error
    return { text: renderDiagnostics(error.diagnostics), isError: true }
  }
}

function begunAnswer({ runId }: StartedRun): Answer {
  return { text: runBegun(runId), isError: false, structured: { runId } }
}
