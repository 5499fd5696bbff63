// Calls that wait for a person, and the person's answer.

import { useSignal } from '@preact/signals'
import type { PageApproval, RunSummary } from '../../interface.js'
import { ago, plural } from '../elements/amounts.js'
import { CodeView } from '../elements/code-view.js'
import { visible } from '../elements/exact.js'
import { Notice, RefusalNotice } from '../elements/notice.js'
import { ValueView } from '../elements/value-view.js'
import { part, post, session } from '../frame/api.js'
import { useAction } from '../frame/loaded.js'
import { now } from '../frame/now.js'
import { addressOf } from '../frame/route.js'
import { isAnswered } from './waiting.js'

interface Panel {
  readonly approval: PageApproval
  /** The program stands beside it already. */
  readonly isBeside?: boolean
}

export function ApprovalPanel({ approval, isBeside = false }: Panel) {
  const { runId, owner, program, language, calls, canAlsoCall, askedAt, expiresAt } = approval
  const { act, busy, refusal } = useAction()
  // Nothing is allowed that was not on the screen.
  const shown = calls.map(({ server, tool, argumentDigest }) => ({ server, tool, argumentDigest }))
  const send = (answer: 'allow' | 'deny', body: object) =>
    act(async () => {
      await post<RunSummary>(`approvals/${part(runId)}/${answer}`, body)
      isAnswered(runId)
    })
  return (
    <article class="panel approval" aria-label={`${runId} waits for approval`}>
      <header>
        <h2 class="question">
          <span class="wait" aria-hidden="true">
            ◆
          </span>{' '}
          {plural(calls.length, 'call')} {calls.length === 1 ? 'waits' : 'wait'} for you
        </h2>
        <span class="small soft">
          {isBeside ? '' : `${owner}, `}asked {ago(askedAt, now.value)}
          {expiresAt !== null && `, until ${new Date(expiresAt).toLocaleString('en-GB')}`}
        </span>
        {!isBeside && (
          <a class="push small" href={addressOf('runs', runId)}>
            {runId}
          </a>
        )}
      </header>
      <div class="body stack">
        <AskedCalls calls={calls} />
        <Done done={approval.done} />
        {!isBeside && (
          <CodeView
            text={program}
            language={language}
            marks={calls.flatMap(({ line }) => (line === null ? [] : [{ line, kind: 'wait' as const }]))}
          />
        )}
        {canAlsoCall.length > 0 && (
          <p class="small soft">
            It may also call, and will ask again: <code>{canAlsoCall.join(', ')}</code>
          </p>
        )}
        <RefusalNotice refusal={refusal.value} />
        {session.value?.may.approve !== false && (
          <Answer
            isBusy={busy.value}
            allow={(scope) => send('allow', { scope, shown })}
            deny={(reason) => send('deny', reason === '' ? {} : { reason })}
          />
        )}
      </div>
    </article>
  )
}

/** The calls with their arguments in full. */
export function AskedCalls({ calls }: { readonly calls: PageApproval['calls'] }) {
  return (
    <ol class="asked-calls">
      {calls.map((call, at) => (
        <li key={at} class="stack">
          <div class="bar">
            <code class="name">{visible(`${call.server}.${call.tool}`)}</code>
            {call.line !== null && <span class="small soft">line {call.line}</span>}
          </div>
          {call.reason === 'unknown' && (
            <Notice kind="wait">
              This call was sent before, and its answer is not known. It may have taken effect; allowing it repeats it.
            </Notice>
          )}
          {call.arguments === null ? (
            <p class="small soft">
              Only the digest of its arguments was kept: <code>{call.argumentDigest.slice(0, 16)}…</code>
            </p>
          ) : (
            <ValueView value={call.arguments} name="Arguments" isWhole />
          )}
        </li>
      ))}
    </ol>
  )
}

function Done({ done }: Pick<PageApproval, 'done'>) {
  if (done.length === 0) return <p class="small soft">Nothing was done before this.</p>
  return (
    <div class="stack tight">
      <h2>Done before this</h2>
      <ul class="small">
        {done.map(({ server, tool, ok, count }) => (
          <li key={`${server}.${tool} ${ok}`}>
            <span class={ok ? '' : 'bad'}>{ok ? '✓' : '✕ failed:'}</span>{' '}
            <code>
              {server}.{tool}
            </code>{' '}
            {count > 1 && <span class="soft">×{count}</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}

interface Answer {
  readonly isBusy: boolean
  readonly allow: (scope: 'once' | 'run') => void
  readonly deny: (reason: string) => void
}

/** The buttons of an answer; a denial may say why. */
export function Answer({ isBusy, allow, deny }: Answer) {
  const reason = useSignal<string | undefined>(undefined)
  if (reason.value === undefined)
    return (
      <div class="bar">
        <button type="button" class="main" disabled={isBusy} onClick={() => allow('once')}>
          Allow once
        </button>
        <button type="button" disabled={isBusy} onClick={() => allow('run')}>
          Allow for this run
        </button>
        <button type="button" class="danger" disabled={isBusy} onClick={() => (reason.value = '')}>
          Deny …
        </button>
      </div>
    )
  const submit = (event: Event) => {
    event.preventDefault()
    deny(reason.value!.trim())
  }
  return (
    <form class="stack" onSubmit={submit}>
      <label>
        Why not? The program reads it.
        <input
          class="wide"
          maxLength={2000}
          value={reason.value}
          ref={(input) => input?.focus()}
          onInput={({ currentTarget }) => (reason.value = currentTarget.value)}
        />
      </label>
      <div class="bar">
        <button type="submit" class="danger" disabled={isBusy}>
          Deny
        </button>
        <button type="button" class="plain" onClick={() => (reason.value = undefined)}>
          Back
        </button>
      </div>
    </form>
  )
}
