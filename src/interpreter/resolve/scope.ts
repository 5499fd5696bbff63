// The meanings of names: scopes and bindings. Plain data that resolve.ts fills and the later stages read.

import type { ClassStmt, Comprehension, DefStmt, File, Identifier, LambdaExpr, Statement } from '../syntax/nodes.js'

export type BindingKind =
  /** Assigned at the top level of the program. */
  | 'global'
  /** Assigned inside a function, or a comprehension's variable. */
  | 'local'
  | 'parameter'
  /** A builtin or pre-bound module of the prelude. */
  | 'universal'
  /** Provided by the host for this program: a namespace or an extension's value. */
  | 'predeclared'

export interface Binding {
  /** Its number among the bindings of the program, from 0. */
  readonly number: number
  readonly name: string
  readonly kind: BindingKind
  /** The identifier in generated code: unique in the program, in our own namespace. */
  readonly js: string
  readonly scope: Scope | undefined
  /** The number of places that assign it. A parameter counts as one. */
  assignments: number
  /** Assigned by a function other than the one that owns it. */
  assignedFromInside: boolean
  /** Read or assigned by a function other than the one that owns it. */
  captured: boolean
  /** The `def` that is its only assignment, at the top of its block. */
  definition: DefStmt | undefined
  /** For a global: the universal of the same name, which Python sees until the global is assigned. */
  shadowed: Binding | undefined
  /** Read anywhere other than as the callee of a call. */
  usedAsValue: boolean
  /** The places of its first and last mention in the text. */
  from: number
  to: number
}

type ScopeKind = 'file' | 'function' | 'comprehension' | 'class'

export interface Scope {
  /** A lazy generator expression has the kind of a function. */
  readonly kind: ScopeKind
  readonly node: File | DefStmt | LambdaExpr | Comprehension | ClassStmt
  readonly parent: Scope | undefined
  readonly bindings: Map<string, Binding>
  /** Names that `global` or `nonlocal` takes elsewhere. */
  readonly elsewhere: Map<string, Binding>
  /** Variables of enclosing scopes that are named in it or in an inner scope. */
  readonly captures: Set<Binding>
}

export interface Resolution {
  /** For every identifier that is read, assigned or deleted. */
  readonly bindingOf: ReadonlyMap<Identifier, Binding>
  readonly scopeOf: ReadonlyMap<Scope['node'], Scope>
  /** Generator expressions that compute elements on demand; all others are consumed at once. */
  readonly lazy: ReadonlySet<Comprehension>
  /** Imports of missing modules inside a `try` that expects the failure. */
  readonly missing: ReadonlyMap<Statement, string>
  /** The names of failed imports that nothing reads. */
  readonly unusedImports: ReadonlySet<Identifier>
  /** The paths in pre-bound modules that imported names mean, such as `datetime.date`. */
  readonly imported: ReadonlyMap<Binding, string>
  /** Universal and predeclared bindings that the program uses. */
  readonly outside: ReadonlySet<Binding>
}

/** The scope of the function, file or class body whose frame holds a scope's variables. */
export function frameOf(scope: Scope): Scope {
  let s = scope
  while (s.kind === 'comprehension') s = s.parent!
  return s
}

/** The scope of the program, or saved program, that contains a scope. */
export function programOf(scope: Scope): Scope {
  let s = scope
  while (s.parent !== undefined && !('isProgram' in s.node)) s = s.parent
  return s
}

/** True for a name that always means one `def`. Its calls can be bound at compile time. */
export function isKnownFunction(binding: Binding): boolean {
  const fn = binding.definition
  return (
    fn !== undefined &&
    binding.assignments === 1 &&
    !binding.assignedFromInside &&
    fn.decorators.length === 0 &&
    binding.scope?.kind !== 'class'
  )
}
