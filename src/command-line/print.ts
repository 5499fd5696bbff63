// Output to stdout and stderr.
// Invariant: control characters in tools' words never reach a terminal; colours are added afterwards.

import type { Answer } from '../index.js'
import { coloursFor } from './colours.js'
import { noteShown } from './held-warnings.js'
import { type Paint, paintAnswer, paintFailure } from './paint.js'
import { forPeople, mistyped } from './wording.js'

const asItIs: Paint = (text) => text

/** Ends with a newline. */
export function show(stream: NodeJS.WriteStream, text: string, paint: Paint = asItIs): void {
  noteShown(text)
  const shown = paint(stream.isTTY ? harmless(text) : text, coloursFor(stream))
  stream.write(text.endsWith('\n') ? shown : `${shown}\n`)
}

/** The text without control sequences for terminals. */
export function harmless(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '\ufffd')
}

/**
 * Prints a meta-tool's answer, with commands in place of calls of meta-tools. Returns the exit status: 2 for a name
 * that does not exist.
 */
export function printAnswer({ isError, text }: Answer): number {
  const told = forPeople(text)
  if (!isError) show(process.stdout, told, paintAnswer)
  else show(process.stderr, told.replace(mistyped, 'starbind: '), paintFailure)
  return isError ? (told.search(mistyped) >= 0 ? 2 : 1) : 0
}

/** Prints the answer's data as JSON. Returns the exit status. */
export function printData(answer: Answer): number {
  if (answer.isError) return printAnswer(answer)
  printJson(answer.structured as object)
  return 0
}

/** Prints exactly one JSON object. */
export function printJson(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}
