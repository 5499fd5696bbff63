// Loops: a body is walked until what is known before a round is true after it, too.

import { Knowledge } from '../resolve/index.js'
import type { ForStmt, Statement, WhileStmt } from '../syntax/nodes.js'
import { unparenthesised } from '../syntax/walk.js'
import { Assignments } from './assignments.js'
import { ANY, join, type State, same, type Type } from './types.js'

interface LoopExits {
  breaks: State
  continues: State
}

/** Loops nested deeper are walked once, with every variable unknown. */
const DEEPEST_LOOP = 2

export abstract class Loops extends Assignments {
  protected loops: LoopExits[] = []

  protected abstract block(body: readonly Statement[], state: State): State

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

  protected loop(s: ForStmt | WhileStmt, state: State, runs: boolean, step: (head: State) => State): State {
    const certain = this.certain
    const jumps = this.jumps
    let exits: LoopExits = { breaks: undefined, continues: undefined }
    const round = (head: State): State => {
      exits = { breaks: undefined, continues: undefined }
      this.loops.push(exits)
      this.loopDepth++
      this.jumps = false
      this.certain = certain && runs
      const end = this.merge(step(head?.copy()), exits.continues)
      this.loopDepth--
      this.loops.pop()
      return end
    }
    const { head, end } = this.settle(state, round)
    this.jumps = jumps
    this.certain = false
    // The head holds what was known before and after each round.
    const left = this.block(s.orelse, this.merge(head, end)?.copy())
    this.afterwards(certain)
    return this.merge(left, exits.breaks)
  }

  /**
   * Walks until what was known before a round is true after it, too. What was found in a round that knew too much is taken back. After two rounds
   * that did, nothing is taken for known.
   */
  private settle(entry: State, round: (head: State) => State): { readonly head: State; readonly end: State } {
    if (entry === undefined) return { head: undefined, end: round(undefined) }
    if (this.loopDepth < DEEPEST_LOOP) {
      let head = entry
      for (let n = 0; n < 2; n++) {
        const before = this.report.mark()
        const end = round(head)
        const next = widened(head, end)
        if (next === undefined) return { head, end }
        this.report.takeBack(before)
        head = next
      }
    }
    const head: State = new Knowledge()
    return { head, end: round(head) }
  }
}

/** What is true before and after a round; undefined when that is what was known before. */
function widened(head: Knowledge<Type>, end: State): Knowledge<Type> | undefined {
  if (end === undefined) return undefined
  let next: Knowledge<Type> | undefined
  Knowledge.differences(head, end, (binding, old, seen) => {
    if (old === undefined) return
    const joined = seen === undefined ? ANY : join(old, seen)
    if (joined === old || same(joined, old)) return
    next ??= head.copy()
    next.set(binding, joined)
  })
  return next
}
