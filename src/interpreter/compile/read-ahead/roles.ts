// Finds the role of every value in a program that runs ahead of its reads. In such a program, a call of a tool that
// only reads does not wait, and its value may be pending (see prelude/foreign/ahead.ts). Most roles look at the value.
// Some only pass it on, or look at a part of it. These are found here before any code is written, and every expression
// is then written for its role. Knows which expressions may be pending; the prelude implements the roles. Programs that
// can't reach a tool that only reads are compiled without roles.
// Invariant: if an expression has no role, its value is looked at, elements included.

import { bindStatically, formalOf } from '../../resolve/bind-arguments.js'
import { callsByName, isKnownFunction, type Resolution } from '../../resolve/index.js'
import { classesIn } from '../../syntax/inside-patterns.js'
import type {
  CallExpr,
  Comprehension,
  DefStmt,
  Expression,
  File,
  LambdaExpr,
  MatchStmt,
  Statement,
} from '../../syntax/nodes.js'
import { eachBlock, eachTarget, forEachExpression, forEachIn, unparenthesised } from '../../syntax/walk.js'

/**
 * The role of a value. `carried`: it is passed on. `stored`: it is put into a container. The other roles look at a part
 * of it and are named after helpers of the prelude. A value without a role is looked at, elements included.
 */
type Role =
  | { readonly kind: 'carried' | 'stored' | 'plain' | 'shallow' | 'walkable' | 'owner' | 'callee' }
  | { readonly kind: 'receiver'; readonly method: string }

const CARRIED: Role = { kind: 'carried' }
const STORED: Role = { kind: 'stored' }
const PLAIN: Role = { kind: 'plain' }
const SHALLOW: Role = { kind: 'shallow' }
const WALKABLE: Role = { kind: 'walkable' }
const OWNER: Role = { kind: 'owner' }
const CALLEE: Role = { kind: 'callee' }

/** The functions of the host that only read: by namespace, and by each of their names, the name that is sent. */
export type Reads = ReadonlyMap<string, ReadonlyMap<string, string>>

/** The owner of a statement. `later`: the body of a generator or coroutine, which runs later. */
type Frame = 'file' | 'function' | 'later' | 'class'

/** Builtins that look at their argument but not at its elements. */
const ONLOOKERS: ReadonlySet<string> = new Set(['isinstance', 'callable', 'type'])

export class Roles {
  readonly #resolution: Resolution
  readonly #reads: Reads
  readonly #roles = new Map<Expression, Role>()
  /** Expressions whose operands have the role of the whole. */
  readonly #transparent = new Set<Expression>()
  readonly #tests = new Set<Expression>()
  /** The receivers of method calls. */
  readonly #methods = new Set<Expression>()
  /** The right sides of `"…" %`. If one is a tuple display, its elements are operands, and no tuple is created. */
  readonly #operands = new Set<Expression>()
  /** The elements of `any(… for …)` and `all(… for …)`. */
  readonly #quantified = new Set<Expression>()

