// The syntax tree: plain data, discriminated by `kind`. The nodes have the names of the Starlark grammar. Python's
// affordances have names of their own.
//
// Trees are bounded, so that later stages can walk them by recursion: blocks nest at most 100 deep, and an expression
// is at most 500 high. Two shapes need a loop: a run of one BinaryExpr or LogicalExpr operator goes down `left` up to
// 20,000 times, and a chain of `elif` goes down `orelse` without bound.
//
// Invariant: `start` and `end` are offsets in UTF-16 units into the program's text, `end` exclusive; a parent covers
// its children.

export interface NodeBase {
  readonly start: number
  readonly end: number
}

/** A program as parsed. */
export interface File extends NodeBase {
  readonly kind: 'File'
  readonly text: string
  readonly body: readonly Statement[]
}

// ---- Statements ------------------------------------------------------------------------------------------------

export type Statement =
  | DefStmt
  | IfStmt
  | ForStmt
  | WhileStmt
  | ReturnStmt
  | BreakStmt
  | ContinueStmt
  | PassStmt
  | AssignStmt
  | AugmentedAssignStmt
  | AnnotatedAssignStmt
  | ExprStmt
  | LoadStmt
  | ImportStmt
  | ImportFromStmt
  | TryStmt
  | RaiseStmt
  | AssertStmt
  | DelStmt
  | GlobalStmt
  | NonlocalStmt
  | WithStmt
  | ClassStmt
  | MatchStmt

export interface Parameter extends NodeBase {
  readonly kind: 'Parameter'
  /**
   * `plain` is `x` or `x=1`; `args` is `*args`; `kwargs` is `**kwargs`; `star` is a bare `*`; `slash` is a bare `/`.
   */
  readonly form: 'plain' | 'args' | 'kwargs' | 'star' | 'slash'
  /** Absent for `star` and `slash`. */
  readonly name?: Identifier
  readonly default?: Expression
  readonly annotation?: Expression
}

export interface DefStmt extends NodeBase {
  readonly kind: 'DefStmt'
  readonly name: Identifier
  readonly parameters: readonly Parameter[]
  readonly body: readonly Statement[]
  readonly decorators: readonly Expression[]
  readonly returns?: Expression
  readonly isAsync: boolean
  /** True for a generator: the function's own body has a `yield`. */
  readonly yields: boolean
  /** Present if the body is a saved program: `global` and `import *` in it mean the names of that program. */
  readonly isProgram?: true
}

/** An `elif` is a single IfStmt in `orelse`. */
export interface IfStmt extends NodeBase {
  readonly kind: 'IfStmt'
  readonly test: Expression
  readonly body: readonly Statement[]
  readonly orelse: readonly Statement[]
}

export interface ForStmt extends NodeBase {
  readonly kind: 'ForStmt'
  readonly target: Expression
  readonly iterable: Expression
  readonly body: readonly Statement[]
  readonly orelse: readonly Statement[]
  readonly isAsync: boolean
}

export interface WhileStmt extends NodeBase {
  readonly kind: 'WhileStmt'
  readonly test: Expression
  readonly body: readonly Statement[]
  readonly orelse: readonly Statement[]
}

export interface ReturnStmt extends NodeBase {
  readonly kind: 'ReturnStmt'
  readonly value?: Expression
}
interface BreakStmt extends NodeBase {
  readonly kind: 'BreakStmt'
}
interface ContinueStmt extends NodeBase {
  readonly kind: 'ContinueStmt'
}
interface PassStmt extends NodeBase {
  readonly kind: 'PassStmt'
}

/** `a = b = value` has two targets; in strict mode there is exactly one. */
export interface AssignStmt extends NodeBase {
  readonly kind: 'AssignStmt'
  readonly targets: readonly Expression[]
  readonly value: Expression
}

export interface AugmentedAssignStmt extends NodeBase {
  readonly kind: 'AugmentedAssignStmt'
  readonly target: Expression
  /** Without the `=`. The parser refuses `@`. */
  readonly operator: BinaryOperator
  readonly value: Expression
}

/** `x: T` or `x: T = value`. */
interface AnnotatedAssignStmt extends NodeBase {
  readonly kind: 'AnnotatedAssignStmt'
  readonly target: Expression
  readonly annotation: Expression
  readonly value?: Expression
}

