// Settings of calls: for a tool, else for its server, else for all.

import type { PerformOptions, Tool } from '../bindings/index.js'
import {
  allowsTool,
  type Configuration,
  namesOwnTool,
  namesTool,
  ruleAsks,
  type ServerConfig,
  type ToolConfig,
} from '../gateway/index.js'

type Usual = Pick<Configuration, 'callTimeoutMs' | 'resultForm' | 'readAhead' | 'approve'>

export class CallSettings {
  readonly #usual: Usual
  readonly #servers: Map<string, ServerConfig>

  constructor({ servers, ...usual }: Usual & Pick<Configuration, 'servers'>) {
    this.#usual = usual
    this.#servers = new Map(servers.map((server) => [server.name, server]))
  }

  /** Takes a server's new configuration; undefined if the server was removed. */
  set(name: string, config: ServerConfig | undefined): void {
    if (config === undefined) this.#servers.delete(name)
    else this.#servers.set(name, config)
  }

  /** The timeout of one call; undefined: the default. */
  timeoutMs(server: string, tool: string): number | undefined {
    return this.#tool(server, tool)?.timeoutMs ?? this.#servers.get(server)?.timeoutMs ?? this.#usual.callTimeoutMs
  }

  /** Undefined: the tool's own type decides. */
  resultForm(server: string, tool: string): ReturnType<NonNullable<PerformOptions['resultForm']>> {
    const form = this.#tool(server, tool)?.results ?? this.#servers.get(server)?.results ?? this.#usual.resultForm
    return form === 'auto' ? undefined : form
  }

  /** Whether a server reads the kept files of its caller that a call mentions: only the built-in SQL over a folder. */
  readsKept(server: string): boolean {
    const connection = this.#servers.get(server)?.connection
    return connection?.type === 'builtin' && connection.settings.builtin === 'sql' && 'root' in connection.settings
  }

  /** The maximum number of concurrent calls to a server; undefined: not configured. */
  callsPerServer(server: string): number | undefined {
    return this.#servers.get(server)?.callsAtOnce
  }

  /** Whether a program may run ahead of a call of this tool. The configuration overrides the server. */
  readsAhead(server: string, tool: Tool): boolean {
    const config = this.#servers.get(server)
    return (config?.readAhead ?? this.#usual.readAhead ?? true) && this.onlyReads(server, tool)
  }

  /** Whether a tool only reads. The configuration overrides the server. */
  onlyReads(server: string, tool: Tool): boolean {
    const config = this.#servers.get(server)
    if (config?.writes !== undefined && allowsTool({ toolsToExecute: config.writes }, tool.name)) return false
    if (config?.reads !== undefined && allowsTool({ toolsToExecute: config.reads }, tool.name)) return true
    return tool.annotations?.readOnlyHint === true
  }

  /** True if a call of some tool may need approval. */
  get hasRules(): boolean {
    return this.#usual.approve !== undefined || [...this.#servers.values()].some(({ approve }) => approve !== undefined)
  }

  /** Whether a call of this tool needs approval, for any caller. */
  asks(server: string, tool: Tool): boolean {
    const onlyReads = this.onlyReads(server, tool)
    const { approve } = this.#usual
    const isNamed = (names: readonly string[]) => namesTool(names, server, tool.name)
    if (approve !== undefined && ruleAsks(approve, tool, { onlyReads, isNamed })) return true
    const own = this.#servers.get(server)?.approve
    const isOwn = (names: readonly string[]) => namesOwnTool(names, tool.name)
    return own !== undefined && ruleAsks(own, tool, { onlyReads, isNamed: isOwn })
  }

  #tool(server: string, tool: string): ToolConfig | undefined {
    const tools = this.#servers.get(server)?.tools
    return tools !== undefined && Object.hasOwn(tools, tool) ? tools[tool] : undefined
  }
}
