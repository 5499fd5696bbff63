// Maps guest names to tools.
// Invariant: a guest name means one tool, every tool has a guest name, and both depend only on the set of servers and
// tools, not on their order.

import type { Awaitable } from '../awaitable/index.js'
import { type ForeignNamespace, takenNames } from '../interpreter/index.js'
import type { BoundServer, BoundTool } from './bound.js'
import { type Found, findServer, findTool } from './find.js'
import { foreignFunction } from './foreign-types.js'
import { isJavaScriptKeyword, nameScope } from './identifiers.js'
import type { Observations } from './observed.js'
import { perform } from './perform.js'
import type { Performed, PerformOptions } from './perform-options.js'
import { type ToolHit, ToolSearch } from './search.js'
import { signatureOf } from './signature.js'
import type { Tool, ToolCaller, ToolServer } from './tool.js'

interface BindingOptions {
  /** Earlier bindings: servers that are the same object keep their derived data. */
  readonly previous?: Bindings
  /** The observed result types. */
  readonly observations?: Observations
}

export class Bindings {
  /** By guest name. */
  readonly servers: readonly BoundServer[]
  readonly #options: BindingOptions
  #foreign: readonly ForeignNamespace[] | undefined
  #search: ToolSearch | undefined

  constructor(servers: readonly BoundServer[], options: BindingOptions) {
    this.servers = servers
    this.#options = options
  }

  /** Observations of tools that don't declare their return type. */
  get observations(): Observations | undefined {
    return this.#options.observations
  }

  /** The tools as the compiler needs them. */
  get foreign(): readonly ForeignNamespace[] {
    this.#foreign ??= this.servers.map((server) => foreignNamespace(server, this.observations))
    return this.#foreign
  }

  /** The tools that have violated their output schema, as `server.tool` in guest names. */
  distrusted(): readonly string[] {
    const { observations } = this
    if (observations?.distrustsAny !== true) return []
    return this.servers.flatMap(({ name, source, tools }) =>
      tools.filter(({ tool }) => observations.isDistrusted(source.name, tool)).map((tool) => `${name}.${tool.name}`),
    )
  }

  /** A server by guest name or own name, without regard to case if that is unambiguous. */
  findServer(name: string): Found<BoundServer> {
    return findServer(this.servers, name)
  }

  /** A tool of a server by guest name or own name, without regard to case if that is unambiguous. */
  findTool(server: BoundServer, name: string): Found<BoundTool> {
    return findTool(server, name)
  }

  /** The tools that match a query in words, best first. */
  search(query: string, most: number, server?: BoundServer): ToolHit[] {
    for (const _ of this.readyToSearch());
    return this.#search!.find(query, most, server)
  }

  /** Builds the search index, a few tools in each piece. */
  *readyToSearch(): Generator<void, void, void> {
    if (this.#search !== undefined) return
    const search = new ToolSearch(this.servers)
    yield* search.fill()
    this.#search ??= search
  }

  /** The tools for which `keep` is true, under the same names. Servers without tools are left out. */
  narrow(
    keep: (server: ToolServer, tool: Tool) => boolean,
    options: Pick<BindingOptions, 'observations'> = {},
  ): Bindings {
    const servers = this.servers.flatMap((server) => {
      const tools = server.tools.filter(({ tool }) => keep(server.source, tool))
      if (tools.length === server.tools.length) return [server]
      return tools.length === 0 ? [] : [boundServer(server.name, server.source, tools)]
    })
    return new Bindings(servers, { ...this.#options, ...options })
  }

  /** The same with one more server, under its own name. */
  with(server: ToolServer): Bindings {
    return new Bindings(sortedByName([...this.servers, bindServer(server.name, server)]), this.#options)
  }

  /** Carries out one call of the guest. Never rejects: every failure is a reply. */
  perform(callText: string, caller: ToolCaller, options: PerformOptions = {}): Awaitable<Performed> {
    return perform({ servers: this.servers, caller, observations: this.observations }, callText, options)
  }
}

/** Gives every server and tool its guest name. */
export function bindServers(servers: readonly ToolServer[], options: BindingOptions = {}): Bindings {
  const names = nameScope(
    servers.map((server) => server.name),
    { taken: (name) => takenNames.has(name) || isJavaScriptKeyword(name) },
  )
  const before = new Map(options.previous?.servers.map((server) => [server.source, server]))
  const bound = servers.map((server) => {
    const name = names.get(server.name)!
    const same = before.get(server)
    return same?.name === name ? same : bindServer(name, server)
  })
  return new Bindings(sortedByName(bound), options)
}

function bindServer(name: string, source: ToolServer): BoundServer {
  const names = nameScope(source.tools.map((tool) => tool.name))
  const distinct = new Map(source.tools.map((tool) => [tool.name, tool]))
  const tools = [...distinct.values()].map((tool) => ({ name: names.get(tool.name)!, tool }))
  return boundServer(name, source, tools)
}

/** A server's tools as the compiler needs them. */
export function foreignNamespace(
  { name, tools }: BoundServer,
  observations: Pick<Observations, 'isDistrusted'> | undefined,
): ForeignNamespace {
  return { name, members: tools.map((tool) => foreignFunction(tool, observations)) }
}

export function boundServer(
  name: string,
  source: ToolServer,
  tools: readonly { name: string; tool: Tool }[],
): BoundServer {
  const bound: BoundTool[] = []
  const server: BoundServer = { name, source, tools: bound }
  for (const { name, tool } of sortedByName(tools))
    bound.push({
      name,
      server,
      tool,
      get signature() {
        return signatureOf(tool)
      },
    })
  return server
}

function sortedByName<T extends { readonly name: string }>(named: readonly T[]): T[] {
  return [...named].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}
