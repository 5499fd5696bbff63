// Finds variables whose list or dict nothing else can reach: every use of the variable reads from the container, copies
// it or changes it in place, and none passes it on (to another variable, a container, a function, a closure). The
// contents of such a container can be followed statement by statement; see Type.parts. A variable does not qualify if
// its container is changed while a loop iterates over it, or inside a comprehension. Loops over the other variables
// therefore need no lock.
// Invariant: a use that is not known to be harmless passes the container on.

import { type Binding, frameOf, type Resolution } from '../resolve/index.js'
import type { CallExpr, Comprehension, Expression, File, ForStmt, Statement } from '../syntax/nodes.js'
import { eachInside, eachOwn, eachTarget, expressionsIn, forEachStatement, unparenthesised } from '../syntax/walk.js'

/** Builtins that only read their first argument and do not return it. */
const readers = new Set([
  'len',
  'sorted',
  'list',
  'tuple',
  'set',
  'dict',
  'str',
  'repr',
  'enumerate',
  'any',
  'all',
  'sum',
  'bool',
  'type',
  'reversed',
  'isinstance',
])
/** Builtins that only read all their arguments. */
const readersOfAll = new Set(['print', 'zip'])
const readingMethods = new Set(['get', 'keys', 'values', 'items', 'index', 'count', 'copy'])
const changingMethods = new Set([
  'append',
  'extend',
  'insert',
  'pop',
  'remove',
  'clear',
  'setdefault',
  'sort',
  'reverse',
])
const views = new Set(['keys', 'values', 'items'])
/** Comparisons that read their right operand and do not keep it. */
const comparesWhole: ReadonlySet<string> = new Set(['in', 'not in', '==', '!='])
/** Methods that only read their arguments. */
const readsArguments = new Set(['join', 'extend', 'update'])

/**
 * Returns a test for variables whose containers nothing else can reach. `tries`: the program can continue after an
 * exception.
 */
export function ownedVariables(file: File, resolution: Resolution, tries: boolean): (binding: Binding) => boolean {
  const { given } = new Uses(file, resolution, tries)
  return (binding) =>
    binding.scope !== undefined &&
    !binding.captured &&
    !binding.assignedFromInside &&
    (frameOf(binding.scope).kind === 'function' || frameOf(binding.scope).kind === 'file') &&
    !given.has(binding)
}

/** The effect of each use of a variable on its container. */
class Uses {
  /** Variables whose containers something else may reach. */
  readonly given = new Set<Binding>()
  readonly #resolution: Resolution
  readonly #tries: boolean
  /** For each variable that a loop walks, the offset at which the loop's body ends. */
  readonly #walkedUntil = new Map<Binding, number>()
  /** The number of enclosing comprehensions. */
  #comprehensions = 0

  constructor(file: File, resolution: Resolution, tries: boolean) {
    this.#resolution = resolution
    this.#tries = tries
    forEachStatement(file.body, (s) => this.#statement(s))
  }

  #statement(s: Statement): void {
    switch (s.kind) {
      case 'IfStmt':
      case 'WhileStmt':
        return this.#test(s.test)
      case 'AssertStmt':
        this.#test(s.test)
        if (s.message) this.#give(s.message)
        return
      case 'ForStmt':
        this.#read(s.iterable)
        this.#target(s.target)
        return this.#walk(s)
      case 'ReturnStmt':
        if (s.value) this.#return(s.value)
        return
      case 'ExprStmt':
        return this.#read(s.expression)
      case 'AugmentedAssignStmt':
        this.#read(s.value)
        if (s.target.kind === 'Identifier') this.#change(s.target)
        return this.#target(s.target)
      case 'AssignStmt':
        return eachOwn(s, this.#give, s.targets.length > 1 ? this.#give : this.#target)
      case 'MatchStmt':
        // A pattern may bind the value, or a part of it, to a further name.
        this.#give(s.subject)
        for (const { pattern, guard } of s.cases) {
          expressionsIn(pattern).forEach(this.#give)
          if (guard) this.#test(guard)
        }
        return
      default:
        return eachOwn(s, this.#give, this.#target)
    }
  }

  // ---- uses -----------------------------------------------------------------------------------------------------

  readonly #give = (e: Expression): void => {
    if (e.kind !== 'Identifier') return this.#use(e)
    const binding = this.#resolution.bindingOf.get(e)
    if (binding) this.given.add(binding)
  }

  /** A use that only reads the container. */
  readonly #read = (e: Expression): void => {
    const x = unparenthesised(e)
    if (x.kind !== 'Identifier') this.#use(x)
  }

  readonly #target = (t: Expression): void =>
    eachTarget(t, (single) => {
      if (single.kind === 'IndexExpr') {
        this.#change(single.object)
        this.#give(single.index)
      } else if (single.kind === 'SliceExpr') eachInside(single, this.#give)
      else if (single.kind !== 'Identifier') this.#give(single)
    })

  /** A condition: it reads only whether the container is empty. */
  #test(e: Expression): void {
    let x = unparenthesised(e)
    for (; x.kind === 'LogicalExpr'; x = unparenthesised(x.left)) this.#test(x.right)
    this.#read(x)
  }

  #change(e: Expression): void {
    if (e.kind !== 'Identifier') return this.#give(e)
    const binding = this.#resolution.bindingOf.get(e)
    if (binding && (this.#comprehensions > 0 || e.start < (this.#walkedUntil.get(binding) ?? 0)))
      this.given.add(binding)
  }

  /**
   * A returned container. Nothing in the function can change it afterwards, unless the function catches an exception on
   * the way out.
   */
  #return(e: Expression): void {
    if (this.#tries) return this.#give(e)
    if (e.kind === 'ParenExpr') return this.#return(e.expression)
    if (e.kind === 'ListExpr' || e.kind === 'TupleExpr') for (const x of e.elements) this.#return(x)
    else if (e.kind !== 'Identifier') this.#use(e)
  }

  #walk({ iterable, body }: ForStmt): void {
    const binding = this.#walkedBy(iterable)
    const end = body[body.length - 1]?.end ?? 0
    if (binding) this.#walkedUntil.set(binding, Math.max(end, this.#walkedUntil.get(binding) ?? 0))
  }

  /** The variable whose container a loop over `e` walks. */
  #walkedBy(e: Expression): Binding | undefined {
    if (e.kind === 'Identifier') return this.#resolution.bindingOf.get(e)
    if (e.kind === 'ParenExpr') return this.#walkedBy(e.expression)
    if (e.kind !== 'CallExpr') return undefined
    const { callee, arguments: args } = e
    if (callee.kind === 'DotExpr') return views.has(callee.name.name) ? this.#walkedBy(callee.object) : undefined
    const isEnumeration = callee.kind === 'Identifier' && callee.name === 'enumerate'
    return isEnumeration && args.length > 0 ? this.#walkedBy(args[0]!.value) : undefined
  }

