// The end of one leg of a run: the facts that are stored, reported and answered with, and the question of a run that
// waits for a person.

import type { Concluded, ConcludeTask } from './desk-work.js'
import { askedCall, type Question } from './ledger/approval.js'
import { reachedTools } from './ledger/policy.js'
import type { Compiled, Course, Ended, Leg } from './leg.js'
import { endUnexplained, otherVersion } from './messages.js'
import { concludeAtOnce, failure, type Remains } from './remains.js'
import type { RunContext } from './run-context.js'
import { type EndedRun, endedFields, pauseOf, remainsOf, rounded, since } from './run-facts.js'

export async function endOfLeg(leg: Leg, course: Course): Promise<Ended> {
  const { context, identity } = leg
  const { calls, end } = course.run
  const pause = pauseIn(leg, course)
  const { stats: _, lookups: _recorded, ...kind } = end
  const notes = [...course.compiled.notes, ...(pause?.notes ?? []), ...versionNotes(leg)]
  const remains: Remains = {
    ...remainsOf(course.compiled.program, kind, calls, { bindings: context.bindings, notes }),
    ...(pause === undefined ? {} : { paused: pause }),
  }
  const concluded = await conclude(leg, course, remains)
  const facts = factsOf(leg, course, { remains, concluded })
  if (calls.paused !== undefined) {
    const { lines = [] } = concluded
    const waiting = calls.paused.map(({ codePlace: _, ...call }, i) => ({ ...call, line: lines[i] ?? null }))
    const question: Question = { calls: waiting, canAlsoCall: pause!.others, askedAt: context.keeping!.runs.now() }
    const paused = { runId: identity.runId, calls: waiting.map(askedCall) }
    return { facts: { ...facts, paused }, question, done: remains.done }
  }
  const isDurable = course.setting.durable !== undefined
  const isOpen = isDurable && (ENDED_OUTSIDE.includes(facts.error?.code ?? '') || context.sandbox.isClosed)
  const isReady = isOpen && (READY.includes(facts.error?.code ?? '') || context.sandbox.isClosed)
  const ended = { facts, isOpen, isReady, done: remains.done }
  return concluded.answer === undefined ? ended : { ...ended, answer: keptAnswer(leg, concluded.answer) }
}

/** Codes of failures for which neither the program nor a tool is to blame: such a run can be continued. */
const ENDED_OUTSIDE =
  'state-unusable store-unusable approved-call-changed replay-diverged worker-lost sandbox-fault busy'.split(' ')

/** Those that another process need not have. */
const READY = ['store-unusable', 'busy']

/** The reason why the run waits; undefined if it does not. */
function pauseIn({ identity: { runId }, context: { bindings } }: Leg, { compiled, run: { calls } }: Course) {
  if (calls.paused === undefined) return undefined
  return pauseOf(calls.paused, { runId, bindings, canAlsoCall: reachedTools(bindings, compiled.ready.reach) })
}

function versionNotes({ live, context: { keeping } }: Leg): string[] {
  const begun = live?.body.version
  return begun === undefined || begun === keeping?.runs.options.version ? [] : [otherVersion(begun)]
}

/** The report of the run. A successful run stores the values that it changed, and fails if they can't be stored. */
async function conclude(leg: Leg, { compiled, setting, run }: Course, remains: Remains): Promise<Concluded> {
  const { wanted, identity, context } = leg
  const answer = wanted && { ...wanted, runId: identity.runId, path: context.vfs.pathFor(`${identity.runId}.json`) }
  const concluded = concludeAtOnce(remains) ?? (await explained(compiled, { remains, answer }, context))
  if (remains.paused !== undefined || concluded.failure !== undefined) return concluded
  const unkept = await setting.values?.store(run.calls.end)
  return unkept === undefined ? concluded : failure(remains, unkept)
}

/** Another thread writes the reports that take more than a moment. */
async function explained(
  { preparation }: Compiled,
  { remains, answer }: { readonly remains: Remains; readonly answer: ConcludeTask['answer'] | undefined },
  { desk, group }: RunContext,
): Promise<Concluded> {
  const task = { remains, ...(answer === undefined ? {} : { answer }) }
  const concluded = await desk.conclude(preparation, task, group === undefined ? {} : { group })
  return concluded ?? failure(remains, endUnexplained)
}

function factsOf(
  { identity: { runId }, context, options, arrivedAt }: Leg,
  { compiled, setting: { world }, run: { calls, end } }: Course,
  { remains, concluded }: { readonly remains: Remains; readonly concluded: Concluded },
): EndedRun {
  const { stats, lookups } = end
  const ok = concluded.failure === undefined
  const isKept =
    remains.paused === undefined &&
    (!ok || options.keepCalls === true) &&
    context.history.remember(runId, calls.answered(ok ? 'all' : 'succeeded'), { world, lookups })
  return {
    runId,
    ...world,
    ...endedFields(concluded, remains, { calls, isKept }),
    logs: remains.logs,
    stats: {
      wallMs: since(arrivedAt),
      compileMs: compiled.compileMs,
      runMs: rounded(stats.runMs),
      toolWaitMs: rounded(stats.callWaitMs),
      memoryBytes: stats.memoryBytes,
    },
  }
}

/** Stores the whole answer if its text had to be cut. */
function keptAnswer(
  { context, identity }: Leg,
  { text, whole }: NonNullable<Concluded['answer']>,
): NonNullable<Ended['answer']> {
  return whole === undefined ? { text } : { text, path: context.vfs.keep(`${identity.runId}.json`, whole) }
}
