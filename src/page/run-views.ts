// Runs as payloads: what is stored of a run, and what the log of this process knows beyond it.

import type { KeptCall, KeptRunFacts } from '../index.js'
import type { Call, PageApproval, Run, RunState, RunSummary } from './interface.js'
import { EMPTY, type LoggedRun } from './run-log.js'

const FIRST_LINE = 200
/** The average of JSON in real catalogues, as for the mode `auto`. */
export const CHARACTERS_PER_TOKEN = 4.4

export function summaryOf(facts: KeptRunFacts, logged: LoggedRun | undefined): RunSummary {
  const { runId, owner, changedAt, program, ending } = facts
  const calls = ending?.calls ?? []
  const state = stateOf(facts, logged)
  const isOver = state === 'ok' || state === 'failed' || state === 'cancelled'
  return {
    runId,
    owner,
    state,
    firstLine: firstLineOf(program.text),
    language: languageOf(program),
    startedAt: logged?.startedAt ?? facts.startedAt,
    endedAt: isOver ? (logged?.endedAt ?? changedAt) : null,
    calls: logged?.calls.size ?? calls.length,
    failures: logged?.failures ?? calls.filter(({ ok }) => !ok).length,
    bytes: logged?.bytes ?? calls.reduce((sum, { bytes }) => sum + bytes, 0),
    error: isOver ? (ending?.error ?? logged?.error ?? null) : null,
    kept: true,
  }
}

/** A run of this process that is not stored yet. */
export function loggedSummary(run: LoggedRun): RunSummary {
  const { runId, owner, program, state, startedAt, endedAt = null, calls, failures, bytes, error } = run
  return {
    runId,
    owner,
    state,
    firstLine: firstLineOf(program.text),
    language: languageOf(program),
    startedAt,
    endedAt,
    calls: calls.size,
    failures,
    bytes,
    error: endedAt === null ? null : error,
    kept: false,
  }
}

/** `kept`: its recorded calls, where the log does not know the run. */
export function runView(facts: KeptRunFacts, logged: LoggedRun | undefined, kept: readonly KeptCall[]): Run {
  const { program, ending } = facts
  const summary = summaryOf(facts, logged)
  const { startedAt } = summary
  const isOver = summary.endedAt !== null
  const timeline = timelineOf(facts, logged, kept)
  const prints = logged?.prints ?? (ending?.logs ?? []).map((text) => ({ text, atMs: facts.changedAt - startedAt }))
  const shown = isOver ? [...(ending?.logs ?? []), ending?.resultText ?? '', ending?.report ?? ''] : []
  const seenBytes = shown.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  const argumentBytes = timeline.reduce((sum, call) => sum + call.argumentBytes, 0)
  return {
    ...summary,
    program: program.text,
    timeline,
    prints,
    currentLine: isOver ? null : (timeline.findLast(({ line }) => line !== null)?.line ?? null),
    resultJson: ending?.resultJson ?? null,
    resultText: ending?.resultText ?? null,
    report: ending?.report ?? '',
    stats: ending?.stats ?? logged?.stats ?? null,
    seenBytes,
    tokens: {
      direct: tokensOf(summary.bytes + argumentBytes),
      seen: tokensOf(seenBytes + Buffer.byteLength(program.text)),
      isExact: false,
    },
  }
}

export function tokensOf(characters: number): number {
  return Math.round(characters / CHARACTERS_PER_TOKEN)
}

function timelineOf(facts: KeptRunFacts, logged: LoggedRun | undefined, kept: readonly KeptCall[]): Call[] {
  const made =
    logged !== undefined ? [...logged.calls.values()] : kept.length > 0 ? kept.map(callOf) : endedCalls(facts)
  const timeline = made.map((call) => ({ ...call, ...approvalFor(call, facts, logged) }))
  const sent = new Set(made.map(keyOf))
  const open = facts.calls.filter((call) => call.approval?.answer !== 'once' && !sent.has(keyOf(call)))
  const startedAt = logged?.startedAt ?? facts.startedAt
  const now = (logged?.waitsSince ?? facts.changedAt) - startedAt
  let number = Math.max(0, ...made.map((call) => call.number))
  for (const { server, tool, argumentDigest, line, approval } of open) {
    const at = approval === null ? null : approval.at - startedAt
    timeline.push({
      ...EMPTY,
      number: ++number,
      server,
      tool,
      argumentDigest,
      line,
      state: approval?.answer === 'deny' ? 'denied' : 'waiting',
      startMs: at === null ? now : Math.min(now, at),
      endMs: at,
      approval: approval && { ...approval, reason: approval.reason ?? null },
    })
  }
  return timeline.sort((a, b) => a.startMs - b.startMs || a.number - b.number)
}

