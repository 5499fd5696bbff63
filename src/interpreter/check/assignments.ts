// Assignments: what variables become, and what is put into lists and dicts.

import * as Kind from '../infer/kinds.js'
import type { AugmentedAssignStmt, Expression } from '../syntax/nodes.js'
import { Evaluation } from './evaluation.js'
import { isOf } from './kinds.js'
import { messages } from './messages.js'
import { binaryResult, impossible, impossibleIteration } from './operators.js'
import { ANY, alternatives, LIST, plainOf, type State, shown, type Type } from './types.js'

export abstract class Assignments extends Evaluation {
  protected assign(t: Expression, type: Type, state: State): void {
    switch (t.kind) {
      case 'Identifier':
        return this.write(t, type, state)
      case 'ParenExpr':
        return this.assign(t.expression, type, state)
      case 'StarredExpr':
        return this.assign(t.value, LIST, state)
      case 'TupleExpr':
      case 'ListExpr':
        return this.unpack(t, type, state)
      default:
        return this.store(t, type, state)
    }
  }

  protected unpack(t: Expression & { kind: 'TupleExpr' | 'ListExpr' }, type: Type, state: State): void {
    if (impossibleIteration(type, this.o.strict))
      this.found(messages.notIterable(this.span(t), shown(type)), 'TypeError')
    const all = alternatives(type)
    const hasStar = t.elements.some((e) => e.kind === 'StarredExpr')
    const only = all.length === 1 && all[0]!.kind === 'tuple' ? all[0]! : undefined
    const names = t.elements.length
    if (only !== undefined && (hasStar ? only.items.length < names - 1 : only.items.length !== names)) {
      const want = `${hasStar ? 'at least ' : ''}${hasStar ? names - 1 : names} name${names === 1 ? '' : 's'}`
      this.found(messages.wrongUnpacking(this.span(t), only.items.length, want), 'ValueError')
    }
    const fits = only !== undefined && !hasStar && only.items.length === names
    const item = fits ? ANY : this.itemOf(type)
    t.elements.forEach((e, i) => {
      this.assign(e, fits ? only.items[i]! : item, state)
    })
  }

  /** `x[i] = v`, `x.name = v`. */
  protected store(t: Expression, type: Type, state: State): void {
    const { changes } = this.o
    if (t.kind === 'IndexExpr') {
      const object = this.expression(t.object, state)
      this.expression(t.index, state)
      if (isOf(object, Kind.SCALARS | Kind.STR | Kind.TUPLE))
        this.found(messages.notAssignable(this.span(t), shown(plainOf(object))), 'TypeError')
      changes.storeKey(object, t.index.kind === 'StringLiteral' ? t.index.value : undefined)
      if (t.index.kind !== 'StringLiteral') changes.storeItem(object, type)
    } else if (t.kind === 'SliceExpr') {
      changes.storeItem(this.expression(t.object, state), ANY)
      for (const e of [t.lower, t.upper, t.step]) if (e) this.expression(e, state)
    } else if (t.kind === 'DotExpr') this.expression(t.object, state)
    else this.expression(t, state)
  }

  protected augment(s: AugmentedAssignStmt, left: Type, right: Type, state: State): void {
    const type = this.augmented(s, left, right)
    if (s.target.kind === 'Identifier') this.write(s.target, type, state)
    else this.store(s.target, type, state)
  }

  private augmented(s: AugmentedAssignStmt, left: Type, right: Type): Type {
    const { operator } = s
    const symbol = operator === '+' || operator === '|' ? `${operator}=` : operator
    if (impossible(symbol, left, right, this.o.strict))
      this.found(this.operandsMessage(s, `${operator}=`, left, right), 'TypeError')
    const isScalar = isOf(right, Kind.SCALARS | Kind.STR)
    if (operator === '+' && !isScalar) this.o.changes.storeItem(left, this.itemOf(right))
    if (operator === '|' && !isScalar) this.o.changes.storeKey(left, undefined)
    if (operator === '+' && isOf(left, Kind.LIST)) return left
    return binaryResult(operator, left, right)
  }
}
