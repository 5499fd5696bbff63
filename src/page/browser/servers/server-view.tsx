// One server: how it is, what it has, and what a person can do about it.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { LoginPage, PageEvent, Server, ServerSummary } from '../../interface.js'
import { duration, number } from '../elements/amounts.js'
import { Notice, RefusalNotice } from '../elements/notice.js'
import { part, post, session } from '../frame/api.js'
import { useAction, useLoaded } from '../frame/loaded.js'
import { addressOf } from '../frame/route.js'
import { Fact } from '../runs/call-view.js'
import { Latency } from './latency.js'
import { ServerStateMark } from './server-state.js'
import { toolAddress } from './tool-address.js'
import { ToolView } from './tool-view.js'

/** Figures of calls come with no event, so they are asked for. */
const REFRESH_MS = 10_000

export function ServerView({ name, tool }: { readonly name: string; readonly tool: string | undefined }) {
  const { loaded, again } = useLoaded<Server>(`servers/${part(name)}`, withSummary)
  const { value: server, refusal } = loaded.value
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && void again(), REFRESH_MS)
    return () => clearInterval(timer)
  }, [name])
  useEffect(() => {
    // An event has only the number of tools.
    if (server !== undefined) void again()
  }, [server?.state, server?.tools])
  return (
    <div class="sheet">
      <a class="back" href={addressOf('servers')}>
        ‹ All servers
      </a>
      <RefusalNotice refusal={refusal} />
      {server !== undefined && (
        <>
          <Head server={server} again={again} />
          {tool !== undefined && <ToolView key={tool} server={name} tool={tool} />}
          <section class="panel" aria-label="Calls over time">
            <header>
              <h2>Calls</h2>
              <span class="small soft">since starbind started</span>
            </header>
            <div class="body stack">
              <dl class="facts-row small-facts">
                <Fact name="calls" value={number(server.figures.calls)} />
                <Fact name="failed" value={number(server.figures.failures)} />
                {server.figures.medianMs !== null && <Fact name="median" value={duration(server.figures.medianMs)} />}
                {server.figures.slowMs !== null && (
                  <Fact name="95 of 100 within" value={duration(server.figures.slowMs)} />
                )}
              </dl>
              <Latency minutes={server.minutes} />
            </div>
          </section>
          <Tools server={server} shown={tool} />
          <SetAside server={server} />
        </>
      )}
    </div>
  )
}

function Head({ server, again }: { readonly server: Server; readonly again: () => Promise<void> }) {
  const { act, busy, refusal } = useAction()
  const loginUrl = useSignal<string | undefined>(undefined)
  const path = `servers/${part(server.name)}`
  const change = (what: 'restart' | 'enable' | 'disable') =>
    act(async () => {
      await post<ServerSummary>(`${path}/${what}`)
      await again()
    })
  const logIn = () =>
    act(async () => {
      loginUrl.value = (await post<LoginPage>(`${path}/login`)).url
    })
  const isOff = server.state === 'disabled'
  return (
    <div class="head">
      <div class="bar">
        <h1>{server.name}</h1>
        <ServerStateMark state={server.state} />
        {session.value?.may.manage && (
          <span class="bar push">
            {server.canLogIn && (
              <button type="button" class={server.state === 'needs-auth' ? 'main' : ''} disabled={busy} onClick={logIn}>
                Log in
              </button>
            )}
            {!isOff && (
              <button type="button" disabled={busy} onClick={() => change('restart')}>
                Restart
              </button>
            )}
            <button type="button" disabled={busy} onClick={() => change(isOff ? 'enable' : 'disable')}>
              {isOff ? 'Enable' : 'Disable'}
            </button>
          </span>
        )}
      </div>
      <RefusalNotice refusal={refusal.value} />
      {loginUrl.value !== undefined && <LoginLink url={loginUrl.value} />}
      {server.reason !== '' && (
        <Notice kind={server.state === 'failed' ? 'bad' : 'wait'}>
          <span>
            {server.reason}
            {server.said !== '' && (
              <>
                <br />
                <span class="soft">It says:</span> <samp>{server.said}</samp>
              </>
            )}
          </span>
        </Notice>
      )}
      {server.isRemembered && (
        <p class="small soft">Its tools were listed to an earlier process; it has not been asked since.</p>
      )}
      {server.remarks.map((remark) => (
        <p key={remark} class="small soft">
          {remark}
        </p>
      ))}
    </div>
  )
}

/** The address comes from a server: only the web is followed, and in a window that knows nothing of this one. */
function LoginLink({ url }: { readonly url: string }) {
  if (!/^https?:\/\//i.test(url))
    return <Notice kind="bad">The server names a page that is not on the web: {url}</Notice>
  return (
    <Notice>
      <span>
        Log in at{' '}
        <a href={url} target="_blank" rel="noopener noreferrer">
          {new URL(url).host}
        </a>
        , then come back: the server connects by itself.
      </span>
    </Notice>
  )
}

function Tools({ server, shown }: { readonly server: Server; readonly shown: string | undefined }) {
  const wanted = useSignal('')
  const words = wanted.value.toLowerCase()
  const tools = server.toolList.filter(({ guestName, summary }) =>
    `${guestName} ${summary}`.toLowerCase().includes(words),
  )
  return (
    <section class="panel" aria-label="Tools">
      <header>
        <h2>Tools</h2>
        <span class="small soft">{number(server.toolList.length)}</span>
        {server.toolList.length > 8 && (
          <input
            class="push"
            type="search"
            aria-label="Find a tool"
            placeholder="Find a tool"
            value={wanted}
            onInput={({ currentTarget }) => (wanted.value = currentTarget.value)}
          />
        )}
      </header>
      {server.toolList.length === 0 && <p class="body soft">It has listed no tools.</p>}
      <ul class="entries tools">
        {tools.map(({ name, signature, summary, needsApproval, figures }) => (
          <li key={name}>
            <a href={toolAddress(server.name, name)} aria-current={name === shown ? 'true' : undefined}>
              <code class="cut">{signature}</code>
              <span class="facts">
                <span class="cut">{summary}</span>
                <span>
                  {needsApproval && <span class="wait">◆ asks </span>}
                  {figures.calls > 0 && `×${number(figures.calls)} `}
                  {figures.failures > 0 && <span class="bad">{figures.failures} failed </span>}
                  {figures.medianMs !== null && duration(figures.medianMs)}
                </span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function SetAside({ server: { setAside } }: { readonly server: Server }) {
  if (setAside.length === 0) return null
  return (
    <section class="panel" aria-label="Tools that can not be used">
      <header>
        <h2>Set aside</h2>
        <span class="small soft">tools that can not be used</span>
      </header>
      <ul class="body small">
        {setAside.map(({ name, reason }) => (
          <li key={name}>
            <code>{name}</code>: {reason}
          </li>
        ))}
      </ul>
    </section>
  )
}

function withSummary(server: Server, events: readonly PageEvent[]): Server {
  const last = events.findLast((one) => one.type === 'server' && one.server.name === server.name)
  return last?.type === 'server' ? { ...server, ...last.server } : server
}
