// Says what is wrong with a program before it runs: all mistakes that can be proved, at once, and the functions of the
// host that it can call.
//
// The rule is that a program that would run without error is never refused, with one exception that is meant: a call of
// a function of the host that is wrong in itself (a parameter that is missing or unknown, a literal of a wrong type) is
// a mistake wherever it stands, because it can never succeed and what runs before it may have had effects. Everything
// else refuses a program only if the program surely gets there: at its top level or in functions that are surely called
// from there, not behind a condition, in a loop that may have no rounds, or behind something that may have left.
// Elsewhere it is a warning. Nothing is said where an exception of that kind could be caught: in a `try` with a handler
// for it, in a `with`, and in functions that may be called from such a place. Report has the bookkeeping, Walk the
// proofs.
//
// What values can be was found out by the stage before; Walk follows the program and asks, Report has the bookkeeping.
// Invariant: nothing is proved from what is not known.

import type { Diagnostic } from '../../diagnostics/index.js'
import type { Inference } from '../infer/index.js'
import type { Foreign } from '../namespaces.js'
import type { Resolution } from '../resolve/index.js'
import type { File } from '../syntax/nodes.js'
import type { Positions } from '../syntax/positions.js'
import type { Universe } from '../universe.js'
import { Walk } from './walk.js'

export interface CheckOptions {
  readonly strict: boolean
  readonly universe: Universe
  readonly positions: Positions
  readonly foreign: Foreign
  readonly inference: Inference
}

export interface Checked {
  /** Each of them is a reason not to run the program. */
  readonly diagnostics: readonly Diagnostic[]
  /** What would fail where the program may not get to. */
  readonly warnings: readonly Diagnostic[]
  /** What makes no program fail, but was hardly meant. */
  readonly remarks: readonly Diagnostic[]
}

/** Checks a program that was resolved without diagnostics. Nothing has run. */
export function check(file: File, resolution: Resolution, { positions, ...options }: CheckOptions): Checked {
  const span = (node: { start: number; end: number }) => positions.span(node.start, node.end)
  const walk = new Walk(file, { ...options, resolution, span, text: file.text })
  const { mistakes, warnings, remarks } = walk.report.decide()
  return { diagnostics: mistakes, warnings, remarks }
}
