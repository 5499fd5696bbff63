// Direct access without programs: tools of servers that are not in code mode, and resources and prompts of servers that
// expose them. Every request passes the caller's gate.
// Invariant: exactly the listed tools can be called.

import { DiagnosticError } from '../../diagnostics/index.js'
import type { CallerEnd } from '../caller-end.js'
import type { DirectServers } from '../direct-servers.js'
import type { ToolFilter } from '../filter.js'
import type { Gate, GateRequest } from '../gate.js'
import type { UpstreamLogLevel } from '../log-levels.js'
import { notHere } from '../messages.js'
import type { Params } from '../params.js'
import { Trace, type TraceCarrier } from '../trace.js'
import type { CallOptions } from '../upstream.js'
import type { Upstreams } from '../upstreams.js'
import {
  answerDirectly,
  type DirectMethod,
  type Naming,
  ownNaming,
  prefixedNaming,
  type ResourceView,
} from './direct-resources.js'
import { type DirectTool, definitionOf, directTools, resultOf } from './direct-tools.js'
import { keptNameIn, keptUri, listKept, readKept } from './kept-resources.js'
import type { ServedFiles } from './served-files.js'

interface DirectOptions {
  readonly upstreams: Upstreams
  readonly gate: Gate
  readonly filter: ToolFilter
  readonly servers: DirectServers
  /** The only server that is served. Its tools keep their own names. */
  readonly only?: string | undefined
  /** Reserved names. */
  readonly taken: readonly string[]
  /** The caller's files, which are resources as well. */
  readonly files: ServedFiles
  /** Reports changes of the saved programs that are tools. Absent: no saved program is a tool. */
  readonly programs?: ((listener: () => void) => () => void) | undefined
}

/** The properties of one request. */
export interface DirectRequest extends Omit<CallOptions, 'caller' | 'trace'> {
  readonly caller?: CallerEnd | undefined
  readonly trace?: TraceCarrier | undefined
}

/** A notification for a caller, with the caller's names for tools and resources. */
export type DirectNews =
  | { readonly kind: 'tools' | 'resources' | 'prompts' }
  | { readonly kind: 'resource'; readonly params: Params }

const FORGET_MS = 5000

export class Direct {
  readonly #options: DirectOptions
  readonly #naming: Naming
  /** The names of files that callers subscribed to. */
  readonly #followed = new Map<object, Set<string>>()
  #all: { readonly of: unknown; readonly tools: readonly DirectTool[] } | undefined

  constructor(options: DirectOptions) {
    const { upstreams, only } = options
    this.#options = options
    this.#naming = only === undefined ? prefixedNaming(() => upstreams.names()) : ownNaming(only)
  }

  /** The tools that this caller calls itself. */
  tools(): readonly DirectTool[] {
    const { filter, servers } = this.#options
    return this.#named().filter(({ server, tool }) => servers.has(server) && filter.allows(server, tool))
  }

  /** Finds a tool by name, whether this caller may call it or not. `only`: the name is one of this server's own. */
  named(name: string, only: string | undefined): Pick<DirectTool, 'server' | 'tool'> | undefined {
    if (only === undefined) return this.#named().find((tool) => tool.name === name)
    return this.#options.upstreams.entryOf(only, name) === undefined ? undefined : { server: only, tool: name }
  }

  /** The definitions of these tools, in the protocol's form. */
  definitions(): Params[] {
    return this.tools().flatMap(({ name, server, tool }) => {
      const entry = this.#options.upstreams.entryOf(server, tool)
      return entry === undefined ? [] : [definitionOf(name, entry)]
    })
  }

