// Match statements: the cases are tried one after the other in a labelled block, and a case that is taken leaves it. A
// pattern becomes one JavaScript condition that takes the value apart, with the parts in temporaries; the prelude is
// asked only for what is no plain list, tuple, dict or object of a class. Names are bound when the whole pattern has
// matched, so that a case that does not match leaves them as they were.
// Invariant: the code of a Subject costs nothing to repeat and nothing between its test and the binding of names
// changes it.

import { LIST, STR, TUPLE } from '../infer/kinds.js'
import { isRecordKey } from '../infer/records.js'
import { is, isSmallInt, type Type } from '../infer/types.js'
import { isPlainName, quote } from '../quote.js'
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
import { type Generation, isConstant, isSimple } from './context.js'
import { operands, save } from './operators.js'

/** A value that patterns are tried on. */
interface Subject {
  readonly code: string
  readonly type: Type | undefined
  /** The elements of a tuple that is made only where a name is bound to it. */
  readonly elements?: readonly Subject[]
  /** What has been found out about it before. */
  readonly facts?: Facts
}

interface Facts {
  /** The variable that says whether it may equal a string or a small int without being the same. */
  equalsOthers: string | undefined
  sequence: Sequence | undefined
}

/** A sequence as an array, where its elements begin, and how its length is tested. */
interface Sequence {
  readonly array: string
  readonly base: string
  readonly hasLength: (operator: '===' | '>=', n: number) => string
}

/** The code of what is bound, by the variable's name in generated code. */
type Bound = Map<string, string>

export function matchStatement(g: Generation, s: MatchStmt): void {
  const label = g.label()
  const subject = subjectOf(g, s)
  const facts = subject.facts!
  const literals = s.cases.flatMap((c) => alternativesOf(c.pattern)).filter(isPlainLiteral)
  if (literals.length > 1 && subject.elements === undefined && !mayOnlyBe(subject)) {
    const x = subject.code
    facts.equalsOthers = save(g, `typeof ${x} !== "string" && (${x} | 0) !== ${x} && ${x} !== null`)
  }
  g.out.push(`${label}: {`)
  s.cases.forEach((one, i) => {
    findSequence(g, s, i, subject)
    const used = g.frame.used
    const bound: Bound = new Map()
    g.out.push(`if (${condition(g, one.pattern, subject, bound)}) {`)
    for (const [name, code] of bound) g.out.push(`${name} = ${code};`)
    if (one.guard) g.out.push(`if (${g.test(one.guard)}) {`)
    g.block(one.body)
    g.out.push(one.guard ? `break ${label}; } }` : `break ${label}; }`)
    g.frame.used = used
    if (one.guard) lookAgain(g, subject)
  })
  g.out.push('}')
}

/** What a guard has done may have changed what the subject holds. */
function lookAgain(g: Generation, subject: Subject): void {
  subject.facts!.sequence = undefined
  if (g.facts.roles === undefined) return
  for (const { code } of subject.elements ?? [subject])
    if (!isConstant(code)) g.out.push(`${code} = ${g.helper('settled')}(${code});`)
}

function subjectOf(g: Generation, s: MatchStmt): Subject {
  const e = s.subject
  const facts: Facts = { equalsOthers: undefined, sequence: undefined }
  const isTaken = s.cases.every((c) => alternativesOf(c.pattern).every(isForElements))
  if (e.kind === 'TupleExpr' && isTaken && e.elements.every((x) => x.kind !== 'StarredExpr')) {
    const codes = operands(g, e.elements)
    const elements = codes.map((code, i) => ({
      code: isConstant(code) ? code : save(g, code),
      type: g.typeOf(e.elements[i]!),
    }))
    return {
      code: `[${[g.helper('TUPLE'), ...elements.map((x) => x.code)].join(', ')}]`,
      type: undefined,
      elements,
      facts,
    }
  }
  return { code: save(g, g.expression(e)), type: g.typeOf(e), facts }
}

/** The patterns that are tried on the subject itself. */
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

