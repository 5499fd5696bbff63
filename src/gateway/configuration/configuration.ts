// The types of a validated configuration, and of a server entry as a person writes it.

import type { BuiltinSettings } from '../../builtin/index.js'
import type { Diagnostic } from '../../diagnostics/index.js'
import type { Limits } from '../../sandbox/index.js'
import type { ApprovalRule } from '../approval-policy.js'
import type { AgentEntry } from './agents.js'
import type { InProcess } from './in-process.js'
import type { ModelConfig } from './models.js'
import type { ChanceUse, ClockUse, CodeModeUse, MemoryUse, ServeSettings } from './serving.js'

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

/** OAuth settings that can't be discovered. */
export interface OAuthSettings {
  /** The id of a client that was registered by hand. Default: starbind registers itself. */
  readonly clientId?: string | undefined
  /** The secret of that client. */
  readonly clientSecret?: string | undefined
  /**
   * The URL of a document that describes the client, for authorization servers that accept one instead of a
   * registration.
   */
  readonly clientMetadataUrl?: string | undefined
  /** `client_credentials`: starbind uses its own account, and no person logs in. Default `authorization_code`. */
  readonly grant?: 'authorization_code' | 'client_credentials' | undefined
  /**
   * The URL of the authorization server; credentials are sent to no other. With `client_credentials` it has to be set
   * here, or confirmed with `starbind login`.
   */
  readonly issuer?: string | undefined
  /** A private key (PEM) with which the client authenticates instead of a secret. */
  readonly privateKey?: string | undefined
  /** The algorithm of that key. Default `RS256`. */
  readonly algorithm?: string | undefined
  /** Default: the scopes that the server asks for. */
  readonly scopes?: readonly string[] | undefined
  /** The local port that the browser is redirected to. Default: a free one. */
  readonly callbackPort?: number | undefined
}

/**
 * Whether a listing shows one stub file for each server or one for each tool.
 *
 * @example
 * import { type BindingLevel, CodeMode } from 'starbind'
 *
 * const bindingLevel: BindingLevel = 'tool'
 * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } }, bindingLevel })
 * console.log((await codeMode.listToolFiles()).text)
 */
export type BindingLevel = 'server' | 'tool'

/**
 * How programs receive text that is JSON: as data, as text, or as data that also works as text.
 *
 * @example
 * import { CodeMode, type ResultsForm } from 'starbind'
 *
 * const resultForm: ResultsForm = 'text'
 * await using codeMode = await CodeMode.open({ resultForm })
 */
export type ResultsForm = 'text' | 'json' | 'auto'

/**
 * The settings of one tool.
 *
 * @example
 * import { CodeMode, type ToolConfig } from 'starbind'
 *
 * const report: ToolConfig = { timeoutMs: 300_000, results: 'text' }
 * await using codeMode = await CodeMode.open({ servers: { crm: { command: 'my-mcp-server', tools: { report } } } })
 */
