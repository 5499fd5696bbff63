// The page: signs in, opens the stream of events, and draws what the address says.

import { render } from 'preact'
import type { PageSession } from '../interface.js'
import { watchApprovals } from './approvals/waiting.js'
import { get, post, Refusal, session } from './frame/api.js'
import { openStream } from './frame/events.js'
import { Frame } from './frame/frame.js'
import { learnViews } from './frame/offered.js'
import { SignIn } from './frame/sign-in.js'
import './frame/theme.js'

function Page() {
  if (session.value === undefined) return null
  return session.value === null ? <SignIn signIn={signIn} /> : <Frame />
}

async function signIn(token: string): Promise<void> {
  const entered = await post<PageSession>('login', { token })
  await learnViews()
  enter(entered)
}

function enter(entered: PageSession): void {
  session.value = entered
  openStream()
}

async function start(): Promise<void> {
  try {
    const entered = await get<PageSession>('session')
    await learnViews()
    enter(entered)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    session.value = null
  }
}

watchApprovals()
render(<Page />, document.getElementById('page')!)
await start()
