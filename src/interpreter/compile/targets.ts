// Assignment to targets (specification: Assignments).

import { TUPLE } from '../infer/kinds.js'
import { is, type Type } from '../infer/types.js'
import type { AugmentedAssignStmt, Expression, Identifier, SliceExpr } from '../syntax/nodes.js'
import { unparenthesised } from '../syntax/walk.js'
import { readAttribute, writeAttribute } from './attributes.js'
import type { Code, Fragment } from './code.js'
import * as js from './code.js'
import type { Generation } from './context.js'
import { memberName } from './member-names.js'
import { operand, operands, operation } from './operators.js'
import { looked, putAttribute, putIndex } from './read-ahead/statements.js'
import { indexCode, setIndex } from './subscripts.js'
import { isTuple } from './values.js'
import { readVariable } from './variables.js'

/** Writes the assignment of a generated value to a target. The value is evaluated once. */
export function assign(g: Generation, target: Expression, value: Code, type?: Type): void {
  switch (target.kind) {
    case 'Identifier':
      return g.out.line`${g.variable(target)} = ${value};`
    case 'ParenExpr':
      return assign(g, target.expression, value, type)
    case 'TupleExpr':
    case 'ListExpr':
      return unpack(g, target.elements, { node: target, value, type })
    case 'IndexExpr': {
      const v = g.out.saved(value)
      const [object, index] = operands(g, [target.object, target.index])
      const write = g.facts.roles === undefined ? setIndex : putIndex
      return write(g, target, [object!, index!, v])
    }
    case 'SliceExpr': {
      const v = g.out.saved(value)
      const parts = sliceParts(g, target)
      // A slice takes a copy of the elements.
      return g.out.line`${g.help('setSlice', [...parts, looked(g, v)], target)};`
    }
    case 'DotExpr': {
      const v = g.out.saved(value)
      const write = g.facts.roles === undefined ? writeAttribute : putAttribute
      return write(g, target, { object: g.expression(target.object), name: memberName(g, target.name.name), value: v })
    }
    default:
      throw new Error(`not a target: ${target.kind}`)
  }
}

/** The object and the bounds of a slice, each evaluated once. */
export function sliceParts(g: Generation, { object, lower, upper, step }: SliceExpr): Code[] {
  return [object, lower, upper, step].map((x) => (x === undefined ? js.UNDEFINED : g.out.save(g.expression(x))))
}

/** A value to unpack. */
interface Whole {
  readonly node: Expression
  readonly value: Code
  readonly type: Type | undefined
}

function unpack(g: Generation, targets: readonly Expression[], { node, value, type }: Whole): void {
  const n = targets.length
  const star = targets.findIndex((t) => t.kind === 'StarredExpr')
  const whole = g.facts.roles === undefined ? value : g.out.save(g.help(star < 0 ? 'shallow' : 'settled', [value]))
  const each = (array: Code, base = 0, types?: readonly Type[]): void =>
    targets.forEach((t, i) => {
      assign(g, t.kind === 'StarredExpr' ? t.value : t, js.element(array, js.literal(base + i)), types?.[i])
    })
  if (star >= 0)
    return each(g.out.save(g.help('unpackStarred', [whole, js.literal(star), js.literal(n - star - 1)], node)))
  const u = g.out.saved(whole)
  if (type !== undefined && is(type, TUPLE) && type.parts?.length === n) return each(heldApart(g, u), 1, type.parts)
  if (n === 0 || !targets.every((t) => t.kind === 'Identifier'))
    return each(g.out.save(g.help('unpack', [u, js.literal(n)], node)))
  unpackNames(g, targets as readonly Identifier[], node, heldApart(g, u))
}

/** Puts the value into a temporary if it may be one of the targets. */
function heldApart(g: Generation, value: Code): Code {
  return value.isTemporary ? value : g.out.save(value)
}

/** Unpacks into names, with a quick path for a tuple of the right length. */
function unpackNames(g: Generation, targets: readonly Identifier[], node: Expression, held: Code): void {
  const n = js.literal(targets.length)
  const hasAll = js.every([
    js.infix(held, '!==', js.NULL),
    isTuple(g, held),
    js.same(js.property(held, 'length'), js.literal(targets.length + 1)),
  ])
  const puts = (base: number): Fragment =>
    js.statements(targets.map((t, i) => js.assign(g.variable(t), js.element(held, js.literal(base + i)))))
  g.out.line`if (${hasAll}) {`
  g.out.add(puts(1))
  g.out.line`} else { ${held} = ${g.help('unpack', [held, n], node)};`
  g.out.line`${puts(0)} }`
}

/** `target op= value`. The parts of the target are evaluated once. */
export function augmentedAssign(g: Generation, s: AugmentedAssignStmt): void {
  const t = unparenthesised(s.target)
  const after = (left: Code): Code => changed(g, s, left)
  switch (t.kind) {
    case 'Identifier':
      return g.out.line`${g.variable(t)} = ${after(looked(g, readVariable(g, t)))};`
    case 'IndexExpr': {
      const [o, i] = operands(g, [t.object, t.index])
      const object = g.out.save(o!)
      const index = i!.isConstant ? i! : g.out.save(i!)
      const value = g.out.save(after(g.out.save(looked(g, indexCode(g, t, object, index)))))
      return setIndex(g, t, [object, index, value])
    }
    case 'DotExpr': {
      const object = g.out.save(g.expression(t.object))
      const name = memberName(g, t.name.name)
      const value = g.out.save(after(g.out.save(looked(g, readAttribute(g, t, object, name)))))
      return writeAttribute(g, t, { object, name, value })
    }
    case 'SliceExpr': {
      const parts = sliceParts(g, t)
      const value = g.out.save(after(g.out.save(g.help('slice', parts, t))))
      return g.out.line`${g.help('setSlice', [...parts, value], t)};`
    }
    default:
      throw new Error(`not a target: ${t.kind}`)
  }
}

/** The new value of a target after `op= value`. */
function changed(g: Generation, s: AugmentedAssignStmt, left: Code): Code {
  const { target, operator } = s
  const asks = g.facts.changesInPlace
  const codes = [asks ? g.out.save(left) : left]
  const value = g.out.behind(codes, () => g.expression(s.value))
  const [l, r] = [codes[0]!, asks ? g.out.save(value) : value]
  const usual = operation(g, { node: s, operator, inPlace: true }, operand(g, target, l), operand(g, s.value, r))
  return asks ? js.infix(g.help('changeInPlace', [js.literal(operator), l, r], s), '??', usual) : usual
}
