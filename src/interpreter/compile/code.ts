// Pieces of generated JavaScript as values. The caller chooses the JavaScript construct (a call, an operator, an
// assignment). The functions here write it, with parentheses only where precedence requires them, and set fields for
// later questions about the piece. Nothing parses its text.
// Invariant: only this file makes pieces and fragments, from fixed words, quoted text, numbers and checked identifiers.
// Program text occurs in them only as escaped by quote(). The compiler's types enforce that: a plain string is neither
// a piece nor a fragment, and a line of generated code accepts nothing else.

import { quote } from '../quote.js'

declare const generated: unique symbol

/** Text that consists of pieces and fixed words. */
export type Fragment = string & { readonly [generated]: true }

/**
 * How a piece can be used again. `constant`: nothing can change it. `variable`, `temporary`: repeating it costs
 * nothing, and only an assignment changes it. `computed`: it is evaluated once.
 */
type Use = 'constant' | 'variable' | 'temporary' | 'computed'

type Literal = string | number | boolean | null

class Code {
  /** The text as it stands between brackets or as a separate statement. */
  readonly text: Fragment
  readonly #strength: number
  readonly #use: Use
  /** The value, if the piece is a literal. */
  readonly literal: Literal | undefined
  /** A shorter piece that has the same value after a string and a `+`. */
  readonly behindText: Code | undefined

  constructor(text: string, strength: number, use: Use = 'computed', literal?: Literal, behindText?: Code) {
    this.text = text as Fragment
    this.#strength = strength
    this.#use = use
    this.literal = literal
    this.behindText = behindText
  }

  /** True if no other evaluation can change its value. */
  get isConstant(): boolean {
    return this.#use === 'constant'
  }

  /** True if repeating it costs nothing. */
  get isSimple(): boolean {
    return this.#use !== 'computed'
  }

  get isTemporary(): boolean {
    return this.#use === 'temporary'
  }

  /** True if JavaScript would take it for a block at the start of a statement. */
  get isRecord(): boolean {
    return this.#strength === RECORD
  }

  /** Its text as an operand of an operator of this strength. */
  within(strength: number): Fragment {
    return this.#strength >= strength ? this.text : (`(${this.text})` as Fragment)
  }
}

export type { Code }

// ---- strengths -------------------------------------------------------------------------------------------------

const SEQUENCE = 0
const ASSIGNMENT = 1
/**
 * The strength of an object literal. Every operator puts it in parentheses, so that only the literal itself can begin
 * with its brace.
 */
const RECORD = 1.5
const CHOICE = 2
const UNARY = 14
/** The strength of a number: it can't be the object of a property access. */
const NUMBER = 15
const PRIMARY = 16

/** The strength of an argument, and of the right side of an assignment. */
const ARGUMENT = ASSIGNMENT

const infixes = {
  '??': 3,
  '||': 4,
  '&&': 5,
  '|': 6,
  '^': 7,
  '&': 8,
  '===': 9,
  '!==': 9,
  '<': 10,
  '<=': 10,
  '>': 10,
  '>=': 10,
  '>>': 11,
  '>>>': 11,
  '+': 12,
  '-': 12,
  '*': 13,
  '/': 13,
  '%': 13,
} as const

type Infix = keyof typeof infixes

/** The strengths of associative operators. `??` can't be mixed with others without parentheses. */
const grouping: Partial<Record<Infix, number>> = { '||': 4, '&&': 5, '??': 6 }

// ---- words and literals ----------------------------------------------------------------------------------------

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

/** An identifier of our own namespace. Throws for every other name. */
export function identifier(name: string, use: Use): Code {
  if (!IDENTIFIER.test(name)) throw new Error(`not an identifier: ${name}`)
  return new Code(name, PRIMARY, use)
}

export const UNDEFINED = identifier('undefined', 'constant')

/** A string, bool, None, or finite number that is not -0. */
export function literal(value: Literal): Code {
  if (typeof value === 'string') return new Code(quote(value), PRIMARY, 'constant', value)
  const strength = typeof value !== 'number' ? PRIMARY : value < 0 ? UNARY : NUMBER
  return new Code(String(value), strength, 'constant', value)
}

export const NULL = literal(null)
export const TRUE = literal(true)
export const FALSE = literal(false)
export const ZERO = literal(0)
export const ONE = literal(1)

/** Minus zero, which is a float. */
export const MINUS_ZERO = new Code('-0', UNARY, 'constant')

export function bigLiteral(value: bigint): Code {
  return new Code(`${value}n`, value < 0n ? UNARY : NUMBER, 'constant')
}

// ---- operators -------------------------------------------------------------------------------------------------

export function infix(left: Code, operator: Infix, right: Code): Code {
  const strength = infixes[operator]
  const group = grouping[operator]
  const text = `${left.within(group ?? strength)} ${operator} ${right.within(group ?? strength + 1)}`
  return new Code(text, strength)
}

/** A conjunction. Evaluation ends at the first false condition. */
export function every(conditions: readonly Code[]): Code {
  const open = conditions.filter((c) => c !== TRUE)
  return open.length === 0 ? TRUE : open.reduce((all, c) => infix(all, '&&', c))
}

/** A disjunction. Evaluation ends at the first true condition. */
export function some(conditions: readonly Code[]): Code {
  return conditions.reduce((any, c) => infix(any, '||', c))
}

