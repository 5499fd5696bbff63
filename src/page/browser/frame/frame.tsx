// The frame around every view: where one can go, what waits, and whether the page is up to date.

import type { ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Approvals } from '../approvals/approvals.js'
import { waitingCount } from '../approvals/waiting.js'
import { Icon } from '../elements/icon.js'
import { Runs } from '../runs/runs.js'
import { session } from './api.js'
import { stream } from './events.js'
import { late } from './late.js'
import { offered } from './offered.js'
import { addressOf, type Place, place, type View } from './route.js'
import { theme, themes } from './theme.js'

interface Shown {
  readonly id: string | undefined
}

const titles: Record<View, string> = {
  runs: 'Runs',
  approvals: 'Approvals',
  servers: 'Servers',
  programs: 'Programs',
  chat: 'Chat',
  tokens: 'Tokens',
}

const drawn: Record<View, ComponentType<Shown>> = {
  runs: Runs,
  approvals: Approvals,
  servers: late(async () => (await import('../servers/servers.js')).Servers),
  programs: late(async () => (await import('../programs/programs.js')).Programs),
  chat: late(async () => (await import('../chat/chat.js')).Chat),
  tokens: late(async () => (await import('../tokens/tokens.js')).TokensView),
}

export function Frame() {
  const { view, id } = here()
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  const Shown = drawn[view]
  useEffect(() => {
    document.title = `${waitingCount.value > 0 ? `(${waitingCount.value}) ` : ''}${titles[view]} · starbind`
  }, [view, waitingCount.value])
  useEffect(() => {
    if (!isFirst.current) main.current?.focus()
    isFirst.current = false
  }, [view])
  return (
    <div class="frame">
      <header class="rail">
        <a class="skip button" href={addressOf(view, id)} onClick={(event) => skipTo(event, main.current)}>
          Skip to the content
        </a>
        <div class="brand">
          <Icon name="runs" />
          starbind
        </div>
        <nav aria-label="Views">
          <ul>
            {offered.value.map((one) => (
              <li key={one}>
                <a href={addressOf(one)} aria-current={one === view ? 'page' : undefined}>
                  <Icon name={one} />
                  {titles[one]}
                  {one === 'approvals' && waitingCount.value > 0 && <span class="count">{waitingCount}</span>}
                </a>
              </li>
            ))}
            <li class="small-theme">
              <button type="button" class="plain" onClick={nextTheme}>
                <Icon name="theme" />
                <span class="hidden-label">Theme, now </span>
                {theme}
              </button>
            </li>
          </ul>
        </nav>
        <Footer />
      </header>
      <main class="main" tabIndex={-1} ref={main} aria-label={titles[view]}>
        <Shown id={id} />
      </main>
    </div>
  )
}

/** An address that leads to nothing here leads to the runs. */
function here(): Place {
  return offered.value.includes(place.value.view) ? place.value : { view: 'runs', id: undefined }
}

const streams = { connecting: 'connecting …', live: 'live', lost: 'no connection, trying again …' }

function Footer() {
  return (
    <div class="foot">
      <span class={`state ${stream.value === 'lost' ? 'bad' : ''}`} role="status">
        <span class={`dot ${stream.value}`} aria-hidden="true" /> {streams[stream.value]}
      </span>
      <label>
        Theme
        <select value={theme} onChange={({ currentTarget }) => (theme.value = themes[currentTarget.selectedIndex]!)}>
          {themes.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <span class="cut" title={session.value?.name}>
        {session.value?.name} · {session.value?.version}
      </span>
    </div>
  )
}

/** Small screens have no room for a list. */
function nextTheme(): void {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length]!
}

function skipTo(event: Event, main: HTMLElement | null): void {
  event.preventDefault()
  main?.focus()
}
