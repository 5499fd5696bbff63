// The state of a server as a sign and a word.

import type { ServerState } from '../../interface.js'

const signs: Record<ServerState, readonly [sign: string, word: string, kind: string]> = {
  idle: ['○', 'idle, starts when it is called', ''],
  connecting: ['◌', 'connecting', 'live'],
  ready: ['✓', 'ready', ''],
  degraded: ['◐', 'degraded', 'wait'],
  'needs-auth': ['◆', 'needs a login', 'wait'],
  failed: ['✕', 'failed', 'bad'],
  disabled: ['–', 'disabled', ''],
  closed: ['■', 'closed', ''],
}

export function ServerStateMark({ state, brief = false }: { readonly state: ServerState; readonly brief?: boolean }) {
  const [sign, word, kind] = signs[state]
  return (
    <span class={`mark ${kind}`}>
      <span aria-hidden="true">{sign}</span> <span class={brief ? 'hidden-label' : ''}>{word}</span>
    </span>
  )
}
