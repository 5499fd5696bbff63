// Output to stdout and stderr.
// Invariant: control characters in tools' words never reach a terminal; colours are added afterwards.

import type { Answer } from '../index.js'
import { coloursFor } from './colours.js'
import { type Paint, paintAnswer } from './paint.js'
import { forPeople } from './wording.js'

const asItIs: Paint = (text) => text

/** Ends with a newline. */
export function show(stream: NodeJS.WriteStream, text: string, paint: Paint = asItIs): void {
  const shown = paint(stream.isTTY ? harmless(text) : text, coloursFor(stream))
  stream.write(text.endsWith('\n') ? shown : `${shown}\n`)
}

/** The text without control sequences for terminals. */
export function harmless(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '\ufffd')
}

/** A meta-tool's answer, as the model would read it but for the commands that a person has. Returns the exit status. */
export function printAnswer(answer: Answer): number {
  show(answer.isError ? process.stderr : process.stdout, forPeople(answer.text), paintAnswer)
  return answer.isError ? 1 : 0
}

/** The data that an answer is of, for machines. Returns the exit status. */
export function printData(answer: Answer): number {
  if (answer.isError) return printAnswer(answer)
  printJson(answer.structured as object)
  return 0
}

/** Exactly one JSON object, for machines. */
export function printJson(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}