export function prefix(operator: '!' | '~' | 'typeof ', operand: Code): Code {
  return new Code(`${operator}${operand.within(UNARY)}`, UNARY)
}

export function not(condition: Code): Code {
  return prefix('!', condition)
}

export function same(left: Code, right: Code): Code {
  return infix(left, '===', right)
}

export function isDefined(value: Code): Code {
  return infix(value, '!==', UNDEFINED)
}

export function hasType(value: Code, type: 'string' | 'number' | 'object'): Code {
  return same(prefix('typeof ', value), literal(type))
}

/** A test for a small int, in the form that costs QuickJS the least. */
export function isSmall(value: Code): Code {
  return same(infix(value, '|', ZERO), value)
}

export function choice(test: Code, yes: Code, no: Code): Code {
  return new Code(`${test.within(CHOICE + 1)} ? ${yes.within(ARGUMENT)} : ${no.within(ARGUMENT)}`, CHOICE)
}

export function assign(target: Code, value: Code): Code {
  return new Code(`${target.text} = ${value.within(ARGUMENT)}`, ASSIGNMENT)
}

/** A comma expression: the pieces to evaluate first, and the piece that has the value. */
export function sequence(first: readonly Code[], value: Code): Code {
  return first.length === 0 ? value : new Code(listed([...first, value]), SEQUENCE)
}

/** The concatenation of texts, in order. */
export function concatenation(texts: readonly Code[]): Code {
  if (texts.length === 0) return literal('')
  return texts.reduce((left, right) => infix(left, '+', right.behindText ?? right))
}

/** The text of a number. After a string JavaScript converts the number itself. */
export function numberText(number: Code): Code {
  const { text } = infix(literal(''), '+', number)
  return new Code(text, infixes['+'], 'computed', undefined, number)
}

// ---- members, calls and values ---------------------------------------------------------------------------------

function inList(one: Code | Fragment): Fragment {
  return typeof one === 'string' ? one : one.within(ARGUMENT)
}

/** A property of an object, by name. */
export function property(object: Code, name: string, chain: '' | '?.' = ''): Code {
  if (!IDENTIFIER.test(name)) return element(object, literal(name), { chain })
  return new Code(`${object.within(chain === '' ? PRIMARY : NUMBER)}${chain || '.'}${name}`, PRIMARY)
}

export function element(
  object: Code,
  index: Code,
  { chain = '', mark = '' }: { chain?: '' | '?.'; mark?: Fragment | '' } = {},
): Code {
  return new Code(`${object.within(NUMBER)}${mark}${chain}[${index.text}]`, PRIMARY)
}

/** `mark` is the origin of a failure of the call. */
export function call(callee: Code, args: readonly Code[], mark: Fragment | '' = ''): Code {
  return new Code(`${callee.within(NUMBER)}${mark}(${listed(args)})`, PRIMARY)
}

export function construct(callee: Code, args: readonly Code[] = []): Code {
  return new Code(`new ${callee.text}(${listed(args)})`, PRIMARY)
}

export function array(items: readonly Code[]): Code {
  return new Code(`[${listed(items)}]`, PRIMARY)
}

/** The elements of an array as elements of another array or as arguments. */
export function spread(items: Code): Code {
  return new Code(`...${inList(items)}`, ARGUMENT)
}

export function record(entries: readonly (readonly [key: string, value: Code])[]): Code {
  const written = entries.map(([key, value]) => `${keyText(key)}: ${inList(value)}`)
  return new Code(`{${written.join(', ')}}`, RECORD)
}

/** Quotes `__proto__`, which is no key if it is bare. */
function keyText(key: string): string {
  return key === '__proto__' ? `[${quote(key)}]` : IDENTIFIER.test(key) ? key : quote(key)
}

/** The parts of a JavaScript function. */
interface FunctionParts {
  readonly isGenerator?: boolean
  readonly name: Code
  readonly parameters: readonly Code[]
  readonly body: Fragment
}

export function functionCode({ isGenerator = false, name, parameters, body }: FunctionParts): Code {
  const head = `function${isGenerator ? '*' : ''} ${name.text}(${listed(parameters)})`
  return new Code(`${head} {${body}}`, PRIMARY)
}

/** A function without parameters that returns a value. */
export function thunk(value: Code): Code {
  return new Code(`() => ${value.within(value.isRecord ? PRIMARY : ARGUMENT)}`, ARGUMENT)
}

/** The `yield` of a value; with `*`, of all values of another generator. */
export function yielded(value: Code, star: '' | '*' = ''): Code {
  return new Code(`yield${star} ${inList(value)}`, ASSIGNMENT)
}

// ---- lines -----------------------------------------------------------------------------------------------------

/** The text of statements, from pieces (as arguments or after an assignment) and earlier fragments. */
export function fragment(words: TemplateStringsArray, ...holes: readonly (Code | Fragment)[]): Fragment {
  let text = words[0]!
  holes.forEach((hole, i) => {
    text += inList(hole) + words[i + 1]!
  })
  return text as Fragment
}

/** Pieces as statements on one line. */
export function statements(all: readonly Code[]): Fragment {
  return all.map(({ text }) => `${text};`).join(' ') as Fragment
}

/** Pieces and fragments, with commas between them. */
export function listed(all: readonly (Code | Fragment)[]): Fragment {
  return all.map(inList).join(', ') as Fragment
}

export function lines(all: readonly Fragment[]): Fragment {
  return all.join('\n') as Fragment
}
