// Refuses programs that draw random numbers without a seed. Knows the module `random` alone.
// Invariant: a program that is refused here would fail at its first draw.

import type { Span } from '../../diagnostics/index.js'
import { messages } from './messages.js'
import type { Mistakes } from './mistakes.js'

const PREFIX = 'random.'
const seeding = new Set(['seed', 'setstate'])
const harmless = new Set(['Random', 'getstate', 'SystemRandom'])

export class Seeds {
  #drawn: { readonly path: string; readonly at: Span } | undefined
  #seeds = 0

  /** Records that the program names a function of a module. */
  name(path: string, at: Span): void {
    if (!path.startsWith(PREFIX)) return
    const name = path.slice(PREFIX.length)
    if (seeding.has(name)) this.#seeds++
    else if (!harmless.has(name) && !name.startsWith('_')) this.#drawn ??= { path, at }
  }

  /** Records a call without arguments. `seed()` does not seed. */
  callEmpty(path: string): void {
    if (path === `${PREFIX}seed`) this.#seeds--
  }

  /** Must be called after the walk over the whole program. */
  refuse(mistakes: Mistakes): void {
    if (this.#drawn === undefined || this.#seeds > 0) return
    mistakes.add(
      messages.refusedName(
        this.#drawn.at,
        `${this.#drawn.path} without a seed`,
        'programs are deterministic',
        'call random.seed(42) first: the numbers then follow from the seed',
      ),
    )
  }
}
