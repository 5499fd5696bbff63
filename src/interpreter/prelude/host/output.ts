// The output of `print`: to the host, line by line, or to the program's own target.
// Invariant: an unfinished line is kept until a line feed ends it.

import { hostPrint } from './sandbox-functions.js'

let begun = ''
let diverted: ((text: string) => void) | undefined

/** Diverts the output to `to`, including line feeds. Returns the previous target. */
export function divertOutput(to: typeof diverted): typeof diverted {
  const before = diverted
  diverted = to
  return before
}

export function printText(text: string, end: string): void {
  if (diverted !== undefined) {
    diverted(text + end)
    return
  }
  if (end === '\n' && begun === '') {
    hostPrint(text)
    return
  }
  const all = begun + text + end
  const last = all.lastIndexOf('\n')
  begun = all.slice(last + 1)
  if (last >= 0) hostPrint(all.slice(0, last))
}

/** Sends an unfinished line. Called when the program is over. */
export function flushOutput(): void {
  if (begun !== '') hostPrint(begun)
  begun = ''
}
