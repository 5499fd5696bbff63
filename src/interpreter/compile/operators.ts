// Generated code for operators. Three strengths: bare JavaScript where the types are proven, JavaScript behind a guard
// `(x|0)===x` where they are likely (in QuickJS the cheapest test for a small int), a helper of the prelude for
// everything else.

import { intResult } from '../infer/intervals.js'
import { BOOL, DICT, FLOAT, INT, MAP, NONE, STR } from '../infer/kinds.js'
import { is, isInt32, isSmallInt, mayBe, type Type, within } from '../infer/types.js'
import type {
  BinaryExpr,
  BinaryOperator,
  CompareExpr,
  CompareOperator,
  Expression,
  FloatLiteral,
  NodeBase,
  UnaryExpr,
} from '../syntax/nodes.js'
import { unparenthesised } from '../syntax/walk.js'
import { type Generation, isConstant, isSimple } from './context.js'
import { hasStatements } from './needs-statements.js'
import { closesAtEnd, withoutText } from './number-text.js'

const helpers: Readonly<Record<BinaryOperator, string>> = {
  '+': 'add',
  '-': 'sub',
  '*': 'mul',
  '/': 'trueDiv',
  '//': 'floorDiv',
  '%': 'mod',
  '**': 'power',
  '@': 'matrixProduct',
  '&': 'bitAnd',
  '|': 'bitOr',
  '^': 'bitXor',
  '<<': 'shiftLeft',
  '>>': 'shiftRight',
}

const inPlaceHelpers: Partial<Record<BinaryOperator, string>> = {
  '+': 'addInPlace',
  '|': 'orInPlace',
  '&': 'andInPlace',
  '^': 'xorInPlace',
  '-': 'subInPlace',
  '*': 'mulInPlace',
}

/** Generates operands in order; what was generated before statements of a later one is saved. */
export function operands(g: Generation, nodes: readonly Expression[]): string[] {
  const out = new Array<string>(nodes.length)
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]!
    if (i > 0 && hasStatements(g, node)) {
      for (let j = 0; j < i; j++) if (!isConstant(out[j]!)) out[j] = save(g, out[j]!)
    }
    out[i] = g.expression(node)
  }
  return out
}

/** Writes a value into a temporary, as a statement, and returns its name. */
export function save(g: Generation, code: string): string {
  const t = g.temporary()
  g.out.push(`${t} = ${code};`)
  return t
}

export function binary(g: Generation, e: BinaryExpr): string {
  const wrapped = wrappedProduct(g, e)
  if (wrapped !== undefined) return wrapped
  if (e.left.kind !== 'BinaryExpr') return outwards(g, e, g.expression(e.left))
  // Long chains lean to the left: the leftmost operand first, then outwards, without recursion.
  const spine: BinaryExpr[] = []
  let x: Expression = e
  while (x.kind === 'BinaryExpr') {
    spine.push(x)
    x = x.left
  }
  let left = g.expression(x)
  for (let i = spine.length - 1; i >= 0; i--) left = outwards(g, spine[i]!, left)
  return left
}

/** An operation whose left operand has been generated. */
function outwards(g: Generation, e: BinaryExpr, code: string): string {
  const left = hasStatements(g, e.right) && !isConstant(code) ? save(g, code) : code
  const right = g.expression(e.right)
  return operation(g, { node: e, operator: e.operator }, operand(g, e.left, left), operand(g, e.right, right))
}

/** An operand that has been generated. */
export interface Operand {
  readonly code: string
  readonly type: Type
  readonly node: Expression
}

export function operand(g: Generation, node: Expression, code: string): Operand {
  return { code, type: g.typeOf(node), node }
}

interface Operation {
  /** Where it fails. */
  readonly node: NodeBase
  readonly operator: BinaryOperator
  readonly inPlace?: true
}

/** An operator, and the helper of the prelude that does what bare JavaScript can't. */
interface General<Operator> {
  readonly node: NodeBase
  readonly operator: Operator
  readonly helper: string
}

function generally(g: Generation, { helper, node }: General<unknown>, left: string, right: string): string {
  return `${g.helper(helper)}${g.mark(node)}(${left}, ${right})`
}

