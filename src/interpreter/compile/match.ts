// Match statements. The cases are tried one after the other in a labelled block, which a matching case leaves. A
// pattern becomes one JavaScript condition that destructures the value into temporaries. The prelude handles only
// values that are not plain lists, tuples, dicts or objects of a class. Names are bound after the whole pattern has
// matched, so a case that does not match changes none.
// Invariant: the code of a Subject costs nothing to repeat, and nothing changes it between its test and the binding of
// names.

import { LIST, STR, TUPLE } from '../infer/kinds.js'
import { isRecordKey } from '../infer/records.js'
import { is, isSmallInt, type Type } from '../infer/types.js'
import type {
  ClassPattern,
  Expression,
  MappingPattern,
  MatchStmt,
  OrPattern,
  Pattern,
  SequencePattern,
  ValuePattern,
} from '../syntax/nodes.js'
import { patternsIn } from '../syntax/walk.js'
import type { Code } from './code.js'
import * as js from './code.js'
import type { Generation } from './context.js'
import { floatLiteral, intLiteral } from './expressions.js'
import { operands } from './operators.js'
import { isMadeBy, isNoTuple, isRecord, isTuple } from './values.js'

/** A value that is compared with patterns. */
interface Subject {
  readonly code: Code
  readonly type?: Type
  /** The elements of a tuple. The tuple itself is created only if a name is bound to it. */
  readonly elements?: readonly Subject[]
  /** The results of earlier tests. */
  readonly findings?: Findings
}

interface Findings {
  /**
   * A variable with the result of a test: true if the value may equal a string or small int without being identical to
   * it.
   */
  equalsOthers: Code | undefined
  list: FoundList | undefined
}

/** A sequence as an array, with the index of its first element and a test of its length. */
interface FoundList {
  readonly array: Code
  readonly base: number | Code
  readonly hasLength: (operator: '===' | '>=', n: number) => Code
}

/** The values to bind, by the code of their variables. */
type Bound = Map<Code, Code>

export function matchStatement(g: Generation, s: MatchStmt): void {
  const label = g.names.label()
  const subject = subjectOf(g, s)
  const findings = subject.findings!
  const literals = s.cases.flatMap((c) => alternativesOf(c.pattern)).filter(isPlainLiteral)
  if (literals.length > 1 && subject.elements === undefined && !mayOnlyBe(subject)) {
    const x = subject.code
    const isNoText = js.infix(js.prefix('typeof ', x), '!==', js.literal('string'))
    findings.equalsOthers = g.out.save(js.every([isNoText, isNotSmall(x), js.infix(x, '!==', js.NULL)]))
  }
  g.out.line`${label}: {`
  s.cases.forEach((one, i) => {
    findList(g, s, i, subject)
    g.out.releasing(() => matchCase(g, one, subject, label))
    if (one.guard) lookAgain(g, subject)
  })
  g.out.line`}`
}

function isNotSmall(x: Code): Code {
  return js.infix(js.infix(x, '|', js.ZERO), '!==', x)
}

function matchCase(
  g: Generation,
  { pattern, guard, body }: MatchStmt['cases'][0],
  subject: Subject,
  label: Code,
): void {
  const bound: Bound = new Map()
  g.out.line`if (${condition(g, pattern, subject, bound).text}) {`
  for (const [variable, code] of bound) g.out.line`${variable} = ${code};`
  if (guard) g.out.line`if (${g.test(guard).text}) {`
  g.block(body)
  g.out.line`break ${label}; }`
  if (guard) g.out.line`}`
}

/** Drops the findings, because a guard may have changed the subject. */
function lookAgain(g: Generation, subject: Subject): void {
  subject.findings!.list = undefined
  if (g.facts.roles === undefined) return
  for (const { code } of subject.elements ?? [subject])
    if (!code.isConstant) g.out.line`${code} = ${g.help('settled', [code])};`
}

