// Errors that the runtime throws, and facts about thrown values that their own text lacks: the diagnostic's code, its
// hint, and the place where a value without a stack was thrown.
// Invariant: reading a thrown value never throws.

import { type Literal, type Mark, type Said, said, type Word, word } from './said.js'
import { marksIn, type ThrownText } from './thrown-value.js'

const {
  Error: PlainError,
  TypeError: PlainTypeError,
  RangeError: PlainRangeError,
  SyntaxError: PlainSyntaxError,
} = globalThis
const { construct } = Reflect

interface ErrorFacts {
  readonly code?: string
  readonly hint?: string | undefined
  /** The message, with its values marked. */
  readonly said?: Said
  readonly about?: Unfit
  /** The marks of the hint. Absent if there are none. */
  readonly hintMarks?: readonly Mark[] | undefined
  /** For a failed tool: the text of the report, which replaces the tool's `own` words that the program reads. */
  readonly uncaught?: { readonly own: string; readonly text: string }
}

/** A value that can't be destructured or iterated over. The host finds its place in the program. */
interface Unfit {
  readonly verb: 'parted' | 'iterated'
  readonly what: Word
}

const facts = new WeakMap<object, ErrorFacts>()

/** Records the facts for an error's diagnostic besides its message. */
export function withFacts<E extends Error>(error: E, known: ErrorFacts): E {
  facts.set(error, known)
  return error
}

type Message<M extends string> = Said | Literal<M>

function made<E extends Error, M extends string>(
  kind: new (message: string) => E,
  message: Message<M>,
  known: Pick<ErrorFacts, 'code' | 'hint'>,
): E {
  const text: Said = typeof message === 'string' ? { text: message, marks: [] } : message
  return withFacts(new kind(text.text), { ...known, said: text })
}

export function plainError<M extends string>(
  message: Message<M>,
  known: Pick<ErrorFacts, 'code' | 'hint'> = {},
): Error {
  return made(PlainError, message, known)
}

export function typeError<M extends string>(
  message: Message<M>,
  known: Pick<ErrorFacts, 'code' | 'hint'> = {},
): TypeError {
  return made(PlainTypeError, message, known)
}

export function unfitError({ verb, what }: Unfit): TypeError {
  const text = said`${what} cannot be ${word(verb === 'parted' ? 'destructured' : 'iterated over')}`
  return withFacts(new PlainTypeError(text.text), { said: text, about: { verb, what } })
}

export function rangeError<M extends string>(message: Message<M>): RangeError {
  return made(PlainRangeError, message, {})
}

export function syntaxError<M extends string>(
  message: Message<M>,
  known: Pick<ErrorFacts, 'code' | 'hint'> = {},
): SyntaxError {
  return made(PlainSyntaxError, message, known)
}

/** The host's message about a mistake, with the host's marks. */
export function refusalOf(message: string, known: ErrorFacts): TypeError {
  return withFacts(new PlainTypeError(message), known)
}

export function stackHere(): string {
  return new PlainError().stack ?? ''
}

// ---- whose errors they are ---------------------------------------------------------------------------------------

/** The errors that the program made, with its own words. The engine creates errors without calling a constructor. */
const own = new WeakSet<object>()
// The program can change the methods of the prototype.
const { add, has } = WeakSet.prototype
Object.assign(own, { add, has })

function noted<T extends object>(error: T): T {
  own.add(error)
  return error
}

/** A copy of an error. It counts as the program's if the error does. */
export function copyOf(error: Error): Error {
  const copy = new PlainError(error.message)
  copy.name = error.name
  const known = facts.get(error)
  if (known !== undefined) facts.set(copy, known)
  return own.has(error) ? noted(copy) : copy
}

