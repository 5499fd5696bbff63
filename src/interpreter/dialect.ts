/**
 * The switches of the dialect. The language's switches are on by default. `strict` is off, and so are the switches for
 * the clock, randomness, input and memory.
 */
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
  /** Programs of either language may read the time at which their run began. Off with `strict`. Default false. */
  readonly clock: boolean
  /** Programs of either language may draw random numbers from a seed of their run. Off with `strict`. Default false. */
  readonly random: boolean
  /** Programs may read the standard input of their run. Off with `strict`. Default false. */
  readonly input: boolean
  /** Programs of either language may keep values for later runs. Default false. */
  readonly memory: boolean
}

export const defaultDialect: Dialect = {
  strict: false,
  recursion: true,
  while: true,
  topLevelControl: true,
  globalReassign: true,
  set: true,
  clock: false,
  random: false,
  input: false,
  memory: false,
}

/** A dialect with the given switches and the defaults for all others. */
export function dialectOf(given: Partial<Dialect> = {}): Dialect {
  const dialect = { ...defaultDialect, ...given }
  return dialect.strict ? { ...dialect, clock: false, random: false, input: false } : dialect
}
