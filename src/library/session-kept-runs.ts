// One caller's access to the kept runs. Knows the caller; the meta-tools know the runs.

import { DiagnosticError } from '../diagnostics/index.js'
import {
  type Approval,
  type AskedCall,
  type CallWanted,
  type KeptCall,
  type KeptContents,
  type KeptRunFacts,
  type KeptRuns,
  noSuchRun,
  nothingToAnswer,
  type ReplayReport,
  type RunContext,
  type RunPage,
  type RunsWanted,
  type RunWatcher,
  replayRun,
  type Viewer,
} from '../meta-tools/index.js'
import { checkOf, checkValue, option, optionsOf } from './check-options.js'

/**
 * The kept runs that a caller may see: its own, or all of them with `mayApprove`. A missing run and another caller's
 * run reject with the same DiagnosticError.
 *
 * @example
 * import { CodeMode, type SessionRuns } from 'starbind'
 *
 * await using codeMode = await CodeMode.open({ state: '.starbind' })
 * const runs: SessionRuns = codeMode.runs
 * for (const { runId, state } of await runs.list()) if (state === 'paused') await runs.approve(runId)
 */
export interface SessionRuns {
  /** All runs, the last changed one first. */
  list(): Promise<readonly KeptRunFacts[]>
  /** Some of them, in the same order: for those who show many. */
  page(wanted: RunsWanted): Promise<RunPage>
  /** One run. */
  show(runId: string): Promise<KeptRunFacts>
  /** The calls of a run that are recorded, in the order of the program. */
  calls(runId: string): Promise<readonly KeptCall[]>
  /** What was sent in one call of a run, and what came back. */
  contents(runId: string, call: CallWanted): Promise<KeptContents>
  /** True if a caller of this process waits for the answer about a run, and continues it whoever answers. */
  waitsHere(runId: string): boolean
  /**
   * Approves the waiting calls; with `allOfThisTool`, also later calls of their tools in this run. `shown`: the calls that
   * the person saw; if others wait by now, none is approved, and it rejects.
   */
  approve(
    runId: string,
    options?: {
      readonly allOfThisTool?: boolean
      readonly shown?: readonly Pick<AskedCall, 'server' | 'tool' | 'argumentDigest'>[]
    },
  ): Promise<KeptRunFacts>
  /** Denies the waiting calls, which then fail in the program. */
  deny(runId: string, options?: { readonly reason?: string }): Promise<KeptRunFacts>
  /**
   * Ends a run that has not ended. Another process that carries it out stops it before its next call that may write, or
   * at once if both keep their runs in Redis.
   */
  cancel(runId: string): Promise<KeptRunFacts>
  /** Runs a kept run again without calling any tool, and compares the outcome. */
  replay(runId: string): Promise<ReplayReport>
  /**
   * Receives the news of the runs that this caller may see, also of those of other callers, until the returned function
   * is called. From now on every run is kept. `wantsLines`: asked when a run begins; true: the lines of its calls are
   * looked up, which takes the program some microseconds a call. `wantsOthers`: asked every second; true: also the news
   * of the other processes with the same `state` in Redis, with long texts cut. Default: true.
   */
  watch(
    watcher: RunWatcher,
    options?: { readonly wantsLines?: () => boolean; readonly wantsOthers?: () => boolean },
  ): () => void
}

const checkApprove = checkOf('runs.approve:', optionsOf({ allOfThisTool: option.boolean, shown: option.anything() }))
const checkDeny = checkOf('runs.deny:', optionsOf({ reason: option.string }))

/** `contextFor` resolves when the tools of the servers that a program names are known. */
export function sessionRuns(
  runs: KeptRuns,
  viewer: () => Viewer,
  contextFor: (program: string) => Promise<RunContext>,
): SessionRuns {
  const answered = (runId: string, approval: Pick<Approval, 'answer' | 'reason'>, shown?: Shown) => {
    named(runId)
    return runs.answer(runId, viewer(), (call) => {
      if (shown?.some((one) => isSameCall(one, call)) === false)
        throw new DiagnosticError(nothingToAnswer(runId, 'it has been answered'))
      return { ...approval, by: viewer().name, at: runs.now() }
    })
  }
  return {
    list: () => runs.list(viewer()),
    page: async (wanted) => runs.page(viewer(), wanted),
    waitsHere: (runId) => runs.here.waitsHere(runId),
    calls: async (runId) => runs.calls(named(runId), viewer()),
    contents: async (runId, call) => runs.contents(named(runId), viewer(), call),
    show: async (runId) => runs.facts(named(runId), viewer()),
    async approve(runId, options = {}) {
      checkApprove(options)
      return answered(runId, { answer: options.allOfThisTool === true ? 'run' : 'once' }, options.shown)
    },
    async deny(runId, options = {}) {
      checkDeny(options as { reason: unknown })
      const { reason } = options
      return answered(runId, { answer: 'deny', ...(reason === undefined ? {} : { reason }) })
    },
    cancel: async (runId) => runs.cancel(named(runId), viewer()),
    watch(watcher, { wantsLines = () => false, wantsOthers = () => true } = {}) {
      checkValue('runs.watch:', 'watcher', watcher, option.function())
      return runs.watchers.add({ viewer: viewer(), watcher, wantsLines, wantsOthers })
    },
    async replay(runId) {
      const { program } = await runs.facts(named(runId), viewer())
      return replayRun(runId, await contextFor(program.text), viewer())
    },
  }
}

type Shown = readonly Pick<AskedCall, 'server' | 'tool' | 'argumentDigest'>[]

function isSameCall(one: Shown[number], other: AskedCall): boolean {
  return one.server === other.server && one.tool === other.tool && one.argumentDigest === other.argumentDigest
}

function named(runId: string): string {
  checkValue('runs:', 'runId', runId, option.string)
  if (runId === '') throw new DiagnosticError(noSuchRun(runId))
  return runId
}
