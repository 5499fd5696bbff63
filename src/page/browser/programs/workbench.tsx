// A program while it is written: the editor, what the check says, and the run.

import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Checked, NewRun, PageSavedProgram, StartedRun } from '../../interface.js'
import { plural } from '../elements/amounts.js'
import type { Language } from '../elements/highlight.js'
import { RefusalNotice } from '../elements/notice.js'
import { post, session } from '../frame/api.js'
import { useAction } from '../frame/loaded.js'
import { RunView } from '../runs/run-view.js'
import { Arguments, argumentsOf, parametersOf } from './arguments.js'
import { Editor } from './editor.js'
import { SaveForm } from './save-form.js'

export interface Draft {
  readonly text: string
  readonly language: Language
  /** Undefined: it is not saved. */
  readonly program: PageSavedProgram | undefined
}

const KEY = 'starbind.draft'

/** What a person wrote last and has not saved. */
export function keptDraft(): Draft {
  const kept = sessionStorage.getItem(KEY)
  const language = session.value?.language ?? 'starlark'
  return kept === null ? { text: '', language, program: undefined } : (JSON.parse(kept) as Draft)
}

export function Workbench({ draft, saved }: { readonly draft: Draft; readonly saved: () => void }) {
  const { program } = draft
  const text = useSignal(draft.text)
  const language = useSignal<Language>(draft.language)
  const checked = useSignal<Checked | undefined>(undefined)
  const ask = useSignal(true)
  const given = useSignal<Record<string, string>>({})
  const isSaving = useSignal(false)
  const runId = useSignal<string | undefined>(undefined)
  const { act, busy, refusal } = useAction()
  const isChanged = program === undefined || text.value !== program.text
  useEffect(() => {
    if (program === undefined)
      sessionStorage.setItem(KEY, JSON.stringify({ text: text.value, language: language.value, program: undefined }))
  }, [text.value, language.value])
  const parameters = isChanged ? [] : parametersOf(program)
  const run = () => {
    const what: NewRun = isChanged
      ? { code: text.value, language: language.value }
      : { program: program.name, arguments: argumentsOf(given.value) }
    void act(async () => {
      runId.value = (await post<StartedRun>('runs', { ...what, ask: ask.value })).runId
    })
  }
  return (
    <>
      <div class="bar">
        <h1>{program?.name ?? 'New program'}</h1>
        {program !== undefined && isChanged && <span class="small wait">changed, not saved</span>}
        <span class="bar push">
          <select
            aria-label="Language"
            value={language.value}
            onChange={({ currentTarget }) => (language.value = currentTarget.value as Language)}
          >
            <option value="starlark">Starlark</option>
            <option value="javascript">JavaScript</option>
          </select>
          <label class="check">
            <input
              type="checkbox"
              checked={ask}
              onChange={({ currentTarget }) => (ask.value = currentTarget.checked)}
            />
            ask before writes
          </label>
          {session.value?.may.save && (
            <button type="button" aria-expanded={isSaving.value} onClick={() => (isSaving.value = !isSaving.value)}>
              Save …
            </button>
          )}
          <button type="button" class="main" disabled={busy.value || text.value.trim() === ''} onClick={run}>
            Run
          </button>
        </span>
      </div>
      {isSaving.value && (
        <SaveForm
          text={text.value}
          language={language.value}
          name={program?.name ?? ''}
          saved={() => {
            isSaving.value = false
            saved()
          }}
        />
      )}
      <section class="panel" aria-label="Editor">
        <Editor text={text} language={language.value} checked={checked} run={run} />
        <CheckLine checked={checked} isEmpty={text.value.trim() === ''} />
      </section>
      {parameters.length > 0 && <Arguments parameters={parameters} given={given} />}
      <RefusalNotice refusal={refusal.value} />
      {runId.value !== undefined && <RunView key={runId.value} runId={runId.value} isBeside />}
    </>
  )
}

interface CheckLine {
  readonly checked: Signal<Checked | undefined>
  readonly isEmpty: boolean
}

/** What the check says, for those who do not see the marks in the text. */
function CheckLine({ checked, isEmpty }: CheckLine) {
  const { value } = checked
  return (
    <div class="checked small" role="status">
      {isEmpty && (
        <span class="soft">
          Write a program: <code>result = 6 * 7</code>, or the name of a server and a dot, which completes its tools.
        </span>
      )}
      {!isEmpty && value !== undefined && (
        <>
          {value.diagnostics.length === 0 ? (
            <span>✓ The check finds no mistake.</span>
          ) : (
            <ul>
              {value.diagnostics.map(({ severity, line, message, hint }) => (
                <li key={`${line} ${message}`}>
                  <span class={severity === 'error' ? 'bad' : 'wait'}>{severity === 'error' ? '✕' : '●'}</span>{' '}
                  {line !== null && <span class="soft">line {line}: </span>}
                  {message} {hint !== null && <span class="soft">{hint}</span>}
                </li>
              ))}
            </ul>
          )}
          {value.reach.length > 0 && (
            <span class="soft">
              It can call {plural(value.reach.length, 'tool')}: <code>{value.reach.join(', ')}</code>
            </span>
          )}
        </>
      )}
    </div>
  )
}
