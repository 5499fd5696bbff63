// One run: what it did and when, its program, and what came of it.

import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { Replay, Run, RunSummary, StartedRun } from '../../interface.js'
import { ApprovalPanel } from '../approvals/approval-panel.js'
import { waiting } from '../approvals/waiting.js'
import { ago, bytes, duration, number, plural } from '../elements/amounts.js'
import { CodeView, type LineMark } from '../elements/code-view.js'
import { Notice, RefusalNotice } from '../elements/notice.js'
import { part, post } from '../frame/api.js'
import { useAction, useLoaded } from '../frame/loaded.js'
import { now, useMoving } from '../frame/now.js'
import { offered } from '../frame/offered.js'
import { addressOf, go } from '../frame/route.js'
import { CallView, Fact } from './call-view.js'
import { isOpen, underwayOf, withEvents } from './live-run.js'
import { Output } from './output.js'
import { RunStateMark } from './run-state.js'
import { Legend, Waterfall } from './waterfall.js'

interface Viewed {
  readonly runId: string
  /** Its program stands beside it already. */
  readonly isBeside?: boolean
}

export function RunView({ runId, isBeside = false }: Viewed) {
  const { loaded, again } = useLoaded<Run>(`runs/${part(runId)}`, withEvents)
  const { value: run, refusal } = loaded.value
  const hasEnded = run !== undefined && !isOpen(run)
  useEffect(() => {
    // The stream has no results: they are asked for once the run has ended.
    if (hasEnded && run.stats === null) void again()
  }, [hasEnded])
  const askedAt = waiting.value?.find((one) => one.runId === runId)?.askedAt
  useEffect(() => {
    // Nor has it the calls that wait for a person, because they have not been made.
    if (askedAt !== undefined) void again()
  }, [askedAt])
  if (refusal !== undefined)
    return (
      <div class="sheet">
        <Back />
        <RefusalNotice refusal={refusal} />
      </div>
    )
  return run === undefined ? <p class="sheet soft">Loading …</p> : <Shown run={run} again={again} isBeside={isBeside} />
}

const Back = () => (
  <a class="back" href={addressOf('runs')}>
    ‹ All runs
  </a>
)

interface ShownRun {
  readonly run: Run
  readonly again: () => Promise<void>
  readonly isBeside: boolean
}

function Shown({ run, again, isBeside }: ShownRun) {
  const chosen = useSignal<number | undefined>(undefined)
  const call = run.timeline.find((one) => one.number === chosen.value)
  const approval = waiting.value?.find((one) => one.runId === run.runId)
  return (
    <div class={isBeside ? 'stack run' : 'sheet'}>
      <Head run={run} again={again} isBeside={isBeside} />
      {approval !== undefined && <ApprovalPanel approval={approval} isBeside />}
      {run.error !== null && <RunErrorNotice run={run} />}
      <section class="panel" aria-label="Calls">
        <header>
          <h2>Calls</h2>
          <span class="small soft">{callsText(run)}</span>
          {run.timeline.length > 0 && (
            <a class="push small" href={`/api/v1/runs/${part(run.runId)}/timeline.svg`} download={`${run.runId}.svg`}>
              Save as SVG
            </a>
          )}
        </header>
        {run.timeline.length === 0 ? (
          <p class="body soft">{isOpen(run) ? 'It has called no tool yet.' : 'It called no tool.'}</p>
        ) : (
          <>
            <LiveWaterfall run={run} chosen={chosen.value} choose={(number) => void (chosen.value = number)} />
            <Legend calls={run.timeline} />
          </>
        )}
      </section>
      {call !== undefined && <CallView run={run} call={call} close={() => (chosen.value = undefined)} />}
      {isBeside ? (
        <Output run={run} />
      ) : (
        <div class="pair">
          <Program run={run} />
          <Output run={run} />
        </div>
      )}
    </div>
  )
}

function Head({ run, again, isBeside }: ShownRun) {
  const { act, busy, refusal } = useAction()
  const replayed = useSignal<Replay | undefined>(undefined)
  const path = `runs/${part(run.runId)}`
  const resume = async () => go('runs', (await post<StartedRun>(`${path}/resume`)).runId)
  const replay = async () => {
    replayed.value = await post<Replay>(`${path}/replay`)
  }
  const cancel = async () => {
    await post<RunSummary>(`${path}/cancel`)
    await again()
  }
  const canResume = run.state === 'interrupted' || run.state === 'answered'
  return (
    <div class="head">
      {!isBeside && <Back />}
      <div class="bar">
        {isBeside ? <h2 class="question">{run.runId}</h2> : <h1>{run.runId}</h1>}
        <RunStateMark state={run.state} />
        <span class="soft small">
          {run.owner}, {ago(run.startedAt, now.value)}
        </span>
        <span class="bar push">
          {isOpen(run) && (
            <button type="button" class="danger" disabled={busy} onClick={() => act(cancel)}>
              Cancel
            </button>
          )}
          {canResume && (
            <button type="button" class="main" disabled={busy} onClick={() => act(resume)}>
              Resume
            </button>
          )}
          {!isOpen(run) && (
            <button
              type="button"
              disabled={busy}
              onClick={() => act(replay)}
              title="Runs it again with the answers that it had"
            >
              Replay
            </button>
          )}
          {!isBeside && offered.value.includes('programs') && (
            <a class="button" href={addressOf('programs', `run:${run.runId}`)}>
              Edit
            </a>
          )}
        </span>
      </div>
      <RefusalNotice refusal={refusal.value} />
      {replayed.value !== undefined && <ReplayNotice replay={replayed.value} />}
      <Facts run={run} />
    </div>
  )
}