function subjectOf(g: Generation, s: MatchStmt): Subject {
  const e = s.subject
  const findings: Findings = { equalsOthers: undefined, list: undefined }
  const isTaken = s.cases.every((c) => alternativesOf(c.pattern).every(isForElements))
  if (e.kind === 'TupleExpr' && isTaken && e.elements.every((x) => x.kind !== 'StarredExpr')) {
    const elements = operands(g, e.elements).map((code, i) => ({
      code: code.isConstant ? code : g.out.save(code),
      type: g.typeOf(e.elements[i]!),
    }))
    return { code: js.array([g.names.helper('TUPLE'), ...elements.map((x) => x.code)]), elements, findings }
  }
  return { code: g.out.save(g.expression(e)), type: g.typeOf(e), findings }
}

/** The patterns that are compared with the subject itself. */
function alternativesOf(pattern: Pattern): readonly Pattern[] {
  return pattern.kind === 'OrPattern' || pattern.kind === 'AsPattern'
    ? patternsIn(pattern).flatMap(alternativesOf)
    : [pattern]
}

function isForElements(pattern: Pattern): boolean {
  return pattern.kind === 'SequencePattern' || pattern.kind === 'CapturePattern'
}

function isPlainLiteral(pattern: Pattern): boolean {
  return (
    pattern.kind === 'ValuePattern' && (pattern.value.kind === 'StringLiteral' || pattern.value.kind === 'IntLiteral')
  )
}

function mayOnlyBe({ type }: Subject): boolean {
  return type !== undefined && (is(type, STR) || isSmallInt(type))
}

/** Writes a test of the subject that several cases need, so that it is evaluated once. */
function findList(g: Generation, s: MatchStmt, from: number, subject: Subject): void {
  const findings = subject.findings!
  if (findings.list !== undefined || subject.elements !== undefined) return
  const wanted = (i: number): number =>
    alternativesOf(s.cases[i]!.pattern).filter((p) => p.kind === 'SequencePattern').length
  let more = wanted(from)
  if (more === 0) return
  for (let i = from + 1; i < s.cases.length && s.cases[i - 1]!.guard === undefined; i++) if (wanted(i) > 0) more++
  if (more < 2) return
  findings.list = knownList(subject) ?? savedList(g, s.cases[from]!.pattern, subject.code)
}

/** The array of a list or tuple, or the prelude's conversion of another sequence; undefined for any other value. */
function arrayCode(g: Generation, p: Pattern, x: Code): Code {
  return js.choice(isMadeBy(g, x, 'Array'), x, g.help('sequence', [x], p))
}

function savedList(g: Generation, p: Pattern, x: Code): FoundList {
  const items = g.out.save(arrayCode(g, p, x))
  const base = g.out.save(js.choice(js.every([js.isDefined(items), isTuple(g, items)]), js.ONE, js.ZERO))
  const own = js.infix(js.property(items, 'length'), '-', base)
  const length = g.out.save(js.choice(js.same(items, js.UNDEFINED), js.literal(-1), own))
  return { array: items, base, hasLength: (operator, n) => js.infix(length, operator, js.literal(n)) }
}

function knownList({ code, type }: Subject): FoundList | undefined {
  if (type === undefined || !(is(type, LIST) || is(type, TUPLE))) return undefined
  const base = is(type, LIST) ? 0 : 1
  const length = js.property(code, 'length')
  return { array: code, base, hasLength: (operator, n) => js.infix(length, operator, js.literal(n + base)) }
}

// ---- patterns --------------------------------------------------------------------------------------------------