  constructor(file: File, resolution: Resolution, reads: Reads) {
    this.#resolution = resolution
    this.#reads = reads
    this.#block(file.body, 'file')
    forEachExpression(file.body, (e) => this.#expression(e))
  }

  /** The role of an expression; undefined if its value is looked at. */
  of(e: Expression): Role | undefined {
    return this.#transparent.has(e) ? CARRIED : this.#roles.get(e)
  }

  /** The read that a call makes: the names of its namespace and of the function. */
  readOf(e: Expression): readonly [string, string] | undefined {
    if (e.kind !== 'CallExpr' || e.callee.kind !== 'DotExpr' || e.callee.object.kind !== 'Identifier') return undefined
    const { object, name } = e.callee
    const binding = this.#resolution.bindingOf.get(object)
    const member = binding?.kind === 'predeclared' ? this.#reads.get(binding.name)?.get(name.name) : undefined
    return member === undefined ? undefined : [binding!.name, member]
  }

  /**
   * True if the expression calls a function of the program or appends to a list. Values that were looked at before may
   * have changed then.
   */
  isNoisy(e: Expression): boolean {
    let found = false
    forEachIn(e, (x) => {
      found ||= x.kind === 'CallExpr' && (this.#definition(x) !== undefined || isAppend(x))
      return !found && x.kind !== 'LambdaExpr'
    })
    return found
  }

  /** True if the element of a comprehension goes into a container as it is. */
  collects(c: Comprehension): boolean {
    return c.form !== 'set' && !this.#resolution.lazy.has(c) && !this.#quantified.has(c)
  }

  // ---- statements ----------------------------------------------------------------------------------------------

  #block(body: readonly Statement[], frame: Frame): void {
    for (const s of body) {
      this.#statement(s, frame)
      eachBlock(s, (inner) => this.#block(inner, frameOf(s) ?? frame))
    }
  }

  #statement(s: Statement, frame: Frame): void {
    switch (s.kind) {
      case 'IfStmt':
      case 'WhileStmt':
      case 'AssertStmt':
        return this.#test(s.test)
      case 'ForStmt':
        if (!s.isAsync) this.#loop(s.target, s.iterable)
        return this.#target(s.target)
      case 'WithStmt':
        for (const { target } of s.items) if (target) this.#target(target)
        return
      case 'MatchStmt':
        return this.#match(s)
      case 'AssignStmt':
        for (const t of s.targets) this.#target(t)
        if (frame !== 'class') this.#set(s.value, s.targets.some(isUnpacked) ? SHALLOW : CARRIED)
        return
      case 'AnnotatedAssignStmt':
        this.#target(s.target)
        if (s.value && frame !== 'class') this.#set(s.value, CARRIED)
        return
      case 'AugmentedAssignStmt':
        return this.#target(s.target)
      case 'DelStmt':
        for (const t of s.targets) this.#target(t)
        return
      case 'ReturnStmt':
        if (s.value && frame === 'function') this.#set(s.value, CARRIED)
        return
      case 'ExprStmt':
        return this.#set(s.expression, CARRIED)
      default:
        return
    }
  }

  /** The subject is looked at, elements included. If it is a tuple display, the tuple is not created. */
  #match({ subject, cases }: MatchStmt): void {
    if (subject.kind === 'TupleExpr') this.#operands.add(subject)
    for (const { pattern, guard } of cases) {
      for (const e of classesIn(pattern)) this.#set(e, PLAIN)
      if (guard) this.#test(guard)
    }
  }

