// The calls of an answer: those of the model, and below each those that its program made.

import { useSignal } from '@preact/signals'
import type { ChatCall } from '../../interface.js'
import { duration } from '../elements/amounts.js'
import { CodeView } from '../elements/code-view.js'
import { ValueView } from '../elements/value-view.js'
import { answerValue } from '../runs/call-view.js'
import { callLooks } from '../runs/run-state.js'

interface Calls {
  readonly calls: readonly ChatCall[]
  /** What servers say about calls that are underway, by the id of the call. */
  readonly progress?: ReadonlyMap<string, string>
}

export function ChatCalls({ calls, progress = new Map() }: Calls) {
  const ids = new Set(calls.map(({ callId }) => callId))
  const top = calls.filter(({ parentId }) => parentId === null || !ids.has(parentId))
  return (
    <ul class="chat-calls">
      {top.map((call) => (
        <li key={call.callId}>
          <OneCall call={call} inner={calls.filter(({ parentId }) => parentId === call.callId)} progress={progress} />
        </li>
      ))}
    </ul>
  )
}

interface One extends Required<Pick<Calls, 'progress'>> {
  readonly call: ChatCall
  readonly inner: readonly ChatCall[]
}

function OneCall({ call, inner, progress }: One) {
  const isOpen = useSignal(false)
  const [sign, word] = callLooks[call.state]
  return (
    <details class={`chat-call ${call.state}`} onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
      <summary>
        <span class="sign" aria-hidden="true">
          {sign}
        </span>
        <code>{call.name}</code> <span class="hidden-label">{word}</span>
        <span class="small soft">
          {call.ms !== null && duration(call.ms)} {progress.get(call.callId)}
          {inner.length > 0 && ` ${inner.length} calls of tools`}
        </span>
      </summary>
      {isOpen.value && (
        <div class="stack inner">
          <Given call={call} />
          {inner.length > 0 && <ChatCalls calls={inner} progress={progress} />}
          {call.text !== null && (
            <>
              <h2>What the model reads</h2>
              <ValueView value={answerValue(call.text)} name="Answer" />
            </>
          )}
        </div>
      )}
    </details>
  )
}

/** The arguments; of a program its text, as one reads it. */
function Given({ call }: { readonly call: ChatCall }) {
  const { code, language, ...others } = (call.arguments ?? {}) as Readonly<Record<string, unknown>>
  if (call.arguments === null) return null
  if (typeof code !== 'string') return <ValueView value={call.arguments} name="Arguments" />
  return (
    <>
      <CodeView text={code} language={language === 'javascript' ? 'javascript' : 'starlark'} />
      {Object.keys(others).length > 0 && <ValueView value={others} name="Further arguments" />}
    </>
  )
}
