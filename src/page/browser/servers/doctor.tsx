// The findings of `starbind doctor`, when a person asks for them: the doctor starts every server.

import { useSignal } from '@preact/signals'
import type { Doctor } from '../../interface.js'
import { Notice, RefusalNotice } from '../elements/notice.js'
import { get } from '../frame/api.js'
import { useAction } from '../frame/loaded.js'

const marks = { ok: ['✓', ''], off: ['–', 'soft'], bad: ['✕', 'bad'] } as const

export function DoctorPanel() {
  const found = useSignal<Doctor | undefined>(undefined)
  const { act, busy, refusal } = useAction()
  const look = async () => {
    found.value = await get<Doctor>('doctor')
  }
  return (
    <section class="panel" aria-label="Doctor">
      <header>
        <h2>Doctor</h2>
        <span class="small soft">starts every server and says what is wrong</span>
        <button type="button" class="push" disabled={busy} onClick={() => act(look)}>
          {busy.value ? 'Looking …' : 'Look'}
        </button>
      </header>
      <div class="body stack">
        <RefusalNotice refusal={refusal.value} />
        {found.value === undefined ? (
          <p class="soft">Choose a server, or let the doctor look at all of them.</p>
        ) : (
          <Findings found={found.value} />
        )}
      </div>
    </section>
  )
}

function Findings({ found }: { readonly found: Doctor }) {
  return (
    <>
      <Notice {...(!found.ok && { kind: 'wait' as const })}>
        {found.ok ? 'Nothing is wrong.' : 'Something needs a hand.'}{' '}
        {found.configuration !== null && <span class="soft">{found.configuration}</span>}
      </Notice>
      <table class="grid">
        <tbody>
          {found.servers.map(({ name, mark, finding }) => (
            <tr key={name}>
              <th scope="row">
                <span class={marks[mark][1]}>{marks[mark][0]}</span> {name}
              </th>
              <td>{finding}</td>
            </tr>
          ))}
          {found.programs.map(({ file, problem }) => (
            <tr key={file}>
              <th scope="row">
                <span class={problem === null ? '' : 'bad'}>{problem === null ? '✓' : '✕'}</span> {file}
              </th>
              <td>{problem ?? 'a program that can be called'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {found.remarks.map((remark) => (
        <p key={remark} class="small soft">
          {remark}
        </p>
      ))}
    </>
  )
}
