// Generated code for attributes. Where the program has classes, fields and methods of their objects are reached
// directly: an object of such a class has its fields, its class's methods and, unless the class watches assignments,
// its class's members under three symbols.

import { isPlainName, quote } from '../quote.js'
import type { CallExpr, NodeBase } from '../syntax/nodes.js'
import { type Generation, isSimple } from './context.js'
import { mayMutate } from './purity.js'

/** Can this name be read as a property of the record of fields? */
function isFieldName(g: Generation, name: string): boolean {
  // A descriptor may stand before a field of its name.
  if (g.facts.methodNames.has('__get__')) return false
  return g.facts.hasClasses && isPlainName(name) && name !== 'constructor' && !name.startsWith('__')
}

/** `object.name` for generated `object`. */
export function readAttribute(g: Generation, node: NodeBase, object: string, name: string): string {
  const slow = (o: string): string => `${g.helper('attribute')}${g.mark(node)}(${o}, ${quote(name)})`
  if (!isFieldName(g, name)) return slow(object)
  const v = g.temporary()
  const o = isSimple(object) ? object : g.temporary()
  const setup = o === object ? '' : `${o} = ${object}, `
  return `(${setup}(${v} = ${o}?.[${g.helper('FIELDS')}]?.${name}) !== undefined ? ${v} : ${slow(o)})`
}

/** Writes `object.name = value` for generated operands; `value` costs nothing to repeat. */
export function writeAttribute(g: Generation, node: NodeBase, object: string, name: string, value: string): void {
  const slow = (o: string): string => `${g.helper('setAttribute')}${g.mark(node)}(${o}, ${quote(name)}, ${value});`
  if (!isFieldName(g, name)) {
    g.out.push(slow(object))
    return
  }
  const o = isSimple(object) ? object : g.temporary()
  if (o !== object) g.out.push(`${o} = ${object};`)
  const open = g.temporary()
  g.out.push(
    `if ((${open} = ${o}?.[${g.helper('OPEN')}]) !== undefined && ${open}.${name} === undefined) ${o}[${g.helper('FIELDS')}].${name} = ${value}; else ${slow(o)}`,
  )
}

/** Could the arguments do something? Then what is called must be known to be there before. */
export function argumentsAct(g: Generation, e: CallExpr): boolean {
  return e.arguments.some((a) => mayMutate(g, a.value))
}

/** The object of a call, which fails here if it has no such attribute. */
export function having(g: Generation, node: NodeBase, object: string, name: string): string {
  return `${g.helper('having')}${g.mark(node)}(${object}, ${quote(name)})`
}

/**
 * `object.name(…)` where the program's classes have a method of that name: the method itself, if it takes so many
 * arguments, else `slow`. Operands are evaluated once, in order; which method it is shows after them, that there is one
 * before them.
 */
export function callMethod(
  g: Generation,
  node: CallExpr,
  object: string,
  name: string,
  args: readonly string[],
  slow: (object: string, args: readonly string[]) => string,
): string {
  const setup: string[] = []
  const hold = (code: string): string => {
    if (isSimple(code)) return code
    const t = g.temporary()
    setup.push(`${t} = ${code}, `)
    return t
  }
  const o = hold(object)
  const methods = `${o}?.[${g.helper('METHODS')}]?.${name}`
  if (argumentsAct(g, node)) setup.push(`${methods} ?? ${having(g, node, o, name)}, `)
  const a = args.map(hold)
  const m = g.temporary()
  const found =
    `(${m} = ${methods}) !== undefined && ${m}.sig.n === ${a.length + 1} && ` +
    `${o}[${g.helper('FIELDS')}].${name} === undefined`
  const method = g.facts.roles === undefined ? m : `(${m}.$direct ?? ${m})`
  return `(${setup.join('')}${found} ? ${method}${g.mark(node)}(${[o, ...a].join(', ')}) : ${slow(o, a)})`
}
