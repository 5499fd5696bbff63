// The options of one run, and their effects on its program.

import { randomInt } from 'node:crypto'
import type { Dialect, Program, RunInput, RunWorld } from '../interpreter/index.js'
import type { Limits } from '../sandbox/index.js'
import type { LiveRun } from './ledger/live-run.js'
import type { RunSettings } from './ledger/run-body.js'
import type { RunContext } from './run-context.js'
import type { RunListener } from './run-events.js'

export interface RunOptions {
  /** Ends the run and the calls that it waits for. */
  readonly signal?: AbortSignal | undefined
  readonly dialect?: Partial<Dialect> | undefined
  readonly limits?: Partial<Limits> | undefined
  /** Receives the events of the run as they happen. */
  readonly onEvent?: RunListener | undefined
  /** `performance.now()` when the request arrived, from when the run's time counts. Default: now. */
  readonly arrivedAt?: number | undefined
  /** The run or request that this run belongs to, for the events. */
  readonly parentId?: string | undefined
  /** An earlier run; a leading call that this program repeats gets that run's answer. */
  readonly reuse?: string | undefined
  /** True: a later run can reuse this run's calls even if it succeeds. */
  readonly keepCalls?: boolean | undefined
  /** False: the program waits for every call. Default: it runs ahead of the calls that `readsAhead` allows. */
  readonly readAhead?: boolean | undefined
  /**
   * The start time that the program sees, in milliseconds since 1970; it enables the clock. Default: now, if the
   * dialect has a clock.
   */
  readonly now?: number | undefined
  /** The seed of random numbers, which also enables them. Default: a new one, if the dialect has random numbers. */
  readonly seed?: number | undefined
  /** The value of `sys.argv`, with the program's own name; `process.argv` has it after the name of the interpreter. */
  readonly argv?: readonly string[] | undefined
  /** The content of `sys.stdin` and `process.stdin`, which also enables them. */
  readonly stdin?: string | undefined
  /**
   * Turns the run into a background run, which is kept from its beginning, even if somebody waits for its end. Receives
   * its name when others can find it; not called if it can't be kept.
   */
  readonly onKept?: ((runId: string) => void) | undefined
  /** The run to resume; absent for a new one. */
  readonly taken?: LiveRun | undefined
}

/** The parts of the dialect that these options enable. */
export function allowedBy({ now, seed, stdin }: RunOptions): Partial<Dialect> {
  return {
    ...(now === undefined ? {} : { clock: true }),
    ...(seed === undefined ? {} : { random: true }),
    ...(stdin === undefined ? {} : { input: true }),
  }
}

/** The settings of every repetition of a run that are known before its program is compiled. */
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

/** Seeds are whole numbers below this. */
const MOST_SEED = 2 ** 47

/** The recorded start time and seed of a run. A resumed run keeps its own. */
export function worldOf({ clock, random }: Dialect, { now, seed }: Pick<RunOptions, 'now' | 'seed'>): RunWorld {
  return {
    ...(clock ? { now: now ?? Date.now() } : {}),
    ...(random ? { seed: seed ?? randomInt(MOST_SEED) } : {}),
  }
}
