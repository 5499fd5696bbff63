// A program that runs once more, because a read that it had run ahead of failed where the program itself would have caught that: the same code,
// told which of these reads it has to wait for. The prelude's pending.ts says what it does with that.
// Invariant: what is waited for changes when a program goes on, never what it does.

import type { CompiledProgram } from './program.js'
import { quote } from './quote.js'

/** Reads inside of `try` and `with` that are to be waited for: by the text of the call and by `START-END` in the program; `all` of them. */
export type Waits = 'all' | { readonly calls: ReadonlySet<string>; readonly places: ReadonlySet<string> }

/** The code of a program that waits for those. */
export function waitingCode({ code, runsAhead }: Pick<CompiledProgram, 'code' | 'runsAhead'>, waits: Waits): string {
  if (runsAhead !== true) return code
  // The code is one call, and this is its last argument.
  return `${code.slice(0, -1)}, ${waits === 'all' ? 'true' : `{calls: ${list(waits.calls)}, places: ${list(waits.places)}}`})`
}

function list(texts: ReadonlySet<string>): string {
  return `[${[...texts].map(quote).join(', ')}]`
}
