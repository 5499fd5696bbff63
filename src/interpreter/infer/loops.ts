// Walks loops until nothing changes. An int that grows from step to step is first tried as a counter (COUNTERS below), then given up as an int of
// any size. Knows what a loop assigns, not how its body is walked.
// Invariant: the types noted for a loop's body are those of the last walk, made under the loop's final assumptions.

import { type Binding, Knowledge } from '../resolve/index.js'
import type { Statement } from '../syntax/nodes.js'
import { Expressions } from './expressions.js'
import { INT, isSmallInt, join, same, type Type, UNASSIGNED, widened } from './types.js'
import type { State } from './variables.js'

interface LoopExits {
  breaks: State
  continues: State
}

/**
 * A counter that grows by at most `step` in each round of a loop does not pass `bound` in any run's time: a round takes QuickJS 30 ns at
 * the least, so even the first needs more than half an hour.
 */
interface Counter {
  readonly step: number
  readonly bound: number
}
const COUNTERS: readonly Counter[] = [
  { step: 2 ** 10, bound: 2 ** 46 },
  { step: 2 ** 16, bound: 2 ** 52 },
]

function growsSlowly(old: Type, joined: Type, counter: Counter | undefined): boolean {
  return (
    counter !== undefined &&
    joined.kinds === old.kinds &&
    old.lo - joined.lo <= counter.step &&
    joined.hi - old.hi <= counter.step
  )
}

/** Does every side that grows already stand at the counter's bound? */
function isWidened(old: Type, joined: Type, counter: Counter): boolean {
  return (joined.lo === old.lo || old.lo <= -counter.bound) && (joined.hi === old.hi || old.hi >= counter.bound)
}

/** Loops nested deeper than this are not walked repeatedly: what they assign is ANY. */
const DEEPEST_LOOP = 5

export abstract class Loops extends Expressions {
  protected readonly loops: LoopExits[] = []

  protected abstract walkBlock(body: readonly Statement[], state: State): State

  /**
   * Walks a loop until its head is stable. `step` walks one round from the head's state (which it may change) to its end.
   */
  protected walkLoop(
    s: { body: readonly Statement[]; orelse: readonly Statement[] },
    state: State,
    step: (head: State) => State,
  ): State {
    if (state === undefined) return undefined
    let exits: LoopExits = { breaks: undefined, continues: undefined }
    const round = (head: State): State => {
      exits = { breaks: undefined, continues: undefined }
      this.loops.push(exits)
      this.loopDepth++
      const end = this.merge(step(head?.copy()), exits.continues)
      this.loopDepth--
      this.loops.pop()
      return end
    }
    const head = this.stableHead(state, round, s.body)
    return this.merge(this.walkBlock(s.orelse, head.copy()), exits.breaks)
  }

  private stableHead(
    entry: Knowledge<Type>,
    round: (head: State) => State,
    body: readonly Statement[],
  ): Knowledge<Type> {
    let head = entry
    if (this.loopDepth >= DEEPEST_LOOP) {
      head = this.forgetAssigned(body, entry)!
      round(head)
      return head
    }
    let end: State
    const tiers = new Map<Binding, number>()
    for (let n = 0; n < 20; n++) {
      end = round(head)
      const next = head.copy()
      let changed = false
      if (end !== undefined)
        Knowledge.differences(head, end, (binding, old, seen) => {
          if (seen === undefined) return
          if (old === undefined) {
            next.set(binding, join(seen, UNASSIGNED))
            changed = true
            return
          }
          const joined = join(old, seen)
          if (same(joined, old)) return
          let tier = tiers.get(binding) ?? -1
          const slow = tier >= 0 && growsSlowly(old, joined, COUNTERS[tier])
          if (slow && isWidened(old, joined, COUNTERS[tier]!)) return
          changed = true
          if (n === 0) {
            next.set(binding, joined)
            return
          }
          if (!slow) tier++
          const counter = isSmallInt(old) && isSmallInt(joined) ? COUNTERS[tier] : undefined
          tiers.set(binding, tier)
          const limit = counter === undefined ? Infinity : counter.bound
          next.set(binding, {
            ...(n < 3 ? joined : widened(old, joined)),
            lo: joined.lo < old.lo ? Math.min(joined.lo, -limit) : joined.lo,
            hi: joined.hi > old.hi ? Math.max(joined.hi, limit) : joined.hi,
          })
        })
      if (!changed) return this.narrowed(entry, head, end, tiers, round)
      head = next
    }
    head = this.forgetAssigned(body, entry)!
    round(head)
    return head
  }

  /** Steps that were taken too far are taken back where one more round proves the narrower types. */
  private narrowed(
    entry: Knowledge<Type>,
    head: Knowledge<Type>,
    end: State,
    tiers: ReadonlyMap<Binding, number>,
    round: (head: State) => State,
  ): Knowledge<Type> {
    if (end === undefined || tiers.size === 0) return head
    const candidate = head.copy()
    let tighter = false
    for (const binding of tiers.keys()) {
      const wide = head.get(binding)!
      const tight = join(entry.get(binding) ?? UNASSIGNED, end.get(binding) ?? UNASSIGNED)
      if (
        tight.kinds !== INT ||
        !(tight.lo > wide.lo || tight.hi < wide.hi) ||
        tight.lo < wide.lo ||
        tight.hi > wide.hi
      )
        continue
      candidate.set(binding, tight)
      tighter = true
    }
    if (!tighter) return head
    const after = round(candidate)
    let proven = true
    if (after !== undefined)
      Knowledge.differences(candidate, after, (_, t, seen) => {
        if (t !== undefined && seen !== undefined && !same(join(t, seen), t)) proven = false
      })
    if (proven) return candidate
    round(head)
    return head
  }
}
