// Generated code of programs that run ahead of their reads: what an expression needs in its role (roles.ts), the reads
// themselves, and what keeps them in order. Each function takes what is written without it and adds to it; a program
// that does not run ahead never gets here.

import { DICT, FUNCTION, LIST, MAP, OTHER, TUPLE } from '../../infer/kinds.js'
import { quote } from '../../quote.js'
import type { CallExpr, Expression } from '../../syntax/nodes.js'
import { argumentCodes } from '../calls.js'
import type { Generation } from '../context.js'
import { asRead, expression } from '../expressions.js'
import { universalCall } from '../loops.js'
import { operands } from '../operators.js'
import { isAppend } from './roles.js'

/** An expression, as its role needs it. */
export function aheadExpression(g: Generation, e: Expression): string {
  const code = keptCode(g, e)
  const role = g.facts.roles!.of(e)
  if (role === undefined) return deepCode(g, e, code)
  switch (role.kind) {
    case 'carried':
    case 'stored':
      return code
    case 'receiver':
      return mayBe(g, e, HOLDING) ? `${g.helper('receiver')}(${code}, ${quote(role.method)})` : code
    default:
      return mayBe(g, e, OTHER) ? `${g.helper(role.kind)}(${code})` : code
  }
}

/** What may be pending or hold something that is. */
const HOLDING = LIST | TUPLE | DICT | MAP | FUNCTION | OTHER

function deepCode(g: Generation, e: Expression, code: string): string {
  if (g.facts.roles!.isNoisy(e)) return `${g.helper('settledAll')}(${code})`
  return mayBe(g, e, HOLDING) ? `${g.helper('settled')}(${code})` : code
}

/**
 * Can the value of the expression, as the program computes it, be of such a kind and hold what an operation of the
 * prelude has not looked at?
 */
function mayBe(g: Generation, e: Expression, kinds: number): boolean {
  switch (e.kind) {
    case 'Identifier': {
      const kind = g.bindingOf(e)?.kind
      return kind !== 'universal' && kind !== 'predeclared' && (g.typeOf(e).kinds & kinds) !== 0
    }
    case 'ListExpr':
    case 'TupleExpr':
    case 'DictExpr':
    case 'Comprehension':
      return (kinds & ~OTHER) !== 0
    case 'CallExpr':
    case 'IndexExpr':
    case 'DotExpr':
    case 'NamedExpr':
    case 'LogicalExpr':
    case 'AwaitExpr':
    case 'YieldExpr':
    case 'StarredExpr':
      return (g.typeOf(e).kinds & kinds) !== 0
    default:
      return false
  }
}

/** An expression as it is, whatever is pending in a new container noted. */
function keptCode(g: Generation, e: Expression): string {
  switch (e.kind) {
    case 'AwaitExpr':
      return g.facts.roles!.readOf(e.value) === undefined ? expression(g, e) : keptCode(g, e.value)
    case 'CallExpr':
      // In a task others go on meanwhile.
      if (g.facts.roles!.readOf(e) !== undefined && !g.suspends && !g.facts.concurrency.isStarted(e))
        return asRead(g, e, read(g, e))
      if (isListOfMap(g, e)) return listOfMap(g, e)
      return isAppend(e) && !g.facts.methodNames.has('append') ? append(g, e) : expression(g, e)
    case 'ListExpr':
    case 'TupleExpr':
      return stores(g, e.elements) ? `${g.helper('kept')}(${expression(g, e)})` : expression(g, e)
    case 'DictExpr': {
      const values = e.entries.flatMap((entry) => (entry.key === undefined ? [] : [entry.value]))
      return stores(g, values) ? `${g.helper('keptDict')}(${expression(g, e)})` : expression(g, e)
    }
    case 'Comprehension': {
      if (!g.facts.roles!.collects(e)) return expression(g, e)
      const element = e.form === 'dict' ? e.value! : e.element
      const code = expression(g, e)
      return stores(g, [element]) ? `${g.helper(e.form === 'dict' ? 'keptDict' : 'kept')}(${code})` : code
    }
    default:
      return expression(g, e)
  }
}

/** May one of the elements be pending? */
function stores(g: Generation, elements: readonly Expression[]): boolean {
  return elements.some((e) => carriesPending(g, e))
}

function carriesPending(g: Generation, e: Expression): boolean {
  if (e.kind === 'ParenExpr') return carriesPending(g, e.expression)
  if (e.kind === 'CondExpr') return carriesPending(g, e.body) || carriesPending(g, e.orelse)
  return mayBe(g, e, OTHER)
}

function read(g: Generation, e: CallExpr): string {
  const [space, member] = g.facts.roles!.readOf(e)!
  const { positional, named } = argumentCodes(g, e)
  const place = quote(`${e.start}-${e.end}`)
  const call = `${quote(space)}, ${quote(member)}, ${place}, ${positional}, ${named}${g.frame.isFile ? ', true' : ''}`
  return `${g.helper('readAhead')}${g.mark(e)}(${call})`
}

/** `xs.append(x)`: the list learns where what is pending is. */
function append(g: Generation, e: CallExpr): string {
  const callee = e.callee as Expression & { kind: 'DotExpr' }
  const [object, added] = operands(g, [callee.object, e.arguments[0]!.value])
  const o = g.temporary()
  const v = g.temporary()
  const native = { kind: 'method-of-none', name: 'append' } as const
  const target = g.facts.catches ? `(${o} ?? ${g.helper('NONE')})` : o
  return (
    `(${o} = ${object}, ${v} = ${added}, ` +
    `${target}${g.mark(e, native)}[${g.method('append')}]${g.mark(e, native)}(${g.helper('appended')}(${o}, ${v})))`
  )
}

/** `list(map(f, xs))`: the elements of the list may be pending. */
function isListOfMap(g: Generation, e: CallExpr): boolean {
  const [mapping] = universalCall(g, e, 'list') ?? []
  return e.arguments.length === 1 && mapping !== undefined && universalCall(g, mapping, 'map')?.length === 2
}

function listOfMap(g: Generation, e: CallExpr): string {
  const mapping = e.arguments[0]!.value as CallExpr
  const codes = operands(
    g,
    mapping.arguments.map((a) => a.value),
  )
  return `${g.helper('mapped')}${g.mark(e)}(${codes.join(', ')})`
}
