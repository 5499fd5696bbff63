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
// What the program's own classes, decorators, generators and modules do is not followed: their values may be anything.
// Invariant: nothing is proved from what is not known.

import type { Diagnostic } from '../../diagnostics/index.js'
import type { ForeignNamespace } from '../foreign.js'
import { functionsOf } from '../namespaces.js'
import type { Reach } from '../program.js'
import type { Resolution } from '../resolve/index.js'
import type { File } from '../syntax/nodes.js'
import type { Positions } from '../syntax/positions.js'
import type { Universe } from '../universe.js'
import { Changes } from './changes.js'
import { reachOf } from './reach.js'
import { Walk } from './walk.js'

export interface CheckOptions {
  readonly strict: boolean
  readonly universe: Universe
  readonly positions: Positions
  readonly foreign: readonly ForeignNamespace[]
}

export interface Checked {
  /** Each of them is a reason not to run the program. */
  readonly diagnostics: readonly Diagnostic[]
  /** What would fail where the program may not get to. */
  readonly warnings: readonly Diagnostic[]
  /** What makes no program fail, but was hardly meant. */
  readonly remarks: readonly Diagnostic[]
  readonly reach: Reach
}

/** Walks until nothing new is stored anywhere; after so many it is taken for granted that anything is. */
const MOST_WALKS = 3

/** Checks a program that was resolved without diagnostics. Nothing has run. */
export function check(file: File, resolution: Resolution, options: CheckOptions): Checked {
  const { strict, universe, positions } = options
  const foreign = new Map(options.foreign.map((namespace) => [namespace.name, functionsOf(namespace)]))
  const changes = new Changes()
  for (let n = 1; ; n++) {
    const span = (node: { start: number; end: number }) => positions.span(node.start, node.end)
    const walk = new Walk(file, { resolution, universe, strict, foreign, span, text: file.text, changes })
    if (changes.takeMissing()) {
      if (n >= MOST_WALKS) changes.giveUp()
      continue
    }
    const { mistakes, warnings, remarks } = walk.report.decide()
    return { diagnostics: mistakes, warnings, remarks, reach: reachOf(file, resolution, foreign) }
  }
}