export interface ToolConfig {
  /** The timeout of one call. Milliseconds. */
  readonly timeoutMs?: number | undefined
  /**
   * Whether programs receive text that is JSON as data (`json`), as text, or as data that also works as text (`auto`).
   */
  readonly results?: ResultsForm | undefined
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
 * How stubs are written, and which observations are kept for them.
 *
 * @example
 * import { CodeMode, type StubSettings } from 'starbind'
 *
 * const stubs: StubSettings = { descriptionLength: 160, observationsFile: 'observed.json', observedValues: 8 }
 * await using codeMode = await CodeMode.open({ stubs })
 */
export interface StubSettings {
  /** The maximum length of a description in a stub line, in characters. */
  readonly descriptionLength?: number
  /** A file that keeps the observed result types across restarts; relative to the configuration file. */
  readonly observationsFile?: string
  /** How many different strings of one field may be kept as an enumeration. */
  readonly observedValues?: number
}

/**
 * The size of `results/`.
 *
 * @example
 * import { CodeMode, type ResultSettings } from 'starbind'
 *
 * const results: ResultSettings = { maxBytes: 8_000_000, maxFiles: 50, maxDays: 7 }
 * await using codeMode = await CodeMode.open({ results })
 */
export interface ResultSettings {
  /**
   * The total size of a session's files, in bytes, and as much again for the call results of its failed runs; all
   * sessions together hold at most eight times as much. Default 32 million.
   */
  readonly maxBytes?: number
  /** The number of a session's files. Default 200. */
  readonly maxFiles?: number
  /** How long a file is kept, in days. Default 30. */
  readonly maxDays?: number
}

/**
 * How programs run: settings that the block `codeMode` of a file and the options of `CodeMode.open` share.
 *
 * @example
 * import { CodeMode, type CodeModeSettings } from 'starbind'
 *
 * const settings: CodeModeSettings = { language: 'javascript', callTimeoutMs: 5000, isolation: 'process' }
 * await using codeMode = await CodeMode.open(settings)
 */
export interface CodeModeSettings {
  /** One stub file for each server, or one for each tool. Default `server`. */
  readonly bindingLevel?: BindingLevel | undefined
  /** The language of programs that do not declare one. Default `starlark`. */
  readonly language?: 'starlark' | 'javascript' | undefined
  /** Pure Starlark, without Python's additions. Default false. */
  readonly strict?: boolean | undefined
  /** `run`: programs may know when their run began, to the millisecond. Default `none`. */
  readonly clock?: ClockUse | undefined
  /** `seeded`: programs may draw random numbers, which follow from a seed that is new for each run. Default `none`. */
  readonly random?: ChanceUse | undefined
  /** `session`: programs may keep values for later runs of the same caller. Default `none`. See docs/programs.md. */
  readonly memory?: MemoryUse | undefined
  /** The timeout for starting one server and listing its tools, in milliseconds. Default 30,000. */
  readonly connectTimeoutMs?: number | undefined
  /** The timeout of one tool call, in milliseconds. Servers and tools may have their own. Default one minute. */
  readonly callTimeoutMs?: number | undefined
  /**
   * Whether programs receive text that is JSON as data (`json`), as text, or as data that also works as text (`auto`,
   * the default).
   */
  readonly resultForm?: ResultsForm | undefined
  /** The maximum number of concurrent calls in one run. Servers have their own bound, over all runs. Default 16. */
  readonly callsAtOnce?: number | undefined
  /** Whether programs run ahead of calls that only read; this does not change their meaning. Default true. */
  readonly readAhead?: boolean | undefined
  /** Whether equal concurrent reads of one run share one answer. Default false. */
  readonly coalesceReads?: boolean | undefined
  /** The calls that need a person's approval: see docs/approvals.md. Default `never`. */
  readonly approve?: ApprovalRule | undefined
  /** How long a run waits for an answer before it ends, in hours. Default 24. */
  readonly approvalHours?: number | undefined
  /**
   * The folder in which runs are kept, relative to the configuration file; false keeps them in memory. Default:
   * `.starbind` for the command line, memory for the library.
   */
  readonly state?: string | false | undefined
  /** How long ended runs are kept, in days. Default 30. */
  readonly stateDays?: number | undefined
  /** The maximum size of the kept runs, in bytes; waiting runs are never dropped. Default 256 million. */
  readonly stateBytes?: number | undefined
  /** False: digests are kept instead of the arguments of calls. Default true. */
  readonly keepArguments?: boolean | undefined
  /**
   * The folder of saved programs, relative to the configuration file; false: there are none. Default: `programs` beside
   * the file. See docs/programs.md.
   */
  readonly programs?: string | false | undefined
  /**
   * `thread`: programs are compiled and run in threads of this process. `process`: in threads of a child process, whose
   * loss disconnects no caller. Default `thread`.
   */
  readonly isolation?: Isolation | undefined
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
 * One entry of `mcpServers` as a person writes it. Strings may hold `${NAME}` and `${NAME:-default}`.
 *
 * @example
 * import { CodeMode, type ServerEntry } from 'starbind'
 *
 * const files: ServerEntry = { command: 'my-mcp-server', args: ['.'], env: { TOKEN: '${TOKEN}' }, toolsToExecute: ['read_*'] }
 * const remote: ServerEntry = { url: 'https://example.com/mcp', bearerToken: '${REMOTE_TOKEN}', timeoutMs: 20_000 }
 * await using codeMode = await CodeMode.open({ servers: { files, remote } })
 */
export interface ServerEntry {
  /** Default: `stdio` with a `command`, `http` with a `url`. Ignored for `builtin` and `inProcess`. */
  readonly type?: 'stdio' | 'http' | 'streamable-http' | 'sse' | undefined
  /** The program to start; it speaks MCP on stdin and stdout. */
  readonly command?: string | undefined
  /** The program's arguments. */
  readonly args?: readonly string[] | undefined
  /** Added to the few variables that every upstream inherits. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** A file with lines of `NAME=value`, relative to the configuration file. `env` wins over it. */
  readonly envFile?: string | undefined
  /** The program's working directory. */
  readonly cwd?: string | undefined
  /** An endpoint that speaks Streamable HTTP, or the older HTTP with SSE. */
  readonly url?: string | undefined
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Sent as `Authorization: Bearer …`. */
  readonly bearerToken?: string | undefined
  /**
   * Names and globs of the caller's request headers that are passed on with its calls; credentials must be listed by
   * their full names. Default: none.
   */
  readonly passHeaders?: readonly string[] | undefined
  /** For `starbind login`, if the authorization server does not support dynamic client registration. */
  readonly oauth?: OAuthSettings | undefined
  /** A server that starbind brings along: see docs/builtin.md. It needs neither a program nor an address. */
  readonly builtin?: BuiltinSettings['builtin'] | undefined
  /** The folder that a built-in server works in, relative to the file. */
  readonly root?: string | undefined
  /** Whether the built-in server `files` may change files. Default false. */
  readonly write?: boolean | undefined
  /** What a built-in server does not show to programs: patterns as in a `.gitignore`. Default: none. */
  readonly exclude?: readonly string[] | undefined
  /** Tools that are functions of this process, or a server or client object of the SDK: only a program can give one. */
  readonly inProcess?: InProcess | undefined
  /**
   * Whether its tools are reached through programs (true), directly (false), or directly while there are few (`auto`).
   * Default: the `serve` block's.
   */
  readonly codeMode?: CodeModeUse | undefined
  /** One stub file for the server or one for each tool. Default: the `codeMode` block's. */
  readonly bindingLevel?: BindingLevel | undefined
  /** Names and globs (`get_*`) of the tools that may be called; `[]` for none. Default: all. */
  readonly toolsToExecute?: readonly string[] | undefined
  /** The part of `toolsToExecute` that needs no approval. Default: all of it. */
  readonly toolsToAutoExecute?: readonly string[] | undefined
  /** The calls that need a person's approval; a list has names and globs of its tools. */
  readonly approve?: ApprovalRule | undefined
  /** Names and globs of the tools that may not be called, whatever else allows them. */
  readonly toolsToDeny?: readonly string[] | undefined
  /** The timeout of one call, in milliseconds. */
  readonly timeoutMs?: number | undefined
  /**
   * Whether programs receive text that is JSON as data (`json`), as text, or as data that also works as text (`auto`,
   * the default).
   */
  readonly results?: ResultsForm | undefined
  /** Settings of single tools. */
  readonly tools?: Readonly<Record<string, ToolConfig>> | undefined
  /** The maximum number of concurrent calls to it. Default 8. */
  readonly callsAtOnce?: number | undefined
  /**
   * Names and globs of tools that only read although the server does not declare it: programs may run ahead of their
   * answers.
   */
  readonly reads?: readonly string[] | undefined
  /**
   * Names and globs of tools that may write although the server declares them read-only: programs wait for each call.
   */
  readonly writes?: readonly string[] | undefined
  /** Whether programs run ahead of its reads. Default: the `codeMode` block's. */
  readonly readAhead?: boolean | undefined
  /** Whether callers may read its resources directly; false also takes them from programs. Default: programs only. */
  readonly resources?: boolean | undefined
  /** The same for its prompts. */
  readonly prompts?: boolean | undefined
  /** Do not use this server. Default false. */
  readonly disabled?: boolean | undefined
  /** Start it when it is first needed, and stop it after `idleMs` without a call. Default false. */
  readonly lazy?: boolean | undefined
  /** How long a lazy server stays connected without a call, in milliseconds. Default five minutes. */
  readonly idleMs?: number | undefined
  /** How often it is pinged, in milliseconds; 0 for never. Default half a minute. */
  readonly pingMs?: number | undefined
  /**
   * How often its tools are listed again, in milliseconds; 0 for never. Default: every five minutes if the server does
   * not announce changes.
   */
  readonly pollMs?: number | undefined
  /** The timeout for starting it and listing its tools, in milliseconds. Default: the `codeMode` block's. */
  readonly connectTimeoutMs?: number | undefined
  /**
   * The memory that it may occupy in this process, in bytes: its list of tools, a list of its resources, and each
   * message may take a quarter of it. The log and `starbind doctor` report cuts. Default 33,554,432 (32 MiB).
   */
  readonly maxBytes?: number | undefined
  /** Folders that it may work in (the protocol's roots), relative to the file. Default: the `codeMode` block's. */
  readonly roots?: readonly string[] | undefined
  /**
   * How it is spoken to: `"2025"` for the revisions up to 2025-11-25, which begin with a handshake, `"2026"` for
   * 2026-07-28, which has none. Default `"auto"`: it is asked, and the answer is remembered.
   */
  readonly protocol?: 'auto' | '2025' | '2026' | undefined
}

/** The block `codeMode` as a person writes it. */
export interface CodeModeEntry extends CodeModeSettings {
  /** The limits of a run. */
  readonly limits?: { readonly [K in keyof Limits]?: number | undefined } | undefined
  /** How answers are written. */
  readonly answer?: AnswerEntry | undefined
  /** How stubs are written, and which observations are kept for them. */
  readonly stubs?: { readonly [K in keyof StubSettings]?: StubSettings[K] | undefined } | undefined
  /** The size of `results/`. */
  readonly results?: { readonly [K in keyof ResultSettings]?: ResultSettings[K] | undefined } | undefined
  /** Folders that servers may work in (the protocol's roots), relative to the file. Default: none. */
  readonly roots?: readonly string[] | undefined
}

/**
 * Where programs are compiled and run: in threads of this process, or in threads of a child process, whose loss
 * disconnects no caller.
 *
 * @example
 * import { CodeMode, type Isolation } from 'starbind'
 *
 * const isolation: Isolation = 'process'
 * await using codeMode = await CodeMode.open({ isolation })
 * console.log((await codeMode.run('result = 6 * 7')).result)
 */
export type Isolation = 'thread' | 'process'

export interface AnswerEntry {
  /** The maximum length of an answer to a model, in characters. Default 24,000. */
  readonly maxChars?: number | undefined
  /** Answers have `structuredContent` beside their text. Default false, because many hosts show a model both. */
  readonly structured?: boolean | undefined
}

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
