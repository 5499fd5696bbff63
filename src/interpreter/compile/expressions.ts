// Generated code for expressions other than operators and calls.

import { BOOL, LIST, STR } from '../infer/kinds.js'
import { recordKeys } from '../infer/records.js'
import { BOOLEAN, is, isSmallInt, mayBe } from '../infer/types.js'
import { isPlainName, quote } from '../quote.js'
import type { CondExpr, DictExpr, Expression, IndexExpr, LogicalExpr, NodeBase, SliceExpr } from '../syntax/nodes.js'
import { readAttribute } from './attributes.js'
import { call, callInPlace } from './calls.js'
import { comprehension } from './comprehensions.js'
import { type Generation, isConstant, isSimple } from './context.js'
import { lambda } from './functions.js'
import { memberName } from './member-names.js'
import { hasStatements } from './needs-statements.js'
import { binary, comparison, operands, save, unary } from './operators.js'
import { indexCode } from './subscripts.js'
import { fString, literalPercent } from './text.js'
import { readVariable } from './variables.js'

export function expression(g: Generation, e: Expression): string {
  return asRead(g, e, plainExpression(g, e))
}

/** What the program takes the answer of a tool for, told where the answer comes from or asked where that matters. */
export function asRead(g: Generation, e: Expression, code: string): string {
  const { answers, questions } = g.facts.readings
  const answer = answers.get(e)
  const told = answer === undefined ? code : `${g.helper(answer === 'text' ? 'asText' : 'asData')}(${code})`
  const question = questions.get(e)
  if (question === undefined) return told
  return `${g.helper('decided')}${g.mark(e)}(${told}, ${quote(question)}, ${quote(named(e))})`
}

/** An operand in short, for a hint. */
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

function plainExpression(g: Generation, e: Expression): string {
  switch (e.kind) {
    case 'Identifier':
      return readVariable(g, e)
    case 'IntLiteral':
      return e.value <= BigInt(Number.MAX_SAFE_INTEGER) ? String(e.value) : g.constant(`$.big(${e.value}n)`)
    case 'FloatLiteral':
      return floatLiteral(g, e.value)
    case 'StringLiteral':
      return quote(e.value)
    case 'BytesLiteral':
      return g.constant(`$.bytes([${e.value.join(', ')}])`)
    case 'FString':
      return fString(g, e)
    case 'EllipsisLiteral':
      return g.helper('ELLIPSIS')
    case 'ListExpr':
      return display(g, e.elements, '')
    case 'TupleExpr':
      return display(g, e.elements, g.helper('TUPLE'))
    case 'SetExpr':
      return `${g.helper('makeSet')}${g.mark(e)}(${display(g, e.elements, '')})`
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
    case 'BinaryExpr': {
      if (e.operator === '%' && e.left.kind === 'StringLiteral') {
        const text = literalPercent(g, e.left.value, e.right)
        if (text !== undefined) return text
      }
      return binary(g, e)
    }
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
    case 'NamedExpr': {
      const value = g.expression(e.value)
      return `(${g.facts.resolution.bindingOf.get(e.target)!.js} = ${value})`
    }
    case 'ParenExpr':
      return g.expression(e.expression)
    case 'AwaitExpr':
      return awaited(g, e, g.expression(e.value))
    case 'YieldExpr':
      if (e.from) return `(yield* ${g.helper('delegate')}${g.mark(e)}(${g.expression(e.value!)}))`
      return `(yield ${e.value === undefined ? 'null' : g.expression(e.value)})`
    case 'StarredExpr':
      return g.expression(e.value)
  }
}

/** The result of what may be a coroutine: inside one the loop goes on with others meanwhile. */
export function awaited(g: Generation, node: NodeBase, code: string): string {
  return g.inCoroutine
    ? `(yield* ${g.helper('awaiting')}${g.mark(node)}(${code}))`
    : `${g.helper('runAwaited')}${g.mark(node)}(${code})`
}

function floatLiteral(g: Generation, value: number): string {
  if (Number.isInteger(value)) return g.constant(`$.float(${Object.is(value, -0) ? '-0' : value})`)
  return Number.isFinite(value) ? String(value) : g.constant('1 / 0')
}

/** The elements of a list, tuple or set display as an array. */
function display(g: Generation, elements: readonly Expression[], first: string): string {
  const codes = operands(
    g,
    elements.map((x) => (x.kind === 'StarredExpr' ? x.value : x)),
  )
  const all = codes.map((c, i) =>
    elements[i]!.kind === 'StarredExpr' ? `...${g.helper('starArguments')}${g.mark(elements[i]!)}(${c})` : c,
  )
  return `[${(first === '' ? all : [first, ...all]).join(', ')}]`
}