/** `left operator right` from generated operands. */
export function operation(g: Generation, { node, operator, inPlace }: Operation, x: Operand, y: Operand): string {
  const { type: a, code: left } = x
  const { type: b, code: right } = y
  if (isSmallInt(a) && isSmallInt(b)) {
    const bare = provenInts(g, operator, x, y)
    if (bare !== undefined) return bare
  }
  if (operator === '/' && isSmallInt(a) && isFinitePart(y.node)) {
    const t = g.temporary()
    return `((${t} = (${left} + 0) / ${y.node.value}) % 1 === 0 ? ${g.helper('float')}(${t}) : ${t})`
  }
  if (operator === '+' && is(a, STR) && is(b, STR)) return `(${left} + ${withoutText(right)})`
  const changing = inPlace && mayBe(a, ~(INT | FLOAT | STR | BOOL | NONE)) ? inPlaceHelpers[operator] : undefined
  const general = { helper: changing ?? helpers[operator], node, operator }
  if (a.kinds === INT && !isSmallInt(a)) {
    // An int that may be big is often big: no guard for small ones comes first.
    if (operator === '*' && isSmallInt(b)) return `${g.helper('mulInt')}(${left}, ${right})`
    if (operator === '&' && within(b, 0, 2147483647)) return `${g.helper('andInt')}(${left}, ${right})`
    if (operator === '>>' && within(b, 0, 31)) return `${g.helper('shiftInt')}(${left}, ${right})`
  }
  if (!mayBe(a, INT) || !mayBe(b, INT) || !guardable[operator]) return generally(g, general, left, right)
  return guarded(g, general, x, y)
}

function isFinitePart(divisor: Expression): divisor is FloatLiteral {
  return divisor.kind === 'FloatLiteral' && divisor.value !== 0 && Number.isFinite(divisor.value)
}

const guardable: Partial<Record<BinaryOperator, boolean>> = {
  '+': true,
  '-': true,
  '*': true,
  '%': true,
  '//': true,
  '&': true,
  '|': true,
  '^': true,
}

/**
 * `(x * y) & 0xFFFFFFFF`: the low 32 bits of a product, as hash functions use them; the product itself may exceed the
 * safe integers.
 */
function wrappedProduct(g: Generation, e: BinaryExpr): string | undefined {
  if (e.operator !== '&' || !within(g.typeOf(e.right), 0xffffffff, 0xffffffff)) return undefined
  const product = unparenthesised(e.left)
  if (product.kind !== 'BinaryExpr' || product.operator !== '*') return undefined
  if (!isSmallInt(g.typeOf(product.left)) || !isSmallInt(g.typeOf(product.right))) return undefined
  const [left, right] = operands(g, [product.left, product.right])
  return `(${g.helper('imul')}(${left}, ${right}) >>> 0)`
}

function provenInts(g: Generation, operator: BinaryOperator, x: Operand, y: Operand): string | undefined {
  const { type: a, code: left } = x
  const { type: b, code: right } = y
  const result = intResult(operator, a, b)
  switch (operator) {
    case '+':
    case '-':
      return isSmallInt(result) ? `(${left} ${operator} ${right})` : undefined
    case '*':
      return isSmallInt(result) ? `(${left} * ${right}${mayBeMinusZero(a, b) ? ' + 0' : ''})` : undefined
    case '//':
      if (b.lo <= 0) return undefined
      if (a.lo >= 0 && a.hi <= 2147483647) return `(${left} / ${right} | 0)`
      if (a.lo >= 0 && isSimple(left) && isSimple(right)) return `((${left} - ${left} % ${right}) / ${right})`
      return undefined
    case '%': {
      if (b.lo <= 0) return undefined
      if (a.lo >= 0) return `(${left} % ${right})`
      if (!isSimple(right)) return undefined
      const t = g.temporary()
      return `((${t} = ${left} % ${right}) < 0 ? ${t} + ${right} : ${t} + 0)`
    }
    case '&':
      if (isInt32(a) && isInt32(b)) return `(${left} & ${right})`
      if (within(a, 0, 0x7fffffff) || within(b, 0, 0x7fffffff)) return `(${left} & ${right})`
      if (within(a, 0, 0xffffffff) || within(b, 0, 0xffffffff)) return `((${left} & ${right}) >>> 0)`
      return undefined
    case '|':
    case '^':
      if (isInt32(a) && isInt32(b)) return `(${left} ${operator} ${right})`
      if (within(a, 0, 0xffffffff) && within(b, 0, 0xffffffff)) return `((${left} ${operator} ${right}) >>> 0)`
      return undefined
    case '<<':
      return isSmallInt(result) && b.lo === b.hi && b.lo >= 0 ? `(${left} * ${2 ** b.lo})` : undefined
    case '>>':
      return isInt32(a) && within(b, 0, 31) ? `(${left} >> ${right})` : undefined
    case '/':
      return b.lo > 0 || b.hi < 0 ? `${g.helper('float')}((${left} + 0) / ${right})` : undefined
    case '**':
      return undefined
  }
}