  /** Calls a tool. Rejects with a DiagnosticError if there is no such tool, or no answer. */
  async call(name: string, params: Params, { caller, trace, ...options }: DirectRequest = {}): Promise<Params> {
    const found = this.tools().find((tool) => tool.name === name)
    if (found === undefined) throw new DiagnosticError(notHere('tool', name))
    const { server, tool } = found
    const attributes = { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': name }
    return Trace.of(trace).span('request', { name: `tools/call ${name}`, attributes }, async (inner) => {
      const gate = this.#options.gate.during({ caller, trace: inner })
      return resultOf(await gate.callAsIs(server, tool, params, options))
    })
  }

  /** Answers a request about resources, prompts or completion. Rejects as `call` does. */
  async ask(method: DirectMethod, params: Params, { caller, trace, ...options }: DirectRequest = {}): Promise<unknown> {
    const { upstreams, files } = this.#options
    if (method === 'resources/read' || method === 'resources/list') await files.fresh()
    const kept = method === 'resources/read' ? this.#keptName(params) : undefined
    if (kept !== undefined) return readKept(kept, files)
    // The capabilities of a lazy server are unknown before its first start.
    if (upstreams.names().some((name) => this.#opens('resources', name) || this.#opens('prompts', name)))
      await upstreams.settled()
    const answer = await answerDirectly(method, params, this.#view({ caller, trace: Trace.of(trace) }), options)
    if (method !== 'resources/list') return answer
    const { resources } = answer as { readonly resources: readonly unknown[] }
    return { resources: [...resources, ...listKept(files)] }
  }

  /** The name of the caller's file at a URI. Undefined: the URI is a server's resource. */
  #keptName({ uri }: Params): string | undefined {
    const { only, files } = this.#options
    const name = keptNameIn(uri)
    return only === undefined || files.list().some((file) => file.name === name) ? name : undefined
  }

  /** Subscribes `who` to a resource. Rejects with a DiagnosticError if the caller can't have such a resource. */
  async subscribe(who: object, params: Params, request: DirectRequest = {}): Promise<void> {
    const { subscriptions } = this.#options.upstreams
    await this.#options.files.fresh()
    const kept = this.#keptName(params)
    if (kept !== undefined) return this.#follow(who, kept)
    const owned = this.#naming.ownUri(String(params.uri))
    // The first notification may arrive before the answer.
    if (owned !== undefined) subscriptions.take(who, owned.server, owned.own)
    try {
      await this.ask('resources/subscribe', params, request)
      if (owned !== undefined) subscriptions.made(owned.server, owned.own)
    } catch (error) {
      if (owned !== undefined) subscriptions.leave(who, owned.server, owned.own)
      throw error
    }
  }

  #follow(who: object, name: string): void {
    if (!this.#options.files.list().some((file) => file.name === name))
      throw new DiagnosticError(notHere('resource', keptUri(name)))
    this.#followed.set(who, (this.#followed.get(who) ?? new Set()).add(name))
  }

  async unsubscribe(who: object, params: Params, request: DirectRequest = {}): Promise<void> {
    if (this.#followed.get(who)?.delete(keptNameIn(params.uri) ?? '')) return
    const owned = this.#naming.ownUri(String(params.uri))
    const isLast = owned === undefined || this.#options.upstreams.subscriptions.leave(who, owned.server, owned.own)
    if (isLast) await this.ask('resources/unsubscribe', params, request)
  }

  /** Ends the subscriptions of `who`. Never rejects. */
  async forget(who: object): Promise<void> {
    const { subscriptions, logLevels } = this.#options.upstreams
    logLevels.forget(who)
    this.#followed.delete(who)
    const all = subscriptions.of(who).map(({ server, uri }) => ({ uri: this.#naming.uriOf(server, uri) }))
    await Promise.allSettled(all.map((params) => this.unsubscribe(who, params, { timeoutMs: FORGET_MS })))
  }

  /** Sets the log level of `who`. Servers that can't be reached now get it when they are connected. Never rejects. */
  async setLogLevel(who: object, level: UpstreamLogLevel, { signal }: DirectRequest = {}): Promise<void> {
    const { upstreams, filter, servers } = this.#options
    upstreams.logLevels.want(who, level, (name) => servers.has(name) && filter.coversServer(name))
    const asked = upstreams.names().map((name) => upstreams.setLogLevel(name, signal === undefined ? {} : { signal }))
    await Promise.allSettled(asked)
  }

  /**
   * Notifies of changes for this caller, and of the resources that `who` subscribed to, until the returned function is
   * called.
   */
  listen(who: object, listener: (news: DirectNews) => void): () => void {
    const deaf = this.#options.files.listen((names) => {
      listener({ kind: 'resources' })
      for (const name of names)
        if (this.#followed.get(who)?.has(name)) listener({ kind: 'resource', params: { uri: keptUri(name) } })
    })
    const alone = this.#listenToServers(who, listener)
    const unheard = this.#options.programs?.(() => listener({ kind: 'tools' }))
    return () => {
      unheard?.()
      deaf()
      alone()
    }
  }

  #listenToServers(who: object, listener: (news: DirectNews) => void): () => void {
    return this.#options.upstreams.listen((server, method, params) => {
      switch (method) {
        case 'notifications/tools/list_changed':
          if (this.#options.servers.has(server) && this.#options.filter.reaches(server)) listener({ kind: 'tools' })
          return
        case 'notifications/resources/list_changed':
          if (this.#serversWith('resources').includes(server)) listener({ kind: 'resources' })
          return
        case 'notifications/prompts/list_changed':
          if (this.#serversWith('prompts').includes(server)) listener({ kind: 'prompts' })
          return
        case 'notifications/resources/updated': {
          const uri = String(params.uri)
          if (!this.#options.upstreams.subscriptions.wants(who, server, uri)) return
          listener({ kind: 'resource', params: { ...params, uri: this.#naming.uriOf(server, uri) } })
        }
      }
    })
  }

  /** All tools with their names. Names do not depend on the caller's filter. */
  #named(): readonly DirectTool[] {
    const { upstreams, only, taken } = this.#options
    const servers = upstreams.servers()
    if (this.#all?.of !== servers) {
      const listed = servers.map((server) => ({
        ...server,
        tools: server.tools.filter(({ name }) => upstreams.entryOf(server.name, name) !== undefined),
      }))
      const tools =
        only === undefined
          ? directTools(listed, taken)
          : listed
              .filter(({ name }) => name === only)
              .flatMap((server) => server.tools.map(({ name }) => ({ name, server: only, tool: name })))
      this.#all = { of: servers, tools }
    }
    return this.#all.tools
  }

  #view(request: GateRequest): ResourceView {
    return {
      gate: this.#options.gate.during(request),
      naming: this.#naming,
      listMaxBytes: (server) => this.#options.upstreams.listMaxBytes(server),
      onCut: (server, what) => this.#options.upstreams.noteCut(server, what),
      servers: (kind) => this.#serversWith(kind),
      opens: (kind, server) => this.#opens(kind, server),
    }
  }

  #opens(kind: 'resources' | 'prompts', server: string): boolean {
    const { upstreams, filter } = this.#options
    return upstreams.opens(server, kind) && filter.coversServer(server)
  }

  #serversWith(kind: 'resources' | 'prompts'): string[] {
    const { upstreams } = this.#options
    const open = upstreams.names().filter((name) => this.#opens(kind, name))
    return open.filter((name) => upstreams.capabilities(name)[kind] !== undefined)
  }
}