/** Replaces the error constructors by ones that record the errors that the program creates. */
export function noteErrors(): void {
  const proxies = new Map<unknown, object>()
  const globals = globalThis as unknown as Record<string, new (...args: never[]) => Error>
  for (const name of ERRORS) {
    const plain = globals[name]
    if (plain === undefined) continue
    const proxy = new Proxy(plain, {
      construct: (target, args, made) => noted(construct(target, args, made) as Error),
      apply: (target, _, args) => noted(construct(target, args) as Error),
    })
    proxies.set(plain, proxy)
    const base = proxies.get(Object.getPrototypeOf(plain))
    // ToolError and ApprovalDenied are not replaced, because the errors that they construct are not the program's.
    if (base !== undefined && plain !== ToolError && plain !== ApprovalDenied) Object.setPrototypeOf(plain, base)
    const given = { writable: true, configurable: true, value: proxy }
    Object.defineProperty(plain.prototype, 'constructor', given)
    Object.defineProperty(globalThis, name, given)
  }
}

const ERRORS = [
  'Error',
  'TypeError',
  'RangeError',
  'SyntaxError',
  'ReferenceError',
  'EvalError',
  'URIError',
  'AggregateError',
  'SuppressedError',
  'InternalError',
  'ToolError',
  'ApprovalDenied',
]

/** The message of the error of `Promise.any`. */
export const ALL_FAILED = 'All promises were rejected'

/** The failure of a tool. */
export class ToolError extends Error {
  readonly server: string
  readonly tool: string
  readonly code: string
  /** The data of the tool's failure, as JSON. */
  readonly data: unknown

  constructor(message = '', { server = '', tool = '', code = 'tool-error', data = null as unknown } = {}) {
    super(message)
    this.server = server
    this.tool = tool
    this.code = code
    this.data = data
    for (const key of ['server', 'tool', 'code', 'data'] as const)
      Object.defineProperty(this, key, {
        value: this[key],
        enumerable: key === 'server' || key === 'tool',
        configurable: true,
      })
  }
}
Object.defineProperty(ToolError.prototype, 'name', { value: 'ToolError', writable: true, configurable: true })

/** The failure of a call that a person refused. */
export class ApprovalDenied extends Error {
  readonly server: string
  readonly tool: string

  constructor(message = '', { server = '', tool = '' } = {}) {
    super(message)
    this.server = server
    this.tool = tool
  }
}
Object.defineProperty(ApprovalDenied.prototype, 'name', {
  value: 'ApprovalDenied',
  writable: true,
  configurable: true,
})

/** A failure that ends the run even if the program catches it: a limit of the host, or a host that can't continue. */
export class Fatal extends Error {
  readonly kind: 'limit' | 'host error'

  constructor(kind: 'limit' | 'host error', message: string, known: ErrorFacts) {
    super(message)
    this.kind = kind
    withFacts(this, known)
  }
}

let fatal: Fatal | undefined

/** Records that the run can only end. */
export function endWith(error: Fatal): Fatal {
  fatal ??= error
  return fatal
}

export function fatalSoFar(): Fatal | undefined {
  return fatal
}

/** The last thrown value that was not an error, and the place where it was thrown. */
let bare: { readonly value: unknown; readonly stack: string } | undefined

export function thrown<T>(value: T): T {
  bare = { value, stack: stackHere() }
  return value
}

/** See payload.ts of the host. The marks are positions in JavaScript texts (said.ts). */
interface Failure {
  readonly kind: string
  /** The failure that ended the run. A program can't forge this. */
  readonly ends?: 'limit' | 'host error'
  readonly message: string
  readonly code?: string | undefined
  readonly hint?: string | undefined
  readonly values?: readonly Mark[] | undefined
  readonly hintValues?: readonly Mark[] | undefined
  readonly about?: Unfit | undefined
  /** The kind of the error that contains this one and others. */
  readonly outer?: string
  readonly stack: string
  /** True if the program made the error, in its own words. */
  readonly isOwn?: boolean
}

const isError = (value: unknown): value is Error =>
  typeof value === 'object' && value !== null && value instanceof PlainError