/** JavaScript's product of zero and a negative int is -0, which is no int: as a float it would be another number. */
function mayBeMinusZero(a: Type, b: Type): boolean {
  const mayBeZero = ({ lo, hi }: Type): boolean => lo <= 0 && hi >= 0
  return (a.lo < 0 && mayBeZero(b)) || (b.lo < 0 && mayBeZero(a))
}

/** Makes operands that can be repeated; `setup` does it, in front of what they are repeated in. */
function repeatable(g: Generation, left: Operand, right: Operand): { setup: string; l: string; r: string } {
  let setup = ''
  const held = (code: string): string => {
    const t = g.temporary()
    setup += `${t} = ${code}, `
    return t
  }
  const isSettled = isConstant(left.code) || (isSimple(left.code) && !changes(right.node))
  const l = isSettled ? left.code : held(left.code)
  const r = isSimple(right.code) ? right.code : held(right.code)
  return { setup, l, r }
}

/** A guard per operand that is not proven to be a 32-bit int. */
function guarded(g: Generation, general: General<BinaryOperator>, left: Operand, right: Operand): string {
  const { operator } = general
  const { type: a } = left
  const { type: b } = right
  const slow = (): string => generally(g, general, left.code, right.code)
  const additive = operator === '+' || operator === '-'
  // Sums of a 32-bit int and anything within 2**52 are exact; the other operators want 32 bits on both sides.
  const provenLeft = additive ? within(a, -(2 ** 52), 2 ** 52) : isInt32(a)
  const provenRight = additive ? within(b, -(2 ** 52), 2 ** 52) : isInt32(b)
  if (provenLeft && provenRight && operator !== '*' && operator !== '//' && operator !== '%') return slow()
  if ((operator === '//' || operator === '%') && (!within(b, 1, 2147483647) || !isConstant(right.code))) return slow()
  if ((isSmallInt(a) && !provenLeft) || (isSmallInt(b) && !provenRight)) return slow()
  const { setup, l, r } = repeatable(g, left, right)
  if (a.kinds === INT && b.kinds === INT && (additive || operator === '*')) {
    // A small result of two ints is exact; a big one among them makes NaN.
    const t = g.temporary()
    const small = operator === '*' && mayBeMinusZero(a, b) ? g.temporary() : t
    const bits = small === t ? `(${t} = ${l} ${operator} ${r}) | 0` : `${small} = (${t} = ${l} * ${r}) | 0`
    return `(${setup}(${bits}) === ${t} ? ${small} : ${generally(g, general, l, r)})`
  }
  const guards: string[] = []
  if (!provenLeft) guards.push(`(${l} | 0) === ${l}`)
  if (!provenRight && r !== l) guards.push(`(${r} | 0) === ${r}`)
  let fast: string
  switch (operator) {
    case '*': {
      const t = g.temporary()
      fast = g.temporary()
      guards.push(`(${fast} = (${t} = ${l} * ${r}) | 0) === ${t}`)
      break
    }
    case '%': {
      const t = g.temporary()
      fast = `((${t} = ${l} % ${r}) < 0 ? ${t} + ${r} : ${t} + 0)`
      break
    }
    case '//':
      guards.push(`${l} >= 0`)
      fast = `(${l} / ${r} | 0)`
      break
    default:
      fast = `${l} ${operator} ${r}`
  }
  if (guards.length === 0) return slow()
  return `(${setup}${guards.join(' && ')} ? ${fast} : ${generally(g, general, l, r)})`
}

