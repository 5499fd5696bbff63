// The code of one run: the compiled program with the inputs of the run. If a read failed that the program had run ahead
// of, the program runs a second time, and is told for how many of its first calls to wait (see
// prelude/host/pending.ts).
// Invariant: waiting changes when a program continues, never what it does.

import type { CompiledProgram } from './program.js'

/** The facts about the outside that a run gives to its program. */
export interface RunWorld {
  /** The start of the run in milliseconds since 1970; absent if programs have no clock. */
  readonly now?: number
  /** The seed of its random numbers, an integer that is not negative; absent if programs have no randomness. */
  readonly seed?: number
}

/** The command line and standard input of a run. */
export interface RunInput {
  /** `sys.argv` and the end of `process.argv`: the program's own name and its arguments. */
  readonly argv?: readonly string[]
  /** The text that `sys.stdin` and `process.stdin` read. */
  readonly stdin?: string
}

/**
 * The code of a run. `waitsFor`: the number of first calls; among them the program waits for those whose failure it
 * could catch. `placesOf`: the functions (`space.member`) whose calls report their places to the host.
 */
export function runCode(
  { code, runsAhead }: Pick<CompiledProgram, 'code' | 'runsAhead'>,
  world: RunWorld & RunInput,
  waitsFor: number,
  placesOf: readonly string[] = [],
): string {
  const given = {
    ...world,
    ...(runsAhead === true && waitsFor > 0 ? { waitsFor } : {}),
    ...(placesOf.length > 0 ? { placesOf } : {}),
  }
  // The code is one call; this becomes its last argument.
  return Object.keys(given).length === 0 ? code : `${code.slice(0, -1)}, ${JSON.stringify(given)})`
}