/** The condition under which a value matches. Adds the resulting bindings to `bound`. */
function condition(g: Generation, p: Pattern, x: Subject, bound: Bound): Code {
  switch (p.kind) {
    case 'CapturePattern':
    case 'StarPattern':
      if (p.name) bound.set(g.variable(p.name), x.code)
      return js.TRUE
    case 'AsPattern': {
      const inner = condition(g, p.pattern, x, bound)
      bound.set(g.variable(p.name), x.code)
      return inner
    }
    case 'ConstantPattern':
      return js.same(x.code, p.name === 'None' ? js.NULL : p.name === 'True' ? js.TRUE : js.FALSE)
    case 'ValuePattern':
      return equals(g, p, x)
    case 'OrPattern':
      return oneOf(g, p, x, bound)
    case 'SequencePattern':
      return listed(g, p, x, bound)
    case 'MappingPattern':
      return mapping(g, p, x, bound)
    case 'ClassPattern':
      return instance(g, p, x, bound)
  }
}

/** The condition for a part of a value. The test stores the part in a temporary. */
function partCondition(g: Generation, p: Pattern, code: Code, bound: Bound): Code {
  if (code.isSimple || p.kind === 'CapturePattern' || p.kind === 'ConstantPattern')
    return condition(g, p, { code }, bound)
  const t = g.out.temporary()
  return js.sequence([js.assign(t, code)], condition(g, p, { code: t }, bound))
}

/** The condition for alternatives. Their bindings go through temporaries, which the matching alternative sets. */
function oneOf(g: Generation, p: OrPattern, x: Subject, bound: Bound): Code {
  const conditions = p.alternatives.map((one) => {
    const own: Bound = new Map()
    const test = condition(g, one, x, own)
    const puts = [...own].map(([variable, code]) => {
      const t = bound.get(variable) ?? g.out.temporary()
      bound.set(variable, t)
      return js.assign(t, code)
    })
    return puts.length === 0 ? test : js.every([test, js.sequence(puts, js.TRUE)])
  })
  return js.some(conditions)
}

// ---- values ----------------------------------------------------------------------------------------------------

function equals(g: Generation, p: ValuePattern, x: Subject): Code {
  const constant = constantCode(g, p.value)
  const equal = (code: Code): Code => g.help('equal', [x.code, code], p)
  if (constant === undefined) {
    const t = g.out.temporary()
    return js.some([js.same(js.assign(t, g.expression(p.value)), x.code), equal(t)])
  }
  const isText = p.value.kind === 'StringLiteral'
  if (!isText && !Number.isInteger(constant.literal)) return equal(constant)
  const isIt = js.same(x.code, constant)
  if (mayOnlyBe(x)) return isIt
  // Objects can define their equality. Data of tools equals its text, and a float may equal an int.
  const isOther = isText ? js.infix(js.prefix('typeof ', x.code), '!==', js.literal('string')) : isNotSmall(x.code)
  return js.some([isIt, js.every([x.findings?.equalsOthers ?? isOther, equal(constant)])])
}

/** The code of a literal with its sign; undefined for a dotted name. */
function constantCode(g: Generation, e: Expression): Code | undefined {
  if (e.kind !== 'UnaryExpr') return e.kind === 'DotExpr' ? undefined : g.expression(e)
  const { operand } = e
  if (operand.kind === 'FloatLiteral') return floatLiteral(g, -operand.value)
  return operand.kind === 'IntLiteral' ? intLiteral(g, -operand.value) : undefined
}

// ---- sequences -------------------------------------------------------------------------------------------------

function listed(g: Generation, p: SequencePattern, x: Subject, bound: Bound): Code {
  const star = p.elements.findIndex((e) => e.kind === 'StarPattern')
  const least = star < 0 ? p.elements.length : p.elements.length - 1
  if (x.elements !== undefined) return elementwise(g, p, x.elements, bound)
  const { array: items, base, hasLength } = x.findings?.list ?? knownList(x) ?? foundList(g, p, x)
  const at = (i: number): Code =>
    typeof base === 'number' ? js.literal(base + i) : i === 0 ? base : js.infix(base, '+', js.literal(i))
  const fromEnd = (n: number): Code => js.infix(js.property(items, 'length'), '-', js.literal(n))
  const after = least - star
  const parts = p.elements.map((e, i) => {
    if (e.kind !== 'StarPattern') {
      const place = star < 0 || i < star ? at(i) : fromEnd(p.elements.length - i)
      return partCondition(g, e, js.element(items, place), bound)
    }
    if (e.name === undefined) return js.TRUE
    const bounds = after > 0 ? [at(i), js.literal(-after)] : [at(i)]
    return condition(g, e, { code: js.call(js.property(items, 'slice'), bounds) }, bound)
  })
  return js.every([hasLength(star < 0 ? '===' : '>=', least), ...parts])
}

