// References in one server's entry: `${NAME}` and `${NAME:-default}`, and what other hosts write (`${env:NAME}`,
// `${input:id}`, `${workspaceFolder}`). Knows environments and inputs.
// Invariant: whatever came from a variable or an input is remembered as a secret, and so is what stands under a name
// that secrets have.

import { homedir } from 'node:os'
import path from 'node:path'
import type { Diagnostic } from '../../diagnostics/index.js'
import { configInputMissing, configVariableMissing } from '../messages.js'
import { keyName } from './complaints.js'
import type { CheckOptions } from './surroundings.js'

/** Names of variables, headers, arguments and the like whose values are nobody's business. */
export const SECRET_NAME = /token|secret|key|pass|auth|credential|cookie/i

export class References {
  /** For logs and messages. */
  readonly secrets = new Set<string>()
  /** For everything. */
  readonly credentials = new Set<string>()
  readonly #server: string
  readonly #options: CheckOptions
  /** Absent: variables that are not set are nobody's concern. */
  readonly #faults: Diagnostic[] | undefined

  constructor(server: string, options: CheckOptions, faults: Diagnostic[] | undefined) {
    this.#server = server
    this.#options = options
    this.#faults = faults
  }

  resolve(value: string, key: readonly PropertyKey[]): string {
    return value.replace(/\$\{([^${}]+)\}/g, (reference: string, inside: string) => {
      const place = this.#place(inside)
      if (place !== undefined) return place
      const input = /^input:(.+)$/.exec(inside)?.[1]
      if (input !== undefined) return this.#input(input, key) ?? reference
      const [, variable, fallback] = /^(?:env:)?(\w+)(?::-(.*))?$/s.exec(inside) ?? []
      return variable === undefined ? reference : (this.#variable(variable, fallback, key) ?? reference)
    })
  }

  /** Values under names that `secret` matches are remembered even where they are written out. */
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

  /** The value of `--token X` and `--token=X` is remembered, too. */
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

  /** Of `Bearer x`, servers repeat `x` alone as well. */
  hide(value: string): void {
    const [, credentials] = /^(?:bearer|basic|token)\s+(.+)$/i.exec(value) ?? []
    for (const text of [value, credentials ?? '']) {
      if (text === '') continue
      this.secrets.add(text)
      this.credentials.add(text)
    }
  }

  /** What names a place on this machine, and no secret. */
  #place(inside: string): string | undefined {
    const { folder } = this.#options
    switch (inside) {
      case 'workspaceFolder':
        return folder
      case 'workspaceFolderBasename':
        return path.basename(folder)
      case 'userHome':
        return homedir()
      case 'pathSeparator':
      case '/':
        return path.sep
      default:
        return undefined
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
    const full = ['mcpServers', this.#server, ...key]
    this.#faults?.push(configVariableMissing(this.#options.placeOf(full), keyName(full, this.#options), variable))
    return undefined
  }

  /** What another host would ask a person for. */
  #input(id: string, key: readonly PropertyKey[]): string | undefined {
    const variable = `STARBIND_INPUT_${id.replace(/\W/g, '_').toUpperCase()}`
    const found = (this.#options.environment ?? process.env)[variable] ?? this.#options.inputs?.[id]
    if (found !== undefined) {
      if (SECRET_NAME.test(id)) this.hide(found)
      else this.secrets.add(found)
      return found
    }
    const full = ['mcpServers', this.#server, ...key]
    this.#faults?.push(configInputMissing(this.#options.placeOf(full), keyName(full, this.#options), id, variable))
    return undefined
  }
}