/** What several cases want to know of the subject is found out once. */
function findSequence(g: Generation, s: MatchStmt, from: number, subject: Subject): void {
  const facts = subject.facts!
  if (facts.sequence !== undefined || subject.elements !== undefined) return
  const isWanted = (i: number): boolean => alternativesOf(s.cases[i]!.pattern).some((p) => p.kind === 'SequencePattern')
  if (!isWanted(from)) return
  let more = alternativesOf(s.cases[from]!.pattern).filter((p) => p.kind === 'SequencePattern').length
  for (let i = from + 1; i < s.cases.length && s.cases[i - 1]!.guard === undefined; i++) if (isWanted(i)) more++
  if (more < 2) return
  const known = knownSequence(subject)
  if (known !== undefined) {
    facts.sequence = known
    return
  }
  const array = save(g, arrayCode(g, s.cases[from]!.pattern, subject.code))
  const base = save(g, `${array} !== undefined && ${array}[0] === ${g.helper('TUPLE')} ? 1 : 0`)
  const length = save(g, `${array} === undefined ? -1 : ${array}.length - ${base}`)
  facts.sequence = { array, base, hasLength: (operator, n) => `${length} ${operator} ${n}` }
}

function arrayCode(g: Generation, p: Pattern, x: string): string {
  return `${x}?.constructor === ${g.helper('Array')} ? ${x} : ${g.helper('sequence')}${g.mark(p)}(${x})`
}

function knownSequence({ code, type }: Subject): Sequence | undefined {
  if (type === undefined || !(is(type, LIST) || is(type, TUPLE))) return undefined
  const base = is(type, LIST) ? 0 : 1
  return { array: code, base: String(base), hasLength: (operator, n) => `${code}.length ${operator} ${n + base}` }
}

// ---- patterns --------------------------------------------------------------------------------------------------

/** The condition under which a value matches, and what is bound then. */
function condition(g: Generation, p: Pattern, x: Subject, bound: Bound): string {
  switch (p.kind) {
    case 'CapturePattern':
    case 'StarPattern':
      if (p.name) bound.set(g.bindingOf(p.name)!.js, x.code)
      return 'true'
    case 'AsPattern': {
      const inner = condition(g, p.pattern, x, bound)
      bound.set(g.bindingOf(p.name)!.js, x.code)
      return inner
    }
    case 'ConstantPattern':
      return `${x.code} === ${p.name === 'None' ? 'null' : p.name === 'True' ? 'true' : 'false'}`
    case 'ValuePattern':
      return equals(g, p, x)
    case 'OrPattern':
      return oneOf(g, p, x, bound)
    case 'SequencePattern':
      return sequence(g, p, x, bound)
    case 'MappingPattern':
      return mapping(g, p, x, bound)
    case 'ClassPattern':
      return instance(g, p, x, bound)
  }
}

/** The condition for a part of a value, which is put into a temporary where it is tested. */
function partCondition(g: Generation, p: Pattern, code: string, bound: Bound): string {
  if (isSimple(code) || p.kind === 'CapturePattern' || p.kind === 'ConstantPattern')
    return condition(g, p, { code, type: undefined }, bound)
  const t = g.temporary()
  return `(${t} = ${code}, ${condition(g, p, { code: t, type: undefined }, bound)})`
}

function all(conditions: readonly string[]): string {
  const left = conditions.filter((c) => c !== 'true')
  return left.length === 0 ? 'true' : left.join(' && ')
}

/** What the alternatives bind goes through temporaries, so that whichever matched has set them. */
function oneOf(g: Generation, p: OrPattern, x: Subject, bound: Bound): string {
  const conditions = p.alternatives.map((one) => {
    const own: Bound = new Map()
    const test = condition(g, one, x, own)
    const puts = [...own].map(([name, code]) => {
      let t = bound.get(name)
      if (t === undefined) {
        t = g.temporary()
        bound.set(name, t)
      }
      return `${t} = ${code}`
    })
    return puts.length === 0 ? test : all([test, `(${puts.join(', ')}, true)`])
  })
  return `(${conditions.join(' || ')})`
}

// ---- values ----------------------------------------------------------------------------------------------------

function equals(g: Generation, p: ValuePattern, x: Subject): string {
  const literal = literalCode(g, p.value)
  const equal = (code: string): string => `${g.helper('equal')}${g.mark(p)}(${x.code}, ${code})`
  if (literal === undefined) {
    const t = g.temporary()
    return `((${t} = ${g.expression(p.value)}) === ${x.code} || ${equal(t)})`
  }
  const isText = p.value.kind === 'StringLiteral'
  const isInt = /^-?\d+$/.test(literal)
  if (!isText && !isInt) return equal(literal)
  if (mayOnlyBe(x)) return `${x.code} === ${literal}`
  // Objects can say themselves what they equal; data of tools equals its text, and a float an int.
  const others = x.facts?.equalsOthers ?? (isText ? `typeof ${x.code} !== "string"` : `(${x.code} | 0) !== ${x.code}`)
  return `(${x.code} === ${literal} || ${others} && ${equal(literal)})`
}

