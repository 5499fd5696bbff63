// The options of a session, and the types that it returns.

import {
  type CallerEnd,
  type CodeModeUse,
  type Declared,
  type FilterEntry,
  filterEntry,
  type RequestHeaders,
  type TraceCarrier,
} from '../gateway/index.js'
import type { OnApproval, RunListener, SavedCall } from '../meta-tools/index.js'
import type { Limits } from '../sandbox/index.js'
import { checkOf, checkValue, option, optionsOf } from './check-options.js'

const programOptions = optionsOf({
  /** Default: as the configuration says, or as the program is evidently written. */
  language: option.oneOf('starlark', 'javascript'),
  /** Pure Starlark, without Python's additions. */
  strict: option.boolean,
  /**
   * The start time that the program sees, in milliseconds since 1970; it enables the clock. Default: now, if the
   * configuration enables the clock.
   */
  now: option.moment,
  /**
   * The seed of random numbers, a whole number that is not negative, which also enables them. Default: a new one, if
   * the configuration enables them.
   */
  seed: option.whole,
  /**
   * The value of `sys.argv`, with the program's own name; `process.argv` has it after the name of the interpreter. Default:
   * a name.
   */
  argv: option.strings,
  /** The content of `sys.stdin` and `process.stdin`. Default: none, and a program that reads it is refused. */
  stdin: option.string,
  /**
   * `session`: the program may keep values for later runs of the same caller (`memory.set`). Default: as the session or
   * the configuration says.
   */
  state: option.oneOf('none', 'session'),
  /** Ends the run and the calls that it waits for. */
  signal: option.object<AbortSignal>(),
  limits: option.object<Partial<Limits>>(),
  /** Receives the events of the run as they happen. */
  onEvent: option.function<RunListener>(),
  /** The run or request that this run belongs to, for the events. */
  parentId: option.string,
  /**
   * The `runId` of an earlier run that failed or had `keepCalls`. A call that this program repeats gets that run's
   * answer, up to the first new call that may write.
   */
  reuse: option.string,
  /**
   * False: the program waits for every call. Default: it runs ahead of calls that only read, unless the configuration
   * disables that.
   */
  readAhead: option.boolean,
  /** True: a later program can `reuse` this run's calls even if it succeeds. Default: only if it fails. */
  keepCalls: option.boolean,
  /** Whom servers may ask and tell things meanwhile. */
  caller: option.object<CallerEnd>(),
  /** The caller's trace, as W3C's headers have it: `traceparent`, `tracestate`, `baggage`. */
  trace: option.object<TraceCarrier>(),
  /** Calls that need approval, in addition to those of the session and the configuration. */
  approve: option.approvalRule,
  /** Called for approvals. Default: the session's; if there is none, the run waits. */
  onApproval: option.function<OnApproval>().optional(),
})

/**
 * The options of `run`.
 *
 * @example
 * import { CodeMode, type ProgramOptions } from 'starbind'
 *
 * const options: ProgramOptions = { language: 'starlark', limits: { wallMs: 5000 }, signal: AbortSignal.timeout(10_000) }
 * await using codeMode = await CodeMode.open()
 * console.log(await codeMode.run('result = 6 * 7', options))
 */
export interface ProgramOptions extends Declared<typeof programOptions> {}

const startOptions = programOptions.omit({ signal: true, reuse: true, caller: true }).extend({
  /** With `redis://…`: the order among the waiting runs of the same caller. Default `normal`. */
  priority: option.oneOf('high', 'normal', 'low').optional(),
  /** With `redis://…`: the run waits at least so long, in milliseconds. Default 0. */
  delayMs: option.whole.optional(),
})

/**
 * The options of a background run. All have defaults.
 *
 * @example
 * import { CodeMode, type StartOptions } from 'starbind'
 *
 * const options: StartOptions = { limits: { wallMs: 60_000 } }
 * await using codeMode = await CodeMode.open()
 * console.log((await codeMode.start('result = 6 * 7', options)).runId)
 */
export interface StartOptions extends Declared<typeof startOptions> {}

/**
 * A server as programs know it.
 *
 * @example
 * import { CodeMode, type ServerBinding } from 'starbind'
 *
 * await using codeMode = await CodeMode.open({ servers: { 'my-files': { command: 'my-mcp-server' } } })
 * const bindings: ServerBinding[] = codeMode.bindings()
 * for (const { name, server } of bindings) console.log(`programs write ${name} for ${server}`)
 */
export interface ServerBinding {
  /** The name that programs write. */
  readonly name: string
  /** Its name in the configuration. */
  readonly server: string
  readonly tools: readonly ToolBinding[]
}

/**
 * A tool as programs know it.
 *
 * @example
 * import { CodeMode, type ToolBinding } from 'starbind'
 *
 * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } } })
 * const tools: ToolBinding[] = codeMode.bindings().flatMap((server) => server.tools)
 * for (const { name, parameters } of tools) console.log(`${name}(${parameters.join(', ')})`)
 */
export interface ToolBinding {
  /** The name that programs write. */
  readonly name: string
  /** Its name at its server. */
  readonly tool: string
  /** The names that programs write for its parameters, in positional order. */
  readonly parameters: readonly string[]
  /** The keys of what it answers, if they are known. */
  readonly keys?: readonly string[]
}