  #target(t: Expression): void {
    eachTarget(t, (single) => {
      if (single.kind === 'IndexExpr') this.#set(single.object, SHALLOW)
      if (single.kind === 'DotExpr') this.#set(single.object, OWNER)
    })
  }

  /** The iterable of a loop, in the forms that loops.ts has. */
  #loop(target: Expression, iterable: Expression): void {
    this.#set(iterable, WALKABLE)
    if (
      iterable.kind !== 'CallExpr' ||
      target.kind !== 'TupleExpr' ||
      target.elements.length !== 2 ||
      target.elements.some((t) => t.kind === 'StarredExpr')
    )
      return
    const { callee, arguments: args } = iterable
    if (callee.kind === 'DotExpr' && callee.name.name === 'items' && args.length === 0)
      this.#set(callee.object, SHALLOW)
    if (args.length === 1 && args[0]!.form === 'positional' && this.#isUniversal(callee, 'enumerate'))
      this.#set(args[0]!.value, WALKABLE)
  }

  /** A condition. Its operands are tested separately. */
  #test(e: Expression): void {
    this.#tests.add(e)
    if (e.kind === 'ParenExpr') {
      this.#transparent.add(e)
      this.#test(e.expression)
    } else if (e.kind === 'UnaryExpr' && e.operator === 'not') this.#test(e.operand)
    else if (e.kind === 'LogicalExpr') {
      this.#test(e.left)
      this.#test(e.right)
    }
    this.#set(e, PLAIN)
  }

  // ---- expressions ---------------------------------------------------------------------------------------------

  /** Must be called for an outer expression before the ones inside it. */
  #expression(e: Expression): void {
    switch (e.kind) {
      case 'ParenExpr':
        return this.#passOn(e, e.expression)
      case 'CondExpr':
        this.#test(e.test)
        this.#passOn(e, e.body)
        return this.#passOn(e, e.orelse)
      case 'LogicalExpr':
        if (this.#tests.has(e)) return
        this.#set(e.left, PLAIN)
        return this.#set(e.right, CARRIED)
      case 'UnaryExpr':
        if (e.operator === 'not') this.#test(e.operand)
        return
      case 'NamedExpr':
        return this.#set(e.value, CARRIED)
      case 'LambdaExpr':
        return this.#set(e.body, CARRIED)
      case 'BinaryExpr':
        if (e.operator === '%' && e.left.kind === 'StringLiteral') this.#operands.add(unparenthesised(e.right))
        return
      case 'ListExpr':
      case 'TupleExpr':
        if (this.#operands.has(e)) return
        for (const x of e.elements) if (x.kind !== 'StarredExpr') this.#set(x, STORED)
        return
      case 'DictExpr':
        for (const { key, value } of e.entries) if (key) this.#set(value, STORED)
        return
      case 'Comprehension':
        return this.#comprehension(e)
      case 'CompareExpr':
        if (e.rest.length === 1 && e.rest[0]!.operator.startsWith('is')) {
          this.#set(e.left, PLAIN)
          this.#set(e.rest[0]!.operand, PLAIN)
        }
        return
      case 'IndexExpr':
        return this.#set(e.object, SHALLOW)
      case 'DotExpr':
        if (!e.name.name.startsWith('__') && !this.#methods.has(e)) this.#set(e.object, OWNER)
        return
      case 'AwaitExpr':
        if (this.readOf(e.value) !== undefined) this.#set(e.value, CARRIED)
        return
      case 'CallExpr':
        return this.#call(e)
      default:
        return
    }
  }

  #comprehension(c: Comprehension): void {
    for (const clause of c.clauses) {
      if (clause.kind === 'IfClause') {
        this.#test(clause.test)
        continue
      }
      // The first iterable of a generator is evaluated at once, in its usual form.
      if (clause === c.clauses[0] && this.#resolution.lazy.has(c)) this.#set(clause.iterable, WALKABLE)
      else this.#loop(clause.target, clause.iterable)
      this.#target(clause.target)
    }
    if (!this.collects(c)) return
    this.#set(c.form === 'dict' ? c.value! : c.element, STORED)
  }

  #call(e: CallExpr): void {
    const { callee, arguments: args } = e
    const first = args[0]
    if (this.#known(e)) {
      for (const a of args) this.#set(a.value, CARRIED)
    } else if (callee.kind === 'DotExpr' && !callsByName(e, this.#resolution)) {
      this.#methods.add(callee)
      this.#set(callee.object, { kind: 'receiver', method: callee.name.name })
      if (isAppend(e)) this.#set(first!.value, STORED)
    } else if (callee.kind !== 'Identifier' || this.#resolution.bindingOf.get(callee)?.kind !== 'universal')
      this.#set(callee, CALLEE)
    else if (first?.form === 'positional') {
      if (callee.name === 'len') this.#set(first.value, SHALLOW)
      else if (ONLOOKERS.has(callee.name)) this.#set(first.value, PLAIN)
      const isQuantifier = callee.name === 'any' || callee.name === 'all'
      if (isQuantifier && args.length === 1 && first.value.kind === 'Comprehension') {
        this.#quantified.add(first.value)
        if (first.value.form === 'generator') this.#test(first.value.element)
      }
    }
  }

  /**
   * True for a call of a single function of the program that takes its arguments one by one and whose body runs at
   * once.
   */
  #known(e: CallExpr): boolean {
    const fn = this.#definition(e)
    if (fn === undefined) return false
    const formal = formalOf(fn)
    return formal.argsSlot < 0 && formal.kwargsSlot < 0 && bindStatically(formal, e.arguments) !== undefined
  }

  #definition({ callee }: CallExpr): DefStmt | undefined {
    const binding = callee.kind === 'Identifier' ? this.#resolution.bindingOf.get(callee) : undefined
    return binding !== undefined && isKnownFunction(binding) ? binding.definition : undefined
  }

  #isUniversal(e: Expression, name: string): boolean {
    return e.kind === 'Identifier' && e.name === name && this.#resolution.bindingOf.get(e)?.kind === 'universal'
  }

  #passOn(outer: Expression, inner: Expression): void {
    const role = this.#roles.get(outer)
    if (role !== undefined) this.#roles.set(inner, role)
    if (this.#tests.has(outer)) this.#test(inner)
    this.#transparent.add(outer)
  }

  #set(e: Expression, role: Role): void {
    this.#roles.set(e, role)
  }
}

/** The frame that a statement opens for its block; undefined if it opens none. */
function frameOf(s: Statement): Frame | undefined {
  if (s.kind === 'DefStmt') return runsLater(s) ? 'later' : 'function'
  return s.kind === 'ClassStmt' ? 'class' : undefined
}

/** True if a call does not run the body at once. */
export function runsLater(fn: DefStmt | LambdaExpr): boolean {
  return (fn.kind === 'DefStmt' && fn.isAsync) || fn.yields
}

export function isAppend({ callee, arguments: args }: CallExpr): boolean {
  return (
    callee.kind === 'DotExpr' && callee.name.name === 'append' && args.length === 1 && args[0]!.form === 'positional'
  )
}

function isUnpacked(t: Expression): boolean {
  return t.kind === 'ParenExpr' ? isUnpacked(t.expression) : t.kind === 'TupleExpr' || t.kind === 'ListExpr'
}