/** A display whose keys are all constant ordinary strings becomes a record; see the prelude's dict.ts. */
function dict(g: Generation, e: DictExpr): string {
  if (e.entries.length === 0) return `new ${g.helper('Map')}()`
  const keys = recordKeys(e)
  if (keys !== undefined) {
    const codes = operands(
      g,
      e.entries.map((x) => x.value),
    )
    return `({${codes.map((c, i) => `${isPlainName(keys[i]!) ? keys[i] : quote(keys[i]!)}: ${c}`).join(', ')}})`
  }
  const codes = operands(
    g,
    e.entries.flatMap((x) => (x.key ? [x.key, x.value] : [x.value])),
  )
  let next = 0
  if (g.facts.dialect.strict) {
    // A key that is there already, or can't be one, is a mistake of its entry.
    const d = g.temporary()
    const entries = e.entries.map(
      (x) => `${g.helper('dictEntry')}${g.mark(x.key!)}(${d}, ${codes[next++]}, ${codes[next++]})`,
    )
    return `(${d} = new ${g.helper('Map')}(), ${entries.join(', ')}, ${d})`
  }
  const flat = e.entries.flatMap((x) =>
    x.key ? [codes[next++]!, codes[next++]!] : [g.helper('SPREAD'), codes[next++]!],
  )
  return `${g.helper('dictDisplay')}${g.mark(e)}([${flat.join(', ')}])`
}

function conditional(g: Generation, e: CondExpr): string {
  if (!hasStatements(g, e.body) && !hasStatements(g, e.orelse))
    return `(${g.test(e.test)} ? ${g.expression(e.body)} : ${g.expression(e.orelse)})`
  const result = g.temporary()
  g.out.push(`if (${g.test(e.test)}) {`)
  g.out.push(`${result} = ${g.expression(e.body)};`)
  g.out.push('} else {')
  g.out.push(`${result} = ${g.expression(e.orelse)};`)
  g.out.push('}')
  return result
}

/** `a and b`, `a or b` as values: the first operand where it decides. */
function logical(g: Generation, e: LogicalExpr): string {
  const left = g.expression(e.left)
  const type = g.typeOf(e.left)
  if (hasStatements(g, e.right)) {
    const result = save(g, left)
    const test = is(type, BOOL) ? result : `${g.helper('truth')}(${result})`
    g.out.push(`if (${e.operator === 'and' ? test : `!${test}`}) {`)
    g.out.push(`${result} = ${g.expression(e.right)};`)
    g.out.push('}')
    return result
  }
  const right = g.expression(e.right)
  if (is(type, BOOL)) return `(${left} ${e.operator === 'and' ? '&&' : '||'} ${right})`
  const t = isSimple(left) ? left : g.temporary()
  const test = t === left ? `${g.helper('truth')}(${left})` : `${g.helper('truth')}(${t} = ${left})`
  return e.operator === 'and' ? `(${test} ? ${right} : ${t})` : `(${test} ? ${t} : ${right})`
}

/** An expression as a JavaScript condition. */
export function test(g: Generation, e: Expression): string {
  switch (e.kind) {
    case 'ParenExpr':
      return g.test(e.expression)
    case 'UnaryExpr':
      if (e.operator === 'not') return unary(g, e)
      break
    case 'LogicalExpr':
      if (!hasStatements(g, e.right))
        return `(${g.test(e.left)} ${e.operator === 'and' ? '&&' : '||'} ${g.test(e.right)})`
      break
    case 'CompareExpr':
      return comparison(g, e)
    default:
      break
  }
  const code = g.expression(e)
  const type = g.typeOf(e)
  if (type === BOOLEAN || is(type, BOOL)) return code
  if (isSmallInt(type) || is(type, STR)) return code
  if (is(type, LIST)) return `(${code}.length !== 0)`
  if (!mayBe(type, BOOL)) return `${g.helper('truth')}(${code})`
  const t = isSimple(code) ? code : g.temporary()
  return `(${t === code ? code : `(${t} = ${code})`} === true || (${t} !== false && ${g.helper('truth')}(${t})))`
}

function index(g: Generation, e: IndexExpr): string {
  const [object, position] = operands(g, [e.object, e.index])
  return indexCode(g, e, object!, position!)
}

function slice(g: Generation, e: SliceExpr): string {
  const nodes = [e.object, e.lower, e.upper, e.step]
  const present = nodes.filter((x) => x !== undefined)
  const codes = operands(g, present)
  let next = 0
  const all = nodes.map((x) => (x === undefined ? 'undefined' : codes[next++]!))
  while (all[all.length - 1] === 'undefined') all.pop()
  return `${g.helper('slice')}${g.mark(e)}(${all.join(', ')})`
}

/** Evaluates an expression for its effects. */
export function effect(g: Generation, e: Expression): void {
  if (e.kind === 'CallExpr') {
    const done = callInPlace(g, e)
    if (done !== undefined) {
      g.out.push(done)
      return
    }
  }
  const code = g.expression(e)
  if (!isConstant(code)) g.out.push(`${code.startsWith('{') ? `(${code})` : code};`)
}
