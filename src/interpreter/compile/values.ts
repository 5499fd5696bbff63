// Tests and reads of guest values that need no helper of the prelude.

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
