// References to environment variables in one server's entry. Invariant: whatever a reference stood for is remembered as a secret.

import type { Diagnostic } from '../../diagnostics/index.js'
import { configVariableMissing } from '../messages.js'
import { dotted } from './complaints.js'
import type { CheckOptions } from './surroundings.js'

/** Replaces `${NAME}` and `${NAME:-default}` in one server's entry and remembers what must not be shown. */
export class References {
  readonly secrets: string[] = []
  private readonly server: string
  private readonly options: CheckOptions
  /** Absent: variables that are not set are nobody's concern. */
  private readonly faults: Diagnostic[] | undefined

  constructor(server: string, options: CheckOptions, faults: Diagnostic[] | undefined) {
    this.server = server
    this.options = options
    this.faults = faults
  }

  resolve(value: string, key: readonly PropertyKey[]): string {
    return value.replace(/\$\{(\w+)(?::-([^}]*))?\}/g, (reference: string, variable: string, fallback?: string) => {
      const found = (this.options.environment ?? process.env)[variable]
      if (found !== undefined && (found !== '' || fallback === undefined)) {
        this.secrets.push(found)
        return found
      }
      if (fallback !== undefined) return fallback
      const full = ['mcpServers', this.server, ...key]
      this.faults?.push(configVariableMissing(this.options.placeOf(full), dotted(full), variable))
      return reference
    })
  }

  /** Values under names that `secret` matches are remembered even where they are written out. */
  resolveEach(values: Readonly<Record<string, string>>, key: string, secret: RegExp): Record<string, string> {
    return Object.fromEntries(
      Object.entries(values).map(([name, value]) => {
        const resolved = this.resolve(value, [key, name])
        if (secret.test(name)) this.secrets.push(resolved)
        return [name, resolved]
      }),
    )
  }
}
