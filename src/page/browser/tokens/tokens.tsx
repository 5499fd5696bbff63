// What the definitions of tools would have cost in every request, and what they cost.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Run, RunList, RunSummary, Tokens } from '../../interface.js'
import { number } from '../elements/amounts.js'
import { RefusalNotice } from '../elements/notice.js'
import { get, part } from '../frame/api.js'
import { useLoaded } from '../frame/loaded.js'
import { addressOf } from '../frame/route.js'

const LATEST = 20

export function TokensView(_: { readonly id: string | undefined }) {
  const { loaded } = useLoaded<Tokens>('tokens')
  const { value, refusal } = loaded.value
  return (
    <div class="sheet">
      <div class="head">
        <h1>Tokens</h1>
        <p class="soft">Counted with o200k, an encoding of OpenAI's models. Other models count a little otherwise.</p>
      </div>
      <RefusalNotice refusal={refusal} />
      {value !== undefined && <Definitions tokens={value} />}
      <LatestRuns />
    </div>
  )
}

function Definitions({ tokens: { servers, direct, metaTools } }: { readonly tokens: Tokens }) {
  const most = Math.max(1, ...servers.map(({ tokens }) => tokens))
  const sorted = servers.toSorted((a, b) => b.tokens - a.tokens)
  return (
    <section class="panel" aria-label="Definitions of tools">
      <header>
        <h2>Definitions, in every request</h2>
      </header>
      <div class="body stack">
        <dl class="facts-row">
          <div>
            <dt>all tools directly</dt>
            <dd>{number(direct)}</dd>
          </div>
          <div>
            <dt>with starbind's four</dt>
            <dd class="seen">{number(metaTools)}</dd>
          </div>
          {direct > metaTools && metaTools > 0 && (
            <div>
              <dt>less by</dt>
              <dd>{Math.round((1 - metaTools / direct) * 100)} %</dd>
            </div>
          )}
        </dl>
        <table class="grid bars">
          <thead>
            <tr>
              <th scope="col">server</th>
              <th scope="col" class="number">
                tools
              </th>
              <th scope="col" class="number">
                tokens
              </th>
              <th scope="col">share</th>
            </tr>
          </thead>
          <tbody>
            {sorted.map(({ server, tools, tokens }) => (
              <tr key={server}>
                <td>{server}</td>
                <td class="number">{number(tools)}</td>
                <td class="number">{number(tokens)}</td>
                <td>
                  <span class="share">
                    <span style={{ width: `${(tokens / most) * 100}%` }} />
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function LatestRuns() {
  const { loaded } = useLoaded<RunList>(`runs?limit=${LATEST}`)
  const runs = loaded.value.value?.runs.filter(({ endedAt }) => endedAt !== null) ?? []
  return (
    <section class="panel" aria-label="Runs">
      <header>
        <h2>The latest runs</h2>
        <span class="small soft">what went through tools against what the model wrote and read</span>
      </header>
      <div class="body">
        {runs.length === 0 ? (
          <p class="soft">No run has ended yet.</p>
        ) : (
          <div class="scroll" tabIndex={0} role="region" aria-label="Tokens of runs">
            <table class="grid">
              <thead>
                <tr>
                  <th scope="col">run</th>
                  <th scope="col">program</th>
                  <th scope="col" class="number">
                    directly
                  </th>
                  <th scope="col" class="number">
                    seen
                  </th>
                </tr>
              </thead>
              <tbody>
                {runs.map((run) => (
                  <RunRow key={run.runId} run={run} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
    </section>
  )
}

function RunRow({ run }: { readonly run: RunSummary }) {
  const tokens = useSignal<Run['tokens'] | undefined>(undefined)
  useEffect(() => {
    void get<Run>(`runs/${part(run.runId)}`).then(
      (whole) => {
        tokens.value = whole.tokens
      },
      // Forgotten meanwhile: its row stays without figures.
      () => {},
    )
  }, [])
  const about = tokens.value?.isExact === false ? '≈ ' : ''
  return (
    <tr>
      <td>
        <a href={addressOf('runs', run.runId)}>{run.runId}</a>
      </td>
      <td>
        <code>{run.firstLine}</code>
      </td>
      <td class="number">{tokens.value && about + number(tokens.value.direct)}</td>
      <td class="number">{tokens.value && number(tokens.value.seen)}</td>
    </tr>
  )
}
