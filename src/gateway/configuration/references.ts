// References in an entry of a server or a model: `${NAME}` and `${NAME:-default}`, and those of other hosts (`${env:NAME}`,
// `${input:id}`, `${workspaceFolder}`).
// Invariant: a value from a variable or an input counts as a secret, and so does the value of a key that is named like
// one.

import { homedir } from 'node:os'
import path from 'node:path'
import type { Diagnostic } from '../../diagnostics/index.js'
import { configInputMissing, configVariableMissing } from '../messages.js'
import { keyName } from './complaints.js'
import type { CheckOptions } from './surroundings.js'

/** Names of variables, headers, arguments and the like with secret values. */
export const SECRET_NAME = /token|secret|key|pass|auth|credential|cookie/i

const REFERENCE = /\$\{([^${}]+)\}/g

/** Variables that name a place on this machine and are not secret. */
const PLACES = ['workspaceFolder', 'workspaceFolderBasename', 'userHome', 'pathSeparator', '/'] as const
type PlaceName = (typeof PLACES)[number]

type Reference =
  | { readonly kind: 'place'; readonly name: PlaceName }
  /** `input`: the value that another host would ask a person for, and the variable that replaces it. */
  | {
      readonly kind: 'variable'
      readonly variable: string
      readonly fallback: string | undefined
      readonly input?: string
    }

/** The references in a text of an entry. */
export function referencesIn(text: string): Reference[] {
  return [...text.matchAll(REFERENCE)].flatMap(([, inside]) => referenceIn(inside!) ?? [])
}

/** Undefined for foreign references, which stay unchanged. */
function referenceIn(inside: string): Reference | undefined {
  const place = PLACES.find((one) => one === inside)
  if (place !== undefined) return { kind: 'place', name: place }
  const input = /^input:(.+)$/.exec(inside)?.[1]
  if (input !== undefined) return { kind: 'variable', variable: inputVariable(input), fallback: undefined, input }
  const [, variable, fallback] = /^(?:env:)?(\w+)(?::-(.*))?$/s.exec(inside) ?? []
  return variable === undefined ? undefined : { kind: 'variable', variable, fallback }
}

/** The variable for an input. */
export function inputVariable(id: string): string {
  return `STARBIND_INPUT_${id.replace(/\W/g, '_').toUpperCase()}`
}

export class References {
  /** Hidden from logs and messages. */
  readonly secrets = new Set<string>()
  /** Hidden everywhere. */
  readonly credentials = new Set<string>()
  readonly #place: readonly PropertyKey[]
  readonly #options: CheckOptions
  /** Absent: unset variables are not reported. */
  readonly #faults: Diagnostic[] | undefined

  /** `place`: the key of the entry. */
  constructor(place: readonly PropertyKey[], options: CheckOptions, faults: Diagnostic[] | undefined) {
    this.#place = place
    this.#options = options
    this.#faults = faults
  }

  resolve(value: string, key: readonly PropertyKey[]): string {
    return value.replace(REFERENCE, (whole: string, inside: string) => {
      const reference = referenceIn(inside)
      if (reference === undefined) return whole
      if (reference.kind === 'place') return this.#placeOnMachine(reference.name)
      const { input, variable, fallback } = reference
      return (
        (input === undefined ? this.#variable(variable, fallback, key) : this.#input(input, variable, key)) ?? whole
      )
    })
  }

  /** Values under names that `secret` matches count as secrets even if they are written out. */
  resolveEach(values: Readonly<Record<string, string>>, key: string, secret: RegExp): Record<string, string> {
    return Object.fromEntries(
      Object.entries(values).map(([name, value]) => {
        const resolved = this.resolve(value, [key, name])
        if (SECRET_NAME.test(name)) this.hide(resolved)
        else if (secret.test(name)) this.secrets.add(resolved)
        return [name, resolved]
      }),
    )
  }

  /** The value of `--token X` and `--token=X` counts as a secret, too. */
  resolveArguments(args: readonly string[]): string[] {
    return args.map((arg, i) => {
      const resolved = this.resolve(arg, ['args', i])
      const [, flag, value] = /^(--?[\w-]+)=(.*)$/s.exec(resolved) ?? []
      const before = args[i - 1] ?? ''
      if (flag !== undefined && SECRET_NAME.test(flag)) this.hide(value ?? '')
      else if (/^--?[\w-]+$/.test(before) && SECRET_NAME.test(before) && !resolved.startsWith('-')) this.hide(resolved)
      return resolved
    })
  }

  hideSecretsOf(url: URL): void {
    this.hide(decodeURIComponent(url.password))
    for (const [name, value] of url.searchParams) if (SECRET_NAME.test(name)) this.hide(value)
  }

  /** For `Bearer x`, hides `x` alone, too. */
  hide(value: string): void {
    const [, credentials] = /^(?:bearer|basic|token)\s+(.+)$/i.exec(value) ?? []
    for (const text of [value, credentials ?? '']) {
      if (text === '') continue
      this.secrets.add(text)
      this.credentials.add(text)
    }
  }

  #placeOnMachine(name: PlaceName): string {
    const { folder } = this.#options
    switch (name) {
      case 'workspaceFolder':
        return folder
      case 'workspaceFolderBasename':
        return path.basename(folder)
      case 'userHome':
        return homedir()
      case 'pathSeparator':
      case '/':
        return path.sep
    }
  }

  #variable(variable: string, fallback: string | undefined, key: readonly PropertyKey[]): string | undefined {
    const found = (this.#options.environment ?? process.env)[variable]
    if (found !== undefined && (found !== '' || fallback === undefined)) {
      if (SECRET_NAME.test(variable)) this.hide(found)
      else this.secrets.add(found)
      return found
    }
    if (fallback !== undefined) return fallback
    const full = [...this.#place, ...key]
    this.#faults?.push(configVariableMissing(this.#options.placeOf(full), keyName(full, this.#options), variable))
    return undefined
  }

  #input(id: string, variable: string, key: readonly PropertyKey[]): string | undefined {
    const found = (this.#options.environment ?? process.env)[variable] ?? this.#options.inputs?.[id]
    if (found !== undefined) {
      if (SECRET_NAME.test(id)) this.hide(found)
      else this.secrets.add(found)
      return found
    }
    const full = [...this.#place, ...key]
    this.#faults?.push(configInputMissing(this.#options.placeOf(full), keyName(full, this.#options), id, variable))
    return undefined
  }
}
