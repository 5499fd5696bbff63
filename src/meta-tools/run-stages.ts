// One leg of a run, from the program's text to its outcome. Each step is one call into another room; ARCHITECTURE.md has
// a section for each number.
// Invariant: a program with a mistake does not run, and the ledger has all that is needed to continue a run later.

import { type Diagnostic, DiagnosticError } from '../diagnostics/index.js'
import { wholeText } from '../interpreter/index.js'
import { readLimits } from './check-program.js'
import type { ReadyProgram } from './desk.js'
import { RunValues } from './kept-values.js'
import { AnsweredCalls } from './ledger/answered-calls.js'
import { earlierRun } from './ledger/earlier-run.js'
import type { LiveRun } from './ledger/live-run.js'
import { askingTools, namedServers } from './ledger/policy.js'
import type { CarriedOut, Compiled, Ended, Leg, Setting, Told } from './leg.js'
import { endOfLeg } from './leg-end.js'
import { cannotResume, languageTaken, unknownRun } from './messages.js'
import { RunCalls, runAttempts } from './read-ahead/index.js'
import type { RunContext } from './run-context.js'
import { refused, rounded } from './run-facts.js'
import { allowedBy, inputOf, worldOf } from './run-options.js'
import { placing } from './watched-run.js'

export async function runStages(leg: Leg): Promise<Ended> {
  // 2. Program → CompiledProgram. Another thread scans, parses, resolves, checks and compiles the text, so that certain
  //    mistakes are reported before anything happens.
  const compiled = await compile(leg)
  if ('facts' in compiled) return compiled
  const setting = await settle(leg, compiled)
  if ('facts' in setting) return setting
  // 3. CompiledProgram → Run. A pristine guest in a worker thread; this thread only answers its calls.
  // 4. GuestCall → ToolCall → ToolOutcome. `calls` authorises and checks each call when it is made, and enters it in
  //    the ledger however it ends.
  const run = await carryOut(leg, compiled, setting)
  // 5. Run → RunResult. The guest's outcome in the words of the program's language; the end of the run in ours.
  return endOfLeg(leg, { compiled, setting, run })
}

async function compile(leg: Leg): Promise<Compiled | Ended> {
  const { program, context, options, identity, live } = leg
  const limits = readLimits(program, context.limits, options.limits)
  const { reuse } = options
  const earlier =
    reuse === undefined ? undefined : (context.history.earlier(reuse) ?? (await earlierRun(reuse, context)))
  const isUnknown = reuse !== undefined && earlier === undefined
  if (!limits.ok || isUnknown) {
    leg.tell({ type: 'run.started', ...identity, language: program.language })
    const diagnostics = limits.ok ? [unknownRun(reuse!, context.history.names)] : limits.diagnostics
    return refusal(leg, diagnostics, { program, compileMs: 0, notes: [] })
  }
  const dialect = { ...context.dialect, ...allowedBy(options), ...options.dialect }
  const preparation = await context.desk.prepare(program, context.bindings, {
    dialect,
    unavailable: context.unavailable(),
    limits: limits.resolved,
    elapsedMs: performance.now() - leg.arrivedAt,
    reads: live?.body.settings.reads,
    ...turnOf(leg),
    ...readsAheadOf(leg),
  })
  const { program: taken, compilation } = preparation
  leg.tell({ type: 'run.started', ...identity, language: taken.language })
  const told = {
    program: taken,
    compileMs: rounded(preparation.compileMs),
    notes: taken.language === program.language ? [] : [languageTaken(taken.language)],
  }
  return compilation.ok
    ? { ready: compilation.program, preparation, dialect, limits: limits.resolved, earlier, ...told }
    : mistaken(leg, compilation.diagnostics, told)
}

function turnOf({ context: { group }, options: { signal } }: Leg) {
  return { ...(signal === undefined ? {} : { signal }), ...(group === undefined ? {} : { group }) }
}

/** A tool that needs approval is never called ahead of the program. */
function readsAheadOf({ context: { readsAhead, keeping }, options }: Leg): Pick<RunContext, 'readsAhead'> {
  if (options.readAhead === false || readsAhead === undefined) return {}
  return { readsAhead: (server, tool) => readsAhead(server, tool) && keeping?.asks(server, tool) !== true }
}

function refusal(leg: Leg, diagnostics: readonly Diagnostic[], told: Told & Pick<Compiled, 'program'>): Ended {
  return refused(diagnostics, told.program, { runId: leg.identity.runId, arrivedAt: leg.arrivedAt, ...told })
}

