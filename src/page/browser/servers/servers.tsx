// The servers, and one of them beside the list.

import type { PageEvent, ServerList, ServerSummary } from '../../interface.js'
import { duration, plural } from '../elements/amounts.js'
import { Empty, RefusalNotice } from '../elements/notice.js'
import { useLoaded } from '../frame/loaded.js'
import { DoctorPanel } from './doctor.js'
import { ServerStateMark } from './server-state.js'
import { ServerView } from './server-view.js'
import { partsOf, serverAddress } from './tool-address.js'

export function Servers({ id }: { readonly id: string | undefined }) {
  const { loaded } = useLoaded<ServerList>('servers', withServers)
  const { value, refusal } = loaded.value
  const [name, tool] = partsOf(id)
  return (
    <div class={`split ${id === undefined ? '' : 'chosen'}`}>
      <section class="list" aria-label="All servers">
        <header>
          <h1>Servers</h1>
        </header>
        <RefusalNotice refusal={refusal} />
        <ul class="entries">
          {value?.servers.map((server) => (
            <ServerEntry key={server.name} server={server} isShown={server.name === name} />
          ))}
        </ul>
      </section>
      <section class="one" aria-label="One server">
        {name !== undefined ? (
          <ServerView key={name} name={name} tool={tool} />
        ) : value?.servers.length === 0 ? (
          <Empty title="No server is configured">
            <p>
              Add one to <code>starbind.json</code>, or take over those of another host with{' '}
              <code>starbind import</code>.
            </p>
          </Empty>
        ) : (
          <div class="sheet">
            <DoctorPanel />
          </div>
        )}
      </section>
    </div>
  )
}

function ServerEntry({ server, isShown }: { readonly server: ServerSummary; readonly isShown: boolean }) {
  const { name, state, reason, tools, figures } = server
  return (
    <li>
      <a href={serverAddress(name)} aria-current={isShown ? 'true' : undefined}>
        <span class="title">
          <ServerStateMark state={state} brief />
          <strong class="cut">{name}</strong>
        </span>
        <span class="facts">
          <span>{plural(tools, 'tool')}</span>
          {figures.calls > 0 && <span>{plural(figures.calls, 'call')}</span>}
          {figures.failures > 0 && <span class="bad">{figures.failures} failed</span>}
          {figures.medianMs !== null && <span>{duration(figures.medianMs)}</span>}
        </span>
        {reason !== '' && <span class="small cut">{reason}</span>}
      </a>
    </li>
  )
}

function withServers(list: ServerList, events: readonly PageEvent[]): ServerList {
  const changed = new Map(events.flatMap((one) => (one.type === 'server' ? [[one.server.name, one.server]] : [])))
  if (changed.size === 0) return list
  const servers = list.servers.map((server) => changed.get(server.name) ?? server)
  const known = new Set(servers.map(({ name }) => name))
  return { servers: [...servers, ...[...changed.values()].filter(({ name }) => !known.has(name))] }
}