function foundList(g: Generation, p: Pattern, x: Subject): FoundList {
  const items = g.out.temporary()
  const base = g.out.temporary()
  const found = js.isDefined(js.assign(items, arrayCode(g, p, x.code)))
  const length = js.infix(
    js.property(items, 'length'),
    '-',
    js.assign(base, js.choice(isTuple(g, items), js.ONE, js.ZERO)),
  )
  return {
    array: items,
    base,
    hasLength: (operator, n) => js.every([found, js.infix(length, operator, js.literal(n))]),
  }
}

/** The condition for elements that were never put into a tuple. */
function elementwise(g: Generation, p: SequencePattern, elements: readonly Subject[], bound: Bound): Code {
  const star = p.elements.findIndex((e) => e.kind === 'StarPattern')
  const surplus = elements.length - p.elements.length
  if (star < 0 ? surplus !== 0 : surplus < -1) return js.FALSE
  const parts = p.elements.map((e, i) => {
    if (e.kind !== 'StarPattern') return condition(g, e, elements[star < 0 || i < star ? i : i + surplus]!, bound)
    const taken = elements.slice(i, i + surplus + 1).map((one) => one.code)
    return condition(g, e, { code: js.array(taken) }, bound)
  })
  return js.every(parts)
}

// ---- mappings --------------------------------------------------------------------------------------------------

function mapping(g: Generation, p: MappingPattern, x: Subject, bound: Bound): Code {
  const isKnown = p.entries.every((entry) => entry.key.kind !== 'DotExpr')
  const isEmpty = p.entries.length === 0
  const isAny = isEmpty ? [js.some([js.every(isRecord(g, x.code)), g.help('isMapping', [x.code])])] : []
  const { keys, conditions } = (isKnown ? knownKeys : askedKeys)(g, p, x.code, bound)
  if (p.rest) bound.set(g.variable(p.rest), g.help('mappingRest', [x.code, js.array(keys)], p))
  return js.every([...isAny, ...conditions])
}

interface Entries {
  readonly keys: readonly Code[]
  readonly conditions: readonly Code[]
}

/** Constant keys, which are looked up one by one. */
function knownKeys(g: Generation, p: MappingPattern, x: Code, bound: Bound): Entries {
  const keys = p.entries.map((entry) => constantCode(g, entry.key)!)
  const conditions = p.entries.flatMap(({ key, pattern }, i) => {
    const v = g.out.temporary()
    const isThere = js.isDefined(js.assign(v, entryCode(g, key, x, keys[i]!)))
    return [isThere, partCondition(g, pattern, v, bound)]
  })
  return { keys, conditions }
}

/** Computed keys. They may be equal to each other, so the prelude looks all of them up at once. */
function askedKeys(g: Generation, p: MappingPattern, x: Code, bound: Bound): Entries {
  const codes = p.entries.map(({ key }) => constantCode(g, key) ?? g.expression(key))
  const values = g.out.temporary()
  const asked = g.out.temporary()
  const found = js.isDefined(js.assign(values, g.help('matchKeys', [x, asked], p)))
  const first = js.sequence([js.assign(asked, js.array(codes))], found)
  const parts = p.entries.map(({ pattern }, i) => partCondition(g, pattern, js.element(values, js.literal(i)), bound))
  return { keys: codes.map((_, i) => js.element(asked, js.literal(i))), conditions: [first, ...parts] }
}

