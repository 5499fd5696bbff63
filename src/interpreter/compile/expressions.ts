// Generated code for expressions other than operators and calls.

import { BOOL, LIST, STR } from '../infer/kinds.js'
import { recordKeys } from '../infer/records.js'
import { BOOLEAN, is, isSmallInt, mayBe } from '../infer/types.js'
import type {
  CondExpr,
  DictExpr,
  Expression,
  IndexExpr,
  LogicalExpr,
  NodeBase,
  SliceExpr,
  YieldExpr,
} from '../syntax/nodes.js'
import { readAttribute } from './attributes.js'
import { call, callInPlace } from './calls.js'
import type { Code, Fragment } from './code.js'
import * as js from './code.js'
import { comprehension } from './comprehensions.js'
import type { Generation } from './context.js'
import { lambda } from './functions.js'
import { memberName } from './member-names.js'
import { binary, comparison, operands, unary } from './operators.js'
import { indexCode } from './subscripts.js'
import { fString, literalPercent } from './text.js'
import { readVariable } from './variables.js'

export function expression(g: Generation, e: Expression): Code {
  return asRead(g, e, plainExpression(g, e))
}

/**
 * The answer of a tool as text or data. If its use is known, this is decided at the call; otherwise, by operations that
 * depend on it.
 */
export function asRead(g: Generation, e: Expression, code: Code): Code {
  const { answers, questions } = g.facts.readings
  const answer = answers.get(e)
  const told = answer === undefined ? code : g.help(answer === 'text' ? 'asText' : 'asData', [code])
  const question = questions.get(e)
  if (question === undefined) return told
  return g.help('decided', [told, js.literal(question), js.literal(named(e))], e)
}

/** A short text for an operand, for hints. */
function named(e: Expression): string {
  switch (e.kind) {
    case 'Identifier':
      return e.name
    case 'DotExpr':
      return `${named(e.object)}.${e.name.name}`
    case 'CallExpr':
      return `${named(e.callee)}(…)`
    default:
      return 'x'
  }
}

type Simple = 'IntLiteral' | 'FloatLiteral' | 'StringLiteral' | 'BytesLiteral' | 'EllipsisLiteral'

type LiteralExpr = Extract<Expression, { readonly kind: Simple }>

function literalCode(g: Generation, e: LiteralExpr): Code {
  switch (e.kind) {
    case 'IntLiteral':
      return intLiteral(g, e.value)
    case 'FloatLiteral':
      return floatLiteral(g, e.value)
    case 'StringLiteral':
      return js.literal(e.value)
    case 'BytesLiteral':
      return g.names.made('bytes', js.array([...e.value].map(js.literal)))
    case 'EllipsisLiteral':
      return g.names.helper('ELLIPSIS')
  }
}

export function intLiteral(g: Generation, value: bigint): Code {
  const isSafe = value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER)
  return isSafe ? js.literal(Number(value)) : g.names.made('big', js.bigLiteral(value))
}

export function floatLiteral(g: Generation, value: number): Code {
  if (Number.isInteger(value)) return g.names.made('float', Object.is(value, -0) ? js.MINUS_ZERO : js.literal(value))
  return Number.isFinite(value) ? js.literal(value) : g.names.constant(js.infix(js.ONE, '/', js.ZERO))
}

function plainExpression(g: Generation, e: Expression): Code {
  switch (e.kind) {
    case 'Identifier':
      return readVariable(g, e)
    case 'FString':
      return fString(g, e)
    case 'ListExpr':
      return display(g, e.elements)
    case 'TupleExpr':
      return display(g, e.elements, g.names.helper('TUPLE'))
    case 'SetExpr':
      return g.help('makeSet', [display(g, e.elements)], e)
    case 'DictExpr':
      return dict(g, e)
    case 'Comprehension':
      return comprehension(g, e)
    case 'CondExpr':
      return conditional(g, e)
    case 'LambdaExpr':
      return lambda(g, e)
    case 'UnaryExpr':
      return unary(g, e)
    case 'BinaryExpr':
      return literalPercent(g, e) ?? binary(g, e)
    case 'LogicalExpr':
      return logical(g, e)
    case 'CompareExpr':
      return comparison(g, e)
    case 'CallExpr':
      return call(g, e)
    case 'DotExpr':
      return readAttribute(g, e, g.expression(e.object), memberName(g, e.name.name))
    case 'IndexExpr':
      return index(g, e)
    case 'SliceExpr':
      return slice(g, e)
    case 'NamedExpr':
      return js.assign(g.variable(e.target), g.expression(e.value))
    case 'ParenExpr':
      return g.expression(e.expression)
    case 'AwaitExpr':
      return awaited(g, e, g.expression(e.value))
    case 'YieldExpr':
      return handedOn(g, e)
    case 'StarredExpr':
      return g.expression(e.value)
    default:
      return literalCode(g, e)
  }
}

function handedOn(g: Generation, e: YieldExpr): Code {
  if (e.from) return js.yielded(g.help('delegate', [g.expression(e.value!)], e), '*')
  return js.yielded(e.value === undefined ? js.NULL : g.expression(e.value))
}

/** The result of a value that may be a coroutine. In another coroutine, the event loop runs other tasks meanwhile. */
export function awaited(g: Generation, node: NodeBase, code: Code): Code {
  return g.around.inCoroutine ? js.yielded(g.help('awaiting', [code], node), '*') : g.help('runAwaited', [code], node)
}

/** The elements of a list, tuple or set display as an array. */
function display(g: Generation, elements: readonly Expression[], ...first: Code[]): Code {
  const codes = operands(
    g,
    elements.map((x) => (x.kind === 'StarredExpr' ? x.value : x)),
  )
  const all = codes.map((c, i) =>
    elements[i]!.kind === 'StarredExpr' ? js.spread(g.help('starArguments', [c], elements[i])) : c,
  )
  return js.array([...first, ...all])
}

