// Tests and reads of guest values that need no helper of the prelude.

import { isRecordKey } from '../infer/records.js'
import type { Expression } from '../syntax/nodes.js'
import type { Code } from './code.js'
import * as js from './code.js'
import type { Generation } from './context.js'

/** A test for a list or tuple (`Array`), or for a value that may be a record (`Object`). */
export function isMadeBy(g: Generation, value: Code, maker: 'Array' | 'Object', equals: '===' | '!==' = '==='): Code {
  return js.infix(js.property(value, 'constructor', '?.'), equals, g.names.helper(maker))
}

/** A test for a tuple, for the array of a list or a tuple. */
export function isTuple(g: Generation, array: Code): Code {
  return js.same(js.element(array, js.ZERO), g.names.helper('TUPLE'))
}

export function isNoTuple(g: Generation, array: Code): Code {
  return js.infix(js.element(array, js.ZERO), '!==', g.names.helper('TUPLE'))
}

/** A test for a dict whose keys are properties. Functions have the same constructor and are excluded, too. */
export function isRecord(g: Generation, value: Code): readonly Code[] {
  return [isMadeBy(g, value, 'Object'), js.hasType(value, 'object')]
}

/** A test for a dict whose keys are properties, for a value whose constructor nothing hides. */
export function isPlainRecord(g: Generation, value: Code): Code {
  return js.every([
    js.infix(value, '!==', js.NULL),
    js.same(js.property(value, 'constructor'), g.names.helper('Object')),
  ])
}

/** The constant key that an expression is, if a record can hold it. */
export function recordKey(e: Expression): string | undefined {
  return e.kind === 'StringLiteral' && isRecordKey(e.value) ? e.value : undefined
}

/**
 * A test for a record with a value under a constant key. Sets `found` to the value. A dict in another form may have the
 * key, too. `isRecord` is the test for a record, for keys that other objects have as properties.
 */
export function hasField(
  g: Generation,
  object: Code,
  key: string,
  { found, isRecord }: { readonly found?: Code; readonly isRecord: readonly Code[] },
): Code {
  const isThere = (field: Code): Code => js.isDefined(found === undefined ? field : js.assign(found, field))
  // Only a record has a property of most names.
  const isUnique = !g.facts.universe.ownNames.has(key) && !key.startsWith('$')
  return isUnique ? isThere(js.property(object, key, '?.')) : js.every([...isRecord, isThere(js.property(object, key))])
}