type RecordedCall = Omit<KeptCall, 'approval' | 'argumentBytes'> & Partial<Pick<KeptCall, 'argumentBytes'>>

function callOf(record: RecordedCall, i: number): Call {
  const { server, tool, ok, outcome, startedAtMs, ms, bytes, argumentBytes = 0, argumentDigest } = record
  return {
    ...EMPTY,
    number: i + 1,
    server,
    tool,
    state: outcome === 'answered' || outcome === 'reused' ? (ok ? 'ok' : 'failed') : outcome,
    startMs: startedAtMs,
    endMs: startedAtMs + ms,
    reused: outcome === 'reused',
    bytes,
    argumentBytes,
    argumentDigest,
  }
}

function endedCalls({ ending }: KeptRunFacts): Call[] {
  return (ending?.calls ?? []).map(callOf)
}

type Keyed = Pick<Call, 'server' | 'tool' | 'argumentDigest'>

function keyOf({ server, tool, argumentDigest }: Keyed): string {
  return `${server}/${tool}/${argumentDigest}`
}

/** A person's answer to a call, and how long it took. */
function approvalFor(
  call: Call,
  { calls }: KeptRunFacts,
  logged: LoggedRun | undefined,
): Pick<Call, 'approval' | 'waitedMs' | 'line'> {
  const asked = calls.find((one) => keyOf(one) === keyOf(call))
  const approval = asked?.approval
  if (!approval) return { approval: null, waitedMs: null, line: call.line ?? asked?.line ?? null }
  return {
    approval: { ...approval, reason: approval.reason ?? null },
    waitedMs: logged?.waitedMs ?? null,
    line: call.line ?? asked.line,
  }
}

export function approvalView(
  facts: KeptRunFacts,
  logged: LoggedRun | undefined,
  kept: readonly Pick<KeptCall, 'server' | 'tool' | 'ok'>[],
): PageApproval {
  const { runId, owner, program, calls, canAlsoCall, expiresAt, changedAt } = facts
  const made =
    logged === undefined ? kept : [...logged.calls.values()].map((call) => ({ ...call, ok: call.state === 'ok' }))
  const done = new Map<string, PageApproval['done'][number]>()
  for (const { server, tool, ok } of made) {
    const key = JSON.stringify([server, tool, ok])
    done.set(key, { server, tool, ok, count: (done.get(key)?.count ?? 0) + 1 })
  }
  return {
    runId,
    owner,
    program: program.text,
    language: languageOf(program),
    calls: calls
      .filter(({ approval }) => approval === null)
      .map(({ approval: _, arguments: given, ...call }) => ({ ...call, arguments: given ?? null })),
    canAlsoCall: [...canAlsoCall],
    done: [...done.values()],
    askedAt: changedAt,
    expiresAt,
  }
}

function stateOf({ state, ending }: KeptRunFacts, logged: LoggedRun | undefined): RunState {
  switch (state) {
    case 'underway':
      // What is over is stored a moment later.
      return logged?.endedAt === undefined ? 'running' : logged.state
    case 'queued':
      return 'queued'
    case 'paused':
      return 'waiting'
    case 'approved':
      return 'answered'
    case 'interrupted':
      return 'interrupted'
    case 'ended':
      if (ending?.ok === true) return 'ok'
      return ending?.error?.code === 'cancelled' ? 'cancelled' : 'failed'
  }
}

function firstLineOf(text: string): string {
  const lines = text.split('\n', 50).map((line) => line.trim())
  return (lines.find((line) => line !== '' && !/^(#|\/\/|\/\*)/.test(line)) ?? lines[0] ?? '').slice(0, FIRST_LINE)
}

function languageOf({ language }: { readonly language: string }): Run['language'] {
  return language === 'javascript' ? 'javascript' : 'starlark'
}