  // ---- expressions that are not names --------------------------------------------------------------------------

  #use(e: Expression): void {
    switch (e.kind) {
      case 'FString':
        return eachInside(e, this.#read)
      case 'Comprehension':
        return this.#comprehension(e)
      case 'CondExpr':
        this.#test(e.test)
        this.#give(e.body)
        return this.#give(e.orelse)
      case 'UnaryExpr':
        return this.#test(e.operand)
      case 'BinaryExpr':
      case 'LogicalExpr': {
        const operand = e.kind === 'BinaryExpr' ? this.#read : this.#give
        let x: Expression = e
        for (; x.kind === e.kind; x = x.left) operand(x.right)
        return operand(x)
      }
      case 'CompareExpr':
        this.#read(e.left)
        for (const { operator, operand } of e.rest) (comparesWhole.has(operator) ? this.#read : this.#give)(operand)
        return
      case 'CallExpr':
        return this.#call(e)
      case 'IndexExpr':
        this.#read(e.object)
        return this.#give(e.index)
      case 'SliceExpr':
        this.#read(e.object)
        for (const x of [e.lower, e.upper, e.step]) if (x) this.#give(x)
        return
      default:
        return eachInside(e, this.#give)
    }
  }

  #comprehension(c: Comprehension): void {
    this.#comprehensions++
    for (const clause of c.clauses) {
      if (clause.kind === 'IfClause') this.#test(clause.test)
      else {
        if (this.#resolution.lazy.has(c)) this.#give(clause.iterable)
        else this.#read(clause.iterable)
        this.#target(clause.target)
      }
    }
    this.#give(c.element)
    if (c.value) this.#give(c.value)
    this.#comprehensions--
  }

  #call(e: CallExpr): void {
    const { callee, arguments: args } = e
    if (callee.kind === 'DotExpr') {
      const { name } = callee.name
      if (changingMethods.has(name)) this.#change(callee.object)
      else if (readingMethods.has(name)) this.#read(callee.object)
      else this.#give(callee.object)
    } else if (callee.kind !== 'Identifier') this.#give(callee)
    const reads = this.#argumentsRead(e)
    for (const [i, a] of args.entries()) (i < reads && a.form === 'positional' ? this.#read : this.#give)(a.value)
  }

  /** The number of leading arguments that a call only reads. */
  #argumentsRead({ callee, arguments: args }: CallExpr): number {
    if (callee.kind === 'DotExpr') return readsArguments.has(callee.name.name) ? 1 : 0
    if (callee.kind !== 'Identifier' || this.#resolution.bindingOf.get(callee)?.kind !== 'universal') return 0
    if (readersOfAll.has(callee.name)) return Infinity
    const isExtreme =
      (callee.name === 'min' || callee.name === 'max') && args.filter((a) => a.form !== 'named').length === 1
    return readers.has(callee.name) || isExtreme ? 1 : 0
  }
}