interface ExprStmt extends NodeBase {
  readonly kind: 'ExprStmt'
  readonly expression: Expression
}

/** Starlark's `load("module", "a", b="c")`: parsed so that it can be refused by name. */
export interface LoadStmt extends NodeBase {
  readonly kind: 'LoadStmt'
  readonly module: StringLiteral
  readonly bindings: readonly { readonly local: Identifier; readonly original: string }[]
}

/** `import a.b as c, d`. */
export interface ImportStmt extends NodeBase {
  readonly kind: 'ImportStmt'
  readonly names: readonly { readonly path: readonly Identifier[]; readonly alias?: Identifier }[]
}

/**
 * `from a.b import c as d, e`; `from a import *` has `star: true` and no names until it is resolved; `level` counts
 * leading dots.
 */
export interface ImportFromStmt extends NodeBase {
  readonly kind: 'ImportFromStmt'
  readonly path: readonly Identifier[]
  readonly level: number
  readonly star: boolean
  readonly names: { readonly name: Identifier; readonly alias?: Identifier }[]
}

export interface ExceptClause extends NodeBase {
  readonly kind: 'ExceptClause'
  readonly type?: Expression
  readonly name?: Identifier
  readonly body: readonly Statement[]
}
export interface TryStmt extends NodeBase {
  readonly kind: 'TryStmt'
  readonly body: readonly Statement[]
  readonly handlers: readonly ExceptClause[]
  readonly orelse: readonly Statement[]
  readonly finalbody: readonly Statement[]
}
export interface RaiseStmt extends NodeBase {
  readonly kind: 'RaiseStmt'
  readonly exception?: Expression
  readonly cause?: Expression
}
export interface AssertStmt extends NodeBase {
  readonly kind: 'AssertStmt'
  readonly test: Expression
  readonly message?: Expression
}
interface DelStmt extends NodeBase {
  readonly kind: 'DelStmt'
  readonly targets: readonly Expression[]
}
interface GlobalStmt extends NodeBase {
  readonly kind: 'GlobalStmt'
  readonly names: readonly Identifier[]
}
interface NonlocalStmt extends NodeBase {
  readonly kind: 'NonlocalStmt'
  readonly names: readonly Identifier[]
}
export interface WithStmt extends NodeBase {
  readonly kind: 'WithStmt'
  readonly items: readonly { readonly context: Expression; readonly target?: Expression }[]
  readonly body: readonly Statement[]
  readonly isAsync: boolean
}
export interface ClassStmt extends NodeBase {
  readonly kind: 'ClassStmt'
  readonly name: Identifier
  readonly bases: readonly Argument[]
  readonly body: readonly Statement[]
  readonly decorators: readonly Expression[]
}

export interface MatchStmt extends NodeBase {
  readonly kind: 'MatchStmt'
  readonly subject: Expression
  readonly cases: readonly MatchCase[]
}
export interface MatchCase extends NodeBase {
  readonly kind: 'MatchCase'
  readonly pattern: Pattern
  readonly guard?: Expression
  readonly body: readonly Statement[]
}

// ---- Patterns --------------------------------------------------------------------------------------------------

export type Pattern =
  | ValuePattern
  | ConstantPattern
  | CapturePattern
  | StarPattern
  | SequencePattern
  | MappingPattern
  | ClassPattern
  | OrPattern
  | AsPattern

/** A literal or a dotted name, which is compared with `==`. */
export interface ValuePattern extends NodeBase {
  readonly kind: 'ValuePattern'
  /** A number, with or without a sign, a string, bytes, or a DotExpr of names. */
  readonly value: Expression
}
/** Compared by identity. */
interface ConstantPattern extends NodeBase {
  readonly kind: 'ConstantPattern'
  readonly name: 'True' | 'False' | 'None'
}
/** A name that takes the value; without one it is `_`. */
interface CapturePattern extends NodeBase {
  readonly kind: 'CapturePattern'
  readonly name?: Identifier
}
/** `*name` or `*_`; only ever an element of a SequencePattern. */
interface StarPattern extends NodeBase {
  readonly kind: 'StarPattern'
  readonly name?: Identifier
}
/** `[a, b]`, `(a, b)` or `a, b`. */
export interface SequencePattern extends NodeBase {
  readonly kind: 'SequencePattern'
  readonly elements: readonly Pattern[]
}
/** `{key: pattern, **rest}`; a key is a literal, True, False, None or a DotExpr of names. */
export interface MappingPattern extends NodeBase {
  readonly kind: 'MappingPattern'
  readonly entries: readonly { readonly key: Expression; readonly pattern: Pattern }[]
  readonly rest?: Identifier
}
/** `Class(pattern, attribute=pattern)`. */
export interface ClassPattern extends NodeBase {
  readonly kind: 'ClassPattern'
  /** A name or a DotExpr of names. */
  readonly callee: Expression
  readonly positional: readonly Pattern[]
  readonly named: readonly { readonly name: Identifier; readonly pattern: Pattern }[]
}
export interface OrPattern extends NodeBase {
  readonly kind: 'OrPattern'
  readonly alternatives: readonly Pattern[]
}
interface AsPattern extends NodeBase {
  readonly kind: 'AsPattern'
  readonly pattern: Pattern
  readonly name: Identifier
}

