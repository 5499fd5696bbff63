// Asks for a key where nobody is signed in.

import { useSignal } from '@preact/signals'
import { RefusalNotice } from '../elements/notice.js'
import { useAction } from './loaded.js'

export function SignIn({ signIn }: { readonly signIn: (token: string) => Promise<void> }) {
  const token = useSignal('')
  const { act, busy, refusal } = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void act(() => signIn(token.value.trim()))
  }
  return (
    <main class="sheet sign-in">
      <div class="head">
        <h1>Sign in to starbind</h1>
        <p class="soft">
          Run <code>starbind open</code> on the machine that runs starbind: it opens this page signed in. Elsewhere,
          enter an API key that may see the page.
        </p>
      </div>
      <form class="stack" onSubmit={submit}>
        <label for="token">Key or one-time token</label>
        <input
          id="token"
          type="password"
          autocomplete="off"
          required
          value={token}
          onInput={({ currentTarget }) => (token.value = currentTarget.value)}
        />
        <RefusalNotice refusal={refusal.value} />
        <div>
          <button type="submit" class="main" disabled={busy}>
            Sign in
          </button>
        </div>
      </form>
    </main>
  )
}
