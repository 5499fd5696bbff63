// The types of expressions. Notes for each what it had in the last walk. Knows calls as far as they are bound when the
// program is compiled.
// Invariant: chains of operators, which can be long, are walked without recursion.

import { bindStatically, formalOf, isPositional } from '../resolve/bind-arguments.js'
import { isKnownFunction, Knowledge } from '../resolve/index.js'
import type { Argument, Comprehension, DefStmt, Expression } from '../syntax/nodes.js'
import { Containers } from './containers.js'
import { callsForInts, type ForInts } from './for-ints.js'
import { DICT, FUNCTION, LIST, MAP, OTHER, SET, STR, TUPLE } from './kinds.js'
import { makesRecord } from './records.js'
import { binaryResult, builtinResults, strMethods, unary } from './results.js'
import {
  ANY,
  ANY_INT,
  ANY_OR_ABSENT,
  assigned,
  BOOLEAN,
  FLOATING,
  holding,
  ints,
  is,
  isSmallInt,
  join,
  LENGTH,
  MAX_SAFE,
  NOTHING,
  of,
  part,
  STRING,
  same,
  shared,
  type Type,
  UNASSIGNED,
} from './types.js'
import type { State } from './variables.js'

export abstract class Expressions extends Containers {
  /** What functions return, and those that are compiled a second time. */
  protected readonly results = new Map<DefStmt, Type>()
  protected readonly specialised = new Map<DefStmt, ForInts>()

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
        return Number.isSafeInteger(n) ? ints(n, n) : ANY_INT
      }
      case 'FloatLiteral':
        return FLOATING
      case 'StringLiteral':
        return STRING
      case 'FString':
        this.walkParts(e.parts, state)
        return STRING
      case 'BytesLiteral':
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
      case 'CondExpr': {
        this.expression(e.test, state)
        return join(this.expression(e.body, state), this.expression(e.orelse, state))
      }
      case 'LambdaExpr':
        this.makeFunction(e, state)
        return of(FUNCTION)
      case 'UnaryExpr':
        return unary(e.operator, this.expression(e.operand, state))
      case 'BinaryExpr':
        return e.left.kind === 'BinaryExpr'
          ? this.chain(e, state)
          : binaryResult(e.operator, this.expression(e.left, state), this.expression(e.right, state), this.options)
      case 'LogicalExpr':
        return join(assigned(this.expression(e.left, state)), assigned(this.expression(e.right, state)))
      case 'CompareExpr': {
        this.expression(e.left, state)
        for (const r of e.rest) this.expression(r.operand, state)
        return BOOLEAN
      }
      case 'CallExpr':
        return this.callResult(e, state)
      case 'DotExpr':
        this.expression(e.object, state)
        return ANY
      case 'IndexExpr': {
        const object = this.expression(e.object, state)
        const index = this.expression(e.index, state)
        if (is(object, STR)) return STRING
        if (object.parts === undefined) return ANY
        if (is(object, LIST)) return part(object, 0)
        if (is(object, DICT | MAP)) return part(object, 1)
        return is(object, TUPLE)
          ? index.lo === index.hi && index.lo >= 0
            ? part(object, index.lo)
            : object.parts.reduce(join, NOTHING)
          : ANY
      }
      case 'SliceExpr': {
        const object = this.expression(e.object, state)
        if (e.lower) this.expression(e.lower, state)
        if (e.upper) this.expression(e.upper, state)
        if (e.step) this.expression(e.step, state)
        return is(object, STR | LIST) ? object : is(object, TUPLE) ? of(TUPLE) : ANY
      }
      case 'NamedExpr': {
        const type = this.expression(e.value, state)
        // It may stand where it is evaluated only sometimes.
        const binding = this.resolution.bindingOf.get(e.target)
        const before = this.read(binding, state)
        if (binding && state)
          state.set(binding, binding.assignedFromInside ? ANY_OR_ABSENT : join(shared(type), before))
        return shared(type)
      }
      case 'AwaitExpr': {
        const type = this.expression(e.value, state)
        return this.options.strict ? type : ANY
      }
      case 'StarredExpr':
        return this.expression(e.value, state)
      case 'YieldExpr':
        if (e.value) this.expression(e.value, state)
        return ANY
      case 'ParenExpr':
        return this.expression(e.expression, state)
    }
  }

  private chain(e: Expression & { kind: 'BinaryExpr' }, state: State): Type {
    const spine: (Expression & { kind: 'BinaryExpr' })[] = []
    let left: Expression = e
    while (left.kind === 'BinaryExpr') {
      spine.push(left)
      left = left.left
    }
    let type = this.expression(left, state)
    for (let i = spine.length - 1; i >= 0; i--) {
      const node = spine[i]!
      type = binaryResult(node.operator, type, this.expression(node.right, state), this.options)
      this.note(node, type)
    }
    return type
  }

  private display(elements: readonly Expression[], state: State, kind: number): Type {
    const inside = elements.map((x) => this.expression(x, state))
    if (elements.some((x) => x.kind === 'StarredExpr')) return of(kind)
    return kind === TUPLE ? holding(TUPLE, ...inside) : holding(LIST, inside.reduce(join, NOTHING))
  }

  private dictDisplay(e: Expression & { kind: 'DictExpr' }, state: State): Type {
    let keys = NOTHING
    let values = NOTHING
    for (const entry of e.entries) {
      keys = entry.key ? join(keys, this.expression(entry.key, state)) : ANY
      const value = this.expression(entry.value, state)
      values = join(values, entry.key ? value : ANY)
    }
    return holding(makesRecord(e) ? DICT : MAP, keys, values)
  }

  private walkParts(
    parts: readonly (string | { expression: Expression; spec?: readonly unknown[] })[],
    state: State,
  ): void {
    for (const part of parts) {
      if (typeof part === 'string') continue
      this.expression(part.expression, state)
      if (part.spec) this.walkParts(part.spec as typeof parts, state)
    }
  }

  private comprehension(c: Comprehension, state: State): Type {
    // A lazy one runs later: it knows no more than a function does.
    const isLazy = this.resolution.lazy.has(c)
    const inner = isLazy ? this.captured(state, c) : state?.copy()
    for (const [i, clause] of c.clauses.entries()) {
      if (clause.kind === 'IfClause') this.expression(clause.test, inner)
      else {
        this.expression(clause.iterable, isLazy && i === 0 ? state : inner)
        this.assign(clause.target, this.elementOf(clause.iterable), inner)
      }
    }
    const element = this.expression(c.element, inner)
    const value = c.value ? this.expression(c.value, inner) : ANY
    // What `:=` inside assigns is not followed from round to round: nothing is known of it, in the comprehension and
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

  private callResult(e: Expression & { kind: 'CallExpr' }, state: State): Type {
    const args = this.argumentTypes(e.arguments, state)
    const callee = e.callee
    if (callee.kind === 'Identifier') {
      const binding = this.resolution.bindingOf.get(callee)
      this.note(callee, this.read(binding, state))
      if (binding?.kind === 'universal') return this.builtinResult(binding.name, e, args)
      const definition = binding && isKnownFunction(binding) ? binding.definition : undefined
      if (definition === undefined) return ANY
      // A call that is bound at run time needs the function's signature.
      if (bindStatically(formalOf(definition), e.arguments) === undefined) binding!.usedAsValue = true
      const forInts = this.specialised.get(definition)
      if (forInts !== undefined && callsForInts(forInts, e, args) === 'always') return forInts.result
      return this.results.get(definition) ?? ANY
    }
    if (callee.kind === 'DotExpr') {
      const object = this.expression(callee.object, state)
      if (is(object, STR)) return strMethods[callee.name.name] ?? ANY
      if (object.parts === undefined || !is(object, LIST | DICT | MAP)) return ANY
      if (isPositional(e.arguments)) return this.containerMethod(callee.object, object, callee.name.name, args, state)
      if (callee.object.kind === 'Identifier') this.grow(callee.object, [], state)
      return ANY
    }
    this.expression(callee, state)
    return ANY
  }

  private argumentTypes(args: readonly Argument[], state: State): Type[] {
    return args.map((a) => this.expression(a.value, state))
  }

  private builtinResult(name: string, e: Expression & { kind: 'CallExpr' }, args: readonly Type[]): Type {
    if (name === 'abs' && args.length === 1 && isSmallInt(args[0]!)) {
      const t = args[0]!
      return ints(Math.max(t.lo, 0), Math.max(-t.lo, t.hi))
    }
    // Ranges can be longer than anything that has its elements in memory.
    if (name === 'len')
      return args.length === 1 && is(args[0]!, STR | LIST | TUPLE | DICT | MAP | SET)
        ? LENGTH
        : this.options.classes
          ? ANY_INT
          : ints(0, MAX_SAFE)
    if ((name === 'min' || name === 'max') && args.length >= 2 && e.arguments.every((a) => a.form === 'positional')) {
      return shared(args.reduce((a, b) => join(a, b)))
    }
    if ((name === 'sorted' || name === 'list') && args.length >= 1 && e.arguments[0]!.form === 'positional') {
      return args[0]!.parts === undefined ? of(LIST) : holding(LIST, this.yielded(args[0]!))
    }
    return builtinResults[name] ?? ANY
  }
}
