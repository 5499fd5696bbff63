// The types of a validated configuration.

import type { BuiltinSettings } from '../../builtin/index.js'
import type { Diagnostic } from '../../diagnostics/index.js'
import type { Limits } from '../../sandbox/index.js'
import type { ApprovalRule } from '../approval-policy.js'
import type { AgentEntry } from './agents.js'
import type { InProcess } from './in-process.js'
import type { ModelConfig } from './models.js'
import type { CodeModeUse, ServeSettings } from './serving.js'
import type {
  BindingLevel,
  CodeModeSettings,
  OAuthSettings,
  ResultSettings,
  ResultsForm,
  StubSettings,
  ToolConfig,
} from './shape.js'

export interface StdioConnection {
  readonly type: 'stdio'
  readonly command: string
  readonly args: readonly string[]
  /** Added to the few variables that every upstream inherits (HOME, PATH and the like). */
  readonly env: Readonly<Record<string, string>>
  /** Absolute; absent: the folder that starbind was started in. */
  readonly cwd?: string
}

export interface HttpConnection {
  readonly type: 'http'
  /** Absent: Streamable HTTP, and HTTP with SSE for servers that know only that. */
  readonly only?: 'sse' | 'streamable-http'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly oauth?: OAuthSettings
}

export type Connection =
  | StdioConnection
  | HttpConnection
  | { readonly type: 'in-process'; readonly inProcess: InProcess }
  /** A server that starbind brings along. */
  | { readonly type: 'builtin'; readonly settings: BuiltinSettings }
  /** The entry is wrong, so there is nothing to start. */
  | { readonly type: 'unusable'; readonly faults: readonly Diagnostic[] }

/** True when the configuration itself has an authorization header. */
export function hasOwnCredentials({ headers }: HttpConnection): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
}

/** A folder that servers may work in. */
export interface Root {
  /** A `file:` URI. */
  readonly uri: string
  readonly name?: string
}

/**
 * One server of a configuration, checked.
 *
 * @example
 * import { readConfiguration, type ServerConfig } from 'starbind'
 *
 * const servers: readonly ServerConfig[] = readConfiguration('starbind.json').servers
 * for (const { name, disabled } of servers) console.log(name, disabled ? 'left out' : '')
 */
export interface ServerConfig {
  readonly name: string
  readonly connection: Connection
  /** Absent: the level of the `codeMode` block. */
  readonly bindingLevel?: BindingLevel
  /** Names or globs of the tools that may be called; absent: all of them. */
  readonly toolsToExecute?: readonly string[]
  /** The part of `toolsToExecute` that needs no approval; absent: all of it. */
  readonly toolsToAutoExecute?: readonly string[]
  /** The calls that need a person's approval, in addition to those of other settings. */
  readonly approve?: ApprovalRule
  /** Names or globs of the tools that may not be called, whatever else allows them. */
  readonly toolsToDeny?: readonly string[]
  /** Names and globs of the caller's headers that are passed on with its calls, in lower case. */
  readonly passHeaders?: readonly string[]
  /** The timeout of one call. Milliseconds; absent: the `codeMode` block's. */
  readonly timeoutMs?: number
  /** Whether programs receive text that is JSON as data or as text; absent: the `codeMode` block's. */
  readonly results?: ResultsForm
  /** Settings of single tools, by their own names. */
  readonly tools?: Readonly<Record<string, ToolConfig>>
  /** The maximum number of concurrent calls to it, over all runs; absent: 8. */
  readonly callsAtOnce?: number
  /** Names or globs of tools that only read although the server does not declare it. */
  readonly reads?: readonly string[]
  /** Names or globs of tools that may write although the server declares them read-only. */
  readonly writes?: readonly string[]
  /** Whether programs run ahead of its reads; absent: the `codeMode` block's. */
  readonly readAhead?: boolean
  /** Whether its tools are reached through programs; absent: the `serve` block's. */
  readonly codeMode?: CodeModeUse
  /** Callers may read its resources, or use its prompts. */
  readonly resources?: boolean
  readonly prompts?: boolean
  readonly disabled: boolean
  /** Started when it is first needed, and stopped after `idleMs` without a call. */
  readonly lazy?: boolean
  /** How long a lazy server stays connected without a call. Milliseconds; absent: five minutes. */
  readonly idleMs?: number
  /** How often it is pinged. Milliseconds, 0 for never; absent: half a minute. */
  readonly pingMs?: number
  /**
   * How often its tools are listed again. Milliseconds, 0 for never; absent: every five minutes if the server does not
   * announce changes.
   */
  readonly pollMs?: number
  /** The timeout for starting it and listing its tools. Milliseconds; absent: the `codeMode` block's. */
  readonly connectTimeoutMs?: number
  /**
   * The memory that it may occupy in this process: its list of tools, a list of resources and each message a quarter of
   * it. Bytes; absent: 32 MiB.
   */
  readonly maxBytes?: number
  /** The folders that it may work in. */
  readonly roots?: readonly Root[]
  /** Absent: `auto`. */
  readonly protocol?: 'auto' | '2025' | '2026'
  /** Texts that must not appear in logs and messages: values of environment references, headers. */
  readonly secrets: readonly string[]
  /** Texts that must not appear anywhere, results included: tokens, keys, passwords. */
  readonly credentials: readonly string[]
}

/**
 * A whole configuration, checked and with its defaults in place. `readConfiguration` makes it.
 *
 * @example
 * import { CodeMode, type Configuration, readConfiguration } from 'starbind'
 *
 * const configuration: Configuration = readConfiguration('starbind.json')
 * console.log(configuration.servers.map(({ name }) => name))
 * await using codeMode = await CodeMode.open({ configuration, language: 'javascript' })
 */
export interface Configuration extends CodeModeSettings {
  readonly servers: readonly ServerConfig[]
  /** The folder of its file, absolute: the base of relative paths. Absent: the working directory. */
  readonly folder?: string
  readonly bindingLevel: BindingLevel
  readonly limits: Partial<Limits>
  /** The language of programs that do not declare one. */
  readonly language: 'starlark' | 'javascript'
  /** Pure Starlark, without the Python affordances. */
  readonly strict: boolean
  /** Longest answer to a model, in characters; absent: the meta-tools' own. */
  readonly answerMaxChars?: number
  /** Answers have `structuredContent` beside their text; absent: no, because many hosts show a model both. */
  readonly answerStructured?: boolean
  readonly stubs?: StubSettings
  readonly results?: ResultSettings
  readonly serve?: ServeSettings
  /** The models for chat clients, in the order of the file. */
  readonly models?: readonly ModelConfig[]
  /** The agents that are tools, by their names. */
  readonly agents?: Readonly<Record<string, AgentEntry>>
  /** The timeout for starting one upstream and listing its tools. Milliseconds. */
  readonly connectTimeoutMs: number
}

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The configuration without servers: programs have no tools.
 *
 * @example
 * import { CodeMode, emptyConfiguration } from 'starbind'
 *
 * await using codeMode = await CodeMode.open({ configuration: { ...emptyConfiguration, strict: true } })
 * console.log((await codeMode.run('result = 6 * 7')).result)
 */
export const emptyConfiguration: Configuration = {
  servers: [],
  bindingLevel: 'server',
  limits: {},
  language: 'starlark',
  strict: false,
  connectTimeoutMs: 30_000,
}
