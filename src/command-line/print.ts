// What commands print. Invariant: what tools say may hold anything, and a terminal would obey it, so control characters never reach one.

import type { Answer } from '../index.js'

/** Ends with a newline. */
export function show(stream: NodeJS.WriteStream, text: string): void {
  const shown = stream.isTTY ? text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '\ufffd') : text
  stream.write(shown.endsWith('\n') ? shown : `${shown}\n`)
}

/** A meta-tool's answer, as the model would read it. Returns the exit status. */
export function printAnswer(answer: Answer): number {
  show(answer.isError ? process.stderr : process.stdout, answer.text)
  return answer.isError ? 1 : 0
}

/** Exactly one JSON object, for machines. */
export function printJson(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}
