// Programs that a person writes: saved ones beside a new one.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { PageSavedProgram, ProgramList, Run } from '../../interface.js'
import { Notice, RefusalNotice } from '../elements/notice.js'
import { part, session } from '../frame/api.js'
import { useLoaded } from '../frame/loaded.js'
import { addressOf } from '../frame/route.js'
import { type Draft, keptDraft, Workbench } from './workbench.js'

export function Programs({ id }: { readonly id: string | undefined }) {
  const { loaded, again } = useLoaded<ProgramList>('programs')
  const { value, refusal } = loaded.value
  return (
    <div class={`split ${id === undefined ? '' : 'chosen'}`}>
      <section class="list" aria-label="Saved programs">
        <header>
          <h1>Programs</h1>
          <a class="button" href={addressOf('programs', 'new')}>
            New
          </a>
        </header>
        <RefusalNotice refusal={refusal} />
        <ul class="entries">
          {value?.programs.map(({ name, description, language, problem }) => (
            <li key={name}>
              <a href={addressOf('programs', name)} aria-current={name === id ? 'true' : undefined}>
                <span class="title">
                  <strong class="cut">{name}</strong>
                </span>
                <span class="facts">
                  <span class="cut">{description}</span>
                  <span>{language === 'starlark' ? 'Starlark' : 'JavaScript'}</span>
                </span>
                {problem !== null && <span class="small bad">{problem}</span>}
              </a>
            </li>
          ))}
        </ul>
        {value?.programs.length === 0 && (
          <p class="soft small pad">
            {session.value?.may.save
              ? 'No program is saved yet. A saved one has parameters, and models can call it.'
              : 'There is no folder for saved programs: name one as "programs" in the configuration.'}
          </p>
        )}
      </section>
      <section class="one" aria-label="Program">
        <Opened key={id} id={id} saved={again} />
      </section>
    </div>
  )
}

interface Opened {
  readonly id: string | undefined
  readonly saved: () => void
}

/** A new program, a saved one, or that of a run. */
function Opened({ id, saved }: Opened) {
  const runId = id?.startsWith('run:') ? id.slice('run:'.length) : undefined
  const isNew = id === undefined || id === 'new'
  const draft = useSignal<Draft | undefined>(isNew ? keptDraft() : undefined)
  const { loaded } = useLoaded<Run | PageSavedProgram>(isNew ? undefined : pathOf(id, runId))
  const { value, refusal } = loaded.value
  useEffect(() => {
    if (value === undefined) return
    draft.value =
      'program' in value
        ? { text: value.program, language: value.language, program: undefined }
        : { text: value.text, language: value.language, program: value }
  }, [value])
  return (
    <div class="sheet">
      <a class="back" href={addressOf('programs')}>
        ‹ All programs
      </a>
      <RefusalNotice refusal={refusal} />
      {runId !== undefined && (
        <Notice>
          <span>
            The program of <a href={addressOf('runs', runId)}>{runId}</a>. Changes here leave that run as it is.
          </span>
        </Notice>
      )}
      {draft.value !== undefined && <Workbench draft={draft.value} saved={saved} />}
    </div>
  )
}

const pathOf = (id: string, runId: string | undefined) =>
  runId === undefined ? `programs/${part(id)}` : `runs/${part(runId)}`
