// Assignment to targets (specification: Assignments).

import { TUPLE } from '../infer/kinds.js'
import { is, type Type } from '../infer/types.js'
import { quote } from '../quote.js'
import type { AugmentedAssignStmt, Expression } from '../syntax/nodes.js'
import { unparenthesised } from '../syntax/walk.js'
import { readAttribute, writeAttribute } from './attributes.js'
import { type Generation, isConstant, isSimple } from './context.js'
import { memberName } from './member-names.js'
import { hasStatements } from './needs-statements.js'
import { operand, operation, save } from './operators.js'
import { looked, putAttribute, putIndex } from './read-ahead/statements.js'
import { indexCode, setIndexCode } from './subscripts.js'
import { readVariable } from './variables.js'

/** Writes the assignment of a generated value, which is evaluated once, to a target. */
export function assign(g: Generation, target: Expression, value: string, type?: Type): void {
  switch (target.kind) {
    case 'Identifier':
      g.out.push(`${g.bindingOf(target)!.js} = ${value};`)
      return
    case 'ParenExpr':
      return assign(g, target.expression, value, type)
    case 'TupleExpr':
    case 'ListExpr':
      return unpack(g, target.elements, target, value, type)
    case 'IndexExpr': {
      const v = isSimple(value) ? value : save(g, value)
      const [object, index] = pair(g, target.object, target.index)
      g.out.push(
        g.facts.roles === undefined
          ? setIndexCode(g, target, object, index, v)
          : putIndex(g, target, [object, index, v]),
      )
      return
    }
    case 'SliceExpr': {
      const v = isSimple(value) ? value : save(g, value)
      const part = (e: Expression | undefined): string => (e === undefined ? 'undefined' : save(g, g.expression(e)))
      const object = save(g, g.expression(target.object))
      const [lower, upper, step] = [part(target.lower), part(target.upper), part(target.step)]
      // Its elements are copied.
      const elements = looked(g, v)
      g.out.push(`${g.helper('setSlice')}${g.mark(target)}(${object}, ${lower}, ${upper}, ${step}, ${elements});`)
      return
    }
    case 'DotExpr': {
      const v = isSimple(value) ? value : save(g, value)
      const name = memberName(g, target.name.name)
      if (g.facts.roles === undefined) writeAttribute(g, target, g.expression(target.object), name, v)
      else g.out.push(putAttribute(g, target, [g.expression(target.object), name, v]))
      return
    }
    default:
      throw new Error(`not a target: ${target.kind}`)
  }
}

function pair(g: Generation, a: Expression, b: Expression): [string, string] {
  let first = g.expression(a)
  if (hasStatements(g, b)) first = save(g, first)
  return [first, g.expression(b)]
}

function unpack(
  g: Generation,
  targets: readonly Expression[],
  node: Expression,
  value: string,
  type: Type | undefined,
): void {
  if (g.facts.roles !== undefined) {
    const helper = targets.some((t) => t.kind === 'StarredExpr') ? 'settled' : 'shallow'
    value = save(g, `${g.helper(helper)}(${value})`)
  }
  const star = targets.findIndex((t) => t.kind === 'StarredExpr')
  if (star >= 0) {
    const all = save(g, `${g.helper('unpackStarred')}${g.mark(node)}(${value}, ${star}, ${targets.length - star - 1})`)
    targets.forEach((t, i) => {
      assign(g, t.kind === 'StarredExpr' ? t.value : t, `${all}[${i}]`)
    })
    return
  }
  const n = targets.length
  const u = isSimple(value) ? value : save(g, value)
  if (type !== undefined && is(type, TUPLE) && type.parts?.length === n) {
    const held = /^t\d+$/.test(u) ? u : save(g, u)
    targets.forEach((t, i) => {
      assign(g, t, `${held}[${i + 1}]`, type.parts![i])
    })
    return
  }
  const simple = targets.every((t) => t.kind === 'Identifier')
  if (!simple || n === 0) {
    const all = save(g, `${g.helper('unpack')}${g.mark(node)}(${u}, ${n})`)
    targets.forEach((t, i) => {
      assign(g, t, `${all}[${i}]`)
    })
    return
  }
  // A tuple of the right length is the common case. The value may be one of the targets, so it is held in a temporary.
  const held = /^t\d+$/.test(u) ? u : save(g, u)
  const names = targets.map((t) => g.bindingOf(t as Expression & { kind: 'Identifier' })!.js)
  g.out.push(`if (${held} !== null && ${held}[0] === ${g.helper('TUPLE')} && ${held}.length === ${n + 1}) {`)
  g.out.push(names.map((name, i) => `${name} = ${held}[${i + 1}];`).join(' '))
  g.out.push(`} else { ${held} = ${g.helper('unpack')}${g.mark(node)}(${held}, ${n});`)
  g.out.push(`${names.map((name, i) => `${name} = ${held}[${i}];`).join(' ')} }`)
}

/** `target op= value`: the target's parts are evaluated once. */
export function augmentedAssign(g: Generation, s: AugmentedAssignStmt): void {
  const { target, operator } = s
  const after = (left: string): string => {
    const l = hasStatements(g, s.value) || g.facts.changesInPlace ? save(g, left) : left
    const r = g.facts.changesInPlace ? save(g, g.expression(s.value)) : g.expression(s.value)
    const operands = [operand(g, target, l), operand(g, s.value, r)] as const
    const usual = operation(g, { node: s, operator, inPlace: true }, ...operands)
    if (!g.facts.changesInPlace) return usual
    return `(${g.helper('changeInPlace')}${g.mark(s)}(${quote(operator)}, ${l}, ${r}) ?? ${usual})`
  }
  const t = unparenthesised(target)
  switch (t.kind) {
    case 'Identifier':
      g.out.push(`${g.bindingOf(t)!.js} = ${after(looked(g, readVariable(g, t)))};`)
      return
    case 'IndexExpr': {
      const [o, i] = pair(g, t.object, t.index)
      const object = save(g, o)
      const index = isConstant(i) ? i : save(g, i)
      const value = save(g, after(save(g, looked(g, indexCode(g, t, object, index)))))
      g.out.push(setIndexCode(g, t, object, index, value))
      return
    }
    case 'DotExpr': {
      const object = save(g, g.expression(t.object))
      const name = memberName(g, t.name.name)
      writeAttribute(g, t, object, name, save(g, after(save(g, looked(g, readAttribute(g, t, object, name))))))
      return
    }
    case 'SliceExpr': {
      const part = (e: Expression | undefined): string => (e === undefined ? 'undefined' : save(g, g.expression(e)))
      const object = save(g, g.expression(t.object))
      const bounds = [part(t.lower), part(t.upper), part(t.step)].join(', ')
      const value = save(g, after(save(g, `${g.helper('slice')}${g.mark(t)}(${object}, ${bounds})`)))
      g.out.push(`${g.helper('setSlice')}${g.mark(t)}(${object}, ${bounds}, ${value});`)
      return
    }
    default:
      throw new Error(`not a target: ${t.kind}`)
  }
}