// ---- Expressions -----------------------------------------------------------------------------------------------

export type Expression =
  | Identifier
  | IntLiteral
  | FloatLiteral
  | StringLiteral
  | BytesLiteral
  | FString
  | EllipsisLiteral
  | ListExpr
  | TupleExpr
  | SetExpr
  | DictExpr
  | Comprehension
  | CondExpr
  | LambdaExpr
  | UnaryExpr
  | BinaryExpr
  | LogicalExpr
  | CompareExpr
  | CallExpr
  | DotExpr
  | IndexExpr
  | SliceExpr
  | StarredExpr
  | NamedExpr
  | AwaitExpr
  | YieldExpr
  | ParenExpr

/** A name. `True`, `False` and `None` are identifiers too: they are predeclared, not keywords. */
export interface Identifier extends NodeBase {
  readonly kind: 'Identifier'
  readonly name: string
}
export interface IntLiteral extends NodeBase {
  readonly kind: 'IntLiteral'
  readonly value: bigint
}
export interface FloatLiteral extends NodeBase {
  readonly kind: 'FloatLiteral'
  readonly value: number
}
/** The value after escapes; adjacent literals are joined into one node. */
export interface StringLiteral extends NodeBase {
  readonly kind: 'StringLiteral'
  readonly value: string
}
export interface BytesLiteral extends NodeBase {
  readonly kind: 'BytesLiteral'
  readonly value: readonly number[]
}
/** An f-string: literal text and replacement fields in order; adjacent plain literals are joined in. */
export interface FString extends NodeBase {
  readonly kind: 'FString'
  readonly parts: readonly FStringPart[]
}
export type FStringPart = string | FStringField
export interface FStringField extends NodeBase {
  readonly kind: 'FStringField'
  readonly expression: Expression
  /**
   * The text that a self-documenting field prints before its value, including the `=` and white space: `x = ` for `{x =
   * }`.
   */
  readonly label?: string
  /** A field with a label and without conversion and specification has `r`. */
  readonly conversion?: 'r' | 's' | 'a'
  /** The format specification after `:`, which can hold fields. */
  readonly spec?: readonly FStringPart[]
}
export interface EllipsisLiteral extends NodeBase {
  readonly kind: 'EllipsisLiteral'
}
export interface ListExpr extends NodeBase {
  readonly kind: 'ListExpr'
  readonly elements: readonly Expression[]
}
/** Parenthesised or not; a ParenExpr never wraps a TupleExpr. */
export interface TupleExpr extends NodeBase {
  readonly kind: 'TupleExpr'
  readonly elements: readonly Expression[]
  readonly parenthesized: boolean
}
export interface SetExpr extends NodeBase {
  readonly kind: 'SetExpr'
  readonly elements: readonly Expression[]
}
/** An entry without a key is `**value`. */
export interface DictEntry extends NodeBase {
  readonly kind: 'DictEntry'
  readonly key?: Expression
  readonly value: Expression
}
export interface DictExpr extends NodeBase {
  readonly kind: 'DictExpr'
  readonly entries: readonly DictEntry[]
}
export type ComprehensionClause = ForClause | IfClause
export interface ForClause extends NodeBase {
  readonly kind: 'ForClause'
  readonly target: Expression
  readonly iterable: Expression
  readonly isAsync: boolean
}
interface IfClause extends NodeBase {
  readonly kind: 'IfClause'
  readonly test: Expression
}
/** The first clause is always a ForClause. For `form: 'dict'`, `element` is the key and `value` the value. */
export interface Comprehension extends NodeBase {
  readonly kind: 'Comprehension'
  readonly form: 'list' | 'set' | 'dict' | 'generator'
  readonly element: Expression
  readonly value?: Expression
  readonly clauses: readonly ComprehensionClause[]
}
/** `body if test else orelse`. */
export interface CondExpr extends NodeBase {
  readonly kind: 'CondExpr'
  readonly test: Expression
  readonly body: Expression
  readonly orelse: Expression
}
export interface LambdaExpr extends NodeBase {
  readonly kind: 'LambdaExpr'
  readonly parameters: readonly Parameter[]
  readonly body: Expression
  /** True for a generator. */
  readonly yields: boolean
}
export type UnaryOperator = '+' | '-' | '~' | 'not'
export interface UnaryExpr extends NodeBase {
  readonly kind: 'UnaryExpr'
  readonly operator: UnaryOperator
  readonly operand: Expression
}
export type BinaryOperator = '|' | '^' | '&' | '<<' | '>>' | '+' | '-' | '*' | '/' | '//' | '%' | '**' | '@'
export interface BinaryExpr extends NodeBase {
  readonly kind: 'BinaryExpr'
  readonly operator: BinaryOperator
  readonly left: Expression
  readonly right: Expression
}
export interface LogicalExpr extends NodeBase {
  readonly kind: 'LogicalExpr'
  readonly operator: 'and' | 'or'
  readonly left: Expression
  readonly right: Expression
}
export type CompareOperator = '==' | '!=' | '<' | '>' | '<=' | '>=' | 'in' | 'not in' | 'is' | 'is not'
/** `a < b < c` has two operators and two `rest` operands; strict mode has exactly one. */
export interface CompareExpr extends NodeBase {
  readonly kind: 'CompareExpr'
  readonly left: Expression
  readonly rest: readonly { readonly operator: CompareOperator; readonly operand: Expression }[]
}
export interface Argument extends NodeBase {
  readonly kind: 'Argument'
  readonly form: 'positional' | 'named' | 'args' | 'kwargs'
  /** Only for `named`. */
  readonly name?: Identifier
  readonly value: Expression
}
export interface CallExpr extends NodeBase {
  readonly kind: 'CallExpr'
  readonly callee: Expression
  readonly arguments: readonly Argument[]
  /** The offset of the opening parenthesis. */
  readonly open: number
}
export interface DotExpr extends NodeBase {
  readonly kind: 'DotExpr'
  readonly object: Expression
  readonly name: Identifier
}
export interface IndexExpr extends NodeBase {
  readonly kind: 'IndexExpr'
  readonly object: Expression
  readonly index: Expression
}
/**
 * `object[lower:upper:step]`; only ever the whole subscript. In strict mode `lower` can be a bare tuple, as Starlark's
 * grammar has it.
 */
