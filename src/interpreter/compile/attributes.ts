// Generated code for attributes. If the program has classes, the fields and methods of their objects are reached
// directly, under three symbols: an object of such a class has its fields, its class's methods and, unless the class
// watches assignments, its class's members.

import { isPlainName } from '../quote.js'
import type { CallExpr, NodeBase } from '../syntax/nodes.js'
import type { Code } from './code.js'
import * as js from './code.js'
import type { Generation } from './context.js'
import { steady } from './operators.js'
import { mayMutate } from './purity.js'

/** True if this name can be read as a property of the record of fields. */
function isFieldName(g: Generation, name: string): boolean {
  // A descriptor may hide a field of its name.
  if (g.facts.methodNames.has('__get__')) return false
  return g.facts.hasClasses && isPlainName(name) && name !== 'constructor' && !name.startsWith('__')
}

/** The code for a field of an object that has fields. */
function field(g: Generation, object: Code, name: string): Code {
  return js.property(js.element(object, g.names.helper('FIELDS')), name)
}

/** The code for `object.name`. */
export function readAttribute(g: Generation, node: NodeBase, object: Code, name: string): Code {
  const slow = (o: Code): Code => g.help('attribute', [o, js.literal(name)], node)
  if (!isFieldName(g, name)) return slow(object)
  const v = g.out.temporary()
  const steps: Code[] = []
  const o = g.out.held(object, steps)
  const read = js.property(js.element(o, g.names.helper('FIELDS'), { chain: '?.' }), name, '?.')
  return js.sequence(steps, js.choice(js.isDefined(js.assign(v, read)), v, slow(o)))
}

/** The operands of `object.name = value`. */
export interface FieldStore {
  readonly object: Code
  readonly name: string
  /** The assigned value, which costs nothing to repeat. */
  readonly value: Code
}

/** Writes the statement `object.name = value`. */
export function writeAttribute(g: Generation, node: NodeBase, { object, name, value }: FieldStore): void {
  const slow = (o: Code): Code => g.help('setAttribute', [o, js.literal(name), value], node)
  if (!isFieldName(g, name)) return g.out.line`${slow(object)};`
  const o = g.out.saved(object)
  const open = g.out.temporary()
  const isOpen = js.isDefined(js.assign(open, js.element(o, g.names.helper('OPEN'), { chain: '?.' })))
  const isField = js.every([isOpen, js.same(js.property(open, name), js.UNDEFINED)])
  g.out.line`if (${isField}) ${js.assign(field(g, o, name), value)}; else ${slow(o)};`
}

/** True if the arguments may have effects. The callee must then be looked up before they are evaluated. */
export function argumentsAct(g: Generation, e: CallExpr): boolean {
  return e.arguments.some((a) => mayMutate(g, a.value))
}

/** The object of a method call. Its code fails if the object has no such attribute. */
export function having(g: Generation, node: NodeBase, object: Code, name: string): Code {
  return g.help('having', [object, js.literal(name)], node)
}

/** The receiver, the name and the arguments of a method call. */
export interface MethodOperands {
  readonly object: Code
  readonly name: string
  readonly args: readonly Code[]
}

/**
 * `object.name(…)` where the program's classes have a method of that name: a call of the method itself if it accepts
 * this number of arguments, else `slow`. Operands are evaluated once, in order. The code checks before them that the
 * object has the method, and looks the method up after them.
 */
export function callMethod(
  g: Generation,
  node: CallExpr,
  { object, name, args }: MethodOperands,
  slow: (operands: MethodOperands) => Code,
): Code {
  const steps: Code[] = []
  const later = node.arguments.map((argument) => argument.value)
  const o = steady(g, object, later, steps)
  const methods = js.property(js.element(o, g.names.helper('METHODS'), { chain: '?.' }), name, '?.')
  if (argumentsAct(g, node)) steps.push(js.infix(methods, '??', having(g, node, o, name)))
  const a = args.map((arg) => g.out.held(arg, steps))
  const m = g.out.temporary()
  const found = js.every([
    js.isDefined(js.assign(m, methods)),
    js.same(js.property(js.property(m, 'sig'), 'n'), js.literal(a.length + 1)),
    js.same(field(g, o, name), js.UNDEFINED),
  ])
  const method = g.facts.roles === undefined ? m : js.infix(js.property(m, '$direct'), '??', m)
  const called = js.call(method, [o, ...a], g.out.mark(node))
  return js.sequence(steps, js.choice(found, called, slow({ object: o, name, args: a })))
}