/** The report of a thrown value to the host. `inspect` shows values that are not errors. */
export function failureOf(value: unknown, inspect: (value: unknown) => string): Failure {
  const last = fatal ?? value
  if (last instanceof Fatal) {
    const { code, hint } = facts.get(last) ?? {}
    return { kind: 'Fatal', ends: last.kind, message: last.message, code, hint, stack: stackOf(last) }
  }
  if (!isError(last)) return thrownFailure(last, inspect)
  const known = facts.get(last) ?? {}
  const [first] = last instanceof AggregateError && Array.isArray(last.errors) ? (last.errors as unknown[]) : []
  const message = reported(read(last, 'message'), known)
  if (first !== undefined && (message === '' || message === ALL_FAILED)) {
    const { kind, message, stack, values, isOwn = false } = failureOf(first, inspect)
    return { outer: read(last, 'name'), kind, message, values, stack, isOwn }
  }
  const { code, hint, about } = known
  const name = read(last, 'name')
  // Any error can have the name of a tool's failure, whose words a report shows unmarked. So the name alone proves
  // nothing.
  const kind = isClaimed(name, last) && !own.has(last) ? 'Error' : name
  const failure = { kind, message, code, hint, stack: stackOf(last) }
  if (own.has(last)) return { ...failure, isOwn: true }
  // A message that the program has changed has no marks.
  return known.said?.text === message
    ? { ...failure, values: known.said.marks, hintValues: known.hintMarks, about }
    : failure
}

/** True if an error has the name of one of the errors of this file without being one. */
function isClaimed(name: string, error: Error): boolean {
  return (
    (name === 'ToolError' && !(error instanceof ToolError)) ||
    (name === 'ApprovalDenied' && !(error instanceof ApprovalDenied))
  )
}

/** The report of a tool's failure, which names the tool. */
function reported(message: string, { uncaught }: ErrorFacts): string {
  return uncaught?.own === message ? uncaught.text : message
}

const THROWN = 'the program threw '

function thrownFailure(value: unknown, inspect: (value: unknown) => string): Failure {
  const isThrown = bare !== undefined && bare.value === value
  const text = textOf(value, inspect)
  const failure = { kind: 'Thrown', message: THROWN + text, code: 'thrown-value', stack: isThrown ? bare!.stack : '' }
  if (isThrown && typeof value !== 'object') return { ...failure, isOwn: true }
  return { ...failure, values: thrownMarks(value, { text, start: THROWN.length, isWritten: isThrown, inspect }) }
}

function thrownMarks(value: unknown, thrown: ThrownText): readonly Mark[] {
  try {
    return marksIn(value, thrown)
  } catch {
    const { start, text } = thrown
    return [[start, start + text.length, 'an object']]
  }
}

/** The original stacks of errors whose `stack` has been replaced. */
const stacks = new WeakMap<object, string>()

function stackOf(error: Error): string {
  return stacks.get(error) ?? read(error, 'stack')
}

/**
 * Gives an error the stack that a program expects, before the program reads it: the message and the program's own
 * functions.
 */
export function withReadableStack<T>(value: T): T {
  if (!isError(value) || stacks.has(value)) return value
  const stack: unknown = Object.getOwnPropertyDescriptor(value, 'stack')?.value
  if (typeof stack !== 'string' || !/^\s*at /.test(stack)) return value
  stacks.set(value, stack)
  const frames = [...stack.matchAll(/at (\S+) \(program\.js:/g)]
    .map(([, name]) => (/^<|^\$/.test(name!) ? '\n    at program' : `\n    at ${name} (program)`))
    .filter((line, i, all) => line !== all[i - 1])
  const [name, message] = [read(value, 'name'), read(value, 'message')]
  const text = `${message === '' ? name : `${name}: ${message}`}${frames.slice(0, 10).join('')}`
  Object.defineProperty(value, 'stack', { value: text, writable: true, configurable: true })
  return value
}

function textOf(value: unknown, inspect: (value: unknown) => string): string {
  try {
    const text: unknown = inspect(value)
    if (typeof text === 'string') return text
  } catch {}
  return 'a ' + typeof value
}

function read(error: Error, key: 'name' | 'message' | 'stack'): string {
  try {
    const value: unknown = error[key]
    return typeof value === 'string' ? value : ''
  } catch {
    return ''
  }
}
