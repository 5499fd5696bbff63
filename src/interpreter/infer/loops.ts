// Walks loops until nothing changes. An int that grows from round to round is first assumed to be a counter (COUNTERS),
// and then an int of any size. Knows the assignments of a loop, not how its body is walked.
// Invariant: the types recorded for a loop's body are those of the last walk, made under the loop's final assumptions.

import { type Binding, Knowledge } from '../resolve/index.js'
import type { ForStmt, Statement, WhileStmt } from '../syntax/nodes.js'
import { Expressions } from './expressions.js'
import type { State } from './flow.js'
import { INT } from './kinds.js'
import { ANY, isSmallInt, join, same, type Type, taking, UNASSIGNED, widened } from './types.js'

/**
 * A counter that grows by at most `step` in each round of a loop stays below `bound` in every run: a round takes
 * QuickJS at least 30 ns, so even the first counter needs more than half an hour to get there.
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

/** True if every growing side is already at the counter's bound. */
function isWidened(old: Type, joined: Type, counter: Counter): boolean {
  return (joined.lo === old.lo || old.lo <= -counter.bound) && (joined.hi === old.hi || old.hi >= counter.bound)
}

/** Loops nested deeper than this are not walked repeatedly. Their targets are ANY. */
const DEEPEST_LOOP = 5

/** The number of rounds after which assumed types are no longer refined. */
const MOST_TAKEN = 2

/** The maximum number of rounds. A loop that needs more leaves its variables unknown. */
const MOST_ROUNDS = 20

export abstract class Loops extends Expressions {
  protected override for(s: ForStmt, state: State): State {
    this.expression(s.iterable, state)
    const element = this.elementOf(s.iterable)
    return this.loop(s, state, (head) => {
      this.assign(s.target, element, head)
      return this.block(s.body, head)
    })
  }

  protected override while(s: WhileStmt, state: State): State {
    return this.loop(s, state, (head) => {
      this.expression(s.test, head)
      this.refine(s.test, true, head)
      return this.behind(s.test, head, () => this.block(s.body, head))
    })
  }

  private loop(s: ForStmt | WhileStmt, state: State, step: (head: State) => State): State {
    if (state === undefined) return undefined
    let breaks: State
    const round = (head: State): State => {
      const last = this.round(head, step)
      breaks = last.breaks
      return last.end
    }
    const head = this.stableHead(state, round, s.body)
    return this.merge(this.block(s.orelse, head.copy()), breaks)
  }

  private stableHead(
    entry: Knowledge<Type>,
    round: (head: State) => State,
    body: readonly Statement[],
  ): Knowledge<Type> {
    const tiers = new Map<Binding, number>()
    const stable =
      this.loopDepth < DEEPEST_LOOP
        ? this.settle(entry, MOST_ROUNDS, round, (binding, old, seen, n) => grown(tiers, binding, old, seen, n))
        : undefined
    if (stable !== undefined) return this.narrowed(entry, stable.head, stable.end, tiers, round)
    const head = this.forgetAssigned(body, entry)!
    round(head)
    return head
  }

  /** Narrows types that were widened too far, where one more round proves the narrower ones. */
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

/** The proved type alone, with nothing assumed. */
function proved({ kinds, lo, hi, parts }: Type): Type {
  return taking(parts === undefined ? { kinds, lo, hi } : { kinds, lo, hi, parts: parts.map(proved) }, ANY)
}

/**
 * The type of a variable before the next round. `tiers` has the counter of COUNTERS that was last tried for each
 * variable.
 */
function grown(
  tiers: Map<Binding, number>,
  binding: Binding,
  old: Type | undefined,
  seen: Type | undefined,
  n: number,
): Type | undefined {
  if (seen === undefined) return undefined
  if (old === undefined) return join(seen, UNASSIGNED)
  const next = join(old, seen)
  if (same(next, old)) return undefined
  const joined = n < MOST_TAKEN ? next : proved(next)
  if (joined.lo === old.lo && joined.hi === old.hi && joined.kinds === old.kinds && joined.parts === undefined)
    return joined
  let tier = tiers.get(binding) ?? -1
  const slow = tier >= 0 && growsSlowly(old, joined, COUNTERS[tier])
  if (slow && isWidened(old, joined, COUNTERS[tier]!)) {
    const widest = { ...joined, lo: old.lo, hi: old.hi }
    return same(widest, old) ? undefined : widest
  }
  if (n === 0) return joined
  if (!slow) tier++
  const counter = isSmallInt(old) && isSmallInt(joined) ? COUNTERS[tier] : undefined
  tiers.set(binding, tier)
  const limit = counter === undefined ? Infinity : counter.bound
  return {
    ...(n < 3 ? joined : widened(old, joined)),
    lo: joined.lo < old.lo ? Math.min(joined.lo, -limit) : joined.lo,
    hi: joined.hi > old.hi ? Math.max(joined.hi, limit) : joined.hi,
  }
}