/**
 * The options of a meta-tool call besides its arguments.
 *
 * @example
 * import { type CallOptions, CodeMode } from 'starbind'
 *
 * await using codeMode = await CodeMode.open()
 * const options: CallOptions = { signal: AbortSignal.timeout(5000), onEvent: ({ type }) => console.log(type) }
 * console.log(await codeMode.call('executeToolCode', { code: 'print("hello")' }, options))
 */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** Receives the events of a run as they happen. */
  readonly onEvent?: RunListener | undefined
  /** The request that a run belongs to, for the events. */
  readonly parentId?: string | undefined
  /** Whom servers may ask and tell things meanwhile. */
  readonly caller?: CallerEnd | undefined
  /** The caller's trace, as W3C's headers have it: `traceparent`, `tracestate`, `baggage`. */
  readonly trace?: TraceCarrier | undefined
  /**
   * The headers of the caller's request; servers get those that their entries' `passHeaders` list. Default: those of
   * the session.
   */
  readonly headers?: RequestHeaders | undefined
  /** Called for calls that need approval. Default: the session's; if there is none, the run waits. */
  readonly onApproval?: OnApproval | undefined
  /**
   * Turns the program's run into a background run: it is kept, and it outlives the session. Receives the run's name as
   * soon as `runs.show` finds it. `call` still resolves when the run ends.
   */
  readonly onKept?: ((runId: string) => void) | undefined
  /** How long a listing waits for servers that have not answered yet, in milliseconds. Default and most: 2000. */
  readonly waitMs?: number | undefined
}

const sessionOptions = optionsOf({
  /**
   * The tools that this caller may call: each entry can only restrict. Default: all that the parent session may call.
   */
  filters: option.anything<FilterEntry | readonly FilterEntry[]>(),
  /**
   * The headers of the caller's request. `x-mcp-include-clients` and `x-mcp-include-tools` restrict the tools further.
   */
  headers: option.object<RequestHeaders>(),
  /** The caller's name, for people. Sessions with the same name share one place in the queues for workers. */
  name: option.string,
  /** Whether this caller reaches tools through programs or directly. Default: as servers and the configuration say. */
  codeMode: option.anything<CodeModeUse>(),
  /** True: this caller has only tools that their servers declare read-only. Default false. */
  readOnly: option.boolean,
  /** Calls that need approval, in addition to those of the parent session. */
  approve: option.approvalRule,
  /** Called for approvals. Default: the parent session's. */
  onApproval: option.function<OnApproval>(),
  /** True: this caller sees the runs of all callers and may answer their questions. Default false. */
  mayApprove: option.boolean,
  /** The only server that this caller sees. In direct calls, its tools have their own names. */
  only: option.string,
  /** Whether this caller's programs may know when their run began. Default: as the configuration says. */
  clock: option.oneOf('none', 'run'),
  /** Whether this caller's programs may draw random numbers. Default: as the configuration says. */
  random: option.oneOf('none', 'seeded'),
  /** Whether this caller's programs keep values for its later runs. Default: as the configuration says. */
  memory: option.oneOf('none', 'session'),
  /**
   * The owner of `results/` and failed runs: this session (default), or the parent session. `named`: the artifacts belong
   * to the name; all sessions of that name have them, and with `state` later processes, too.
   */
  results: option.oneOf('own', 'shared', 'named').optional(),
})

/**
 * The differences between a caller's view and its parent session.
 *
 * @example
 * import { CodeMode, type SessionOptions } from 'starbind'
 *
 * const options: SessionOptions = { name: 'alice', filters: { servers: ['files'] }, results: 'own' }
 * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } } })
 * const alice = codeMode.session(options)
 * console.log((await alice.listToolFiles()).text)
 */
export interface SessionOptions extends Declared<typeof sessionOptions> {}

const checkSession = checkOf('session:', sessionOptions)

const checkFilter = checkOf('session: filters:', filterEntry)

/** Throws a DiagnosticError with the mistakes in the options of `session`. */
export function checkSessionOptions(options: SessionOptions): void {
  checkSession(options)
  for (const filter of [options.filters ?? []].flat()) checkFilter(filter)
}

const savedCall = optionsOf({ program: option.string, arguments: option.object<object>() })

/** Throws a DiagnosticError with the mistakes in a call of a saved program. */
export function checkSavedCall(place: string, call: SavedCall): void {
  checkOf(place, savedCall)(call)
  checkValue(place, 'program', call.program, option.string)
}

// Some schema libraries represent schemas as functions.
const withSchema = programOptions.extend({ resultSchema: option.anything<unknown>().optional() })

/** Each throws a DiagnosticError with the mistakes in the options of its method. */
export const checkProgramOptions = {
  run: checkOf('run:', withSchema),
  check: checkOf('check:', withSchema),
  start: checkOf('start:', withSchema.extend({ ...startOptions.shape })),
  resume: checkOf('resume:', withSchema),
}

/** The options of a call that concern its run. */
export function runOptions({
  onEvent,
  parentId,
  onKept,
}: CallOptions): Pick<ProgramOptions, 'onEvent' | 'parentId'> & { readonly onKept?: (runId: string) => void } {
  return {
    ...(onEvent === undefined ? {} : { onEvent }),
    ...(parentId === undefined ? {} : { parentId }),
    ...(onKept === undefined ? {} : { onKept }),
  }
}
