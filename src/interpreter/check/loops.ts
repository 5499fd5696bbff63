// Loops: a body is walked until what is known before a round is true after it, too.

import { type Binding, Knowledge } from '../resolve/index.js'
import type { ForStmt, WhileStmt } from '../syntax/nodes.js'
import { unparenthesised } from '../syntax/walk.js'
import { Assignments } from './assignments.js'
import { ANY, join, type State, same, type Type } from './types.js'

/** Loops nested deeper are walked once, with every variable unknown. */
const DEEPEST_LOOP = 2

/** After so many rounds that were not enough, nothing is taken for known. */
const MOST_ROUNDS = 2

export abstract class Loops extends Assignments {
  protected for(s: ForStmt, state: State): State {
    const iterable = this.expression(s.iterable, state)
    this.checkIterable(s.iterable, iterable)
    const element = this.elementOf(s.iterable, iterable)
    return this.loop(s, state, this.isNonEmpty(s.iterable), (head) => {
      this.assign(s.target, element, head)
      return this.block(s.body, head)
    })
  }

  protected while(s: WhileStmt, state: State): State {
    const test = unparenthesised(s.test)
    const always =
      (test.kind === 'Identifier' && test.name === 'True' && this.bindingOf(test)?.kind === 'universal') ||
      (test.kind === 'IntLiteral' && test.value !== 0n)
    const outer = this.certain
    return this.loop(s, state, always, (head) => {
      const inner = this.certain
      this.certain = outer
      this.expression(s.test, head)
      this.certain = inner
      return this.narrowed(s.test, head, (body) => this.block(s.body, body))
    })
  }

  private loop(s: ForStmt | WhileStmt, state: State, runs: boolean, step: (head: State) => State): State {
    const { certain, jumps } = this
    const mark = this.report.mark()
    let breaks: State
    const round = (head: State): State => {
      // What was found in a round that knew too much is taken back.
      this.report.takeBack(mark)
      this.jumps = false
      this.certain = certain && runs
      const last = this.round(head, step)
      breaks = last.breaks
      return last.end
    }
    const { head, end } = this.followed(state, round)
    this.jumps = jumps
    this.certain = false
    // The head holds what was known before and after each round.
    const left = this.block(s.orelse, this.merge(head, end)?.copy())
    this.afterwards(certain)
    return this.merge(left, breaks)
  }

  private followed(entry: State, round: (head: State) => State): { readonly head: State; readonly end: State } {
    const stable =
      entry === undefined || this.loopDepth >= DEEPEST_LOOP ? undefined : this.settle(entry, MOST_ROUNDS, round, grown)
    if (stable !== undefined) return stable
    const head: State = entry && new Knowledge()
    return { head, end: round(head) }
  }
}

/** What a variable may be before and after a round. */
function grown(_: Binding, old: Type | undefined, seen: Type | undefined): Type | undefined {
  if (old === undefined) return undefined
  const joined = seen === undefined ? ANY : join(old, seen)
  return joined === old || same(joined, old) ? undefined : joined
}