function mistaken(leg: Leg, diagnostics: readonly Diagnostic[], told: Told & Pick<Compiled, 'program'>): Ended {
  const { options, live, identity } = leg
  if (options.taken === undefined || live?.body.settings.reads === undefined) return refusal(leg, diagnostics, told)
  // The program compiled when the run began, so an undefined name is that of a server that has gone.
  const first = diagnostics[0]!
  const [, gone] = first.code === 'undefined-name' ? (/^undefined: (\w+)/.exec(first.message) ?? []) : []
  const why = gone === undefined ? first.message : `there is no server ${gone} now`
  return { ...refusal(leg, [cannotResume(identity.runId, why)], told), isOpen: true }
}

async function settle(leg: Leg, compiled: Compiled): Promise<Setting | Ended> {
  const { context, options, live, wanted } = leg
  const { ready, earlier, dialect, limits, program } = compiled
  const { keeping } = context
  const { world: begun, lookups = earlier?.lookups } = live?.body.settings ?? {}
  const { now = earlier?.world.now, seed = earlier?.world.seed } = options
  const world = { ...worldOf(ready.dialect, { now, seed }), ...begun }
  const asking = keeping === undefined ? [] : askingTools(context.bindings, keeping.asks, ready.reach)
  const isDurable = asking.length > 0 || live?.isKept || options.taken !== undefined || keeping?.runs.keepsAll
  const durable = live !== undefined && isDurable ? { live, keeping: keeping! } : undefined
  if (durable !== undefined) {
    const { reads } = compiled.preparation.task
    const servers = namedServers(context.bindings, ready.reach)
    const settings = { program, dialect, limits, world, input: inputOf(options), reads, servers }
    live!.settle({ ...live!.body.settings, ...settings, ...(wanted && { format: wanted.format }) })
  }
  const values = await valuesFor(ready, context, live)
  if (values instanceof DiagnosticError) return refusal(leg, values.diagnostics, compiled)
  return { world, lookups, asking, values, durable }
}

/** The values that the run may see and change, or the reason why they can't be read. */
async function valuesFor(
  { dialect, source }: ReadyProgram,
  { values }: RunContext,
  live: LiveRun | undefined,
): Promise<RunValues | DiagnosticError | undefined> {
  if (values === undefined || !dialect.memory || !/\bmemory\b/.test(wholeText(source))) return undefined
  const { valuesOwner = values.owner } = live?.body.settings ?? {}
  return RunValues.of({ ...values, owner: valuesOwner }).catch((error: unknown) => {
    if (error instanceof DiagnosticError) return error
    throw error
  })
}

async function carryOut(leg: Leg, compiled: Compiled, setting: Setting): Promise<CarriedOut> {
  const { context, arrivedAt } = leg
  const { ready, limits, earlier, preparation } = compiled
  const { world, asking, values, durable } = setting
  const placed = leg.wantsLines ? placing(leg, preparation) : undefined
  const calls = new RunCalls(context, leg.tell, leg.identity, {
    runStarted: arrivedAt,
    limits,
    earlier: earlier && new AnsweredCalls(earlier.calls),
    language: compiled.program.language,
    reach: ready.reach,
    isWatched: leg.isWatched,
    values,
    onPlaced: placed?.onPlaced,
    ...(durable === undefined ? {} : { durable: durableRun(durable) }),
  })
  const end = await runAttempts(ready, context.sandbox, calls, {
    limits,
    arrivedAt,
    readMs: preparation.workMs,
    // The calls of an earlier run are taken over in the order of the program.
    waits: earlier !== undefined,
    placesOf: leg.wantsLines ? [...new Set([...asking, ...namedIn(ready)])] : asking,
    world: { ...world, ...inputOf(leg.options) },
    sourceBytes: Buffer.byteLength(wholeText(leg.program)),
    ...turnOf(leg),
    ...(setting.lookups === undefined ? {} : { lookups: setting.lookups }),
  })
  await placed?.settled()
  if (end.lookups !== undefined) durable?.live.settle({ ...durable.live.body.settings, lookups: end.lookups })
  return { calls, end }
}

/** The functions that a program names, as programs write them. */
function namedIn({ reach }: ReadyProgram): string[] {
  return reach.tools.map(({ namespace, member }) => `${namespace}.${member}`)
}

function durableRun({ live, keeping: { runs, asks } }: NonNullable<Setting['durable']>) {
  const { version, keepArguments } = runs.options
  const otherVersion = live.body.version === version ? undefined : live.body.version
  return { ledger: live.ledger, asks, keepArguments, otherVersion }
}
