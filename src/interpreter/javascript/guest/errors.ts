// Errors that the runtime throws, and what is known of thrown values besides what they say themselves: the diagnostic's code, its hint, where a value
// without a stack was thrown. Invariant: reading a thrown value never throws.

export interface ErrorFacts {
  readonly code?: string
  readonly hint?: string | undefined
}

const facts = new WeakMap<object, ErrorFacts>()

/** Notes what the diagnostic of an error will say besides its message. */
export function withFacts<E extends Error>(error: E, known: ErrorFacts): E {
  facts.set(error, known)
  return error
}

export function typeError(message: string, known: ErrorFacts = {}): TypeError {
  return withFacts(new TypeError(message), known)
}

/** What the error of `Promise.any` says. */
export const ALL_FAILED = 'All promises were rejected'

/** A tool failed. */
export class ToolError extends Error {
  readonly server: string
  readonly tool: string
  readonly code: string

  constructor(message = '', { server = '', tool = '', code = 'tool-error' } = {}) {
    super(message)
    this.server = server
    this.tool = tool
    this.code = code
    for (const key of ['server', 'tool', 'code'] as const)
      Object.defineProperty(this, key, { value: this[key], enumerable: key !== 'code', configurable: true })
  }
}
Object.defineProperty(ToolError.prototype, 'name', { value: 'ToolError', writable: true, configurable: true })

/** What ends the run although a program might catch it: a limit that was met on the host, or a host that can't go on. */
export class Fatal extends Error {
  readonly kind: 'limit' | 'host error'

  constructor(kind: 'limit' | 'host error', message: string, known: ErrorFacts) {
    super(message)
    this.kind = kind
    withFacts(this, known)
  }
}

let fatal: Fatal | undefined

/** From now on the run can only end. */
export function endWith(error: Fatal): Fatal {
  fatal ??= error
  return fatal
}

export function fatalSoFar(): Fatal | undefined {
  return fatal
}

/** What was thrown last without being an error, and where. */
let bare: { readonly value: unknown; readonly stack: string } | undefined

export function thrown<T>(value: T): T {
  bare = { value, stack: new Error().stack ?? '' }
  return value
}

interface Failure {
  readonly kind: string
  /** What ended the run; no failure of a program can say this of itself. */
  readonly ends?: 'limit' | 'host error'
  readonly message: string
  readonly code?: string | undefined
  readonly hint?: string | undefined
  readonly stack: string
}

const isError = (value: unknown): value is Error =>
  typeof value === 'object' && value !== null && value instanceof Error

/** What the host is told of a thrown value. `inspect` shows values that are no errors. */
export function failureOf(value: unknown, inspect: (value: unknown) => string): Failure {
  const last = fatal ?? value
  if (last instanceof Fatal) {
    const { code, hint } = facts.get(last) ?? {}
    return { kind: 'Fatal', ends: last.kind, message: last.message, code, hint, stack: stackOf(last) }
  }
  if (!isError(last)) {
    const stack = bare !== undefined && bare.value === last ? bare.stack : ''
    return { kind: 'Thrown', message: 'the program threw ' + shown(last, inspect), code: 'thrown-value', stack }
  }
  const known = facts.get(last) ?? {}
  const [first] = last instanceof AggregateError && Array.isArray(last.errors) ? (last.errors as unknown[]) : []
  if (first !== undefined && ['', ALL_FAILED].includes(read(last, 'message'))) {
    const { kind, message, stack } = failureOf(first, inspect)
    return { kind: read(last, 'name'), message: 'every promise failed, the first with ' + kind + ': ' + message, stack }
  }
  return { kind: read(last, 'name'), message: read(last, 'message'), ...known, stack: stackOf(last) }
}

/** The stacks of errors whose own one has been put into words. */
const stacks = new WeakMap<object, string>()

function stackOf(error: Error): string {
  return stacks.get(error) ?? read(error, 'stack')
}

/** Makes the stack of an error what a program expects of one, before it reads it: the message and the program's own functions. */
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

function shown(value: unknown, inspect: (value: unknown) => string): string {
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
