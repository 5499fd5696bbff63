// Generated code for `x[i]`, read and written. A constant string key is read as a JavaScript property if only a record
// can have a property of that name. An element of a known list is read directly. Everything else goes through the
// prelude.

import { INT, LIST, MAP, STR, TUPLE } from '../infer/kinds.js'
import { is, isOwn, isSmallInt, mayBe, type Type, within } from '../infer/types.js'
import type { IndexExpr } from '../syntax/nodes.js'
import type { Code } from './code.js'
import * as js from './code.js'
import type { Generation } from './context.js'
import { hasField, isNoTuple, isPlainRecord, recordKey } from './values.js'

/** The code of `e`, for an object and index that have been generated. */
export function indexCode(g: Generation, e: IndexExpr, object: Code, position: Code): Code {
  const type = g.typeOf(e.object)
  if (is(type, LIST | STR) && within(g.typeOf(e.index), 0, 2 ** 31))
    return quickly(g, e, [object, position], (o, i) => js.element(o, i))
  // A value found under the index itself is right. The prelude also finds other forms of an equal key.
  if (is(type, MAP)) return quickly(g, e, [object, position], (o, i) => js.call(js.property(o, 'get'), [i]))
  const place = component(type, g.typeOf(e.index))
  if (place !== undefined) return js.element(object, js.literal(place))
  const key = recordKey(e.index)
  if (key === undefined) return elementCode(g, e, object, position) ?? slowIndex(g, e, object, position)
  const steps: Code[] = []
  const o = g.out.held(object, steps)
  const v = g.out.temporary()
  return js.sequence(
    steps,
    js.choice(hasField(g, o, key, { found: v, isRecord: [isPlainRecord(g, o)] }), v, slowIndex(g, e, o, position)),
  )
}

/** Reads directly, and through the prelude if that gives `undefined`. */
function quickly(
  g: Generation,
  e: IndexExpr,
  [object, position]: readonly [Code, Code],
  read: (o: Code, i: Code) => Code,
  guard?: (o: Code) => Code,
): Code {
  const steps: Code[] = []
  const o = g.out.held(object, steps)
  const i = g.out.held(position, steps)
  const v = g.out.temporary()
  const found = js.isDefined(js.assign(v, read(o, i)))
  return js.sequence(steps, js.choice(guard ? js.every([guard(o), found]) : found, v, slowIndex(g, e, o, i)))
}

function slowIndex(g: Generation, e: IndexExpr, object: Code, index: Code): Code {
  return g.help('index', [object, index], e)
}

/**
 * An element of a value that probably is a list. A string or a tuple can have a property of that index too, and the
 * code is right for both.
 */
function elementCode(g: Generation, e: IndexExpr, object: Code, position: Code): Code | undefined {
  const type = g.typeOf(e.index)
  const known = position.literal
  const fromEnd = within(type, -(2 ** 31), -1) && typeof known === 'number' ? js.literal(-known) : undefined
  if (fromEnd === undefined && !within(type, 0, 2 ** 31)) return undefined
  if (!mayBe(g.typeOf(e.object), LIST | STR)) return undefined
  const at = (o: Code, i: Code): Code => (fromEnd === undefined ? i : js.infix(js.property(o, 'length'), '-', fromEnd))
  const mayBeList = (o: Code): Code => js.every([js.infix(o, '!==', js.NULL), isNoTuple(g, o)])
  const guard = is(g.typeOf(e.object), LIST | STR) ? undefined : mayBeList
  return quickly(g, e, [object, position], (o, i) => js.element(o, at(o, i)), guard)
}

/** The position of a component in the array of a tuple of known length, if the index is constant. */
function component(object: Type, index: Type): number | undefined {
  if (!is(object, TUPLE) || object.parts === undefined || index.kinds !== INT || index.lo !== index.hi) return undefined
  const n = object.parts.length
  const at = index.lo < 0 ? index.lo + n : index.lo
  return at >= 0 && at < n ? at + 1 : undefined
}

/** The operands of `object[position] = value`, where `value` is a variable or a constant. */
export type Store = readonly [object: Code, position: Code, value: Code]

/** Writes the statement `object[position] = value` for the subscript `e`. */
export function setIndex(g: Generation, e: IndexExpr, store: Store): void {
  const [object, position, value] = store
  const type = g.typeOf(e.object)
  const index = g.typeOf(e.index)
  // A container that only this variable can reach is never locked.
  if (isOwn(type, MAP) && (is(index, STR) || isSmallInt(index)))
    return g.out.line`${js.call(js.property(object, 'set'), [position, value])};`
  const areSimple = object.isSimple && position.isSimple
  if (isOwn(type, LIST) && within(index, 0, 2 ** 31) && areSimple) {
    const isInside = js.infix(position, '<', js.property(object, 'length'))
    const slow = g.help('setIndex', store, e)
    return g.out.line`if (${isInside}) ${js.assign(js.element(object, position), value)}; else ${slow};`
  }
  const key = recordKey(e.index)
  const slow = g.help(key === undefined ? 'setIndex' : 'setField', store, e)
  if (key === undefined || !object.isSimple || is(type, MAP)) return g.out.line`${slow};`
  // A record can hold the key whether it is present or not.
  const isOpen = js.every([isPlainRecord(g, object), js.property(g.names.helper('locks'), 'dictsIdle')])
  g.out.line`if (${isOpen}) ${js.assign(js.property(object, key), value)}; else ${slow};`
}
