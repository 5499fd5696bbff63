// One call: what was sent, and what came back.

import type { Call, CallContents, Run } from '../../interface.js'
import { bytes, clock, duration } from '../elements/amounts.js'
import { readExact } from '../elements/exact.js'
import { Notice, RefusalNotice } from '../elements/notice.js'
import { ValueView } from '../elements/value-view.js'
import { part } from '../frame/api.js'
import { useLoaded } from '../frame/loaded.js'
import { callLooks, lookOf } from './run-state.js'

export function CallView({ run, call, close }: { readonly run: Run; readonly call: Call; readonly close: () => void }) {
  const [sign, word] = callLooks[lookOf(call)]
  return (
    <section class="call panel" aria-label={`Call ${call.number}`}>
      <header>
        <span aria-hidden="true">{sign}</span>
        <code>
          {call.server}.{call.tool}
        </code>
        <span class="soft small">
          call {call.number}, {word}
        </span>
        <button type="button" class="plain push" onClick={close}>
          Close
        </button>
      </header>
      <div class="body stack">
        <dl class="facts-row small-facts">
          <Fact name="began after" value={duration(call.startMs)} />
          <Fact name="took" value={call.endMs === null ? '…' : duration(call.endMs - call.startMs)} />
          <Fact name="sent" value={bytes(call.argumentBytes)} />
          <Fact name="came back" value={bytes(call.bytes)} />
          {call.line !== null && <Fact name="line" value={String(call.line)} />}
          {call.ahead && <Fact name="order" value="may have run ahead" />}
        </dl>
        {call.approval !== null && (
          <p class="small">
            {call.approval.by}{' '}
            {call.approval.answer === 'deny' ? 'denied it' : `allowed it ${answers[call.approval.answer]}`} at{' '}
            {clock(call.approval.at)}
            {call.approval.reason !== null && `: ${call.approval.reason}`}
          </p>
        )}
        {call.progress?.message != null && <Notice>{call.progress.message}</Notice>}
        {call.hasContents ? (
          <Contents key={`${call.number} ${call.state}`} run={run} call={call} />
        ) : (
          <p class="soft small">
            Its contents were not kept. SHA-256 of the arguments: <code>{call.argumentDigest.slice(0, 16)}…</code>
          </p>
        )}
      </div>
    </section>
  )
}

const answers = { once: 'once', run: 'for this run' }

function Contents({ run, call }: { readonly run: Run; readonly call: Call }) {
  const { loaded } = useLoaded<CallContents>(`runs/${part(run.runId)}/calls/${call.number}`)
  const { value, refusal } = loaded.value
  if (refusal !== undefined) return <RefusalNotice refusal={refusal} />
  if (value === undefined) return <p class="soft">Loading …</p>
  return (
    <div class="pair">
      <div class="stack">
        <h2>Arguments</h2>
        {value.arguments === null ? (
          <p class="soft small">not kept</p>
        ) : (
          <ValueView value={value.arguments} name="Arguments" />
        )}
      </div>
      <div class="stack">
        <h2>Answer{value.isCut && ', cut'}</h2>
        {value.answer === null ? (
          <p class="soft small">none</p>
        ) : (
          <ValueView value={answerValue(value.answer)} name="Answer" />
        )}
      </div>
    </div>
  )
}

/** JSON as data, anything else as text. */
export function answerValue(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return readExact(text)
  } catch {
    return text
  }
}

export const Fact = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)
