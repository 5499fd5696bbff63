// A program that runs once more, because a read that it had run ahead of failed where the program itself would have
// caught that: the same code, told for how many of its calls it waits. The prelude's pending.ts says what it does with
// that.
// Invariant: what is waited for changes when a program goes on, never what it does.

import type { CompiledProgram } from './program.js'

/** The code of a program that waits for those of its first so many calls whose failure it could catch. */
export function waitingCode({ code, runsAhead }: Pick<CompiledProgram, 'code' | 'runsAhead'>, calls: number): string {
  // The code is one call, and this is its last argument.
  return runsAhead === true ? `${code.slice(0, -1)}, ${calls})` : code
}
