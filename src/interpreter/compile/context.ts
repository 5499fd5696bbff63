// What the generating functions share: the tables of the earlier stages, the code written so far, and the names
// generated code uses.
//
// Expressions become JavaScript expressions. What JavaScript can't do inside an expression (the loops of a
// comprehension) is written as statements in front, into `out`; an operand that was generated before such statements is
// saved in a temporary first, so that everything still runs in the order of the source. `needsStatements` tells which
// expressions write any.

import type { Type } from '../infer/types.js'
import type { NativeMeaning } from '../program.js'
import type { Binding } from '../resolve/index.js'
import type { Expression, Identifier, NodeBase, Statement } from '../syntax/nodes.js'
import type { Facts } from './facts.js'
import type { Names } from './names.js'
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

export interface Generation extends Names {
  readonly facts: Facts
  readonly origins: Origins
  /** Lines of the block being written. */
  out: string[]
  frame: Frame
  loops: Loop[]
  /** The class whose body is being written, or in whose method. */
  enclosingClass: { readonly cell: string; readonly name: string } | undefined
  /** The first parameter of the method being written: what `super()` speaks of. */
  self: string | undefined
  /** Is the body of a coroutine being written? */
  inCoroutine: boolean
  /** Is the body of a generator or a coroutine being written? */
  runsLater: boolean
  /** Is the body of a task being written, in which the call of a tool lets others go on? */
  suspends: boolean
  /** The names of the classes and functions around, for qualified names. */
  readonly qualifiers: string[]
  temporary(): string
  mark(node: NodeBase, native?: NativeMeaning): string
  /** What is known of an expression, in the version of the function that is being written. */
  typeOf: (e: Expression) => Type
  bindingOf(e: Identifier): Binding | undefined
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