/** Can evaluating this assign a variable? Only `:=` and calls can. */
function changes(e: Expression): boolean {
  switch (e.kind) {
    case 'Identifier':
    case 'IntLiteral':
    case 'FloatLiteral':
    case 'StringLiteral':
    case 'BytesLiteral':
      return false
    case 'ParenExpr':
      return changes(e.expression)
    case 'UnaryExpr':
      return changes(e.operand)
    default:
      return true
  }
}

export function unary(g: Generation, e: UnaryExpr): string {
  if (e.operator === 'not') return `!${negatable(g.test(e.operand))}`
  const code = g.expression(e.operand)
  const type = g.typeOf(e.operand)
  if (isSmallInt(type)) {
    if (e.operator === '+') return code
    if (e.operator === '-') return /^\d+(\.\d+)?$/.test(code) && code !== '0' ? `-${code}` : `(0 - ${code})`
    if (isInt32(type)) return `(~${code})`
  }
  const helper = e.operator === '-' ? 'negate' : e.operator === '+' ? 'positive' : 'invert'
  return `${g.helper(helper)}${g.mark(e)}(${code})`
}

function negatable(test: string): string {
  return /^[\w$]+$/.test(test) || (test.startsWith('(') && closesAtEnd(test)) ? test : `(${test})`
}

// ---- comparison ------------------------------------------------------------------------------------------------

const orderHelpers: Partial<Record<CompareOperator, string>> = {
  '<': 'less',
  '<=': 'lessEqual',
  '>': 'greater',
  '>=': 'greaterEqual',
}

/** A comparison as a JavaScript boolean. */
export function comparison(g: Generation, e: CompareExpr): string {
  if (e.rest.length === 1) {
    const [{ operator, operand: other }] = e.rest as [CompareExpr['rest'][0]]
    const [left, right] = operands(g, [e.left, other])
    return compareTwo(g, { node: e, operator }, operand(g, e.left, left!), operand(g, other, right!))
  }
  // a < b < c: each operand is evaluated once, the later ones only while the comparisons hold.
  if (e.rest.some((r) => hasStatements(g, r.operand))) return chainWithStatements(g, e)
  let left = operand(g, e.left, g.expression(e.left))
  const parts: string[] = []
  e.rest.forEach(({ operator, operand: node }, i) => {
    const right = operand(g, node, g.expression(node))
    const t = i < e.rest.length - 1 && !isConstant(right.code) ? g.temporary() : undefined
    const once = t === undefined ? right : { ...right, code: `(${t} = ${right.code})` }
    parts.push(compareTwo(g, { node: e, operator }, left, once))
    left = t === undefined ? right : { ...right, code: t }
  })
  return `(${parts.join(' && ')})`
}

function chainWithStatements(g: Generation, e: CompareExpr): string {
  const result = g.temporary()
  let left = operand(g, e.left, save(g, g.expression(e.left)))
  let closing = 0
  e.rest.forEach(({ operator, operand: node }, i) => {
    const right = operand(g, node, save(g, g.expression(node)))
    g.out.push(`${result} = ${compareTwo(g, { node: e, operator }, left, right)};`)
    left = right
    if (i < e.rest.length - 1) {
      g.out.push(`if (${result}) {`)
      closing++
    }
  })
  for (; closing > 0; closing--) g.out.push('}')
  return result
}

interface Comparison {
  readonly node: NodeBase
  readonly operator: CompareOperator
}

