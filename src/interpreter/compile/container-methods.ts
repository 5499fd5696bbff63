// Methods of containers that are done in place, where the prelude's method would cost more than what it does.

import { LIST, MAP, STR, TUPLE } from '../infer/kinds.js'
import { is, isOwn, isSmallInt, mayBe } from '../infer/types.js'
import type { Argument, CallExpr, Expression } from '../syntax/nodes.js'
import { having } from './attributes.js'
import { type Generation, isSimple } from './context.js'
import { hasStatements } from './needs-statements.js'
import { operands, save } from './operators.js'
import { mayMutate } from './purity.js'

/** The general call of a method, with receiver and arguments that are generated already. */
export type MethodCode = (receiver: string, args: readonly string[]) => string

/** The arguments, when all of them are given by position. */
function positional(args: readonly Argument[]): readonly Expression[] | undefined {
  return args.every((a) => a.form === 'positional') ? args.map((a) => a.value) : undefined
}

/** The statement `xs.append(x)`. */
export function append(g: Generation, e: CallExpr, general: MethodCode): string | undefined {
  const { callee } = e
  const [added, ...more] = positional(e.arguments) ?? []
  if (callee.kind !== 'DotExpr' || callee.name.name !== 'append' || added === undefined || more.length > 0)
    return undefined
  // What is stored may be pending, and then the prelude must know where.
  if (g.facts.roles !== undefined) return undefined
  const type = g.typeOf(callee.object)
  if (callee.object.kind === 'Identifier' && isOwn(type, LIST)) {
    const list = g.expression(callee.object)
    const code = g.expression(added)
    return `${list}[${list}.length] = ${isSimple(code) || !mayMutate(g, added) ? code : save(g, code)};`
  }
  // Objects of the program may have such a method, and variables outside functions may be modules.
  if (!mayBe(type, LIST) || g.facts.hasClasses) return undefined
  let list = g.expression(callee.object)
  if (!isSimple(list) || hasStatements(g, added)) list = save(g, list)
  const isKnown = is(type, LIST)
  if (!isKnown && mayMutate(g, added))
    g.out.push(
      `if (${list}?.constructor !== ${g.helper('Array')} || ${list}[0] === ${g.helper('TUPLE')}) ${having(g, e, list, 'append')};`,
    )
  const code = g.expression(added)
  const x = isSimple(code) ? code : save(g, code)
  const isList = isKnown
    ? ''
    : `${list}?.constructor === ${g.helper('Array')} && ${list}[0] !== ${g.helper('TUPLE')} && `
  return `if (${isList}${g.helper('locks')}.idle) ${list}[${list}.length] = ${x}; else ${general(list, [x])};`
}

/**
 * `d.setdefault(key, default)` of a dict that is a Map: the default is made only when it is needed, if making it does
 * nothing else.
 */
export function setDefault(g: Generation, object: Expression, e: CallExpr, general: MethodCode): string | undefined {
  const [key, otherwise, ...more] = positional(e.arguments) ?? []
  if (key === undefined || otherwise === undefined || more.length > 0) return undefined
  if (g.facts.roles !== undefined || !is(g.typeOf(object), MAP) || !isInert(g, otherwise)) return undefined
  const [map, position] = operands(g, [object, key])
  if (!isSimple(map!)) return undefined
  const type = g.typeOf(key)
  const code = is(type, TUPLE) ? `${g.helper('tupleKey')}${g.mark(e)}(${position})` : position!
  const k = isSimple(code) ? code : g.temporary()
  const found = g.temporary()
  const setup = k === code ? '' : `${k} = ${code}, `
  const made = g.expression(otherwise)
  // What is found under a key itself is right; other forms of an equal key are found by the method.
  const isKey = isOwn(g.typeOf(object), MAP) && (is(type, STR) || isSmallInt(type))
  const missing = isKey ? `(${found} = ${made}, ${map}.set(${k}, ${found}), ${found})` : general(map!, [k, made])
  return `(${setup}(${found} = ${map}.get(${k})) !== undefined ? ${found} : ${missing})`
}

/** Does evaluating it do nothing but make a new value? */
function isInert(g: Generation, e: Expression): boolean {
  switch (e.kind) {
    case 'IntLiteral':
    case 'FloatLiteral':
    case 'StringLiteral':
      return true
    case 'Identifier':
      return g.bindingOf(e)?.kind === 'universal'
    case 'ParenExpr':
      return isInert(g, e.expression)
    case 'ListExpr':
    case 'TupleExpr':
      return e.elements.every((x) => isInert(g, x))
    case 'DictExpr':
      return e.entries.every(
        ({ key, value }) => key?.kind === 'StringLiteral' && value !== undefined && isInert(g, value),
      )
    case 'CallExpr':
      return (
        e.arguments.length === 0 &&
        e.callee.kind === 'Identifier' &&
        ['list', 'dict', 'set'].includes(e.callee.name) &&
        g.bindingOf(e.callee)?.kind === 'universal'
      )
    default:
      return false
  }
}
