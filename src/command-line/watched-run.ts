// A run watched at a terminal: live output, calls in flight, and a table at the end. Elsewhere the same as plain text.

import type { RunEvent, RunListener, RunResult } from '../index.js'
import { coloursFor } from './colours.js'
import { LiveCalls } from './live-calls.js'
import { paintFailure } from './paint.js'
import { show } from './print.js'
import { viewOf } from './result-view.js'
import { summaryOf } from './summary.js'
import { forPeople, unkept } from './wording.js'

export interface WatchOptions {
  /** The number of printed lines that the person has seen before. Default 0. */
  readonly skipLines?: number
  /** The names of starting servers. */
  readonly starting?: () => readonly string[]
  /** Whether the run can be resumed by another command. Default true. */
  readonly isKept?: boolean
}

/** An ended run and the rest of its display. */
export interface WatchedRun {
  readonly result: RunResult
  /**
   * Prints the rest: the program's output and its result to stdout, everything about the run to stderr. Called once,
   * after all other output.
   */
  readonly print: () => void
}

/** Runs a function that has the screen to itself. */
export type Alone = <T>(work: () => Promise<T>) => Promise<T>

/** Watches a run. `run` receives the listener for its events, and a function that reserves the screen. */
export async function watched(
  run: (onEvent: RunListener, alone: Alone) => Promise<RunResult>,
  options: WatchOptions = {},
): Promise<WatchedRun> {
  const { skipLines = 0, starting = () => [], isKept = true } = options
  if (!process.stderr.isTTY) {
    const result = await run(
      () => {},
      (work) => work(),
    )
    return { result, print: () => printRest(result, skipLines, isKept) }
  }
  const live = new LiveCalls(process.stderr, coloursFor(process.stderr), { starting })
  let lines = 0
  const onEvent = (event: RunEvent): void => {
    if (event.type === 'print') {
      for (const line of event.text.split('\n')) if (lines++ >= skipLines) live.above(() => show(process.stdout, line))
    } else live.onEvent(event)
  }
  try {
    const result = await run(onEvent, (work) => live.away(work))
    return { result, print: () => printRest(result, Math.max(lines, skipLines), isKept) }
  } finally {
    live.end()
  }
}

function printRest(result: RunResult, skipLines: number, isKept: boolean): void {
  for (const line of result.logs.slice(skipLines)) show(process.stdout, line)
  showResult(result)
  if (!result.ok) show(process.stderr, forPeople(isKept ? result.report : unkept(result.report)), paintFailure)
  else if (!process.stderr.isTTY) {
    if (result.report !== '') show(process.stderr, result.report)
  } else {
    const summary = summaryOf(result, coloursFor(process.stderr))
    if (summary !== '') process.stderr.write(`${summary}\n`)
  }
}

/** A pipe gets the result in one line; a person sees its structure. */
function showResult(result: RunResult): void {
  if (result.resultText === undefined) return
  const { isTTY, columns } = process.stdout
  const view = isTTY ? viewOf(result, { columns: columns || 80, colours: coloursFor(process.stdout) }) : undefined
  if (view === undefined) show(process.stdout, `result: ${result.resultText}`)
  else process.stdout.write(`result:\n${view}\n`)
}
