// Failures of a program inside the guest. A failure is a GuestError. It is thrown, caught by Python's `except`, or
// reported at the end of the run. Knows the names of Python's exceptions, but no positions: the host takes these from
// the JavaScript stack.

import { type Literal, type Said, said, word } from './said.js'
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
  ApprovalDenied: 'PermissionError',
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
  ZoneInfoNotFoundError: 'KeyError',
  CycleError: 'ValueError',
  ParseError: 'SyntaxError',
  IllegalMonthError: 'ValueError',
  DecimalException: 'ArithmeticError',
  InvalidOperation: 'DecimalException',
  // In CPython it also inherits from DecimalException.
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

/** Exceptions that only modules have. They are no builtins. */
export const moduleExceptions: ReadonlySet<string> = new Set([
  'JSONDecodeError',
  'error',
  'Error',
  'StatisticsError',
  'ZoneInfoNotFoundError',
  'CycleError',
  'ParseError',
  'IllegalMonthError',
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

/** `H` refuses hints that are neither marked nor literal. */
interface ErrorExtras<H extends string> {
  /** The value of `e.args`. Default: the message alone. */
  readonly args?: readonly Value[]
  /** One imperative sentence, only if it is certain. */
  readonly hint?: Said | Literal<H> | undefined
  /** The diagnostic's code. Default: derived from the kind (`TypeError` gives `type-error`). */
  readonly code?: string | undefined
}

/** The marks that the host sends (foreign.ts of the host). */
export interface HostMarks {
  readonly values?: readonly HostMark[]
  readonly hintValues?: readonly HostMark[]
}

/** The range of a value in a message, its replacement, and the value's own text. */
export type HostMark = readonly [start: number, end: number, instead: string, plain?: string | readonly string[]]

/** The failure that an `except` or `finally` of the program is handling. Set only in programs that read it. */
export const handling: { now: GuestError | undefined } = { now: undefined }

const NOTHING = said``

/**
 * A failure of the program. In the default dialect it is also the exception value that `except … as e` binds. `kind` is
 * the name of its class, and `$class` the class itself if the program defined it.
 */
export class GuestError {
  readonly kind: string
  /** The original message. The program may change `args`, and with them the text that it reads. */
  readonly said: Said
  declare $args: readonly Value[] | undefined
  readonly hint: Said | undefined
  readonly code: string | undefined
  /** True if the program made it, with its own words. */
  isOwn: boolean
  readonly stack: string
  /** Its class, if the program defined that (classes/classes.ts). */
  $class: object | undefined
  /** For a failed tool: the text of the report, which replaces the tool's `own` words that the program reads. */
  uncaught: { readonly own: string; readonly text: string } | undefined
  /** The host's marks in the host's own message and in its hint. */
  marked: HostMarks | undefined
  /** The cause in `raise … from`; null for `from None`. */
  cause: Value | undefined
  /** The exception that was being handled when it was raised. */
  context: GuestError | undefined
  /** Further attributes: the `server` and `tool` of a ToolError, and those that the program sets. */
  attributes: Record<string, Value> | undefined

  /** `message` is absent if the program itself makes the failure. */
  constructor(kind: string, message: Said | undefined, args?: readonly Value[], hint?: Said, code?: string) {
    this.kind = kind
    this.said = message ?? NOTHING
    this.$args = args
    this.hint = hint
    this.code = code
    this.isOwn = message === undefined
    this.stack = new Error().stack ?? ''
    this.$class = undefined
    this.uncaught = undefined
    this.marked = undefined
    this.cause = undefined
    this.context = handling.now
    this.attributes = undefined
  }

  get args(): readonly Value[] {
    this.$args ??= [this.said.text]
    return this.$args
  }

  set args(args: readonly Value[]) {
    this.$args = args
  }

  get message(): string {
    return this.said.text
  }
}

/** A failure that ends the run. The program can't catch it. */
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

/** A failure of this Python kind, with our words. */
export function guestError<M extends string, H extends string>(
  kind: string,
  message: Said | Literal<M>,
  extras?: ErrorExtras<H>,
): GuestError {
  return new GuestError(kind, text(message), extras?.args, hintText(extras?.hint), extras?.code)
}

/** A failure that the program makes itself. */
export function ownError(kind: string, args: readonly Value[], code?: string): GuestError {
  return new GuestError(kind, undefined, args, undefined, code)
}

function text(message: Said | string): Said {
  return typeof message === 'string' ? said`${word(message)}` : message
}

function hintText(hint: Said | string | undefined): Said | undefined {
  return hint === undefined ? undefined : text(hint)
}

/** Throws a failure of the given Python kind. */
export function raise<M extends string, H extends string>(
  kind: string,
  message: Said | Literal<M>,
  extras?: ErrorExtras<H>,
): never {
  throw guestError(kind, message, extras)
}

export function typeError<M extends string, H extends string>(
  message: Said | Literal<M>,
  hint?: Said | Literal<H>,
): never {
  throw new GuestError('TypeError', text(message), undefined, hintText(hint))
}

export function valueError<M extends string>(message: Said | Literal<M>): never {
  throw new GuestError('ValueError', text(message))
}
