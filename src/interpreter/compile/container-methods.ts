// Container methods that are inlined, because a call of the prelude's method would cost more than its work.

import { DICT, LIST, MAP, STR, TUPLE } from '../infer/kinds.js'
import { is, isOwn, isSmallInt, mayBe } from '../infer/types.js'
import type { Argument, CallExpr, Expression } from '../syntax/nodes.js'
import { argumentsAct, having, type MethodOperands } from './attributes.js'
import type { Code } from './code.js'
import * as js from './code.js'
import type { Generation } from './context.js'
import { operands, steady } from './operators.js'
import { mayMutate } from './purity.js'
import { hasField, isMadeBy, isNoTuple, isRecord, isTuple, recordKey } from './values.js'

/** The code of a general method call, for operands that have been generated. */
export type MethodCode = (operands: MethodOperands) => Code

/** The arguments if all of them are positional; otherwise undefined. */
function positional(args: readonly Argument[]): readonly Expression[] | undefined {
  return args.every((a) => a.form === 'positional') ? args.map((a) => a.value) : undefined
}

/** Writes the statement `xs.append(x)`. Returns false if it can't be inlined. */
export function append(g: Generation, e: CallExpr, general: MethodCode): boolean {
  const { callee } = e
  const [added, ...more] = positional(e.arguments) ?? []
  if (callee.kind !== 'DotExpr' || callee.name.name !== 'append' || added === undefined || more.length > 0) return false
  // The stored value may be pending, and then the prelude must record its place.
  if (g.facts.roles !== undefined) return false
  const type = g.typeOf(callee.object)
  if (callee.object.kind === 'Identifier' && isOwn(type, LIST)) {
    const list = g.expression(callee.object)
    const code = g.expression(added)
    g.out.line`${atEnd(list, mayMutate(g, added) ? g.out.saved(code) : code)};`
    return true
  }
  // Objects of the program may have a method of this name, and variables outside functions may be modules.
  if (!mayBe(type, LIST) || g.facts.hasClasses) return false
  appendGuarded(g, e, [callee.object, added], general)
  return true
}

/** An assignment to the position after the last element of a list. */
function atEnd(list: Code, value: Code): Code {
  return js.assign(js.element(list, js.property(list, 'length')), value)
}

function appendGuarded(g: Generation, e: CallExpr, [list, added]: readonly Expression[], general: MethodCode): void {
  const isKnown = is(g.typeOf(list!), LIST)
  const receiver = g.expression(list!)
  const { made, before } = g.out.apart(() => g.expression(added!))
  const xs = before === '' ? g.out.saved(receiver) : g.out.save(receiver)
  if (!isKnown && mayMutate(g, added!)) {
    const isOther = js.some([isMadeBy(g, xs, 'Array', '!=='), isTuple(g, xs)])
    g.out.line`if (${isOther}) ${having(g, e, xs, 'append')};`
  }
  g.out.add(before)
  const x = g.out.saved(made)
  const isList = isKnown ? [] : [isMadeBy(g, xs, 'Array'), isNoTuple(g, xs)]
  const isOpen = js.every([...isList, js.property(g.names.helper('locks'), 'idle')])
  g.out.line`if (${isOpen}) ${atEnd(xs, x)}; else ${general({ object: xs, name: 'append', args: [x] })};`
}

/**
 * `d.setdefault(key, default)` of a dict that is a Map. If the default only creates a new value, it is created only
 * when needed.
 */
export function setDefault(g: Generation, object: Expression, e: CallExpr, general: MethodCode): Code | undefined {
  const [key, otherwise, ...more] = positional(e.arguments) ?? []
  if (key === undefined || otherwise === undefined || more.length > 0) return undefined
  if (g.facts.roles !== undefined || !is(g.typeOf(object), MAP) || !isInert(g, otherwise)) return undefined
  const [map, position] = operands(g, [object, key])
  if (!map!.isSimple) return undefined
  const type = g.typeOf(key)
  const steps: Code[] = []
  const k = g.out.held(mapKey(g, e, key, position!), steps)
  const found = g.out.temporary()
  const made = g.expression(otherwise)
  // A value found under the key itself is right. The method also finds other forms of an equal key.
  const isKey = isOwn(g.typeOf(object), MAP) && (is(type, STR) || isSmallInt(type))
  const missing = isKey
    ? js.sequence([js.assign(found, made), js.call(js.property(map!, 'set'), [k, found])], found)
    : general({ object: map!, name: 'setdefault', args: [k, made] })
  const isThere = js.isDefined(js.assign(found, js.call(js.property(map!, 'get'), [k])))
  return js.sequence(steps, js.choice(isThere, found, missing))
}

/** `d.get("key", default)` of a value that may be a record, which the prelude then need not see. */
export function recordGet(g: Generation, object: Expression, e: CallExpr, general: MethodCode): Code | undefined {
  const values = e.arguments.map((a) => a.value)
  const key = recordKey(values[0]!)
  if (key === undefined || !mayBe(g.typeOf(object), DICT) || argumentsAct(g, e)) return undefined
  const [map, ...args] = operands(g, [object, ...values])
  const steps: Code[] = []
  const d = steady(g, map!, values, steps)
  const held = args.map((arg) => g.out.held(arg, steps))
  const found = g.out.temporary()
  return js.sequence(
    steps,
    js.choice(
      hasField(g, d, key, { found, isRecord: isRecord(g, d) }),
      found,
      general({ object: d, name: 'get', args: held }),
    ),
  )
}

/** A key in the form in which a Map holds it. */
export function mapKey(g: Generation, e: CallExpr, key: Expression, code: Code): Code {
  return is(g.typeOf(key), TUPLE) ? g.help('tupleKey', [code], e) : code
}

/** True if evaluating the expression only creates a new value. */
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