/**
 * The value of a mapping under a constant key. The code gives undefined if there is none, or if `x` is not a mapping.
 */
function entryCode(g: Generation, key: Expression, x: Code, code: Code): Code {
  const slow = g.help('matchKey', [x, code], key)
  if (key.kind !== 'StringLiteral' || !isRecordKey(key.value)) return slow
  // Functions also have Object as their constructor, but they have no property of most names.
  const mayBeOther = g.facts.universe.ownNames.has(key.value) || key.value.startsWith('$')
  const test = mayBeOther ? js.every(isRecord(g, x)) : isMadeBy(g, x, 'Object')
  return js.choice(test, js.property(x, key.value), slow)
}

// ---- classes ---------------------------------------------------------------------------------------------------

/** Built-in types whose single positional pattern matches the value itself. */
const WHOLE: ReadonlySet<string> = new Set('bool bytes dict float frozenset int list set str tuple'.split(' '))

function instance(g: Generation, p: ClassPattern, x: Subject, bound: Bound): Code {
  const { callee, positional, named } = p
  const binding = callee.kind === 'Identifier' ? g.bindingOf(callee) : undefined
  const type = binding?.kind === 'universal' ? binding.name : undefined
  const code = g.expression(callee)
  const cls = code.isSimple || type !== undefined ? code : g.out.temporary()
  const isOf = g.help('isOf', [x.code, cls === code ? code : js.assign(cls, code)], p)
  const conditions = [quickTest(g, type, x.code, isOf)]
  const places: Place[] = []
  if (positional.length === 1 && type !== undefined && WHOLE.has(type))
    conditions.push(condition(g, positional[0]!, { code: x.code }, bound))
  else if (positional.length > 0) {
    const names = g.out.temporary()
    const given = named.length === 0 ? [] : [js.array(named.map((one) => js.literal(one.name.name)))]
    const asked = g.help('matchNames', [cls, js.literal(positional.length), ...given], p)
    conditions.push(js.isDefined(js.assign(names, asked)))
    for (const [i, one] of positional.entries()) places.push([one, js.element(names, js.literal(i + 1))])
  }
  for (const one of named) places.push([one.pattern, js.literal(one.name.name)])
  return js.every([...conditions, ...attributes(g, places, x.code, bound)])
}

/** A pattern, and the attribute that it is compared with. */
type Place = readonly [pattern: Pattern, name: Code]

/** Reads all attributes before a pattern is compared with one of them, because reading may run code of the program. */
function attributes(g: Generation, places: readonly Place[], x: Code, bound: Bound): Code[] {
  const values = places.map(() => g.out.temporary())
  const reads = places.map(([pattern, name], i) =>
    js.isDefined(js.assign(values[i]!, g.help('matchAttribute', [x, name], pattern))),
  )
  return [...reads, ...places.map(([pattern], i) => partCondition(g, pattern, values[i]!, bound))]
}

/** A quick test that recognises the usual values of the commonest types, or else the full test. */
function quickTest(g: Generation, type: string | undefined, x: Code, isOf: Code): Code {
  switch (type) {
    case 'str':
      return js.some([js.hasType(x, 'string'), isOf])
    case 'int':
      return js.some([js.isSmall(x), isOf])
    case 'float':
      return js.some([js.every([js.hasType(x, 'number'), js.infix(js.infix(x, '%', js.ONE), '!==', js.ZERO)]), isOf])
    case 'bool':
      return js.some([js.same(x, js.TRUE), js.same(x, js.FALSE)])
    case 'list':
      return js.some([js.every([isMadeBy(g, x, 'Array'), isNoTuple(g, x)]), isOf])
    case 'tuple':
      return js.some([js.every([isMadeBy(g, x, 'Array'), isTuple(g, x)]), isOf])
    case 'dict':
      return js.some([js.every(isRecord(g, x)), isOf])
    default:
      return isOf
  }
}
