// What one run is run with, and what follows from that for its program.

import { randomInt } from 'node:crypto'
import type { Dialect, Program, RunInput, RunWorld } from '../interpreter/index.js'
import type { Limits } from '../sandbox/index.js'
import type { LiveRun } from './ledger/live-run.js'
import type { RunSettings } from './ledger/run-body.js'
import type { RunContext } from './run-context.js'
import type { RunListener } from './run-events.js'

export interface RunOptions {
  /** Ends the run and the calls that it waits for. */
  readonly signal?: AbortSignal
  readonly dialect?: Partial<Dialect>
  readonly limits?: Partial<Limits>
  /** Is told what happens, while it happens. */
  readonly onEvent?: RunListener
  /** `performance.now()` when the request arrived, from when the run's time counts. Default: now. */
  readonly arrivedAt?: number
  /** The run or request that this run belongs to, for the events. */
  readonly parentId?: string
  /** A run whose leading calls are not made again where this program makes the same. */
  readonly reuse?: string
  /** Lets a later run reuse the calls of this one even where it succeeds. */
  readonly keepCalls?: boolean
  /** False: the program waits for every call. Default: it runs ahead of those that `readsAhead` says. */
  readonly readAhead?: boolean
  /**
   * When the run begins, in milliseconds since 1970; lets the program know. Default: now, where the dialect has a clock.
   */
  readonly now?: number
  /** What random numbers follow from; lets the program have some. Default: a new one, where the dialect has chance. */
  readonly seed?: number
  /** The value of `sys.argv`, with the program's own name; `process.argv` has it after the name of the interpreter. */
  readonly argv?: readonly string[]
  /** The content of `sys.stdin` and `process.stdin`, which also enables them. */
  readonly stdin?: string
  /**
   * Makes it a run in the background that is kept from its beginning, although somebody may wait for its end. Is told its
   * name when others can find it; not called where it can't be kept.
   */
  readonly onKept?: (runId: string) => void
  /** A run that is taken up, and not a new one. */
  readonly taken?: LiveRun
}

/** Who gives them allows them. */
export function allowedBy({ now, seed, stdin }: RunOptions): Partial<Dialect> {
  return {
    ...(now === undefined ? {} : { clock: true }),
    ...(seed === undefined ? {} : { random: true }),
    ...(stdin === undefined ? {} : { input: true }),
  }
}

/** What a run is run with each time, as far as it is known before its program is compiled. */
export function settingsFor(
  program: Program,
  context: Pick<RunContext, 'dialect' | 'limits' | 'values'>,
  options: RunOptions,
): RunSettings {
  const { dialect = context.dialect, limits = context.limits } = options
  const { values } = context
  return {
    program,
    dialect: { ...context.dialect, ...dialect },
    limits,
    world: {},
    input: inputOf(options),
    ...(values === undefined ? {} : { valuesOwner: values.owner }),
  }
}

export function inputOf({ argv, stdin }: RunOptions): RunInput {
  return { ...(argv === undefined ? {} : { argv }), ...(stdin === undefined ? {} : { stdin }) }
}

/** A seed is a whole number below it. */
const MOST_SEED = 2 ** 47

/** What a run lets its program know, as it is recorded. An earlier run is taken up in its world. */
export function worldOf({ clock, random }: Dialect, { now, seed }: RunWorld): RunWorld {
  return {
    ...(clock ? { now: now ?? Date.now() } : {}),
    ...(random ? { seed: seed ?? randomInt(MOST_SEED) } : {}),
  }
}
