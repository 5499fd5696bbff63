// The bindings that one caller's programs may use.
// Invariant: a tool has the same name for every caller.

import type { Bindings, ToolServer } from '../bindings/index.js'
import { ToolFilter } from '../gateway/index.js'
import type { OwnParts, SharedParts } from './session-parts.js'

/** The tools that a caller's programs may call. */
export class CallerBindings {
  readonly #shared: SharedParts
  readonly #own: OwnParts
  #all: Bindings | undefined
  #narrow: Bindings | undefined

  #files: { readonly of: Bindings; readonly server: ToolServer; readonly both: Bindings } | undefined

  constructor(shared: SharedParts, own: OwnParts) {
    this.#shared = shared
    this.#own = own
  }

  /** The same object until the tools of a server change. A run that keeps it continues with its tools. */
  now(): Bindings {
    const all = this.#shared.bindings()
    if (this.#narrow === undefined || all !== this.#all) {
      const { filter, servers, observations } = this.#own
      const isWhole =
        observations === undefined &&
        filter === ToolFilter.all &&
        !all.servers.some(({ source }) => servers.has(source.name))
      const keep = (server: string, tool: string) => !servers.has(server) && filter.allows(server, tool)
      this.#all = all
      this.#narrow = isWhole
        ? all
        : all.narrow((server, tool) => keep(server.name, tool.name), {
            ...(observations === undefined ? {} : { observations }),
          })
    }
    return this.#narrow
  }

  /** The same, with the saved programs as tools of one more server. */
  withSaved(): Bindings {
    const bindings = this.now()
    const { server } = this.#shared.saved
    if (server === undefined || !savedIn(bindings)) return bindings
    if (this.#files?.of !== bindings || this.#files.server !== server)
      this.#files = { of: bindings, server, both: bindings.with(server) }
    return this.#files.both
  }
}

/** False if a server has the name of the saved programs. */
export function savedIn({ servers }: Bindings): boolean {
  return servers.every(({ name }) => name !== 'programs')
}
