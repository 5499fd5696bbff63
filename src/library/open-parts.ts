// Opens everything that a CodeMode owns: workers, upstreams, stores, and the parts that all sessions share.

import { CallSchedule, Observations } from '../bindings/index.js'
import {
  Audit,
  CatalogueStore,
  type Configuration,
  type Log,
  LoopDelay,
  Metrics,
  RateLimits,
  type ServeSettings,
  type SharedLogins,
  SharedTexts,
  silentLog,
  stderrLog,
  ToolFilter,
  Upstreams,
  Watch,
} from '../gateway/index.js'
import { Desk, defaultAnswerMaxChars, deskWork, KeptRuns, type RunContext, RunHistory } from '../meta-tools/index.js'
import { openSandbox, openWorkerProcess } from '../sandbox/index.js'
import { type Deployment, FileStore, FileTraces, MemoryStore, MemoryTraces, type Store } from '../state/index.js'
import { openVfs, Room } from '../vfs/index.js'
import { ALL_OWNERS, ArtifactOwners, openShelf, quotaOf } from './artifact-owners.js'
import { CallSettings } from './call-settings.js'
import { openDeployment } from './deployment.js'
import { LiveBindings } from './live-bindings.js'
import { countStates, Levels } from './live-servers.js'
import { openLogins } from './logins.js'
import { NewsElsewhere } from './news-elsewhere.js'
import { readObservations, writeObservations } from './observations-file.js'
import { configurationOf, type OpenOptions } from './open-options.js'
import { RunsUnderway } from './runs-underway.js'
import { SavedPrograms } from './saved-programs.js'
import { directServers, LOCAL, type OwnParts, type SharedParts, worldOf } from './session-parts.js'
import type { TracesParts } from './session-traces.js'
import { SharedObservations } from './shared-observations.js'
import { version } from './version.js'
import { warmUp } from './warm-up.js'

export interface Parts {
  readonly shared: SharedParts
  readonly owners: ArtifactOwners
  /** Absent: logins are in files of this machine. */
  readonly logins: SharedLogins | undefined
  readonly levels: Levels
  readonly calls: CallSettings
  /** Stores observations for the next start. */
  readonly keep: () => Promise<void>
  readonly log: Log
  readonly configuration: Configuration
  readonly audit: Audit | undefined
  readonly loopDelay: LoopDelay
  /** Undefined: no other process has the same runs. */
  readonly news: NewsElsewhere | undefined
}

/** Opens the parts, and makes those of the session that may call everything. */
export async function openParts(options: OpenOptions): Promise<{ readonly parts: Parts; readonly own: OwnParts }> {
  const configuration = configurationOf(options)
  const { log = stderrLog('warn'), warm = true } = options
  const deployment = await openDeployment(configuration, log)
  const logins = await openLogins(configuration, deployment, log)
  const workers = await openWorkers(configuration)
  const calls = new CallSettings(configuration)
  const context = { ...workers, ...contextOf(configuration, calls) }
  if (warm !== false) void warmUp(context, configuration, { runs: warm === 'run' })
  const upstreams = await openUpstreams(configuration, { ...options, log, logins, deployment })
  const { observationsFile, observedValues: enumerations = 0 } = configuration.stubs ?? {}
  const newObservations = () => new Observations({ enumerations })
  const observations = readObservations(observationsFile, { enumerations }, log)
  const bound = new LiveBindings(upstreams, observations)
  const bindings = () => bound.now()
  const { owners, ...results } = await openResults(configuration, log, deployment)
  const levels = new Levels(configuration)
  const { serve = {} } = configuration
  const { watch, audit } = openWatch(serve, { upstreams, deployment, log })
  const teller = options.startServers === 'named' ? silentLog : log
  const saved = await openSaved(configuration, { desk: workers.desk, bindings, log: teller })
  const store = deployment?.store ?? ownStore(configuration)
  const shared: SharedParts = {
    watch,
    saved,
    upstreams,
    bindings,
    serve,
    calls,
    runs: openRuns(configuration, { store, deployment, upstreams, log, audit }),
    traces: openTraces(configuration, { deployment, upstreams }),
    store,
    deployment,
    onApproval: options.onApproval,
    newObservations,
    ...results,
    context,
    files: filesOf(configuration, levels),
  }
  const sharedObservations =
    deployment && (await SharedObservations.open(observations, deployment, { servers: configuration.servers, log }))
  const keep = async () => {
    await sharedObservations?.close()
    if (observationsFile !== undefined) writeObservations(observationsFile, observations, log)
  }
  const news = deployment && (await NewsElsewhere.open(shared.runs.watchers, deployment))
  const loopDelay = new LoopDelay(watch.metrics, log)
  const parts = { shared, owners, logins, levels, calls, keep, log, configuration, audit, loopDelay, news }
  return { parts, own: rootParts(shared, configuration) }
}

