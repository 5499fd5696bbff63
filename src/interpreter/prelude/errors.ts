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
  StopAsyncIteration: 'Exception',
  ArithmeticError: 'Exception',
  ZeroDivisionError: 'ArithmeticError',
  OverflowError: 'ArithmeticError',
  FloatingPointError: 'ArithmeticError',
  AssertionError: 'Exception',
  AttributeError: 'Exception',
  BufferError: 'Exception',
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
  FileExistsError: 'OSError',
  IsADirectoryError: 'OSError',
  NotADirectoryError: 'OSError',
  InterruptedError: 'OSError',
  BlockingIOError: 'OSError',
  ConnectionError: 'OSError',
  BrokenPipeError: 'ConnectionError',
  ConnectionAbortedError: 'ConnectionError',
  ConnectionRefusedError: 'ConnectionError',
  ConnectionResetError: 'ConnectionError',
  TimeoutError: 'OSError',
  RuntimeError: 'Exception',
  NotImplementedError: 'RuntimeError',
  RecursionError: 'RuntimeError',
  MemoryError: 'Exception',
  ReferenceError: 'Exception',
  SyntaxError: 'Exception',
  SystemError: 'Exception',
  TypeError: 'Exception',
  ValueError: 'Exception',
  UnicodeError: 'ValueError',
  UnicodeDecodeError: 'UnicodeError',
  UnicodeEncodeError: 'UnicodeError',
  Warning: 'Exception',
  UserWarning: 'Warning',
  DeprecationWarning: 'Warning',
  RuntimeWarning: 'Warning',
  FutureWarning: 'Warning',
  ToolError: 'Exception',
  JSONDecodeError: 'ValueError',
  error: 'Exception',
  Error: 'ValueError',
  StatisticsError: 'ValueError',
  CycleError: 'ValueError',
  ParseError: 'SyntaxError',
  IllegalMonthError: 'ValueError',
  NoSectionError: 'Error',
  NoOptionError: 'Error',
  DuplicateSectionError: 'Error',
  DuplicateOptionError: 'Error',
  ParsingError: 'Error',
  InterpolationError: 'Error',
  MissingSectionHeaderError: 'ParsingError',
  InterpolationMissingOptionError: 'InterpolationError',
  InterpolationSyntaxError: 'InterpolationError',
  InterpolationDepthError: 'InterpolationError',
  DecimalException: 'ArithmeticError',
  InvalidOperation: 'DecimalException',
  // CPython derives it from DecimalException as well.
  DivisionByZero: 'ZeroDivisionError',
  Overflow: 'DecimalException',
  Inexact: 'DecimalException',
  Rounded: 'DecimalException',
  Subnormal: 'DecimalException',
  Underflow: 'DecimalException',
  Clamped: 'DecimalException',
  FloatOperation: 'DecimalException',
  ConversionSyntax: 'InvalidOperation',
  DivisionUndefined: 'InvalidOperation',
  DivisionImpossible: 'InvalidOperation',
  FrozenInstanceError: 'AttributeError',
  CancelledError: 'BaseException',
  InvalidStateError: 'Exception',
  QueueEmpty: 'Exception',
  Empty: 'Exception',
  Full: 'Exception',
}

/** Exceptions that programs find in modules only. */
export const moduleExceptions: ReadonlySet<string> = new Set([
  'JSONDecodeError',
  'error',
  'Error',
  'StatisticsError',
  'CycleError',
  'ParseError',
  'IllegalMonthError',
  'NoSectionError',
  'NoOptionError',
  'DuplicateSectionError',
  'DuplicateOptionError',
  'ParsingError',
  'InterpolationError',
  'MissingSectionHeaderError',
  'InterpolationMissingOptionError',
  'InterpolationSyntaxError',
  'InterpolationDepthError',
  'DecimalException',
  'InvalidOperation',
  'DivisionByZero',
  'Overflow',
  'Inexact',
  'Rounded',
  'Subnormal',
  'Underflow',
  'Clamped',
  'FloatOperation',
  'ConversionSyntax',
  'DivisionUndefined',
  'DivisionImpossible',
  'FrozenInstanceError',
  'CancelledError',
  'InvalidStateError',
  'QueueEmpty',
  'Empty',
  'Full',
])

export interface ErrorExtras {
  /** What `e.args` holds; the message alone when absent. */
  readonly args?: readonly Value[]
  /** One imperative sentence, only when certain. */
  readonly hint?: string
  /** The diagnostic's code; derived from the kind when absent (`TypeError` is `type-error`). */
  readonly code?: string
}

/** The failure that an `except` or `finally` of the program is dealing with, in programs that ask for it. */
export const handling: { now: GuestError | undefined } = { now: undefined }

/**
 * A failure of the program. In the default dialect it is also the exception value that `except … as e` binds: `kind` names its class, and
 * `$class` is that class where the program defined it itself.
 */
export class GuestError {
  readonly kind: string
  readonly message: string
  args: readonly Value[]
  readonly hint: string | undefined
  readonly code: string | undefined
  readonly stack: string
  /** What classes.ts knows of a class of the program. */
  $class: object | undefined
  /** What the host marked in its own message, and in its hint. */
  marked: { readonly values?: readonly unknown[]; readonly hintValues?: readonly unknown[] } | undefined
  /** What `raise … from` says; null for `from None`. */
  cause: Value | undefined
  /** What was being handled when it was raised. */
  context: GuestError | undefined
  /** Further attributes: a ToolError's `server` and `tool`, and what the program sets. */
  attributes: Record<string, Value> | undefined

  constructor(kind: string, message: string, extras?: ErrorExtras) {
    this.kind = kind
    this.message = message
    this.args = extras?.args ?? [message]
    this.hint = extras?.hint
    this.code = extras?.code
    this.stack = new Error().stack ?? ''
    this.$class = undefined
    this.marked = undefined
    this.cause = undefined
    this.context = handling.now
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
