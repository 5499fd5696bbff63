// Generated code of programs that run ahead of their reads: the code for each role of an expression (roles.ts), the
// reads themselves, and the code that preserves their order. Each function here adds to the code of a program without
// read-ahead. Only programs that run ahead use this file.

import { DICT, FUNCTION, LIST, MAP, OTHER, TUPLE } from '../../infer/kinds.js'
import type { CallExpr, DotExpr, Expression } from '../../syntax/nodes.js'
import { argumentCodes, methodReceiver } from '../calls.js'
import type { Code } from '../code.js'
import * as js from '../code.js'
import type { Generation } from '../context.js'
import { asRead, expression } from '../expressions.js'
import { universalCall } from '../loops.js'
import { operands } from '../operators.js'
import { callText } from '../tool-calls.js'
import { isAppend } from './roles.js'

/** The code of an expression for its role. */
export function aheadExpression(g: Generation, e: Expression): Code {
  const code = keptCode(g, e)
  const role = g.facts.roles!.of(e)
  if (role === undefined) return deepCode(g, e, code)
  switch (role.kind) {
    case 'carried':
    case 'stored':
      return code
    case 'receiver':
      return mayHave(g, e, HOLDING) ? g.help('receiver', [code, js.literal(role.method)]) : code
    default:
      return mayHave(g, e, OTHER) ? g.help(role.kind, [code]) : code
  }
}

/** The kinds of values that may be pending or contain a pending value. */
const HOLDING = LIST | TUPLE | DICT | MAP | FUNCTION | OTHER

function deepCode(g: Generation, e: Expression, code: Code): Code {
  if (g.facts.roles!.isNoisy(e)) return g.help('settledAll', [code])
  return mayHave(g, e, HOLDING) ? g.help('settled', [code]) : code
}

/**
 * True if the value of the expression may be of these kinds and contain something that no operation of the prelude has
 * looked at.
 */
function mayHave(g: Generation, e: Expression, kinds: number): boolean {
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

/** The code of an expression whose value is only passed on. Pending values in a new container are recorded. */
function keptCode(g: Generation, e: Expression): Code {
  switch (e.kind) {
    case 'AwaitExpr':
      return g.facts.roles!.readOf(e.value) === undefined ? expression(g, e) : keptCode(g, e.value)
    case 'CallExpr':
      // In a task, other tasks continue meanwhile.
      if (g.facts.roles!.readOf(e) !== undefined && !g.around.suspends && !g.facts.concurrency.isStarted(e))
        return asRead(g, e, read(g, e))
      if (isListOfMap(g, e)) return listOfMap(g, e)
      return isAppend(e) && !g.facts.methodNames.has('append') ? noted(g, e) : expression(g, e)
    case 'ListExpr':
    case 'TupleExpr':
      return kept(g, 'kept', e, e.elements)
    case 'DictExpr': {
      const values = e.entries.flatMap((entry) => (entry.key === undefined ? [] : [entry.value]))
      return kept(g, 'keptDict', e, values)
    }
    case 'Comprehension': {
      if (!g.facts.roles!.collects(e)) return expression(g, e)
      return e.form === 'dict' ? kept(g, 'keptDict', e, [e.value!]) : kept(g, 'kept', e, [e.element])
    }
    default:
      return expression(g, e)
  }
}

/** The code of a new container that may have a pending element. */
function kept(g: Generation, helper: 'kept' | 'keptDict', e: Expression, elements: readonly Expression[]): Code {
  const code = expression(g, e)
  return elements.some((one) => carriesPending(g, one)) ? g.help(helper, [code]) : code
}

function carriesPending(g: Generation, e: Expression): boolean {
  if (e.kind === 'ParenExpr') return carriesPending(g, e.expression)
  if (e.kind === 'CondExpr') return carriesPending(g, e.body) || carriesPending(g, e.orelse)
  return mayHave(g, e, OTHER)
}

function read(g: Generation, e: CallExpr): Code {
  const tool = g.facts.roles!.readOf(e)!
  const place = `${e.start}-${e.end}`
  const text = callText(g, e, tool, `${place} `)
  const names = tool.map(js.literal)
  if (text !== undefined) return g.help('readTool', [text, stackHere(g, e), ...names], e)
  const args = argumentCodes(g, e)
  return g.help('readAhead', [stackHere(g, e), js.literal(place), ...names, ...args], e)
}

/** The stack at a call. It stays the same while a function runs, so it is kept, unless the function pauses. */
function stackHere(g: Generation, e: CallExpr): Code {
  const stack = g.help('stackHere', [], e)
  if (g.around.runsLater) return stack
  const kept = g.names.stack()
  g.out.declare(kept)
  return js.assign(kept, js.infix(kept, '??', stack))
}

/** `xs.append(x)`, which records the place of a pending element. */
function noted(g: Generation, e: CallExpr): Code {
  const [object, added] = operands(g, [(e.callee as DotExpr).object, e.arguments[0]!.value])
  const o = g.out.temporary()
  const v = g.out.temporary()
  const mark = g.out.mark(e, { kind: 'method-of-none', name: 'append' })
  const method = js.element(methodReceiver(g, o), g.names.method('append'), { mark })
  const call = js.call(method, [g.help('appended', [o, v])], mark)
  return js.sequence([js.assign(o, object!), js.assign(v, added!)], call)
}

/** True for `list(map(f, xs))`. The elements of the list may be pending. */
function isListOfMap(g: Generation, e: CallExpr): boolean {
  const [mapping] = universalCall(g, e, 'list') ?? []
  return e.arguments.length === 1 && mapping !== undefined && universalCall(g, mapping, 'map')?.length === 2
}

function listOfMap(g: Generation, e: CallExpr): Code {
  const mapping = e.arguments[0]!.value as CallExpr
  const codes = operands(
    g,
    mapping.arguments.map((a) => a.value),
  )
  return g.help('mapped', codes, e)
}
