// How a program fails inside the guest. A failure is a GuestError: thrown, caught by Python's `except`, or reported at the end of the run.
// Knows the names of Python's exceptions and nothing of positions: those are read from the JavaScript stack outside.

import type { Value } from './values.js'

/** Python's built-in exceptions that programs meet, each with its base. */
export const exceptionBases: Readonly<Record<string, string | null>> = {
  BaseException: null,
  SystemExit: 'BaseException',
  KeyboardInterrupt: 'BaseException',
  GeneratorExit: 'BaseException',
  Exception: 'BaseException',
  StopIteration: 'Exception',
  ArithmeticError: 'Exception',
  ZeroDivisionError: 'ArithmeticError',
  OverflowError: 'ArithmeticError',
  FloatingPointError: 'ArithmeticError',
  AssertionError: 'Exception',
  AttributeError: 'Exception',
  EOFError: 'Exception',
  ImportError: 'Exception',
  ModuleNotFoundError: 'ImportError',
  LookupError: 'Exception',
  IndexError: 'LookupError',
  KeyError: 'LookupError',
  NameError: 'Exception',
  UnboundLocalError: 'NameError',
  OSError: 'Exception',
  FileNotFoundError: 'OSError',
  PermissionError: 'OSError',
  ConnectionError: 'OSError',
  TimeoutError: 'OSError',
  RuntimeError: 'Exception',
  NotImplementedError: 'RuntimeError',
  RecursionError: 'RuntimeError',
  TypeError: 'Exception',
  ValueError: 'Exception',
  JSONDecodeError: 'ValueError',
  UnicodeError: 'ValueError',
  UnicodeDecodeError: 'UnicodeError',
  UnicodeEncodeError: 'UnicodeError',
  ToolError: 'Exception',
}

export interface ErrorExtras {
  /** What `e.args` holds; the message alone when absent. */
  readonly args?: readonly Value[]
  /** One imperative sentence, only when certain. */
  readonly hint?: string
  /** The diagnostic's code; derived from the kind when absent (`TypeError` is `type-error`). */
  readonly code?: string
}

/**
 * A failure of the program. In the default dialect it is also the exception value that `except … as e` binds: `kind` names its class (for
 * a class of the program itself, `instance` is the object that was raised).
 */
export class GuestError {
  readonly kind: string
  readonly message: string
  readonly args: readonly Value[]
  readonly hint: string | undefined
  readonly code: string | undefined
  readonly stack: string
  /** The exception object of the program's own class. */
  instance: object | undefined
  cause: Value | undefined
  /** Further attributes: a ToolError's `server` and `tool`. */
  attributes: Record<string, Value> | undefined

  constructor(kind: string, message: string, extras?: ErrorExtras) {
    this.kind = kind
    this.message = message
    this.args = extras?.args ?? [message]
    this.hint = extras?.hint
    this.code = extras?.code
    this.stack = new Error().stack ?? ''
    this.instance = undefined
    this.cause = undefined
    this.attributes = undefined
  }
}

/** Ends the run and can't be caught by the program. */
export class FatalError {
  readonly class: 'limit' | 'host error'
  readonly code: string
  readonly message: string
  readonly hint: string | undefined
  readonly stack: string

  constructor(errorClass: 'limit' | 'host error', code: string, message: string, hint?: string) {
    this.class = errorClass
    this.code = code
    this.message = message
    this.hint = hint
    this.stack = new Error().stack ?? ''
  }
}

/** Throws a failure of the given Python kind. */
export function raise(kind: string, message: string, extras?: ErrorExtras): never {
  throw new GuestError(kind, message, extras)
}

export function typeError(message: string, hint?: string): never {
  throw new GuestError('TypeError', message, hint === undefined ? undefined : { hint })
}

export function valueError(message: string, hint?: string): never {
  throw new GuestError('ValueError', message, hint === undefined ? undefined : { hint })
}
