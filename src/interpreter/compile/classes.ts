// Classes (Python). The body runs once, in the enclosing frame; its bindings become the members of the class. The class
// exists before its body runs, as a constant of its own block, so that `super()` in its methods can name it.

import type { ClassStmt, Expression, Statement } from '../syntax/nodes.js'
import type { Code } from './code.js'
import * as js from './code.js'
import type { Generation } from './context.js'
import { annotationValue } from './functions.js'
import { memberName } from './member-names.js'

const refusedMethods: Readonly<Record<string, string>> = {
  __getattribute__: 'a class that answers for all its attributes',
  __prepare__: 'a metaclass',
  __instancecheck__: 'a metaclass',
}

export function classStatement(g: Generation, s: ClassStmt): void {
  const decorators = s.decorators.map((d) => g.out.save(g.expression(d)))
  const text = g.out.capture(() => writeClass(g, s))
  g.out.line`{ ${text} }`
  decorate(g, g.variable(s.name), s.decorators, decorators)
}

/** Writes the calls of decorators that have been evaluated, from the innermost outwards. */
export function decorate(
  g: Generation,
  variable: Code,
  nodes: readonly Expression[],
  decorators: readonly Code[],
): void {
  for (let i = nodes.length - 1; i >= 0; i--)
    g.out.line`${variable} = ${g.help('call1', [decorators[i]!, variable], nodes[i])};`
}

function writeClass(g: Generation, s: ClassStmt): void {
  const cell = g.names.blockConstant()
  const { bases, given } = basesOf(g, s)
  const begun = [js.literal(s.name.name), js.array(bases), js.array(given)]
  g.out.line`const ${cell} = ${g.help('beginClass', begun, s.name)};`
  const bindings = [...(g.facts.resolution.scopeOf.get(s)?.bindings.values() ?? [])]
  const variables = bindings.map((b) => g.names.variable(b))
  for (const variable of variables) {
    g.out.declare(variable)
    g.out.line`${variable} = ${js.UNDEFINED};`
  }
  const inside = { enclosingClass: { cell, name: s.name.name }, qualifiers: [...g.around.qualifiers, s.name.name] }
  g.within(inside, () => {
    for (const m of s.body) refuseMethod(g, m)
    g.block(s.body)
    const doc = g.facts.docOf(s.body)
    const isAsked = g.facts.signatures !== undefined
    const names = bindings.map((b) => memberName(g, b.name))
    const members = js.record([
      ['names', js.array([...names, ...(isAsked ? ['__annotations__'] : [])].map((name) => js.literal(name)))],
      ['values', js.array([...variables, ...(isAsked ? [annotations(g, s)] : [])])],
      ['annotated', js.array(s.body.flatMap((m) => annotatedName(g, m)))],
      ...(doc === undefined ? [] : [['doc', js.literal(doc)] as const]),
    ])
    g.out.line`${g.variable(s.name)} = ${g.help('finishClass', [cell, members], s.name)};`
  })
}

/** The base classes, and the named arguments as alternating names and values. */
function basesOf(g: Generation, s: ClassStmt): { readonly bases: readonly Code[]; readonly given: readonly Code[] } {
  const bases: Code[] = []
  const given: Code[] = []
  refuseBuiltinBase(g, s)
  for (const b of s.bases) {
    if (b.form === 'positional') bases.push(g.out.save(g.expression(b.value)))
    else if (b.form === 'named')
      given.push(js.literal(b.name!.name), g.out.save(metaclassChecked(g, b.name!.name, b.value)))
    else g.refuse(b, 'a starred base class', 'write the base classes one by one')
  }
  return { bases, given }
}

/** Built-in types that no class can inherit from. */
const closedTypes = ['bool', 'range', 'type']

function refuseBuiltinBase(g: Generation, s: ClassStmt): void {
  for (const { value } of s.bases.filter((b) => b.form === 'positional')) {
    if (value.kind !== 'Identifier' || !closedTypes.includes(value.name)) continue
    if (g.bindingOf(value)?.kind !== 'universal') continue
    if (value.name === 'type') {
      g.refuse(value, 'a metaclass', 'use a class decorator, or a function that makes the objects')
    } else
      g.refuse(value, `a class that inherits from ${value.name}`, `keep a ${value.name} in an attribute of the object`)
  }
}

/** Accepts `metaclass=ABCMeta`, which means the same as the base ABC. Refuses every other metaclass. */
function metaclassChecked(g: Generation, name: string, value: Expression): Code {
  if (name === 'metaclass') {
    const last = value.kind === 'DotExpr' ? value.name.name : value.kind === 'Identifier' ? value.name : ''
    if (last !== 'ABCMeta') {
      g.refuse(value, 'a metaclass', 'use a class decorator, or a function that makes the objects')
    }
  }
  return g.expression(value)
}

function refuseMethod(g: Generation, m: Statement): void {
  if (m.kind !== 'DefStmt' || !Object.hasOwn(refusedMethods, m.name.name)) return
  g.refuse(m.name, refusedMethods[m.name.name]!, 'use @property, or __getattr__ for names that are not there')
}

/** The annotations of the names in a class body. */
function annotations(g: Generation, { body }: ClassStmt): Code {
  const pairs = body.flatMap((m) =>
    m.kind === 'AnnotatedAssignStmt' && m.target.kind === 'Identifier'
      ? [js.literal(memberName(g, m.target.name)), annotationValue(g, m.annotation)]
      : [],
  )
  return g.help('dictOf', [js.array(pairs)])
}

/** The name of the field that an annotation declares. A class variable declares none. */
function annotatedName(g: Generation, m: Statement): Code[] {
  if (m.kind !== 'AnnotatedAssignStmt' || m.target.kind !== 'Identifier') return []
  let a: Expression = m.annotation
  if (a.kind === 'IndexExpr') a = a.object
  const head =
    a.kind === 'DotExpr'
      ? a.name.name
      : a.kind === 'Identifier'
        ? a.name
        : a.kind === 'StringLiteral'
          ? a.value.replace(/\[.*/, '')
          : ''
  if (head === 'ClassVar') return []
  const special = head === 'InitVar' || head === 'KW_ONLY' ? `${head} ` : ''
  return [js.literal(`${special}${memberName(g, m.target.name)}`)]
}