export interface SliceExpr extends NodeBase {
  readonly kind: 'SliceExpr'
  readonly object: Expression
  readonly lower?: Expression
  readonly upper?: Expression
  readonly step?: Expression
}
/** `*x` in a display, a tuple, a subscript, an assignment target or the annotation of `*args`. */
export interface StarredExpr extends NodeBase {
  readonly kind: 'StarredExpr'
  readonly value: Expression
}
/** `name := value`. */
export interface NamedExpr extends NodeBase {
  readonly kind: 'NamedExpr'
  readonly target: Identifier
  readonly value: Expression
}
export interface AwaitExpr extends NodeBase {
  readonly kind: 'AwaitExpr'
  readonly value: Expression
}
/** `yield value`, `yield`, or `yield from value` with `from: true`. */
export interface YieldExpr extends NodeBase {
  readonly kind: 'YieldExpr'
  readonly value?: Expression
  readonly from: boolean
}
/** `(x)`: kept because `(x) = 1` and `(x)(…)` have positions of their own. Compiles like `x`. */
interface ParenExpr extends NodeBase {
  readonly kind: 'ParenExpr'
  readonly expression: Expression
}

export type Node =
  | File
  | Statement
  | Expression
  | Parameter
  | Argument
  | ExceptClause
  | DictEntry
  | ComprehensionClause
  | MatchCase
  | Pattern
