// Where `print` writes: to the host, a line at a time, or wherever the program diverts it.
// Invariant: what a `print` with an `end` of its own has begun is kept until a line feed ends it.

import { hostPrint } from './sandbox-functions.js'

let begun = ''
let diverted: ((text: string) => void) | undefined

/**
 * From now on what is printed goes to `to`, line feeds included, instead of out of the program; returns where it went
 * before.
 */
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

/** Sends what no line feed has ended, when the program is over. */
export function flushOutput(): void {
  if (begun !== '') hostPrint(begun)
  begun = ''
}
