// Classes (Python). The body runs once, in the frame around it; what it has bound becomes the class's members. The
// class itself is there before its body, as a constant of a block of its own, so that `super()` in its methods can name
// it.

import { quote } from '../quote.js'
import type { ClassStmt, Expression, Statement } from '../syntax/nodes.js'
import { captureBlock, type Generation } from './context.js'
import { annotationValue } from './functions.js'
import { memberName } from './member-names.js'
import { save } from './operators.js'

const refusedMethods: Readonly<Record<string, string>> = {
  __getattribute__: 'a class that answers for all its attributes',
  __prepare__: 'a metaclass',
  __instancecheck__: 'a metaclass',
}

export function classStatement(g: Generation, s: ClassStmt): void {
  const decorators = s.decorators.map((d) => save(g, g.expression(d)))
  const binding = g.bindingOf(s.name)!
  const text = captureBlock(g, () => writeClass(g, s))
  g.out.push(`{ ${text} }`)
  for (const [i, d] of s.decorators.entries()) {
    const last = decorators.length - 1 - i
    g.out.push(
      `${binding.js} = ${g.helper('call1')}${g.mark(s.decorators[last] ?? d)}(${decorators[last]}, ${binding.js});`,
    )
  }
}

function writeClass(g: Generation, s: ClassStmt): void {
  const cell = g.blockConstant()
  const bases: string[] = []
  const given: string[] = []
  refuseBuiltinBase(g, s)
  for (const b of s.bases) {
    if (b.form === 'positional') bases.push(save(g, g.expression(b.value)))
    else if (b.form === 'named') given.push(quote(b.name!.name), save(g, metaclassChecked(g, b.name!.name, b.value)))
    else g.refuse(b, 'a starred base class', 'write the base classes one by one')
  }
  g.out.push(
    `const ${cell} = ${g.helper('beginClass')}${g.mark(s.name)}(${quote(s.name.name)}, [${bases.join(', ')}], [${given.join(', ')}]);`,
  )
  const bindings = [...(g.facts.resolution.scopeOf.get(s)?.bindings.values() ?? [])]
  for (const b of bindings) {
    g.frame.variables.add(b.js)
    g.out.push(`${b.js} = undefined;`)
  }
  const outer = g.enclosingClass
  g.enclosingClass = { cell, name: s.name.name }
  g.qualifiers.push(s.name.name)
  for (const m of s.body) refuseMethod(g, m)
  g.block(s.body)
  g.qualifiers.pop()
  const names = bindings.map((b) => quote(memberName(g, b.name)))
  const values = bindings.map((b) => b.js)
  if (g.facts.signatures !== undefined) {
    names.push('"__annotations__"')
    values.push(annotations(g, s))
  }
  const doc = g.facts.docOf(s.body)
  const annotated = s.body.flatMap((m) => annotatedName(g, m))
  g.out.push(
    `${g.bindingOf(s.name)!.js} = ${g.helper('finishClass')}${g.mark(s.name)}(${cell}, {names: [${names.join(', ')}], ` +
      `values: [${values.join(', ')}], annotated: [${annotated.join(', ')}]${doc === undefined ? '' : `, doc: ${quote(doc)}`}});`,
  )
  g.enclosingClass = outer
}

/** Built-in types that nothing can inherit from. */
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

/** `metaclass=ABCMeta` says no more than the base ABC does; every other metaclass is refused. */
function metaclassChecked(g: Generation, name: string, value: Expression): string {
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

/** The annotations of the names in a class. */
function annotations(g: Generation, { body }: ClassStmt): string {
  const pairs = body.flatMap((m) =>
    m.kind === 'AnnotatedAssignStmt' && m.target.kind === 'Identifier'
      ? [quote(memberName(g, m.target.name)), annotationValue(g, m.annotation)]
      : [],
  )
  return `${g.helper('dictOf')}([${pairs.join(', ')}])`
}

/** The field that an annotation declares; class variables declare none. */
function annotatedName(g: Generation, m: Statement): string[] {
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
  const mark = head === 'InitVar' || head === 'KW_ONLY' ? `${head} ` : ''
  return [quote(`${mark}${memberName(g, m.target.name)}`)]
}
