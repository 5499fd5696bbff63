// What all parts of the walk stand on: where in the program it is, what the variables are there, and what was found.
// Knows no statement and no operator. Invariant: what was found from types that turned out not to be final is taken
// back.

import type { Diagnostic, Span } from '../../diagnostics/index.js'
import type { ForeignFunction } from '../foreign.js'
import { Flow, type Lattice } from '../infer/flow.js'
import { type Binding, isKnownFunction, Knowledge, type Resolution, type Scope } from '../resolve/index.js'
import type { DefStmt, Expression, Identifier, Node } from '../syntax/nodes.js'
import type { Universe } from '../universe.js'
import type { Changes } from './changes.js'
import { forEachNameIn } from './names-in.js'
import type { Failure, Protection } from './protection.js'
import { type Frame, Report } from './report.js'
import { ANY, BOOL, FUNCTION, join, NEVER, NONE, type State, settled, type Type } from './types.js'

export interface WalkOptions {
  readonly resolution: Resolution
  readonly universe: Universe
  readonly strict: boolean
  /** Functions of the host by namespace and by every name. */
  readonly foreign: ReadonlyMap<string, ReadonlyMap<string, ForeignFunction>>
  readonly span: (node: Pick<Node, 'start' | 'end'>) => Span
  readonly text: string
  readonly changes: Changes
}

export type Place = Pick<Node, 'start' | 'end'>

const lattice: Lattice<Type> = { any: ANY, none: NONE, nothing: NEVER, join }

export abstract class Walker extends Flow<Type> {
  readonly report = new Report()
  protected readonly o: WalkOptions
  /** What the program's own functions return. */
  protected readonly results = new Map<DefStmt, Type>()
  protected frame: Frame
  protected certain = true
  protected protections: Protection[] = []
  /** A `return`, or a jump out of the loop, stands before this place. */
  protected returns = false
  protected jumps = false
  protected readonly written: Set<Binding>[] = []
  /** The types of arguments that were walked. */
  protected readonly noted = new Map<Expression, Type>()

  constructor(options: WalkOptions) {
    super(options.resolution, lattice)
    this.o = options
    this.frame = this.report.openFrame(undefined, true)
  }

  protected found(diagnostic: Diagnostic, failure: Failure, isPlain = false): void {
    if (this.protections.some((protection) => protection(failure))) return
    this.report.add({ diagnostic, frame: this.frame, plain: isPlain, certain: this.certain })
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

  protected read(id: Identifier, state: State): Type {
    const binding = this.bindingOf(id)
    if (binding === undefined) return ANY
    if (binding.kind === 'universal') return this.universal(binding.name)
    if (binding.kind === 'predeclared')
      return this.o.foreign.has(binding.name) ? { kind: 'namespace', name: binding.name } : ANY
    if (isKnownFunction(binding)) {
      this.report.guarded(binding.definition!)
      return FUNCTION
    }
    return state?.get(binding) ?? ANY
  }

  protected universal(name: string): Type {
    if (name === 'True' || name === 'False') return BOOL
    return name === 'None' ? NONE : ANY
  }

  protected write(id: Identifier, type: Type, state: State): void {
    const binding = this.bindingOf(id)
    if (binding === undefined) return
    for (const written of this.written) written.add(binding)
    state?.set(binding, binding.assignedFromInside || binding.scope?.kind === 'class' ? ANY : settled(type))
  }

  protected delete(id: Identifier, state: State): void {
    this.write(id, ANY, state)
  }

  protected merge(a: State, b: State): State {
    if (a === undefined) return b
    if (b === undefined || a === b) return a
    return Knowledge.merge(a, b, joinKnown)
  }

  /** What a function that is made here can know of the variables around it. */
  protected captured(state: State, node: Scope['node']): Knowledge<Type> {
    const inner = new Knowledge<Type>()
    if (state === undefined || this.loopDepth > 0) return inner
    for (const binding of this.o.resolution.scopeOf.get(node)?.captures ?? []) {
      const type = state.get(binding)
      if (type !== undefined && binding.assignments === 1 && !binding.assignedFromInside) inner.set(binding, type)
    }
    return inner
  }

  /** Behind something that may have left by `return` or a jump. */
  protected afterwards(certain: boolean): void {
    this.certain = certain && !this.returns && !this.jumps
  }

  /** A test may have told what the variables in it are: in its branches nothing is known of them. */
  protected narrowed(test: Expression, state: State, branch: (inner: State) => State): State {
    if (state === undefined) return branch(undefined)
    const inner = state.copy()
    let hidden: Map<Binding, Type> | undefined
    forEachNameIn(test, (id) => {
      const binding = this.bindingOf(id)
      const type = binding && state.get(binding)
      if (binding === undefined || type === undefined) return
      const unknown: Type = { kind: 'any' }
      hidden ??= new Map()
      hidden.set(binding, unknown)
      inner.set(binding, unknown)
    })
    const end = branch(inner)
    if (end !== undefined && hidden !== undefined)
      for (const [binding, unknown] of hidden) if (end.get(binding) === unknown) end.set(binding, state.get(binding)!)
    return end
  }

  /** Walks a body of its own: nothing around it tells when it runs. */
  protected inFrame(fn: DefStmt | undefined, body: () => void): Frame {
    const outer = {
      frame: this.frame,
      certain: this.certain,
      protections: this.protections,
      returns: this.returns,
      jumps: this.jumps,
    }
    const frame = this.report.openFrame(fn, false)
    this.frame = frame
    this.certain = true
    this.protections = []
    this.returns = false
    this.jumps = false
    this.inBody(body)
    this.frame = outer.frame
    this.certain = outer.certain
    this.protections = outer.protections
    this.returns = outer.returns
    this.jumps = outer.jumps
    return frame
  }
}

/** Where one way knows nothing of a variable, nothing is known. */
function joinKnown(x: Type | undefined, y: Type | undefined): Type | undefined {
  return x === undefined || y === undefined ? undefined : join(x, y)
}

export function without(state: State, written: ReadonlySet<Binding>): State {
  if (state === undefined) return undefined
  const out = state.copy()
  for (const binding of written) out.delete(binding)
  return out
}
