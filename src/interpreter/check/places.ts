// The base class of the check: the types of expressions, whether the program surely reaches the current place, whether
// an exception would be caught there, and the mistakes found. Knows no statements and no operators.

import type { Diagnostic, Span } from '../../diagnostics/index.js'
import type { Inference } from '../infer/index.js'
import { type Type, takenOf } from '../infer/types.js'
import type { Foreign } from '../namespaces.js'
import type { Binding, Resolution } from '../resolve/index.js'
import type { DefStmt, Expression, Identifier, Node } from '../syntax/nodes.js'
import type { Universe } from '../universe.js'
import type { Failure, Protection } from './protection.js'
import { type Frame, Report } from './report.js'

export interface WalkOptions {
  readonly resolution: Resolution
  readonly inference: Inference
  readonly universe: Universe
  readonly strict: boolean
  readonly foreign: Foreign
  readonly span: (node: Place) => Span
  readonly text: string
}

export type Place = Pick<Node, 'start' | 'end'>

export abstract class Places {
  readonly report = new Report()
  protected readonly o: WalkOptions
  protected frame: Frame
  /** True if a run of the frame surely reaches this place. */
  protected certain = true
  protected protections: Protection[] = []
  /** True after a `return` or a jump out of a loop. */
  protected returns = false
  protected jumps = false

  constructor(options: WalkOptions) {
    this.o = options
    this.frame = this.report.openFrame(undefined, true)
  }

  protected found(diagnostic: Diagnostic, failure: Failure, isPlain = false): void {
    if (this.protections.some((protection) => protection(failure))) return
    this.report.add({ diagnostic, frame: this.frame, plain: isPlain, certain: this.certain })
  }

  /** The type that the check assumes for an expression. */
  protected typeOf(e: Expression): Type {
    return takenOf(this.o.inference.typeOf(e))
  }

  protected span(node: Place): Span {
    return this.o.span(node)
  }

  protected textOf(e: Expression): string {
    const text = this.o.text.slice(e.start, e.end)
    return text.length > 40 || text.includes('\n') ? 'x' : text
  }

  protected bindingOf(id: Identifier): Binding | undefined {
    return this.o.resolution.bindingOf.get(id)
  }

  /** Walks code that may not run. */
  protected perhaps(walk: () => void): void {
    const outer = this.certain
    this.certain = false
    walk()
    this.certain = outer
  }

  /** Continues after code that may have left by `return` or a jump. */
  protected afterwards(certain: boolean): void {
    this.certain = certain && !this.returns && !this.jumps
  }

  /** Walks a body that runs at an unknown time. */
  protected inFrame(fn: DefStmt | undefined, body: () => void): void {
    const { frame, certain, protections, returns, jumps } = this
    this.frame = this.report.openFrame(fn, false)
    this.certain = true
    this.protections = []
    this.returns = false
    this.jumps = false
    body()
    Object.assign(this, { frame, certain, protections, returns, jumps })
  }
}