/** The code of a literal with its sign; undefined for a dotted name. */
function literalCode(g: Generation, e: Expression): string | undefined {
  if (e.kind !== 'UnaryExpr') return e.kind === 'DotExpr' ? undefined : g.expression(e)
  const { operand } = e
  if (operand.kind === 'FloatLiteral') return g.expression({ ...operand, value: -operand.value })
  if (operand.kind !== 'IntLiteral') return undefined
  const code = g.expression(operand)
  return /^\d+$/.test(code) ? String(0 - Number(code)) : g.constant(`$.big(-${operand.value}n)`)
}

// ---- sequences -------------------------------------------------------------------------------------------------

function sequence(g: Generation, p: SequencePattern, x: Subject, bound: Bound): string {
  const star = p.elements.findIndex((e) => e.kind === 'StarPattern')
  const least = star < 0 ? p.elements.length : p.elements.length - 1
  if (x.elements !== undefined) return elementwise(g, p, x.elements, star, bound)
  const known = x.facts?.sequence ?? knownSequence(x) ?? foundSequence(g, p, x)
  const { array, base, hasLength } = known
  const at = (i: number): string => (/^\d+$/.test(base) ? String(Number(base) + i) : i === 0 ? base : `${base} + ${i}`)
  const after = star < 0 ? 0 : least - star
  const parts = p.elements.map((e, i) => {
    const fromEnd = p.elements.length - i
    if (e.kind !== 'StarPattern')
      return partCondition(g, e, `${array}[${star < 0 || i < star ? at(i) : `${array}.length - ${fromEnd}`}]`, bound)
    if (e.name === undefined) return 'true'
    return condition(
      g,
      e,
      { code: `${array}.slice(${at(i)}${after > 0 ? `, -${after}` : ''})`, type: undefined },
      bound,
    )
  })
  return all([hasLength(star < 0 ? '===' : '>=', least), ...parts])
}

function foundSequence(g: Generation, p: Pattern, x: Subject): Sequence {
  const array = g.temporary()
  const base = g.temporary()
  const found = `(${array} = ${arrayCode(g, p, x.code)}) !== undefined`
  const length = `${array}.length - (${base} = ${array}[0] === ${g.helper('TUPLE')} ? 1 : 0)`
  return { array, base, hasLength: (operator, n) => `${found} && ${length} ${operator} ${n}` }
}

/** Elements that were never put into a tuple. */
function elementwise(
  g: Generation,
  p: SequencePattern,
  elements: readonly Subject[],
  star: number,
  bound: Bound,
): string {
  const surplus = elements.length - p.elements.length
  if (star < 0 ? surplus !== 0 : surplus < -1) return 'false'
  const parts = p.elements.map((e, i) => {
    if (e.kind !== 'StarPattern') return condition(g, e, elements[star < 0 || i < star ? i : i + surplus]!, bound)
    const taken = elements.slice(i, i + surplus + 1).map((one) => one.code)
    return condition(g, e, { code: `[${taken.join(', ')}]`, type: undefined }, bound)
  })
  return all(parts)
}

// ---- mappings --------------------------------------------------------------------------------------------------

function mapping(g: Generation, p: MappingPattern, x: Subject, bound: Bound): string {
  const keys = p.entries.map((entry) => keyCode(g, entry.key))
  const isKnown = p.entries.every((entry) => entry.key.kind !== 'DotExpr')
  const conditions: string[] = []
  if (p.entries.length === 0) conditions.push(`(${recordTest(g, x.code)} || ${g.helper('isMapping')}(${x.code}))`)
  if (isKnown) {
    p.entries.forEach((entry, i) => {
      const v = g.temporary()
      conditions.push(`(${v} = ${entryCode(g, entry.key, x.code, keys[i]!)}) !== undefined`)
      conditions.push(partCondition(g, entry.pattern, v, bound))
    })
  } else {
    const values = g.temporary()
    const asked = g.temporary()
    const found = `${g.helper('matchKeys')}${g.mark(p)}(${x.code}, ${asked})`
    conditions.push(`(${asked} = [${keys.join(', ')}], ${values} = ${found}) !== undefined`)
    p.entries.forEach((entry, i) => {
      conditions.push(partCondition(g, entry.pattern, `${values}[${i}]`, bound))
      keys[i] = `${asked}[${i}]`
    })
  }
  if (p.rest) {
    const rest = `${g.helper('mappingRest')}${g.mark(p)}(${x.code}, [${keys.join(', ')}])`
    bound.set(g.bindingOf(p.rest)!.js, rest)
  }
  return all(conditions)
}

