// Saves a program under a name, with parameters.

import { useSignal } from '@preact/signals'
import type { PageSavedProgram, SaveProgram } from '../../interface.js'
import type { Language } from '../elements/highlight.js'
import { RefusalNotice } from '../elements/notice.js'
import { part, post, remove } from '../frame/api.js'
import { useAction } from '../frame/loaded.js'
import { go } from '../frame/route.js'

const types = ['str', 'int', 'float', 'bool', 'list', 'dict', 'Any'] as const

interface Row {
  readonly name: string
  readonly type: (typeof types)[number]
  readonly default: string
}

interface Form {
  readonly text: string
  readonly language: Language
  /** Empty: it has none yet. */
  readonly name: string
  readonly saved: () => void
}

export function SaveForm({ text, language, name, saved }: Form) {
  const wanted = useSignal(name)
  const rows = useSignal<readonly Row[]>([])
  const { act, busy, refusal } = useAction()
  const change = (at: number, part: Partial<Row>) => {
    rows.value = rows.value.map((row, place) => (place === at ? { ...row, ...part } : row))
  }
  const submit = (event: Event) => {
    event.preventDefault()
    const body: SaveProgram = {
      text,
      language,
      ...(rows.value.length > 0 && { parameters: rows.value.map(parameterOf) }),
    }
    void act(async () => {
      const { name: given } = await post<PageSavedProgram>(`programs/${part(wanted.value)}`, body)
      saved()
      go('programs', given)
    })
  }
  const forget = () =>
    act(async () => {
      await remove(`programs/${part(name)}`)
      saved()
      go('programs')
    })
  return (
    <form class="panel" onSubmit={submit}>
      <header>
        <h2>Save</h2>
        <span class="small soft">Models and other programs can call it by its name.</span>
      </header>
      <div class="body stack">
        <label>
          Name
          <input
            class="wide"
            required
            maxLength={100}
            value={wanted}
            onInput={({ currentTarget }) => (wanted.value = currentTarget.value)}
          />
        </label>
        {rows.value.map((row, at) => (
          <ParameterRow
            key={at}
            row={row}
            label={`Parameter ${at + 1}`}
            change={(part) => change(at, part)}
            drop={() => (rows.value = rows.value.filter((_, one) => one !== at))}
          />
        ))}
        <RefusalNotice refusal={refusal.value} />
        <div class="bar">
          <button type="submit" class="main" disabled={busy}>
            Save
          </button>
          <button
            type="button"
            disabled={rows.value.length >= 20}
            onClick={() => (rows.value = [...rows.value, { name: '', type: 'str', default: '' }])}
          >
            Add a parameter
          </button>
          {name !== '' && (
            <button type="button" class="danger push" disabled={busy} onClick={forget}>
              Delete {name}
            </button>
          )}
        </div>
      </div>
    </form>
  )
}

interface ParameterRow {
  readonly row: Row
  readonly label: string
  readonly change: (part: Partial<Row>) => void
  readonly drop: () => void
}

function ParameterRow({ row, label, change, drop }: ParameterRow) {
  return (
    <div class="bar" role="group" aria-label={label}>
      <label>
        Parameter
        <input
          required
          pattern="[A-Za-z_]\w*"
          value={row.name}
          onInput={({ currentTarget }) => change({ name: currentTarget.value })}
        />
      </label>
      <label>
        Type
        <select
          value={row.type}
          onChange={({ currentTarget }) => change({ type: types[currentTarget.selectedIndex]! })}
        >
          {types.map((type) => (
            <option key={type}>{type}</option>
          ))}
        </select>
      </label>
      <label>
        Default, if any
        <input value={row.default} onInput={({ currentTarget }) => change({ default: currentTarget.value })} />
      </label>
      <button type="button" class="plain" onClick={drop}>
        Remove
      </button>
    </div>
  )
}

type Parameter = NonNullable<SaveProgram['parameters']>[number]

/** A default that the type does not take stays as text, and the server says what is wrong. */
function parameterOf({ name, type, default: given }: Row): Parameter {
  if (given === '') return { name, type }
  if (type === 'str') return { name, type, default: given }
  const isPlain = /^(true|false|null|-?\d+(\.\d+)?)$/.test(given)
  return { name, type, default: isPlain ? (JSON.parse(given) as number | boolean | null) : given }
}
