// The code of one run: the compiled program with the facts of the run. A program that runs once more, because a read
// failed that it had run ahead of, is told for how many of its calls to wait; see the prelude's pending.ts.
// Invariant: waiting changes when a program continues, never what it does.

import type { CompiledProgram } from './program.js'

/** What a run lets its program know of the world. */
export interface RunWorld {
  /** When it began, in milliseconds since 1970: where programs may know. */
  readonly now?: number
  /** What its random numbers follow from, a whole number that is not negative: where programs may have some. */
  readonly seed?: number
}

/** What somebody gave to a run. */
export interface RunInput {
  /** `sys.argv` and the end of `process.argv`: the program's own name, and what stands after it. */
  readonly argv?: readonly string[]
  /** What `sys.stdin` and `process.stdin` read. */
  readonly stdin?: string
}

/**
 * `waitsFor`: of its first so many calls it waits for those whose failure it could catch. `placesOf`: functions
 * (`space.member`) of which the host wants to know where the program calls them.
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
  // The code is one call, and this is its last argument.
  return Object.keys(given).length === 0 ? code : `${code.slice(0, -1)}, ${JSON.stringify(given)})`
}
