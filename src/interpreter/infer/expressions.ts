// The types of expressions. Each expression's type in the last walk is recorded.
// Invariant: chains of operators, which can be long, are walked without recursion.

import { Knowledge } from '../resolve/index.js'
import type {
  BinaryExpr,
  CompareExpr,
  Comprehension,
  DictExpr,
  Expression,
  FStringPart,
  LogicalExpr,
} from '../syntax/nodes.js'
import { spineOf } from '../syntax/walk.js'
import { Calls } from './calls.js'
import type { Hidden } from './conditions.js'
import type { State } from './flow.js'
import { hasField } from './hosted.js'
import { BYTES, DICT, LIST, MAP, OTHER, SET, STR, TUPLE } from './kinds.js'
import { makesRecord } from './records.js'
import { binaryResult, unaryResult } from './results.js'
import {
  ANY,
  ANY_INT,
  ANY_OR_ABSENT,
  about,
  alternatives,
  assigned,
  BOOLEAN,
  CALLABLE,
  FLOATING,
  follow,
  holding,
  is,
  join,
  literals,
  NOTHING,
  of,
  STRING,
  same,
  shared,
  type Type,
  takenOf,
  taking,
  UNASSIGNED,
  unvalued,
} from './types.js'

/** The type of a comparison whose operands may define the result themselves. */
const COMPARED = taking(BOOLEAN, ANY)

/** Methods that store their arguments in their object. */
const STORING = ['append', 'extend', 'insert', 'update', 'setdefault', '__setitem__', 'appendleft', 'extendleft']

export abstract class Expressions extends Calls {
  protected expression(e: Expression, state: State): Type {
    const type = this.typeOfExpression(e, state)
    this.note(e, type)
    return type
  }

  private typeOfExpression(e: Expression, state: State): Type {
    switch (e.kind) {
      case 'Identifier':
        return this.read(this.resolution.bindingOf.get(e), state)
      case 'IntLiteral': {
        const n = Number(e.value)
        return Number.isSafeInteger(n) ? literals([n]) : ANY_INT
      }
      case 'FloatLiteral':
        return FLOATING
      case 'StringLiteral':
        return about(STR, { kind: 'values', values: [e.value] })
      case 'FString':
        this.walkParts(e.parts, state)
        return STRING
      case 'BytesLiteral':
        return of(BYTES)
      case 'EllipsisLiteral':
        return of(OTHER)
      case 'ListExpr':
        return this.display(e.elements, state, LIST)
      case 'TupleExpr':
        return this.display(e.elements, state, TUPLE)
      case 'SetExpr':
        for (const x of e.elements) this.expression(x, state)
        return of(SET)
      case 'DictExpr':
        return this.dictDisplay(e, state)
      case 'Comprehension':
        return this.comprehension(e, state)
      case 'LambdaExpr':
        this.makeFunction(e, state)
        return CALLABLE
      case 'UnaryExpr':
        return unaryResult(e.operator, this.expression(e.operand, state))
      case 'BinaryExpr':
        return this.binary(e, state)
      case 'CompareExpr':
        return this.comparison(e, state)
      case 'CallExpr':
        return this.call(e, state)
      case 'DotExpr':
        return this.attribute(e, this.expression(e.object, state))
      case 'ParenExpr':
      case 'StarredExpr':
        return this.expression(e.kind === 'ParenExpr' ? e.expression : e.value, state)
      default:
        return this.typeOfRare(e, state)
    }
  }

  private typeOfRare(e: Rare, state: State): Type {
    switch (e.kind) {
      case 'CondExpr': {
        this.expression(e.test, state)
        const body = this.arm(e.test, e.body, state)
        return join(body, this.arm(e.test, e.orelse, state))
      }
      case 'LogicalExpr':
        return this.logical(e, state)
      case 'IndexExpr': {
        const object = this.expression(e.object, state)
        const key = e.index.kind === 'StringLiteral' ? e.index.value : undefined
        return this.indexed(object, this.expression(e.index, state), key)
      }
      case 'SliceExpr': {
        const object = this.expression(e.object, state)
        for (const x of [e.lower, e.upper, e.step]) if (x) this.expression(x, state)
        return follow((t) => (is(t, STR | LIST) ? unvalued(t) : is(t, TUPLE) ? of(TUPLE) : ANY), object)
      }
      case 'NamedExpr': {
        const type = shared(this.expression(e.value, state))
        // The expression may be evaluated conditionally.
        const binding = this.resolution.bindingOf.get(e.target)
        const before = this.read(binding, state)
        if (binding && state) state.set(binding, binding.assignedFromInside ? ANY_OR_ABSENT : join(type, before))
        return type
      }
      case 'AwaitExpr': {
        const type = this.expression(e.value, state)
        return this.options.strict ? type : taking(ANY, type)
      }
      case 'YieldExpr':
        if (e.value) this.expression(e.value, state)
        return ANY
    }
  }

  // ---- operators -----------------------------------------------------------------------------------------------

