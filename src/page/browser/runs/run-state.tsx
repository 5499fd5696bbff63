// The state of a run or of a call as a sign and a word: never as a colour alone.

import type { Call, RunState } from '../../interface.js'

const signs: Record<RunState, readonly [sign: string, word: string, kind: string]> = {
  queued: ['○', 'waits for a worker', 'wait'],
  running: ['●', 'running', 'live'],
  waiting: ['◆', 'waits for approval', 'wait'],
  answered: ['◇', 'answered, not continued', 'wait'],
  interrupted: ['‖', 'interrupted', 'wait'],
  ok: ['✓', 'succeeded', ''],
  failed: ['✕', 'failed', 'bad'],
  cancelled: ['■', 'cancelled', ''],
}

export function RunStateMark({ state, brief = false }: { readonly state: RunState; readonly brief?: boolean }) {
  const [sign, word, kind] = signs[state]
  return (
    <span class={`mark ${kind}`}>
      <span aria-hidden="true">{sign}</span> <span class={brief ? 'hidden-label' : ''}>{word}</span>
    </span>
  )
}

/** How a call is drawn. A reuse has no state of its own: nothing was sent. */
type CallLook = Call['state'] | 'reused'

export const lookOf = ({ state, reused }: Call): CallLook => (reused && state === 'ok' ? 'reused' : state)

export const callLooks: Record<CallLook, readonly [sign: string, word: string]> = {
  ok: ['✓', 'answered'],
  underway: ['▸', 'underway'],
  waiting: ['◆', 'waits for approval'],
  reused: ['↺', 'reused, nothing was sent'],
  failed: ['✕', 'failed'],
  lost: ['?', 'lost: no usable answer'],
  limit: ['!', 'ended by a limit'],
  denied: ['⊘', 'denied'],
}
