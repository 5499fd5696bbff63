// Which Starlark a program is written in. Knows names of switches, nothing of what they do.

/** The dialect's switches. Every switch is on by default; `strict` alone is off. */
export interface Dialect {
  /** Pure Starlark: turns every Python affordance off. Default false. */
  readonly strict: boolean
  /** Functions may call themselves, directly or through others. Default true. */
  readonly recursion: boolean
  /** `while` statements. Default true. */
  readonly while: boolean
  /** `if`, `for` and `while` at the top level of a program. Default true. */
  readonly topLevelControl: boolean
  /** A global name may be assigned more than once. Default true. */
  readonly globalReassign: boolean
  /** The `set` builtin. Default true. */
  readonly set: boolean
}

export const defaultDialect: Dialect = {
  strict: false,
  recursion: true,
  while: true,
  topLevelControl: true,
  globalReassign: true,
  set: true,
}
