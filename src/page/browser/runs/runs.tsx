// The runs of everybody, live, and one of them beside the list.

import { useSignal } from '@preact/signals'
import type { PageEvent, RunList, RunState, RunSummary } from '../../interface.js'
import { ago, duration, plural } from '../elements/amounts.js'
import { Empty, RefusalNotice } from '../elements/notice.js'
import { get } from '../frame/api.js'
import { type Loaded, useAction, useLoaded } from '../frame/loaded.js'
import { now } from '../frame/now.js'
import { offered } from '../frame/offered.js'
import { addressOf } from '../frame/route.js'
import { RunStateMark } from './run-state.js'
import { RunView } from './run-view.js'

/** So many stay in the list, however many come. */
const MOST = 500

const filters: Record<string, readonly RunState[]> = {
  'all states': [],
  running: ['queued', 'running'],
  waiting: ['waiting', 'answered', 'interrupted'],
  succeeded: ['ok'],
  failed: ['failed', 'cancelled'],
}

export function Runs({ id }: { readonly id: string | undefined }) {
  const { loaded, again } = useLoaded<RunList>('runs?limit=100', withRuns)
  const filter = useSignal('all states')
  const owner = useSignal('')
  const { act, busy, refusal } = useAction()
  const { value } = loaded.value
  const shown = value?.runs.filter(
    (run) =>
      (filters[filter.value]!.length === 0 || filters[filter.value]!.includes(run.state)) &&
      (owner.value === '' || run.owner === owner.value),
  )
  const more = async ({ runs, next }: RunList) => {
    const page = await get<RunList>(`runs?limit=100&before=${encodeURIComponent(next!)}`)
    loaded.value = { value: { runs: [...runs, ...page.runs], next: page.next }, refusal: undefined }
  }
  return (
    <div class={`split ${id === undefined ? '' : 'chosen'}`}>
      <section class="list" aria-label="All runs">
        <header>
          <h1>Runs</h1>
          <Filters filter={filter} owner={owner} runs={value?.runs ?? []} />
        </header>
        <RefusalNotice refusal={loaded.value.refusal ?? refusal.value} />
        {loaded.value.refusal !== undefined && (
          <button type="button" onClick={again}>
            Try again
          </button>
        )}
        <ul class="entries">
          {shown?.map((run) => (
            <RunEntry key={run.runId} run={run} isShown={run.runId === id} />
          ))}
        </ul>
        {value?.next != null && (
          <button type="button" class="plain" disabled={busy} onClick={() => act(() => more(value))}>
            Older runs
          </button>
        )}
        {shown?.length === 0 && value !== undefined && value.runs.length > 0 && (
          <p class="soft small pad">No run here is like that.</p>
        )}
      </section>
      <section class="one" aria-label="One run">
        {id === undefined ? <Welcome loaded={loaded.value} /> : <RunView key={id} runId={id} />}
      </section>
    </div>
  )
}

interface Filtered {
  readonly filter: { value: string }
  readonly owner: { value: string }
  readonly runs: readonly RunSummary[]
}

function Filters({ filter, owner, runs }: Filtered) {
  const owners = [...new Set(runs.map((run) => run.owner))].sort()
  return (
    <div class="bar">
      {owners.length > 1 && (
        <select
          aria-label="Caller"
          value={owner.value}
          onChange={({ currentTarget }) => (owner.value = currentTarget.value)}
        >
          <option value="">all callers</option>
          {owners.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      )}
      <select
        aria-label="State"
        value={filter.value}
        onChange={({ currentTarget }) => (filter.value = currentTarget.value)}
      >
        {Object.keys(filters).map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </div>
  )
}

function RunEntry({ run, isShown }: { readonly run: RunSummary; readonly isShown: boolean }) {
  const end = run.endedAt ?? (run.state === 'running' ? now.value : undefined)
  return (
    <li>
      <a href={addressOf('runs', run.runId)} aria-current={isShown ? 'true' : undefined}>
        <span class="title">
          <RunStateMark state={run.state} brief />
          <code class="cut">{run.firstLine === '' ? '(empty program)' : run.firstLine}</code>
        </span>
        <span class="facts">
          <span class="cut">{run.owner}</span>
          <span>{plural(run.calls, 'call')}</span>
          {run.failures > 0 && <span class="bad">{run.failures} failed</span>}
          {end !== undefined && <span>{duration(Math.max(0, end - run.startedAt))}</span>}
          <span>{ago(run.startedAt, now.value)}</span>
        </span>
      </a>
    </li>
  )
}

function Welcome({ loaded: { value, refusal } }: { readonly loaded: Loaded<RunList> }) {
  if (refusal !== undefined || value === undefined) return null
  if (value.runs.length > 0)
    return (
      <Empty title="Choose a run">
        <p>Its program, its calls on a time axis, and what came of it are shown here.</p>
      </Empty>
    )
  return (
    <Empty title="No program has run yet">
      <p>Connect an MCP host to this starbind: what its model runs appears here while it runs.</p>
      {offered.value.includes('programs') && (
        <a class="button" href={addressOf('programs')}>
          Write a program
        </a>
      )}
    </Empty>
  )
}

function withRuns(list: RunList, events: readonly PageEvent[]): RunList {
  const changed = new Map(events.flatMap((event) => (event.type === 'run' ? [[event.run.runId, event.run]] : [])))
  if (changed.size === 0) return list
  const runs = list.runs.map((run) => {
    const newer = changed.get(run.runId) ?? run
    changed.delete(run.runId)
    return newer
  })
  const added = [...changed.values()].sort((a, b) => b.startedAt - a.startedAt)
  return { ...list, runs: [...added, ...runs].slice(0, Math.max(MOST, list.runs.length)) }
}