/** The saved programs. A command that starts servers on demand reports broken ones only when asked about programs. */
async function openSaved(
  { programs }: Configuration,
  parts: ConstructorParameters<typeof SavedPrograms>[1],
): Promise<SavedPrograms> {
  const saved = new SavedPrograms(programs === false ? undefined : programs, parts)
  await saved.refresh()
  return saved
}

function ownStore({ state }: Configuration): Store {
  return typeof state === 'string' ? new FileStore(state) : new MemoryStore()
}

type Workers = Pick<RunContext, 'sandbox' | 'desk'>

/** The threads or the process for programs. */
async function openWorkers({ isolation = 'thread', limits }: Configuration): Promise<Workers> {
  if (isolation === 'thread') return { sandbox: openSandbox({ limits, handsOn: true }), desk: new Desk() }
  const { sandbox, workers } = await openWorkerProcess({ limits }, { module: deskWork })
  return { sandbox, desk: new Desk(workers) }
}

function openUpstreams(
  { servers, connectTimeoutMs }: Configuration,
  options: OpenOptions & {
    readonly log: Log
    readonly logins: SharedLogins | undefined
    readonly deployment: Deployment | undefined
  },
): Promise<Upstreams> {
  const { startServers = 'first', catalogueFolder, signal, log, logins, deployment } = options
  const started = startServers === 'named' ? servers.map((server) => ({ ...server, lazy: true })) : servers
  return Upstreams.open(started, {
    waits: startServers === 'first',
    log,
    version,
    logins,
    connectTimeoutMs,
    callersAnswer: options.callersAnswer ?? false,
    ...(catalogueFolder === undefined
      ? {}
      : { store: new CatalogueStore(deployment ? new SharedTexts(deployment) : catalogueFolder, version, logins) }),
    asksAnew: options.freshCatalogues ?? false,
    ...(signal === undefined ? {} : { signal }),
  })
}

/** The owners of `results/`, and the makers of a session's files and run history; all share one quota. */
async function openResults(configuration: Configuration, log: Log, deployment: Deployment | undefined) {
  const quota = quotaOf(configuration)
  const room = new Room(ALL_OWNERS * quota.maxBytes)
  const complain = (message: string) => log({ level: 'warn', message })
  const bounds = { quota, maxBytes: ALL_OWNERS * quota.maxBytes, complain }
  const shelf = await openShelf(configuration, bounds, deployment)
  const owners = new ArtifactOwners({ quota, room, shelf, isShared: deployment !== undefined })
  return {
    owners,
    newFiles: (owner?: string) =>
      owner === undefined
        ? openVfs({ results: quota, room })
        : openVfs({
            results: quota,
            room,
            artifacts: owners.artifacts(owner),
            answers: owners.shared(owner, 'answer'),
          }),
    newHistory: () => new RunHistory(quota.maxBytes, room),
  }
}

function contextOf(
  { language, limits, answerMaxChars = defaultAnswerMaxChars, callsAtOnce, coalesceReads = false }: Configuration,
  calls: CallSettings,
): Omit<SharedParts['context'], keyof Workers> {
  return {
    language,
    limits,
    answerMaxChars,
    schedule: new CallSchedule({
      callsPerRun: callsAtOnce,
      callsPerServer: (server) => calls.callsPerServer(server),
    }),
    callTimeoutMs: (server, tool) => calls.timeoutMs(server, tool),
    resultForm: (server, tool) => calls.resultForm(server, tool),
    readsKept: (server) => calls.readsKept(server),
    readsAhead: (server, tool) => calls.readsAhead(server, tool),
    coalesceReads,
  }
}

function filesOf(
  { language, answerMaxChars = defaultAnswerMaxChars, stubs: { descriptionLength } = {} }: Configuration,
  levels: Levels,
): SharedParts['files'] {
  return {
    language,
    answerMaxChars,
    levelOf: (server) => levels.of(server),
    ...(descriptionLength === undefined ? {} : { descriptionLength }),
  }
}