function keyCode(g: Generation, key: Expression): string {
  return literalCode(g, key) ?? g.expression(key)
}

/** What a mapping has under a constant key; undefined where it has nothing, or is no mapping. */
function entryCode(g: Generation, key: Expression, x: string, code: string): string {
  const slow = `${g.helper('matchKey')}${g.mark(key)}(${x}, ${code})`
  if (key.kind !== 'StringLiteral' || !isRecordKey(key.value)) return slow
  const read = isPlainName(key.value) ? `.${key.value}` : `[${code}]`
  // What else has Object for its constructor, functions, has no property of most names.
  const mayBeOther = g.facts.universe.ownNames.has(key.value) || key.value.startsWith('$')
  const test = mayBeOther ? recordTest(g, x) : `${x}?.constructor === ${g.helper('Object')}`
  return `${test} ? ${x}${read} : ${slow}`
}

function recordTest(g: Generation, x: string): string {
  return `${x}?.constructor === ${g.helper('Object')} && typeof ${x} === "object"`
}

// ---- classes ---------------------------------------------------------------------------------------------------

/** Built-in types whose one positional pattern is for the value itself. */
const WHOLE: ReadonlySet<string> = new Set('bool bytes dict float frozenset int list set str tuple'.split(' '))

function instance(g: Generation, p: ClassPattern, x: Subject, bound: Bound): string {
  const { callee, positional, named } = p
  const binding = callee.kind === 'Identifier' ? g.bindingOf(callee) : undefined
  const type = binding?.kind === 'universal' ? binding.name : undefined
  const code = g.expression(callee)
  const cls = isSimple(code) || type !== undefined ? code : g.temporary()
  const isOf = `${g.helper('isOf')}${g.mark(p)}(${x.code}, ${cls === code ? code : `${cls} = ${code}`})`
  const conditions = [quickTest(g, type, x.code, isOf)]
  if (positional.length === 1 && type !== undefined && WHOLE.has(type)) {
    conditions.push(condition(g, positional[0]!, { code: x.code, type: undefined }, bound))
    return all([
      ...conditions,
      ...attributes(
        g,
        named.map((one) => [one.pattern, quote(one.name.name)]),
        x.code,
        bound,
      ),
    ])
  }
  const places: (readonly [Pattern, string])[] = []
  if (positional.length > 0) {
    const names = g.temporary()
    const given = named.length === 0 ? '' : `, [${named.map((one) => quote(one.name.name)).join(', ')}]`
    conditions.push(
      `(${names} = ${g.helper('matchNames')}${g.mark(p)}(${cls}, ${positional.length}${given})) !== undefined`,
    )
    for (const [i, one] of positional.entries()) places.push([one, `${names}[${i + 1}]`])
  }
  for (const one of named) places.push([one.pattern, quote(one.name.name)])
  return all([...conditions, ...attributes(g, places, x.code, bound)])
}

/** All attributes are read before a pattern is tried on one: reading may run code of the program. */
function attributes(
  g: Generation,
  places: readonly (readonly [pattern: Pattern, name: string])[],
  x: string,
  bound: Bound,
): string[] {
  const values = places.map(() => g.temporary())
  const reads = places.map(
    ([pattern, name], i) =>
      `(${values[i]} = ${g.helper('matchAttribute')}${g.mark(pattern)}(${x}, ${name})) !== undefined`,
  )
  return [...reads, ...places.map(([pattern], i) => partCondition(g, pattern, values[i]!, bound))]
}

/** The usual values of the commonest types are known without asking. */
function quickTest(g: Generation, type: string | undefined, x: string, isOf: string): string {
  switch (type) {
    case 'str':
      return `(typeof ${x} === "string" || ${isOf})`
    case 'int':
      return `((${x} | 0) === ${x} || ${isOf})`
    case 'float':
      return `(typeof ${x} === "number" && ${x} % 1 !== 0 || ${isOf})`
    case 'bool':
      return `(${x} === true || ${x} === false)`
    case 'list':
      return `(${x}?.constructor === ${g.helper('Array')} && ${x}[0] !== ${g.helper('TUPLE')} || ${isOf})`
    case 'tuple':
      return `(${x}?.constructor === ${g.helper('Array')} && ${x}[0] === ${g.helper('TUPLE')} || ${isOf})`
    case 'dict':
      return `(${recordTest(g, x)} || ${isOf})`
    default:
      return isOf
  }
}
