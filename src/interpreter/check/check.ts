// Reports all provable mistakes of a program at once, before it runs. Also lists the host functions that the program
// can call.
//
// A program that would run without error is never refused, with one exception: a call of a host function that is wrong
// in itself (a missing or unknown parameter, a literal of a wrong type) is a mistake wherever it stands, because it can
// never succeed and earlier calls may have had effects. Any other mistake refuses a program only if the program surely
// reaches it: at the top level or in functions that are surely called from there, not behind a condition, in a loop
// that may have no rounds, or after a possible exit. Elsewhere it is a warning. Nothing is reported where an exception
// of that kind could be caught: in a `try` with a handler for it, in a `with`, and in functions that may be called from
// such a place.
//
// infer/ has found the types. Walk follows the program and looks for mistakes; Report decides which of them to report.
// Invariant: an unknown type proves nothing.

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
  /** Mistakes that refuse the program. */
  readonly diagnostics: readonly Diagnostic[]
  /** Mistakes in places that the program may not reach. */
  readonly warnings: readonly Diagnostic[]
  /** Suspicious code that does not fail. */
  readonly remarks: readonly Diagnostic[]
}

/** Checks a program that was resolved without diagnostics. Runs nothing. */
export function check(file: File, resolution: Resolution, { positions, ...options }: CheckOptions): Checked {
  const span = (node: { start: number; end: number }) => positions.span(node.start, node.end)
  const walk = new Walk(file, { ...options, resolution, span, text: file.text })
  const { mistakes, warnings, remarks } = walk.report.decide()
  return { diagnostics: mistakes, warnings, remarks }
}
