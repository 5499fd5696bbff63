// Generated code for `x[i]`, read and written. A constant string key is read as a JavaScript property where nothing but
// a record can have a property of that name; an element of a known list is read directly; the rest asks the prelude.

import { INT, LIST, MAP, STR, TUPLE } from '../infer/kinds.js'
import { isRecordKey } from '../infer/records.js'
import { is, isOwn, isSmallInt, mayBe, type Type, within } from '../infer/types.js'
import { isPlainName, quote } from '../quote.js'
import type { IndexExpr } from '../syntax/nodes.js'
import { type Generation, isSimple } from './context.js'

/** The code of `e`, whose object and index are generated. */
export function indexCode(g: Generation, e: IndexExpr, code: string, position: string): string {
  // A number is no operand of a JavaScript property access as it stands.
  const object = /^[-\d]/.test(code) ? `(${code})` : code
  if (is(g.typeOf(e.object), LIST | STR) && within(g.typeOf(e.index), 0, 2 ** 31)) {
    const o = isSimple(object) ? object : g.temporary()
    const i = isSimple(position) ? position : g.temporary()
    const setup = `${o === object ? '' : `${o} = ${object}, `}${i === position ? '' : `${i} = ${position}, `}`
    const v = g.temporary()
    return `(${setup}(${v} = ${o}[${i}]) !== undefined ? ${v} : ${slowIndex(g, e, o, i)})`
  }
  if (is(g.typeOf(e.object), MAP)) {
    // What a Map has under the index itself is right; other forms of an equal key are found by the prelude.
    const o = isSimple(object) ? object : g.temporary()
    const i = isSimple(position) ? position : g.temporary()
    const setup = `${o === object ? '' : `${o} = ${object}, `}${i === position ? '' : `${i} = ${position}, `}`
    const v = g.temporary()
    return `(${setup}(${v} = ${o}.get(${i})) !== undefined ? ${v} : ${slowIndex(g, e, o, i)})`
  }
  const place = component(g.typeOf(e.object), g.typeOf(e.index))
  if (place !== undefined) return `${object}[${place}]`
  const key = constantKey(e)
  if (key === undefined) return elementCode(g, e, object, position) ?? slowIndex(g, e, object, position)
  const v = g.temporary()
  const o = isSimple(object) ? object : g.temporary()
  const setup = o === object ? '' : `${o} = ${object}, `
  const name = isPlainName(key) ? key : `[${quote(key)}]`
  if (!g.facts.universe.ownNames.has(key) && !key.startsWith('$')) {
    // Nothing but a record has a property of this name.
    return `(${setup}(${v} = ${o}?.${name}) !== undefined ? ${v} : ${slowIndex(g, e, o, position)})`
  }
  const read = isPlainName(key) ? `.${key}` : name
  return `(${setup}${o} !== null && ${o}.constructor === ${g.helper('Object')} && (${v} = ${o}${read}) !== undefined ? ${v} : ${slowIndex(g, e, o, position)})`
}

function slowIndex(g: Generation, e: IndexExpr, object: string, index: string): string {
  return `${g.helper('index')}${g.mark(e)}(${object}, ${index})`
}

/**
 * An element of what is likely a list: anything else that has a property of that name is a string, where it is right
 * too, or a tuple.
 */
function elementCode(g: Generation, e: IndexExpr, object: string, position: string): string | undefined {
  const type = g.typeOf(e.index)
  const last = within(type, -(2 ** 31), -1) && /^-\d+$/.test(position)
  if (!last && !within(type, 0, 2 ** 31)) return undefined
  if (!mayBe(g.typeOf(e.object), LIST | STR)) return undefined
  const o = isSimple(object) ? object : g.temporary()
  const i = isSimple(position) ? position : g.temporary()
  const setup = `${o === object ? '' : `${o} = ${object}, `}${i === position ? '' : `${i} = ${position}, `}`
  const v = g.temporary()
  const known = is(g.typeOf(e.object), LIST | STR) ? '' : `${o} !== null && ${o}[0] !== ${g.helper('TUPLE')} && `
  const at = last ? `${o}.length - ${position.slice(1)}` : i
  return `(${setup}${known}(${v} = ${o}[${at}]) !== undefined ? ${v} : ${slowIndex(g, e, o, i)})`
}

/** Where a tuple of known length keeps the component of a constant index. */
function component(object: Type, index: Type): number | undefined {
  if (!is(object, TUPLE) || object.parts === undefined || index.kinds !== INT || index.lo !== index.hi) return undefined
  const n = object.parts.length
  const at = index.lo < 0 ? index.lo + n : index.lo
  return at >= 0 && at < n ? at + 1 : undefined
}

/** The statement `object[position] = value` for the subscript `e`, where `value` is a variable or a constant. */
export function setIndexCode(g: Generation, e: IndexExpr, object: string, position: string, value: string): string {
  const type = g.typeOf(e.object)
  const index = g.typeOf(e.index)
  // Nothing locks what only this variable can reach.
  if (isOwn(type, MAP) && (is(index, STR) || isSmallInt(index))) return `${object}.set(${position}, ${value});`
  if (isOwn(type, LIST) && within(index, 0, 2 ** 31) && isSimple(object) && isSimple(position))
    return `if (${position} < ${object}.length) ${object}[${position}] = ${value}; else ${g.helper('setIndex')}${g.mark(e)}(${object}, ${position}, ${value});`
  const key = constantKey(e)
  const helper = key === undefined ? 'setIndex' : 'setField'
  const slow = `${g.helper(helper)}${g.mark(e)}(${object}, ${position}, ${value});`
  if (key === undefined || !isSimple(object) || is(type, MAP)) return slow
  // Any record can hold the key, whether it is there or not.
  const isRecord = `${object} !== null && ${object}.constructor === ${g.helper('Object')} && ${g.helper('locks')}.dictsIdle`
  return `if (${isRecord}) ${object}${isPlainName(key) ? `.${key}` : `[${quote(key)}]`} = ${value}; else ${slow}`
}

function constantKey(e: IndexExpr): string | undefined {
  return e.index.kind === 'StringLiteral' && isRecordKey(e.index.value) ? e.index.value : undefined
}