/** The parts of the session that may call everything. */
function rootParts(shared: SharedParts, { strict, clock, random, memory }: Configuration): OwnParts {
  return {
    filter: ToolFilter.all,
    headers: {},
    vfs: shared.newFiles(LOCAL),
    history: shared.newHistory(),
    servers: directServers(shared, ToolFilter.all),
    runs: new RunsUnderway(),
    approve: [],
    terms: { filters: [], readOnly: false },
    mayApprove: true,
    dialect: { strict, ...worldOf({ clock, random, memory }) },
    valuesOwner: LOCAL,
  }
}

/** The audit log, metrics and spans of calls. */
function openWatch(
  serve: ServeSettings,
  { upstreams, deployment, log }: Pick<SharedParts, 'upstreams' | 'deployment'> & { readonly log: Log },
): { readonly watch: Watch; readonly audit: Audit | undefined } {
  const metrics = new Metrics()
  metrics.onRead(() => {
    const name = 'starbind_servers'
    metrics.clear(name)
    for (const [state, count] of Object.entries(countStates(upstreams.status())))
      metrics.set(name, 'Servers by their state.', count, { state })
    if (deployment !== undefined)
      metrics.set('starbind_store_reachable', '1 while the store can be used.', Number(deployment.isReachable()))
    metrics.set('process_resident_memory_bytes', 'Memory of this process.', process.memoryUsage.rss())
  })
  const audit = serve.audit === undefined ? undefined : new Audit(serve.audit, (text) => upstreams.redact(text), log)
  return {
    watch: new Watch({ metrics, limits: new RateLimits(serve.rateLimits ?? [], deployment?.rates), audit }),
    audit,
  }
}

const HOUR_MS = 3_600_000

interface RunsParts {
  readonly store: Store
  readonly deployment: Deployment | undefined
  readonly upstreams: Upstreams
  readonly log: Log
  readonly audit: Audit | undefined
}

/** The kept runs. */
function openRuns(configuration: Configuration, { store, deployment, upstreams, log, audit }: RunsParts): KeptRuns {
  const { state, approvalHours = 24, stateDays = 30, stateBytes = 256_000_000, keepArguments = true } = configuration
  const outlives = typeof state === 'string'
  return new KeptRuns(store, {
    version,
    keepArguments,
    approvalMs: approvalHours * HOUR_MS,
    keepMs: stateDays * 24 * HOUR_MS,
    maxBytes: stateBytes,
    channels: deployment?.channels,
    queue: deployment?.queue,
    keepsAll: outlives,
    // A store in memory holds nothing that this process does not hold already.
    hide: (json) => (outlives ? upstreams.hideCredentialsInJson(json) : json),
    onAnswer: (runId, { server, tool, arguments: given }, { answer, by }) =>
      audit?.write({
        caller: by,
        program: runId,
        server,
        tool,
        outcome: answer === 'deny' ? 'denied' : 'approved',
        ms: 0,
        arguments: given,
      }),
    complain: ({ reason, isDeferred }) => {
      const fate = isDeferred ? 'is kept as soon as the store can be used' : 'was not kept'
      log({ level: 'warn', message: `a run that has ended ${fate}: ${reason}` })
    },
  })
}

const MOST_TRACES = 1_000
const TRACE_CHARACTERS = { file: 256_000_000, shared: 64_000_000, memory: 16_000_000 }

/** The kept traces. They quote arguments, so they stay in memory where arguments may not be written down. */
function openTraces(
  { state, stateDays = 30, keepArguments = true }: Configuration,
  { deployment, upstreams }: Pick<RunsParts, 'deployment' | 'upstreams'>,
): TracesParts {
  const place = !keepArguments || typeof state !== 'string' ? 'memory' : deployment === undefined ? 'file' : 'shared'
  const store = {
    memory: () => new MemoryTraces(),
    file: () => new FileTraces(String(state)),
    shared: () => deployment!.traces,
  }[place]()
  const now = () => deployment?.now() ?? Date.now()
  const bounds = { maxTraces: MOST_TRACES, maxCharacters: TRACE_CHARACTERS[place] }
  return {
    store,
    now,
    bounds: () => ({ ...bounds, since: now() - stateDays * 24 * HOUR_MS }),
    hide: (json) => (place === 'memory' ? json : upstreams.hideCredentialsInJson(json)),
  }
}
