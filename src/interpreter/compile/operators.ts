// Generated code for operators, in three forms: bare JavaScript where the types are proved; JavaScript behind a guard
// `(x|0)===x` where small ints are likely (in QuickJS this is the cheapest test for a small int); and a helper of the
// prelude for everything else.

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
import type { Code, Fragment } from './code.js'
import * as js from './code.js'
import type { Generation } from './context.js'
import { hasField, isRecord, recordKey } from './values.js'

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

/** Generates operands in order. If a later operand needs lines, the earlier ones are saved first. */
export function operands(g: Generation, nodes: readonly Expression[]): Code[] {
  const codes: Code[] = []
  for (const node of nodes)
    codes.push(codes.length === 0 ? g.expression(node) : g.out.behind(codes, () => g.expression(node)))
  return codes
}

export function binary(g: Generation, e: BinaryExpr): Code {
  const product = wrappedProduct(g, e)
  if (product !== undefined) return product
  // A long chain leans to the left. It is generated from the leftmost operand outwards, without recursion.
  const spine: BinaryExpr[] = []
  let x: Expression = e
  while (x.kind === 'BinaryExpr') {
    spine.push(x)
    x = x.left
  }
  let left = g.expression(x)
  for (const node of spine.reverse()) left = outwards(g, node, left)
  return left
}

/** The code of an operation whose left operand has been generated. */
function outwards(g: Generation, e: BinaryExpr, code: Code): Code {
  const left = [code]
  const right = g.out.behind(left, () => g.expression(e.right))
  return operation(g, { node: e, operator: e.operator }, operand(g, e.left, left[0]!), operand(g, e.right, right))
}

/** An operand whose code has been generated. */
interface Operand {
  readonly code: Code
  readonly type: Type
  readonly node: Expression
}

export function operand(g: Generation, node: Expression, code: Code): Operand {
  return { code, type: g.typeOf(node), node }
}

interface Operation {
  /** The origin of a failure. */
  readonly node: NodeBase
  readonly operator: BinaryOperator
  readonly inPlace?: true
}

/** An operator, and the helper of the prelude for the cases that bare JavaScript can't handle. */
interface General<Operator> {
  readonly node: NodeBase
  readonly operator: Operator
  readonly helper: string
}

function generally(g: Generation, { helper, node }: General<unknown>, left: Code, right: Code): Code {
  return g.help(helper, [left, right], node)
}

/** The code of `left operator right`, for operands that have been generated. */
export function operation(g: Generation, { node, operator, inPlace }: Operation, x: Operand, y: Operand): Code {
  const { type: a, code: left } = x
  const { type: b, code: right } = y
  if (isSmallInt(a) && isSmallInt(b)) {
    const bare = provenInts(g, operator, x, y)
    if (bare !== undefined) return bare
  }
  if (operator === '/' && isSmallInt(a) && isFinitePart(y.node)) {
    const t = g.out.temporary()
    const quotient = js.assign(t, js.infix(positive(left), '/', js.literal(y.node.value)))
    return js.choice(js.same(js.infix(quotient, '%', js.ONE), js.ZERO), g.help('float', [t]), t)
  }
  if (operator === '+' && is(a, STR) && is(b, STR)) return js.concatenation([left, right])
  const changing = inPlace && mayBe(a, ~(INT | FLOAT | STR | BOOL | NONE)) ? inPlaceHelpers[operator] : undefined
  const general = { helper: changing ?? helpers[operator], node, operator }
  if (a.kinds === INT && !isSmallInt(a)) {
    // An int that may be big is often big, so a guard for small ints would not pay.
    if (operator === '*' && isSmallInt(b)) return g.help('mulInt', [left, right])
    if (operator === '&' && within(b, 0, 2147483647)) return g.help('andInt', [left, right])
    if (operator === '>>' && within(b, 0, 31)) return g.help('shiftInt', [left, right])
  }
  const isGuardable = mayBe(a, INT) && mayBe(b, INT) && guardable[operator]
  return isGuardable ? withGuards(g, general, x, y) : generally(g, general, left, right)
}

function isFinitePart(divisor: Expression): divisor is FloatLiteral {
  return divisor.kind === 'FloatLiteral' && divisor.value !== 0 && Number.isFinite(divisor.value)
}