/** A display whose keys are all constant ordinary strings becomes a record (see prelude/containers/dict.ts). */
function dict(g: Generation, e: DictExpr): Code {
  if (e.entries.length === 0) return js.construct(g.names.helper('Map'))
  const keys = recordKeys(e)
  if (keys !== undefined) {
    const codes = operands(
      g,
      e.entries.map((x) => x.value),
    )
    return js.record(codes.map((code, i) => [keys[i]!, code]))
  }
  const codes = operands(
    g,
    e.entries.flatMap((x) => (x.key ? [x.key, x.value] : [x.value])),
  )
  let next = 0
  if (g.facts.dialect.strict) {
    // A duplicate or unhashable key is reported at its entry.
    const d = g.out.temporary()
    const entries = e.entries.map((x) => g.help('dictEntry', [d, codes[next++]!, codes[next++]!], x.key))
    return js.sequence([js.assign(d, js.construct(g.names.helper('Map'))), ...entries], d)
  }
  const flat = e.entries.flatMap((x) =>
    x.key ? [codes[next++]!, codes[next++]!] : [g.names.helper('SPREAD'), codes[next++]!],
  )
  return g.help('dictDisplay', [js.array(flat)], e)
}

function conditional(g: Generation, e: CondExpr): Code {
  const test = g.test(e.test)
  const yes = g.out.apart(() => g.expression(e.body))
  const no = g.out.apart(() => g.expression(e.orelse))
  if (yes.before === '' && no.before === '') return js.choice(test, yes.made, no.made)
  const result = g.out.temporary()
  g.out.line`if (${test.text}) {`
  g.out.add(yes.before)
  g.out.line`${result} = ${yes.made};`
  g.out.line`} else {`
  g.out.add(no.before)
  g.out.line`${result} = ${no.made};`
  g.out.line`}`
  return result
}

/** `a and b` and `a or b` as values: the first operand if it decides, else the second. */
function logical(g: Generation, e: LogicalExpr): Code {
  const left = g.expression(e.left)
  const isBool = is(g.typeOf(e.left), BOOL)
  const truth = (code: Code): Code => (isBool ? code : g.help('truth', [code]))
  const { made: right, before } = g.out.apart(() => g.expression(e.right))
  if (before !== '') return inLines(g, e, { left: g.out.save(left), truth, right, before })
  if (isBool) return js.infix(left, e.operator === 'and' ? '&&' : '||', right)
  const t = left.isSimple ? left : g.out.temporary()
  const test = truth(t === left ? left : js.assign(t, left))
  return e.operator === 'and' ? js.choice(test, right, t) : js.choice(test, t, right)
}

interface Decision {
  /** The temporary that holds the first operand. */
  readonly left: Code
  readonly truth: (code: Code) => Code
  readonly right: Code
  /** The lines before the second operand. */
  readonly before: Fragment
}

/** Writes `a and b` or `a or b` in lines, if the second operand needs lines before it. */
function inLines(g: Generation, { operator }: LogicalExpr, { left, truth, right, before }: Decision): Code {
  const test = truth(left)
  g.out.line`if (${(operator === 'and' ? test : js.not(test)).text}) {`
  g.out.add(before)
  g.out.line`${left} = ${right};`
  g.out.line`}`
  return left
}

/** An expression as a JavaScript condition. */
export function test(g: Generation, e: Expression): Code {
  switch (e.kind) {
    case 'ParenExpr':
      return g.test(e.expression)
    case 'UnaryExpr':
      return e.operator === 'not' ? unary(g, e) : valueTest(g, e)
    case 'LogicalExpr': {
      const left = g.test(e.left)
      const { made: right, before } = g.out.apart(() => g.test(e.right))
      if (before === '') return js.infix(left, e.operator === 'and' ? '&&' : '||', right)
      return inLines(g, e, { left: g.out.save(left), truth: (code) => code, right, before })
    }
    case 'CompareExpr':
      return comparison(g, e)
    default:
      return valueTest(g, e)
  }
}

function valueTest(g: Generation, e: Expression): Code {
  const code = g.expression(e)
  const type = g.typeOf(e)
  if (type === BOOLEAN || is(type, BOOL)) return code
  if (isSmallInt(type) || is(type, STR)) return code
  if (is(type, LIST)) return js.infix(js.property(code, 'length'), '!==', js.ZERO)
  if (!mayBe(type, BOOL)) return g.help('truth', [code])
  const t = code.isSimple ? code : g.out.temporary()
  const value = t === code ? code : js.assign(t, code)
  return js.infix(js.same(value, js.TRUE), '||', js.infix(js.infix(t, '!==', js.FALSE), '&&', g.help('truth', [t])))
}

function index(g: Generation, e: IndexExpr): Code {
  const [object, position] = operands(g, [e.object, e.index])
  return indexCode(g, e, object!, position!)
}

function slice(g: Generation, e: SliceExpr): Code {
  const nodes = [e.object, e.lower, e.upper, e.step]
  const present = nodes.filter((x) => x !== undefined)
  const codes = operands(g, present)
  let next = 0
  const all = nodes.map((x) => (x === undefined ? js.UNDEFINED : codes[next++]!))
  while (all[all.length - 1] === js.UNDEFINED) all.pop()
  return g.help('slice', all, e)
}

/** Evaluates an expression for its effects. */
export function effect(g: Generation, e: Expression): void {
  if (e.kind === 'CallExpr' && callInPlace(g, e)) return
  const code = g.expression(e)
  if (code.isConstant) return
  if (code.isRecord) g.out.line`(${code});`
  else g.out.line`${code.text};`
}