const ReplayNotice = ({ replay: { same, difference } }: { readonly replay: Replay }) => (
  <Notice {...(!same && { kind: 'wait' as const })}>
    {same
      ? 'Replayed: it made the same calls and ended the same way.'
      : `Replayed, and it went another way: ${difference}`}
  </Notice>
)

function Facts({ run }: { readonly run: Run }) {
  const end = run.endedAt ?? Math.max(now.value, run.startedAt)
  const { tokens } = run
  return (
    <dl class="facts-row">
      <Fact name="time" value={duration(run.stats?.wallMs ?? end - run.startedAt)} />
      {run.stats !== null && <Fact name="waiting for tools" value={duration(run.stats.toolWaitMs)} />}
      <div>
        <dt>through the program{!isOpen(run) && ', seen by the model'}</dt>
        <dd>
          {bytes(run.bytes)}
          {!isOpen(run) && (
            <>
              <span class="soft"> → </span>
              <span class="seen">{bytes(run.seenBytes)}</span>
              <Share part={run.seenBytes} whole={Math.max(run.bytes, run.seenBytes)} />
            </>
          )}
        </dd>
      </div>
      {!isOpen(run) && (
        <div title={tokens.isExact ? '' : 'Estimated from bytes: not all contents were kept.'}>
          <dt>tokens{!tokens.isExact && ', estimated'}</dt>
          <dd>
            {number(tokens.seen)} <small>instead of {number(tokens.direct)}</small>
          </dd>
        </div>
      )}
    </dl>
  )
}

/** A bar, of which a part is filled. */
const Share = ({ part, whole }: { readonly part: number; readonly whole: number }) => (
  <span class="share" aria-hidden="true">
    <span style={{ width: `${whole === 0 ? 0 : (part / whole) * 100}%` }} />
  </span>
)

interface Live {
  readonly run: Run
  readonly chosen: number | undefined
  readonly choose: (number: number) => void
}

/** The waterfall of a run that goes on grows between its events. */
function LiveWaterfall({ run, chosen, choose }: Live) {
  const moment = useMoving(run.state === 'running')
  return (
    <Waterfall
      calls={run.timeline}
      lastMs={lastMoment(run, moment)}
      startedAt={run.startedAt}
      isLive={isOpen(run)}
      chosen={chosen}
      choose={choose}
    />
  )
}

function callsText(run: Run): string {
  const { timeline, failures } = run
  const last = lastMoment(run, now.value)
  const { most } = underwayOf(timeline, last, { endMs: last, count: 1 })
  const parts = [plural(timeline.length, 'call')]
  if (most > 1) parts.push(`up to ${most} at once`)
  if (failures > 0) parts.push(`${failures} failed`)
  return parts.join(', ')
}

/** The end of the run, or now: milliseconds after its start. Clocks of other machines may be behind. */
function lastMoment(run: Run, moment: number): number {
  const known = run.timeline.reduce((last, { startMs, endMs }) => Math.max(last, endMs ?? startMs), 0)
  const end = run.endedAt ?? (run.state === 'running' ? moment : run.startedAt)
  return Math.max(known, end - run.startedAt)
}

function RunErrorNotice({ run: { error } }: { readonly run: Run }) {
  if (error === null) return null
  return (
    <Notice kind="bad">
      <span>
        <span class="small">
          {error.class} · {error.code}
          {error.line !== null && ` · line ${error.line}`}
        </span>
        <br />
        {error.message}
        {error.hint !== null && (
          <>
            <br />
            <span class="soft">{error.hint}</span>
          </>
        )}
      </span>
    </Notice>
  )
}

function Program({ run }: { readonly run: Run }) {
  const notes = useMemo(() => callsByLine(run), [run.timeline])
  return (
    <section class="panel" aria-label="Program">
      <header>
        <h2>Program</h2>
        <span class="small soft">{run.language === 'starlark' ? 'Starlark' : 'JavaScript'}</span>
      </header>
      <CodeView text={run.program} language={run.language} marks={marksOf(run)} notes={notes} />
    </section>
  )
}

function marksOf(run: Run): LineMark[] {
  if (run.error?.line != null) return [{ line: run.error.line, kind: 'error', text: run.error.message }]
  if (!isOpen(run) || run.currentLine === null) return []
  return [{ line: run.currentLine, kind: run.state === 'running' ? 'current' : 'wait' }]
}

function callsByLine({ timeline }: Run): Map<number, string> {
  const counts = new Map<number, number>()
  for (const { line } of timeline) if (line !== null) counts.set(line, (counts.get(line) ?? 0) + 1)
  return new Map([...counts].map(([line, count]) => [line, plural(count, 'call')]))
}