function compareTwo(g: Generation, { node, operator }: Comparison, left: Operand, right: Operand): string {
  switch (operator) {
    case '==':
      return equality(g, node, left, right)
    case '!=':
      return `!${equality(g, node, left, right)}`
    case 'in':
      return membership(g, node, left, right)
    case 'not in':
      return `!${membership(g, node, left, right)}`
    case 'is':
      return `(${left.code} === ${right.code})`
    case 'is not':
      return `(${left.code} !== ${right.code})`
    default: {
      const { type: a } = left
      const { type: b } = right
      if (isSmallInt(a) && isSmallInt(b)) return `(${left.code} ${operator} ${right.code})`
      if (g.facts.dialect.strict && is(a, STR) && is(b, STR)) return `(${left.code} ${operator} ${right.code})`
      const general = { helper: orderHelpers[operator]!, node, operator }
      if (!mayBe(a, INT) || !mayBe(b, INT)) return generally(g, general, left.code, right.code)
      return guardedOrder(g, general, left, right)
    }
  }
}

/** `left in right` as a JavaScript boolean. */
function membership(g: Generation, node: NodeBase, x: Operand, y: Operand): string {
  const { code: left } = x
  const { code: right } = y
  if (is(x.type, STR) && is(y.type, STR) && (isConstant(left) || (isSimple(left) && isSimple(right))))
    return `${isSimple(right) ? right : `(${right})`}.includes(${left})`
  const slow = `${g.helper('isIn')}${g.mark(node)}(${left}, ${right})`
  if (!is(y.type, MAP) || !isSimple(left) || !isSimple(right)) return slow
  return is(x.type, STR) || isSmallInt(x.type) ? `${right}.has(${left})` : `(${right}.has(${left}) || ${slow})`
}

function guardedOrder(g: Generation, general: General<CompareOperator>, left: Operand, right: Operand): string {
  const { setup, l, r } = repeatable(g, left, right)
  const guards: string[] = []
  if (!isSmallInt(left.type)) guards.push(`(${l} | 0) === ${l}`)
  if (!isSmallInt(right.type) && r !== l) guards.push(`(${r} | 0) === ${r}`)
  return `(${setup}${guards.join(' && ')} ? ${l} ${general.operator} ${r} : ${generally(g, general, l, r)})`
}

/** Data that remembers its text equals that text, which begins like JSON: see the prelude's tool-data.ts. */
function mayRememberText(data: Type, text: Type, code: string): boolean {
  if (!is(text, STR) || !mayBe(data, DICT) || !mayBe(data, STR)) return false
  return !isConstant(code) || /^"(?:\\[ntr]|\s)*[[{]/.test(code)
}

/**
 * A string, a bool in strict mode, None and a small int equal nothing but themselves, as far as the other side is of a
 * kind that can't say otherwise.
 */
function equalsItselfOnly(g: Generation, x: Type, y: Type): boolean {
  return (
    (is(x, STR | NONE) && !g.facts.hasOwnEquality) ||
    (isSmallInt(x) && is(y, INT | STR | NONE)) ||
    (is(x, BOOL) && is(y, BOOL))
  )
}

function equality(g: Generation, node: NodeBase, x: Operand, y: Operand): string {
  const { type: a, code: left } = x
  const { type: b, code: right } = y
  if (equalsItselfOnly(g, a, b) || equalsItselfOnly(g, b, a)) {
    const unknown = mayRememberText(a, b, right) ? left : mayRememberText(b, a, left) ? right : undefined
    if (unknown === undefined) return `(${left} === ${right})`
    if (isSimple(left) && isSimple(right))
      return `(${left} === ${right} || (typeof ${unknown} === "object" && ${g.helper('equal')}${g.mark(node)}(${left}, ${right})))`
    return `${g.helper('equal')}${g.mark(node)}(${left}, ${right})`
  }
  if (isConstant(right) && !isSimple(left)) {
    const t = g.temporary()
    return `((${t} = ${left}) === ${right} || ${g.helper('equal')}${g.mark(node)}(${t}, ${right}))`
  }
  if (isSimple(left) && isSimple(right))
    return `(${left} === ${right} || ${g.helper('equal')}${g.mark(node)}(${left}, ${right}))`
  return `${g.helper('equal')}${g.mark(node)}(${left}, ${right})`
}
