// The shared parts of one CodeMode's sessions, and the parts of each session.
// Invariant: a session's own data is stored in its own part, unless sharing was requested.

import { randomUUID } from 'node:crypto'
import type { Bindings, Observations } from '../bindings/index.js'
import {
  type ApprovalRule,
  type CodeModeSettings,
  type CodeModeUse,
  DirectServers,
  type FilterEntry,
  filterOfHeaders,
  type RequestHeaders,
  type ServeSettings,
  type ToolFilter,
  type Upstreams,
  type Watch,
} from '../gateway/index.js'
import type { Dialect } from '../interpreter/index.js'
import type { KeptRuns, OnApproval, RunContext, RunHistory, ToolFiles } from '../meta-tools/index.js'
import type { Deployment, Store } from '../state/index.js'
import { openVfs, type Vfs } from '../vfs/index.js'
import type { CallSettings } from './call-settings.js'
import { RunsUnderway } from './runs-underway.js'
import type { SavedPrograms } from './saved-programs.js'
import type { SessionOptions } from './session-options.js'
import type { TracesParts } from './session-traces.js'

/** The name of callers without one. */
export const LOCAL = 'local'

/** The longest time that a timer takes. */
export const LONGEST_MS = 2 ** 31 - 1

/** The shared parts of one CodeMode's sessions. */
export interface SharedParts {
  readonly upstreams: Upstreams
  /** All tools, as they are bound now: the same object until the tools of a server change. */
  bindings(): Bindings
  readonly serve: ServeSettings
  readonly calls: CallSettings
  readonly runs: KeptRuns
  readonly traces: TracesParts
  /** Keeps the values of all callers. */
  readonly store: Store
  /** What the processes have in common that keep their runs in one Redis. */
  readonly deployment: Deployment | undefined
  /** Called for approvals if the session has no function of its own. */
  readonly onApproval: OnApproval | undefined
  readonly watch: Watch
  readonly saved: SavedPrograms
  /** An empty store for a session's failed runs. */
  newHistory(): RunHistory
  /** An empty store of observations. */
  newObservations(): Observations
  /** A file system with an empty `results/`, or with the artifacts of an owner. */
  newFiles(owner?: string): Vfs
  /** The common surroundings of all programs. */
  readonly context: Omit<RunContext, 'bindings' | 'unavailable' | 'caller' | 'vfs' | 'history' | 'dialect'>
  /** The common settings for stubs. */
  readonly files: Omit<ToolFiles, 'bindings' | 'vfs'>
}

/** Plain data. */
export interface CallerTermsKept {
  readonly filters: readonly FilterEntry[]
  readonly readOnly: boolean
  readonly approve: readonly ApprovalRule[]
}

/** The parts of one session. */
export interface OwnParts {
  readonly name?: string
  readonly filter: ToolFilter
  readonly headers: RequestHeaders
  readonly vfs: Vfs
  readonly history: RunHistory
  readonly servers: DirectServers
  /** The observations from this caller's calls; absent: all callers share them. */
  readonly observations?: Observations
  readonly only?: string
  /** The dialect of this caller's programs: whether they have a clock, random numbers and memory. */
  readonly dialect: Partial<Dialect>
  /** The owner of the values that its programs keep. */
  readonly valuesOwner: string
  /** The source of the filter, for a process that resumes a run of this caller. */
  readonly terms: Omit<CallerTermsKept, 'approve'>
  /** Rules beside those of the configuration. */
  readonly approve: readonly ApprovalRule[]
  readonly onApproval?: OnApproval
  /** Whether it may see the runs of others, and answer for them. */
  readonly mayApprove: boolean
  readonly runs: RunsUnderway
}

/** The switches of the dialect that settings turn. */
export function worldOf({
  clock,
  random,
  memory,
}: Pick<CodeModeSettings, 'clock' | 'random' | 'memory'>): Partial<Dialect> {
  return {
    ...(clock === undefined ? {} : { clock: clock === 'run' }),
    ...(random === undefined ? {} : { random: random === 'seeded' }),
    ...(memory === undefined ? {} : { memory: memory === 'session' }),
  }
}

/** The observations of a session. */
function observationsFor(shared: SharedParts, own: OwnParts, isShared: boolean): Pick<OwnParts, 'observations'> {
  if (shared.serve.observations !== 'session') return {}
  if (!isShared) return { observations: shared.newObservations() }
  return own.observations === undefined ? {} : { observations: own.observations }
}

/** The servers that a caller reaches directly. */
export function directServers(shared: SharedParts, filter: ToolFilter, forCaller?: CodeModeUse): DirectServers {
  const { codeMode: usual, autoTokens } = shared.serve
  return new DirectServers(shared.upstreams, { filter, forCaller, usual, autoTokens })
}

/** The parts of a derived session, which may do no more than its parent. */
export function narrowerParts(shared: SharedParts, own: OwnParts, options: SessionOptions): OwnParts {
  const { filters = [], headers = {}, results = 'own', only = own.only, codeMode } = options
  const name = options.name ?? own.name
  const single: readonly FilterEntry[] = options.only === undefined ? [] : [{ servers: [options.only] }]
  const entries = [...single, ...[filters].flat(), ...filterOfHeaders(headers)]
  const narrow = entries.reduce((narrower: ToolFilter, entry) => narrower.narrow(entry), own.filter)
  const { upstreams } = shared
  const filter = options.readOnly ? narrow.only((server, tool) => upstreams.isReadOnly(server, tool)) : narrow
  const isShared = results === 'shared'
  return {
    filter,
    headers: { ...own.headers, ...headers },
    servers: isShared && codeMode === undefined ? own.servers : directServers(shared, filter, codeMode),
    ...(isShared
      ? { vfs: openVfs({ results: { of: own.vfs } }), history: own.history, runs: own.runs }
      : {
          vfs: shared.newFiles(results === 'named' ? (name ?? LOCAL) : undefined),
          history: shared.newHistory(),
          runs: new RunsUnderway(),
        }),
    ...observationsFor(shared, own, isShared),
    dialect: { ...own.dialect, ...worldOf(options) },
    valuesOwner: options.name ?? (isShared ? own.valuesOwner : `session-${randomUUID()}`),
    terms: {
      filters: [...own.terms.filters, ...entries],
      readOnly: own.terms.readOnly || options.readOnly === true,
    },
    approve: options.approve === undefined ? own.approve : [...own.approve, options.approve],
    mayApprove: options.mayApprove ?? false,
    ...((options.onApproval ?? own.onApproval) ? { onApproval: (options.onApproval ?? own.onApproval)! } : {}),
    ...(name === undefined ? {} : { name }),
    ...(only === undefined ? {} : { only }),
  }
}
