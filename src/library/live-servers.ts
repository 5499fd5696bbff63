// The servers of a CodeMode while it runs: adding, changing and removing them, and the level of stubs at which each is
// shown.

import { seenFrom } from '../diagnostics/index.js'
import {
  type BindingLevel,
  type Configuration,
  type LoginConditions,
  login,
  type ServerEntry,
  type ServerStatus,
  type SharedLogins,
  type Upstreams,
  type Watch,
} from '../gateway/index.js'
import type { CallSettings } from './call-settings.js'
import { serverOf } from './open-options.js'
import { LONGEST_MS } from './session-parts.js'

/**
 * The servers behind a CodeMode. Changing one leaves the others and their calls alone; the next listing and the next
 * run know of it.
 *
 * @example
 * import { CodeMode, type Servers } from 'starbind'
 *
 * await using codeMode = await CodeMode.open()
 * const servers: Servers = codeMode.servers
 * await servers.add('files', { command: 'my-mcp-server', toolsToExecute: ['list_*', 'read_file'] })
 * await servers.update('files', { command: 'my-mcp-server', toolsToExecute: ['*'] })
 * codeMode.setBindingLevel('tool', 'files')
 * await servers.remove('files')
 */
export interface Servers {
  /** The status of each server, in the order of the configuration. */
  status(): ServerStatus[]
  /**
   * Also starts the servers that wait for a request to name them. Resolves when each is ready or has failed, or early
   * when the signal aborts.
   */
  started(options?: { readonly signal?: AbortSignal }): Promise<ServerStatus[]>
  /**
   * Starts one more server. Resolves with its status when it is ready or has failed. Rejects with a DiagnosticError if
   * the entry is wrong or the name is taken.
   */
  add(name: string, entry: ServerEntry): Promise<ServerStatus>
  /** Gives a server a new entry. It is restarted only if its connection changes. */
  update(name: string, entry: ServerEntry): Promise<ServerStatus>
  /**
   * Replaces the servers by those of a configuration. Unchanged ones are unaffected. Resolves with the names of the
   * changed ones when each of them is ready, has failed, or has ended. `keep`: the names of others that stay.
   */
  become(
    configuration: Pick<Configuration, 'servers'>,
    options?: { readonly keep?: readonly string[] },
  ): Promise<string[]>
  /** Ends the connection to a server and begins a new one. Resolves when it is ready or has failed. */
  restart(name: string): Promise<ServerStatus>
  /** Uses a disabled server, until this process ends or its entry changes. */
  enable(name: string): Promise<ServerStatus>
  /** Ends a server and does not use it, until this process ends or its entry changes. */
  disable(name: string): Promise<ServerStatus>
  /** Logs in to a server, as the function `login` does. */
  logIn(name: string, options: LoginConditions): Promise<void>
  /** Tells of every call that anybody has made, until the returned function is called. */
  onCall(listener: (call: ServerCall) => void): () => void
  /** Ends a server. Resolves when nothing of it is left. */
  remove(name: string): Promise<void>
}

/**
 * A call of a tool that has ended. `ok` false: the tool or the call failed.
 *
 * @example
 * import type { ServerCall } from 'starbind'
 *
 * export const isSlow = ({ ms }: ServerCall) => ms > 1000
 */
export interface ServerCall {
  /** The server's name in the configuration and the tool's at its server. */
  readonly server: string
  readonly tool: string
  readonly ok: boolean
  readonly ms: number
}

interface LiveParts {
  readonly logins: SharedLogins | undefined
  readonly upstreams: Upstreams
  readonly levels: Levels
  readonly calls: CallSettings
  readonly watch: Watch
}

export function liveServers({ upstreams, levels, calls, watch, logins }: LiveParts): Servers {
  const put = async (method: 'add' | 'update', name: string, entry: ServerEntry) => {
    try {
      const config = serverOf(name, entry, `servers.${method}`)
      const status = await upstreams[method](config)
      levels.setOwn(name, config.bindingLevel)
      calls.set(name, config)
      return status
    } catch (error) {
      throw seenFrom(servers[method], error)
    }
  }
  const servers: Servers = {
    status: () => upstreams.status(),
    async started({ signal } = {}) {
      await upstreams.reached(upstreams.names(), { signal, withinMs: LONGEST_MS })
      return upstreams.status()
    },
    add: async (name, entry) => await put('add', name, entry),
    update: async (name, entry) => await put('update', name, entry),
    async become({ servers }, { keep } = {}) {
      const touched = await upstreams.become(servers, keep)
      for (const name of touched) {
        const config = servers.find((server) => server.name === name)
        levels.setOwn(name, config?.bindingLevel)
        calls.set(name, config)
      }
      return touched
    },
    restart: (name) => upstreams.restart(name),
    enable: (name) => upstreams.restart(name, { disabled: false }),
    disable: (name) => upstreams.restart(name, { disabled: true }),
    logIn: async (name, options) => login(upstreams.configOf(name), options, logins),
    onCall: (listener) => watch.listen(listener),
    async remove(name) {
      await upstreams.remove(name)
      levels.setOwn(name, undefined)
      calls.set(name, undefined)
    },
  }
  return servers
}

/** The number of servers in each state. */
export function countStates(servers: readonly ServerStatus[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { state } of servers) counts[state] = (counts[state] ?? 0) + 1
  return counts
}

/** The level at which each server is shown: its own, else the common one. */
export class Levels {
  #usual: BindingLevel
  readonly #own = new Map<string, BindingLevel>()

  constructor({ bindingLevel, servers }: Pick<Configuration, 'bindingLevel' | 'servers'>) {
    this.#usual = bindingLevel
    for (const server of servers) this.setOwn(server.name, server.bindingLevel)
  }

  of(server: string): BindingLevel {
    return this.#own.get(server) ?? this.#usual
  }

  /** The value in a server's entry; undefined if there is none. */
  setOwn(server: string, level: BindingLevel | undefined): void {
    if (level === undefined) this.#own.delete(server)
    else this.#own.set(server, level)
  }

  /** For one server; without a server, for all. */
  set(level: BindingLevel, server?: string): void {
    if (server !== undefined) this.#own.set(server, level)
    else {
      this.#own.clear()
      this.#usual = level
    }
  }
}
