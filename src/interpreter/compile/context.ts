// What the generating functions share: the tables of the earlier stages, the code written so far, and the names generated code uses.
//
// Expressions become JavaScript expressions. What JavaScript can't do inside an expression (the loops of a comprehension) is written as
// statements in front, into `out`; an operand that was generated before such statements is saved in a temporary first, so that everything
// still runs in the order of the source. `needsStatements` tells which expressions write any.
//
// Names in generated code: v_… variables of the program, t… temporaries, h_… helpers of the prelude, b_… builtins, m_… method symbols,
// k… constants, s… signatures, L… labels. Nothing else comes in.

import type { Span } from '../../diagnostics/index.js'
import type { Dialect } from '../dialect.js'
import type { Inference } from '../infer/infer.js'
import type { Type } from '../infer/types.js'
import type { NativeMeaning } from '../program.js'
import type { Formal } from '../resolve/bind-arguments.js'
import type { Binding, Resolution } from '../resolve/index.js'
import type { DefStmt, Expression, LambdaExpr, NodeBase, Statement } from '../syntax/nodes.js'
import type { Universe } from '../universe.js'
import type { Roles } from './ahead.js'
import type { Concurrency } from './concurrency.js'
import type { Origins } from './origins.js'

/** One JavaScript function being written. */
export interface Frame {
  /** How many temporaries are in use: a statement gives back what it took. */
  used: number
  /** The most that were ever in use. */
  most: number
  /** Variables to declare at the top of the function. */
  readonly variables: Set<string>
  readonly isFile: boolean
  /** The exception that a bare `raise` raises again. */
  exception: string | undefined
}

export function newFrame(isFile: boolean): Frame {
  return { used: 0, most: 0, variables: new Set(), isFile, exception: undefined }
}

/** The declarations at the top of a function: its temporaries and variables. */
export function declarations(frame: Frame): string {
  const names = [...frame.variables]
  for (let i = 0; i < frame.most; i++) names.push(`t${i}`)
  return names.length === 0 ? '' : `var ${names.join(', ')};`
}

export interface Loop {
  /** Set when a `break` must leave more than the JavaScript loop (an `else` follows). */
  readonly breakLabel: string | undefined
}

export interface Generation {
  readonly dialect: Dialect
  readonly universe: Universe
  readonly resolution: Resolution
  readonly inference: Inference
  readonly origins: Origins
  /** Names of the host's namespaces. */
  readonly namespaces: ReadonlySet<string>
  /** Lines of the block being written. */
  out: string[]
  frame: Frame
  loops: Loop[]
  /** The program has `try` statements: native failures must be raised as the guest's own. */
  readonly catches: boolean
  /** The program defines classes, whose objects say themselves what operators and methods do with them. */
  readonly hasClasses: boolean
  /** The names of the methods of its classes. */
  readonly methodNames: ReadonlySet<string>
  /** Something may be equal to a string without being one: an object of the program's classes, or a type. */
  readonly hasOwnEquality: boolean
  /** Some class says itself how it is formatted. */
  readonly formatsItself: boolean
  /** Some class says itself what `+=` and its like do. */
  readonly changesInPlace: boolean
  /** The variable `result` of the program, if it has one. */
  readonly result: string | undefined
  /** The class whose body is being written, or in whose method. */
  enclosingClass: { readonly cell: string; readonly name: string } | undefined
  /** The first parameter of the method being written: what `super()` speaks of. */
  self: string | undefined
  /** Is the body of a coroutine being written? */
  inCoroutine: boolean
  /** What happens to values where they stand, in a program that runs ahead of its reads; see ahead.ts. */
  readonly roles: Roles | undefined
  /** Is the body of a generator or a coroutine being written? */
  runsLater: boolean
  /** What the program wants to be underway together. */
  readonly concurrency: Concurrency
  /** Is the body of a task being written, in which the call of a tool lets others go on? */
  suspends: boolean
  /** The names of the classes and functions around, for qualified names. */
  readonly qualifiers: string[]
  /** The program wants to catch that its calls are nested too deeply: they are counted. */
  readonly countsCalls: boolean
  /** The program asks for what is being handled: it is kept. */
  readonly keepsHandled: boolean
  /** The embedding host can freeze values, and functions with what they hold. */
  readonly freezes: boolean

  /** A helper of the prelude, by its exported name. */
  helper(name: string): string
  builtin(name: string): string
  method(name: string): string
  /** Hoists an expression without effects to the program's start. */
  constant(code: string): string
  /** The name of a constant that the block being written declares itself. */
  blockConstant(): string
  /** A signature as the guest keeps it, hoisted to the program's start. */
  signature(name: string, formal: Formal, directArity: number, qualified?: string, doc?: string): string
  /** The docstring of a function or class, where the program asks for docstrings. */
  docOf(body: readonly Statement[] | undefined): string | undefined
  /** A pre-bound module or a namespace, as a value. */
  module(name: string): string
  /** The variables that live in a function's own frame. */
  localNames(fn: DefStmt | LambdaExpr): readonly string[]
  /** Are all uses of a variable inside this statement? */
  onlyUsedIn(binding: Binding, s: NodeBase): boolean
  /** How often a function's own variable is named inside this statement. */
  usesIn(binding: Binding, s: NodeBase): number
  /** Multiplications that are gathered, with the variable of the gathered factor: see products.ts. */
  readonly products: Map<Statement, string>
  /** See needs-statements.ts. */
  readonly statementStarts: readonly number[]
  label(): string
  temporary(): string
  mark(node: NodeBase, native?: NativeMeaning): string
  /** What is known of an expression, in the version of the function that is being written. */
  typeOf: (e: Expression) => Type
  bindingOf(e: Expression & { kind: 'Identifier' }): Binding | undefined
  span(node: NodeBase): Span
  refuse(node: NodeBase, what: string, instead: string): void

  // The stages call each other through these.
  expression(e: Expression): string
  test(e: Expression): string
  block(body: readonly Statement[]): void
}

/** Runs `write` with a block of its own and returns what it wrote. */
export function captureBlock(g: Generation, write: () => void): string {
  const outer = g.out
  g.out = []
  write()
  const text = g.out.join('\n')
  g.out = outer
  return text
}

/** A generated operand that costs nothing to repeat and that nothing in between can change. */
export function isSimple(code: string): boolean {
  return /^(?:[vtk][\w$]*|-?\d+(?:\.\d+)?|null|true|false|"(?:[^"\\]|\\.)*")$/.test(code)
}

/** A constant: no evaluation of anything else can change it. */
export function isConstant(code: string): boolean {
  return /^(?:k\d+|-?\d+(?:\.\d+)?|null|true|false|"(?:[^"\\]|\\.)*")$/.test(code)
}