  /** An expression that is evaluated only if a test has the outcome for it. */
  private arm(test: Expression, e: Expression, state: State): Type {
    let type = ANY
    this.behind(test, state, () => {
      type = this.expression(e, state)
      return state
    })
    return type
  }

  private logical(e: LogicalExpr, state: State): Type {
    const { first, rest } = spineOf(e)
    const hidden: Hidden = new Map()
    let type = assigned(this.expression(first, state))
    for (const node of rest) {
      this.hide(node.left === first ? first : (node.left as LogicalExpr).right, state, hidden)
      type = join(type, assigned(this.expression(node.right, state)))
      if (node !== e) this.note(node, type)
    }
    this.unhide(hidden, state)
    return type
  }

  private binary(e: BinaryExpr, state: State): Type {
    const { first, rest } = spineOf(e)
    let type = this.expression(first, state)
    for (const node of rest) {
      type = binaryResult(node.operator, type, this.expression(node.right, state), this.options)
      if (node !== e) this.note(node, type)
    }
    return type
  }

  private comparison(e: CompareExpr, state: State): Type {
    this.expression(e.left, state)
    let isSure = true
    for (const { operator, operand } of e.rest) {
      this.expression(operand, state)
      isSure &&= operator === 'in' || operator === 'not in' || operator === 'is' || operator === 'is not'
    }
    return isSure ? BOOLEAN : COMPARED
  }

  /** An attribute that is not called: a function of the host, or a method that hides the field of its name. */
  private attribute(e: Expression & { kind: 'DotExpr' }, object: Type): Type {
    const { name } = e.name
    const member = this.memberOf(object, name)
    if (member !== undefined) return member
    if (STORING.includes(name)) this.options.stored.giveUp()
    const all = alternatives(takenOf(object))
    const hides = this.options.methods.get('dict')?.has(name) && all.every((one) => hasField(one, name))
    return hides ? taking(ANY, CALLABLE) : ANY
  }

  // ---- displays and comprehensions -----------------------------------------------------------------------------

  private display(elements: readonly Expression[], state: State, kind: number): Type {
    const inside = elements.map((x) => this.expression(x, state))
    if (elements.some((x) => x.kind === 'StarredExpr')) return of(kind)
    if (kind === TUPLE) return holding(TUPLE, ...inside)
    return holding(
      LIST,
      inside.reduce((all, type) => join(all, unvalued(type)), NOTHING),
    )
  }

  private dictDisplay(e: DictExpr, state: State): Type {
    let keys = NOTHING
    let values = NOTHING
    for (const entry of e.entries) {
      keys = entry.key ? join(keys, unvalued(this.expression(entry.key, state))) : ANY
      const value = unvalued(this.expression(entry.value, state))
      values = join(values, entry.key ? value : ANY)
    }
    return holding(makesRecord(e) ? DICT : MAP, keys, values)
  }

  private walkParts(parts: readonly FStringPart[], state: State): void {
    for (const part of parts) {
      if (typeof part === 'string') continue
      this.expression(part.expression, state)
      if (part.spec) this.walkParts(part.spec, state)
    }
  }

  private comprehension(c: Comprehension, state: State): Type {
    // A lazy comprehension runs later, so it knows no more than a function does.
    const isLazy = this.resolution.lazy.has(c)
    const inner = isLazy ? this.captured(state, c) : state?.copy()
    const hidden: Hidden = new Map()
    for (const [i, clause] of c.clauses.entries()) {
      if (clause.kind === 'IfClause') {
        this.expression(clause.test, inner)
        this.hide(clause.test, inner, hidden)
      } else {
        this.expression(clause.iterable, isLazy && i === 0 ? state : inner)
        this.assign(clause.target, this.elementOf(clause.iterable), inner)
      }
    }
    const element = unvalued(this.expression(c.element, inner))
    const value = c.value ? unvalued(this.expression(c.value, inner)) : ANY
    this.unhide(hidden, inner)
    // Targets of `:=` inside are not followed from round to round. Their types are unknown in the comprehension and
    // after it.
    if (state && inner && !isLazy && this.forgetChanged(c, state, inner)) return this.comprehension(c, state)
    if (c.form === 'list') return holding(LIST, element)
    return c.form === 'dict' ? holding(MAP, element, value) : of(c.form === 'set' ? SET : OTHER)
  }

  private forgetChanged(c: Comprehension, state: Knowledge<Type>, inner: Knowledge<Type>): boolean {
    let changed = false
    Knowledge.differences(state, inner, (binding, before = UNASSIGNED, type) => {
      if (type === undefined || binding.scope === undefined || binding.scope.node === c) return
      if (same(type, before) || same(before, ANY_OR_ABSENT)) return
      state.set(binding, ANY_OR_ABSENT)
      changed = true
    })
    return changed
  }
}

type Rare = Extract<
  Expression,
  { kind: 'CondExpr' | 'LogicalExpr' | 'IndexExpr' | 'SliceExpr' | 'NamedExpr' | 'AwaitExpr' | 'YieldExpr' }
>
