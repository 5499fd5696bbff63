// The arguments of a saved program, one field for each parameter.

import type { Signal } from '@preact/signals'
import type { PageSavedProgram } from '../../interface.js'

export interface Parameter {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
}

interface Schema {
  readonly properties?: Readonly<Record<string, { readonly type?: unknown } | undefined>>
  readonly required?: readonly string[]
}

/** The parameters that a program's schema names. */
export function parametersOf({ inputSchema }: PageSavedProgram): readonly Parameter[] {
  const { properties = {}, required = [] } = (inputSchema ?? {}) as Schema
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: typeof schema?.type === 'string' ? schema.type : 'any',
    isRequired: required.includes(name),
  }))
}

/** What was typed as values: JSON where it is some, otherwise text. Empty fields are left out. */
export function argumentsOf(given: Readonly<Record<string, string>>): Record<string, unknown> {
  const filled = Object.entries(given).filter(([, text]) => text.trim() !== '')
  return Object.fromEntries(filled.map(([name, text]) => [name, typedValue(text)]))
}

function typedValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

interface Fields {
  readonly parameters: readonly Parameter[]
  readonly given: Signal<Record<string, string>>
}

export function Arguments({ parameters, given }: Fields) {
  return (
    <fieldset class="panel fields">
      <legend>Arguments</legend>
      {parameters.map(({ name, type, isRequired }) => (
        <label key={name}>
          <code>{name}</code> {type}
          {isRequired && ', required'}
          <input
            class="wide mono"
            required={isRequired}
            value={given.value[name] ?? ''}
            onInput={({ currentTarget }) => (given.value = { ...given.value, [name]: currentTarget.value })}
          />
        </label>
      ))}
    </fieldset>
  )
}