/** Turns JavaScript's -0 into the int 0. */
function positive(int: Code): Code {
  return js.infix(int, '+', js.ZERO)
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
 * `(x * y) & 0xFFFFFFFF`: the low 32 bits of a product, as in hash functions. The product itself may exceed the safe
 * integers.
 */
function wrappedProduct(g: Generation, e: BinaryExpr): Code | undefined {
  if (e.operator !== '&' || !within(g.typeOf(e.right), 0xffffffff, 0xffffffff)) return undefined
  const product = unparenthesised(e.left)
  if (product.kind !== 'BinaryExpr' || product.operator !== '*') return undefined
  if (!isSmallInt(g.typeOf(product.left)) || !isSmallInt(g.typeOf(product.right))) return undefined
  return unsigned(g.help('imul', operands(g, [product.left, product.right])))
}

/** Turns 32 bits into an int that is not negative. */
function unsigned(bits: Code): Code {
  return js.infix(bits, '>>>', js.ZERO)
}

function provenInts(g: Generation, operator: BinaryOperator, x: Operand, y: Operand): Code | undefined {
  const { type: a, code: left } = x
  const { type: b, code: right } = y
  const result = intResult(operator, a, b)
  switch (operator) {
    case '+':
    case '-':
      return isSmallInt(result) ? js.infix(left, operator, right) : undefined
    case '*': {
      const product = js.infix(left, '*', right)
      return isSmallInt(result) ? (mayBeMinusZero(a, b) ? positive(product) : product) : undefined
    }
    case '//':
      return provenQuotient(x, y)
    case '%':
      if (b.lo <= 0) return undefined
      if (a.lo >= 0) return js.infix(left, '%', right)
      return right.isSimple ? remainder(g, left, right) : undefined
    case '&':
    case '|':
    case '^':
      return provenBits(operator, x, y)
    case '<<':
      return isSmallInt(result) && b.lo === b.hi && b.lo >= 0 ? js.infix(left, '*', js.literal(2 ** b.lo)) : undefined
    case '>>':
      return isInt32(a) && within(b, 0, 31) ? js.infix(left, '>>', right) : undefined
    case '**':
      return left.isConstant && right.isConstant && isConstantInt(result) ? js.literal(result.lo) : undefined
    case '/':
      return b.lo > 0 || b.hi < 0 ? g.help('float', [js.infix(positive(left), '/', right)]) : undefined
    default:
      return undefined
  }
}

function isConstantInt(t: Type): boolean {
  return isSmallInt(t) && t.lo === t.hi
}

function provenQuotient({ type: a, code: left }: Operand, { type: b, code: right }: Operand): Code | undefined {
  if (b.lo <= 0 || a.lo < 0) return undefined
  if (a.hi <= 2147483647) return js.infix(js.infix(left, '/', right), '|', js.ZERO)
  if (!left.isSimple || !right.isSimple) return undefined
  return js.infix(js.infix(left, '-', js.infix(left, '%', right)), '/', right)
}

/** The remainder of ints in Python's sense. `right` must cost nothing to repeat. */
function remainder(g: Generation, left: Code, right: Code): Code {
  const t = g.out.temporary()
  const negative = js.infix(js.assign(t, js.infix(left, '%', right)), '<', js.ZERO)
  return js.choice(negative, js.infix(t, '+', right), positive(t))
}

function provenBits(
  operator: '&' | '|' | '^',
  { type: a, code: left }: Operand,
  { type: b, code: right }: Operand,
): Code | undefined {
  const bits = js.infix(left, operator, right)
  if (isInt32(a) && isInt32(b)) return bits
  const isWithin = (most: number): [boolean, boolean] => [within(a, 0, most), within(b, 0, most)]
  if (operator === '&' && isWithin(0x7fffffff).includes(true)) return bits
  const wide = isWithin(0xffffffff)
  return (operator === '&' ? wide.includes(true) : !wide.includes(false)) ? unsigned(bits) : undefined
}

/** True if the product of two ints may be JavaScript's -0, which is no int. As a float it would be another number. */
function mayBeMinusZero(a: Type, b: Type): boolean {
  const mayBeZero = ({ lo, hi }: Type): boolean => lo <= 0 && hi >= 0
  return (a.lo < 0 && mayBeZero(b)) || (b.lo < 0 && mayBeZero(a))
}

/** Operands in a form that can be repeated, and the steps that set them. */
interface Repeatable {
  readonly steps: readonly Code[]
  readonly l: Code
  readonly r: Code
}

function repeatable(g: Generation, left: Operand, right: Operand): Repeatable {
  const steps: Code[] = []
  const l = steady(g, left.code, [right.node], steps)
  return { steps, l, r: g.out.held(right.code, steps) }
}

/** An operand in a form that can be repeated, also after the later operands have been evaluated. */
export function steady(g: Generation, code: Code, later: readonly Expression[], steps: Code[]): Code {
  const held = g.out.held(code, steps)
  if (held !== code || code.isConstant || !later.some(changes)) return held
  const kept = g.out.temporary()
  steps.push(js.assign(kept, code))
  return kept
}

/** `max(x, y)` or `min(x, y)`, without a call if both are small ints; undefined if they can't be ints. */
export function extremeOfTwo(
  g: Generation,
  name: 'max' | 'min',
  nodes: readonly [Expression, Expression],
  general: (values: readonly Code[]) => Code,
): Code | undefined {
  if (!nodes.every((x) => mayBe(g.typeOf(x), INT))) return undefined
  const codes = operands(g, nodes)
  const { steps, l, r } = repeatable(g, operand(g, nodes[0], codes[0]!), operand(g, nodes[1], codes[1]!))
  const guards = [l, r].filter((_, i) => !isSmallInt(g.typeOf(nodes[i]!))).map(js.isSmall)
  const chosen = js.choice(js.infix(r, name === 'max' ? '>' : '<', l), r, l)
  return js.sequence(steps, guards.length === 0 ? chosen : js.choice(js.every(guards), chosen, general([l, r])))
}

/** An operation with a guard for each operand that is not proved to be a 32-bit int. */
function withGuards(g: Generation, general: General<BinaryOperator>, left: Operand, right: Operand): Code {
  const { operator } = general
  const { type: a } = left
  const { type: b } = right
  const slow = (): Code => generally(g, general, left.code, right.code)
  const additive = operator === '+' || operator === '-'
  // A sum of a 32-bit int and an int within 2**52 is exact. The other operators need 32 bits on both sides.
  const provenLeft = additive ? within(a, -(2 ** 52), 2 ** 52) : isInt32(a)
  const provenRight = additive ? within(b, -(2 ** 52), 2 ** 52) : isInt32(b)
  if (provenLeft && provenRight && operator !== '*' && operator !== '//' && operator !== '%') return slow()
  if ((operator === '//' || operator === '%') && (!within(b, 1, 2147483647) || !right.code.isConstant)) return slow()
  if ((isSmallInt(a) && !provenLeft) || (isSmallInt(b) && !provenRight)) return slow()
  const { steps, l, r } = repeatable(g, left, right)
  if (a.kinds === INT && b.kinds === INT && (additive || operator === '*'))
    return js.sequence(steps, exactly(g, general, { ...left, code: l }, { ...right, code: r }))
  const guards: Code[] = []
  if (!provenLeft) guards.push(js.isSmall(l))
  if (!provenRight && r !== l) guards.push(js.isSmall(r))
  const fast = fastOperation(g, operator, [l, r], guards)
  return guards.length === 0
    ? slow()
    : js.sequence(steps, js.choice(js.every(guards), fast, generally(g, general, l, r)))
}

/** An operation on two ints whose small results are exact. A big int among the operands makes NaN. */
function exactly(g: Generation, general: General<BinaryOperator>, left: Operand, right: Operand): Code {
  const { code: l } = left
  const { code: r } = right
  const operator = general.operator as '+' | '-' | '*'
  const t = g.out.temporary()
  const small = operator === '*' && mayBeMinusZero(left.type, right.type) ? g.out.temporary() : t
  const bits = js.infix(js.assign(t, js.infix(l, operator, r)), '|', js.ZERO)
  const guard = js.same(small === t ? bits : js.assign(small, bits), t)
  return js.choice(guard, small, generally(g, general, l, r))
}

/** An operation on 32-bit ints. Adds the further guards that it needs. */
function fastOperation(g: Generation, operator: BinaryOperator, [l, r]: readonly [Code, Code], guards: Code[]): Code {
  switch (operator) {
    case '*': {
      const t = g.out.temporary()
      const product = g.out.temporary()
      guards.push(js.same(js.assign(product, js.infix(js.assign(t, js.infix(l, '*', r)), '|', js.ZERO)), t))
      return product
    }
    case '%':
      return remainder(g, l, r)
    case '//':
      guards.push(js.infix(l, '>=', js.ZERO))
      return js.infix(js.infix(l, '/', r), '|', js.ZERO)
    default:
      return js.infix(l, operator as '+' | '-' | '&' | '|' | '^', r)
  }
}

/** True if evaluating the expression may assign a variable. Only `:=` and calls can. */
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

export function unary(g: Generation, e: UnaryExpr): Code {
  if (e.operator === 'not') return js.not(g.test(e.operand))
  const code = g.expression(e.operand)
  const type = g.typeOf(e.operand)
  if (isSmallInt(type)) {
    if (e.operator === '+') return code
    if (e.operator === '-')
      return typeof code.literal === 'number' ? js.literal(0 - code.literal) : js.infix(js.ZERO, '-', code)
    if (isInt32(type)) return js.prefix('~', code)
  }
  const helper = e.operator === '-' ? 'negate' : e.operator === '+' ? 'positive' : 'invert'
  return g.help(helper, [code], e)
}

// ---- comparison ------------------------------------------------------------------------------------------------

const orderHelpers = { '<': 'less', '<=': 'lessEqual', '>': 'greater', '>=': 'greaterEqual' } as const

/** A comparison as a JavaScript boolean. */
export function comparison(g: Generation, e: CompareExpr): Code {
  if (e.rest.length === 1) {
    const [{ operator, operand: other }] = e.rest as [CompareExpr['rest'][0]]
    const [left, right] = operands(g, [e.left, other])
    return compareTwo(g, { node: e, operator }, operand(g, e.left, left!), operand(g, other, right!))
  }
  // In `a < b < c` each operand is evaluated at most once, and later ones only while the comparisons hold.
  const first = operand(g, e.left, g.expression(e.left))
  const rest = e.rest.map(({ operator, operand: node }) => {
    const { made, before } = g.out.apart(() => g.expression(node))
    return { operator, before, right: operand(g, node, made) }
  })
  return rest.some(({ before }) => before !== '') ? chainInLines(g, e, first, rest) : chain(g, e, first, rest)
}

interface Link {
  readonly operator: CompareOperator
  /** The lines before the operand. */
  readonly before: Fragment
  readonly right: Operand
}

function chain(g: Generation, node: CompareExpr, first: Operand, rest: readonly Link[]): Code {
  let left = first
  const parts = rest.map(({ operator, right }, i) => {
    const t = i < rest.length - 1 && !right.code.isConstant ? g.out.temporary() : undefined
    const once = t === undefined ? right : { ...right, code: js.assign(t, right.code) }
    const part = compareTwo(g, { node, operator }, left, once)
    left = t === undefined ? right : { ...right, code: t }
    return part
  })
  return js.every(parts)
}

function chainInLines(g: Generation, node: CompareExpr, first: Operand, rest: readonly Link[]): Code {
  const result = g.out.temporary()
  let left = { ...first, code: g.out.save(first.code) }
  rest.forEach(({ operator, before, right: next }, i) => {
    if (i > 0) g.out.line`if (${result}) {`
    g.out.add(before)
    const right = { ...next, code: g.out.save(next.code) }
    g.out.line`${result} = ${compareTwo(g, { node, operator }, left, right)};`
    left = right
  })
  for (const _ of rest.slice(1)) g.out.line`}`
  return result
}

interface Comparison {
  readonly node: NodeBase
  readonly operator: CompareOperator
}

function compareTwo(g: Generation, { node, operator }: Comparison, left: Operand, right: Operand): Code {
  switch (operator) {
    case '==':
      return equality(g, node, left, right)
    case '!=':
      return js.not(equality(g, node, left, right))
    case 'in':
      return membership(g, node, left, right)
    case 'not in':
      return js.not(membership(g, node, left, right))
    case 'is':
      return js.same(left.code, right.code)
    case 'is not':
      return js.infix(left.code, '!==', right.code)
    default: {
      const { type: a } = left
      const { type: b } = right
      if (isSmallInt(a) && isSmallInt(b)) return js.infix(left.code, operator, right.code)
      if (g.facts.dialect.strict && is(a, STR) && is(b, STR)) return js.infix(left.code, operator, right.code)
      const general = { helper: orderHelpers[operator], node, operator }
      if (!mayBe(a, INT) || !mayBe(b, INT)) return generally(g, general, left.code, right.code)
      return guardedOrder(g, general, left, right)
    }
  }
}

/** `left in right` as a JavaScript boolean. */
function membership(g: Generation, node: NodeBase, x: Operand, y: Operand): Code {
  const { code: left } = x
  const { code: right } = y
  if (is(x.type, STR) && is(y.type, STR) && (left.isConstant || (left.isSimple && right.isSimple)))
    return js.call(js.property(right, 'includes'), [left])
  const slow = (o = right): Code => g.help('isIn', [left, o], node)
  const key = recordKey(x.node)
  if (key !== undefined && !is(y.type, MAP) && mayBe(y.type, DICT)) {
    const steps: Code[] = []
    const o = g.out.held(right, steps)
    return js.sequence(steps, js.some([hasField(g, o, key, { isRecord: isRecord(g, o) }), slow(o)]))
  }
  if (!is(y.type, MAP) || !left.isSimple || !right.isSimple) return slow()
  const found = js.call(js.property(right, 'has'), [left])
  return is(x.type, STR) || isSmallInt(x.type) ? found : js.infix(found, '||', slow())
}

function guardedOrder(g: Generation, general: General<keyof typeof orderHelpers>, left: Operand, right: Operand): Code {
  const { steps, l, r } = repeatable(g, left, right)
  const guards: Code[] = []
  if (!isSmallInt(left.type)) guards.push(js.isSmall(l))
  if (!isSmallInt(right.type) && r !== l) guards.push(js.isSmall(r))
  return js.sequence(steps, js.choice(js.every(guards), js.infix(l, general.operator, r), generally(g, general, l, r)))
}

/**
 * True if `data` may be data that remembers its text. It equals that text, which begins like JSON
 * (prelude/values/tool-data.ts).
 */
function mayRememberText(data: Type, text: Type, code: Code): boolean {
  if (!is(text, STR) || !mayBe(data, DICT) || !mayBe(data, STR)) return false
  return typeof code.literal !== 'string' || /^[ \t\n\r]*[[{]/.test(code.literal)
}

/**
 * True if JavaScript's `===` decides. A string, a bool in strict mode, None and a small int are equal only to
 * themselves, unless the other operand defines its own equality.
 */
function equalsItselfOnly(g: Generation, x: Type, y: Type): boolean {
  return (
    (is(x, STR | NONE) && !g.facts.hasOwnEquality) ||
    (isSmallInt(x) && is(y, INT | STR | NONE)) ||
    (is(x, BOOL) && is(y, BOOL))
  )
}

function equality(g: Generation, node: NodeBase, x: Operand, y: Operand): Code {
  const { type: a, code: left } = x
  const { type: b, code: right } = y
  const asked = (l = left): Code => g.help('equal', [l, right], node)
  const areSimple = left.isSimple && right.isSimple
  if (equalsItselfOnly(g, a, b) || equalsItselfOnly(g, b, a)) {
    const unknown = mayRememberText(a, b, right) ? left : mayRememberText(b, a, left) ? right : undefined
    if (unknown === undefined) return js.same(left, right)
    return areSimple ? js.some([js.same(left, right), js.every([js.hasType(unknown, 'object'), asked()])]) : asked()
  }
  if (areSimple) return js.some([js.same(left, right), asked()])
  if (!right.isConstant) return asked()
  const t = g.out.temporary()
  return js.some([js.same(js.assign(t, left), right), asked(t)])
}
