// Tests and reads of guest values that generated code makes without the prelude.

import type { Code } from './code.js'
import * as js from './code.js'
import type { Generation } from './context.js'

/** Is it a list or a tuple (`Array`), or what may be a dict with constant keys (`Object`)? */
export function isMadeBy(g: Generation, value: Code, maker: 'Array' | 'Object', equals: '===' | '!==' = '==='): Code {
  return js.infix(js.property(value, 'constructor', '?.'), equals, g.names.helper(maker))
}

/** Is the array of a list or a tuple that of a tuple? */
export function isTuple(g: Generation, array: Code): Code {
  return js.same(js.element(array, js.ZERO), g.names.helper('TUPLE'))
}

export function isNoTuple(g: Generation, array: Code): Code {
  return js.infix(js.element(array, js.ZERO), '!==', g.names.helper('TUPLE'))
}

/** True for a dict whose keys are properties. Functions have the same constructor. */
export function isRecord(g: Generation, value: Code): readonly Code[] {
  return [isMadeBy(g, value, 'Object'), js.hasType(value, 'object')]
}
