// The types of a validated configuration, and of a server entry as a person writes it.

import type { Diagnostic } from '../../diagnostics/index.js'
import type { Limits } from '../../sandbox/index.js'
import type { ApprovalRule } from '../approval-policy.js'
import type { InProcess } from './in-process.js'
import type { ChanceUse, ClockUse, CodeModeUse, ServeSettings } from './serving.js'

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
  /** The entry is wrong, so that there is nothing to start. */
  | { readonly type: 'unusable'; readonly faults: readonly Diagnostic[] }

/** True when the configuration says by itself how requests are authorised. */
export function hasOwnCredentials({ headers }: HttpConnection): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
}

/** A folder that servers are told to work in. */
export interface Root {
  /** A `file:` URI. */
  readonly uri: string
  readonly name?: string
}

/** What an authorization server has to be told, where it can't be found out. */
export interface OAuthSettings {
  /** Of a client that was registered by hand. Default: starbind registers itself. */
  readonly clientId?: string | undefined
  /** Of that client. */
  readonly clientSecret?: string | undefined
  /**
   * The address of a document that describes the client, for authorization servers that take one in place of a
   * registration.
   */
  readonly clientMetadataUrl?: string | undefined
  /**
   * `client_credentials`: starbind has an account of its own there, and no person logs in. Default
   * `authorization_code`.
   */
  readonly grant?: 'authorization_code' | 'client_credentials' | undefined
  /**
   * The authorization server, by its URL: no other is sent anything. With `client_credentials` it has to be here, or
   * confirmed with `starbind login`.
   */
  readonly issuer?: string | undefined
  /** With which a client of its own proves itself in place of a secret, as PEM. */
  readonly privateKey?: string | undefined
  /** Of that key. Default `RS256`. */
  readonly algorithm?: string | undefined
  /** Default: what the server asks for. */
  readonly scopes?: readonly string[] | undefined
  /** Of this machine, where the browser comes back to. Default: one that is free. */
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
 * How programs are given text that is JSON: as data, as text, or as data that is still text where a program treats it
 * as text.
 *
 * @example
 * import { CodeMode, type ResultsForm } from 'starbind'
 *
 * const resultForm: ResultsForm = 'text'
 * await using codeMode = await CodeMode.open({ resultForm })
 */
export type ResultsForm = 'text' | 'json' | 'auto'

/**
 * What is configured for one tool.
 *
 * @example
 * import { CodeMode, type ToolConfig } from 'starbind'
 *
 * const report: ToolConfig = { timeoutMs: 300_000, results: 'text' }
 * await using codeMode = await CodeMode.open({ servers: { crm: { command: 'my-mcp-server', tools: { report } } } })
 */
export interface ToolConfig {
  /** For one call. Milliseconds. */
  readonly timeoutMs?: number | undefined
  /**
   * Whether text that is JSON is given to programs as data (`json`), as text, or as data that remembers its text
   * (`auto`).
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
  /** The part of `toolsToExecute` that needs nobody's consent; absent: all of it. */
  readonly toolsToAutoExecute?: readonly string[]
  /** The calls that a person is asked about before they are made, beside those that others name. */
  readonly approve?: ApprovalRule
  /** Names or globs of the tools that may not be called, whatever else allows them. */
  readonly toolsToDeny?: readonly string[]
  /** Names and globs of a caller's headers that its calls carry on, in small letters. */
  readonly passHeaders?: readonly string[]
  /** For one call. Milliseconds; absent: the `codeMode` block's. */
  readonly timeoutMs?: number
  /** Whether text that is JSON is given to programs as data or as text; absent: the `codeMode` block's. */
  readonly results?: ResultsForm
  /** What differs for single tools, by their own names. */
  readonly tools?: Readonly<Record<string, ToolConfig>>
  /** The most calls underway at it at once, over all runs; absent: 8. */
  readonly callsAtOnce?: number
  /** Names or globs of tools that only read although the server does not say so. */
  readonly reads?: readonly string[]
  /** Names or globs of tools that may write although the server says that they only read. */
  readonly writes?: readonly string[]
  /** Whether programs run ahead of its reads; absent: the `codeMode` block's. */
  readonly readAhead?: boolean
  /** Whether its tools are reached through programs; absent: the `serve` block's. */
  readonly codeMode?: CodeModeUse
  /** Callers may read its resources, or use its prompts. */
  readonly resources?: boolean
  readonly prompts?: boolean
  readonly disabled: boolean
  /** Started when it is first needed, and ended when it has not been for a while. */
  readonly lazy?: boolean
  /** How long a lazy server stays without a call. Milliseconds; absent: five minutes. */
  readonly idleMs?: number
  /** How often it is asked whether it is alive. Milliseconds, 0 for never; absent: half a minute. */
  readonly pingMs?: number
  /**
   * How often its tools are listed anew. Milliseconds, 0 for never; absent: every five minutes where the server can't
   * tell changes.
   */
  readonly pollMs?: number
  /** To start and list its tools. Milliseconds; absent: the `codeMode` block's. */
  readonly connectTimeoutMs?: number
  /**
   * What it may make this process hold: its list of tools, a list of resources and each message a quarter of it. Bytes;
   * absent: 32 MiB.
   */
  readonly maxBytes?: number
  /** The folders that it is told to work in. */
  readonly roots?: readonly Root[]
  /** What must not be seen in logs and messages: what environment references stood for, headers. */
  readonly secrets: readonly string[]
  /** What must not be seen anywhere, results included: tokens, keys, passwords. */
  readonly credentials: readonly string[]
}

/**
 * How stubs are written, and what is remembered for them.
 *
 * @example
 * import { CodeMode, type StubSettings } from 'starbind'
 *
 * const stubs: StubSettings = { descriptionLength: 160, observationsFile: 'observed.json', observedValues: 8 }
 * await using codeMode = await CodeMode.open({ stubs })
 */
export interface StubSettings {
  /** The longest description in a stub line, in characters. */
  readonly descriptionLength?: number
  /** Remembers over restarts what tools were seen to return; relative to the configuration file. */
  readonly observationsFile?: string
  /** How many different texts of one place may be remembered as an enumeration. */
  readonly observedValues?: number
}

/**
 * Room for what is kept in `results/`.
 *
 * @example
 * import { CodeMode, type ResultSettings } from 'starbind'
 *
 * const results: ResultSettings = { maxBytes: 8_000_000, maxFiles: 50 }
 * await using codeMode = await CodeMode.open({ results })
 */
export interface ResultSettings {
  /**
   * Of all files of a session together, and as much again of what its failed runs had called; all sessions together
   * hold at most eight times as much. Default 32 million.
   */
  readonly maxBytes?: number
  /** Default 200. */
  readonly maxFiles?: number
}

/**
 * How programs run, as the block `codeMode` of a file and the options of `CodeMode.open` say it alike.
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
  /** The language of programs that do not say. Default `starlark`. */
  readonly language?: 'starlark' | 'javascript' | undefined
  /** Pure Starlark, without what Python adds. Default false. */
  readonly strict?: boolean | undefined
  /** `run`: programs may know when their run began, to the millisecond. Default `none`. */
  readonly clock?: ClockUse | undefined
  /** `seeded`: programs may draw random numbers, which follow from a seed that is new for each run. Default `none`. */
  readonly random?: ChanceUse | undefined
  /** For one server to start and list its tools, in milliseconds. Default 30,000. */
  readonly connectTimeoutMs?: number | undefined
  /** For one call of a tool, in milliseconds. Servers and tools may have their own. Default one minute. */
  readonly callTimeoutMs?: number | undefined
  /**
   * Whether text that is JSON is given to programs as data (`json`), as text, or as data that remembers its text
   * (`auto`, the default).
   */
  readonly resultForm?: ResultsForm | undefined
  /** The most calls underway at once in one run. Servers have a bound of their own, over all runs. Default 16. */
  readonly callsAtOnce?: number | undefined
  /** Whether programs run ahead of calls that only read, which does not change what they mean. Default true. */
  readonly readAhead?: boolean | undefined
  /** Whether equal reads that are underway in one run at the same time share one answer. Default false. */
  readonly coalesceReads?: boolean | undefined
  /** The calls that a person is asked about before they are made: see docs/approvals.md. Default `never`. */
  readonly approve?: ApprovalRule | undefined
  /** How long what is asked may stay without an answer, in hours; then the run ends. Default 24. */
  readonly approvalHours?: number | undefined
  /**
   * The folder in which runs are kept, relative to the configuration file; false: they are kept in memory. Default
   * `.starbind` for the command line, else in memory.
   */
  readonly state?: string | false | undefined
  /** How long runs are kept that have ended, in days. Default 30. */
  readonly stateDays?: number | undefined
  /** The most that is kept of runs, in bytes; those that wait stay. Default 256 million. */
  readonly stateBytes?: number | undefined
  /** False: of the arguments of calls only digests are kept. Default true. */
  readonly keepArguments?: boolean | undefined
  /**
   * `thread`: programs are read and run in threads of this process. `process`: in threads of a child process, which may
   * be lost without losing a caller. Default `thread`.
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
  /** The language of programs that do not say. */
  readonly language: 'starlark' | 'javascript'
  /** Pure Starlark, without the Python affordances. */
  readonly strict: boolean
  /** Longest answer to a model, in characters; absent: the meta-tools' own. */
  readonly answerMaxChars?: number
  /** Answers carry `structuredContent` beside their text; absent: no, because many hosts show a model both. */
  readonly answerStructured?: boolean
  readonly stubs?: StubSettings
  readonly results?: ResultSettings
  readonly serve?: ServeSettings
  /** For one upstream to start and list its tools. Milliseconds. */
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
  /** Default: `stdio` where there is a `command`, `http` where there is a `url`. Without meaning for `inProcess`. */
  readonly type?: 'stdio' | 'http' | 'streamable-http' | 'sse' | undefined
  /** A program to start, which speaks MCP on its stdin and stdout. */
  readonly command?: string | undefined
  /** What the program is given. */
  readonly args?: readonly string[] | undefined
  /** Added to the few variables that every upstream inherits. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** A file with lines of `NAME=value`, relative to the configuration file. `env` wins over it. */
  readonly envFile?: string | undefined
  /** Where the program starts. */
  readonly cwd?: string | undefined
  /** An endpoint that speaks Streamable HTTP, or the older HTTP with SSE. */
  readonly url?: string | undefined
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Sent as `Authorization: Bearer …`. */
  readonly bearerToken?: string | undefined
  /**
   * Names and globs of headers of a caller's request that go along with the calls made for it; credentials by their
   * full names only. Default: none.
   */
  readonly passHeaders?: readonly string[] | undefined
  /** For `starbind login`, where the authorization server does not take clients that register themselves. */
  readonly oauth?: OAuthSettings | undefined
  /** Tools that are functions of this process, or a server or client object of the SDK: only a program can give one. */
  readonly inProcess?: InProcess | undefined
  /**
   * Whether its tools are reached through programs or called directly, or the latter for as long as there are few.
   * Default: the `serve` block's.
   */
  readonly codeMode?: CodeModeUse | undefined
  /** One stub file for the server or one for each tool. Default: the `codeMode` block's. */
  readonly bindingLevel?: BindingLevel | undefined
  /** Names and globs (`get_*`) of the tools that may be called; `[]` for none. Default: all. */
  readonly toolsToExecute?: readonly string[] | undefined
  /** The part of `toolsToExecute` that needs nobody's consent. Default: all of it. */
  readonly toolsToAutoExecute?: readonly string[] | undefined
  /** The calls that a person is asked about before they are made; a list has names and globs of its tools. */
  readonly approve?: ApprovalRule | undefined
  /** Names and globs of the tools that may not be called, whatever else allows them. */
  readonly toolsToDeny?: readonly string[] | undefined
  /** For one call, in milliseconds. */
  readonly timeoutMs?: number | undefined
  /**
   * Whether text that is JSON is given to programs as data (`json`), as text, or as data that remembers its text
   * (`auto`, the default).
   */
  readonly results?: ResultsForm | undefined
  /** What differs for single tools. */
  readonly tools?: Readonly<Record<string, ToolConfig>> | undefined
  /** The most calls underway at it at once. Default 8. */
  readonly callsAtOnce?: number | undefined
  /**
   * Names and globs of tools that only read although the server does not say so: programs may run ahead of their
   * answers.
   */
  readonly reads?: readonly string[] | undefined
  /**
   * Names and globs of tools that may write although the server says that they only read: programs wait for each call.
   */
  readonly writes?: readonly string[] | undefined
  /** Whether programs run ahead of its reads. Default: the `codeMode` block's. */
  readonly readAhead?: boolean | undefined
  /** Callers may read its resources. Default false. */
  readonly resources?: boolean | undefined
  /** Callers may use its prompts. Default false. */
  readonly prompts?: boolean | undefined
  /** Leave it out. Default false. */
  readonly disabled?: boolean | undefined
  /** Start it when it is first needed, and end it when it has not been for a while. Default false. */
  readonly lazy?: boolean | undefined
  /** How long a lazy server stays without a call, in milliseconds. Default five minutes. */
  readonly idleMs?: number | undefined
  /** How often it is asked whether it is alive, in milliseconds; 0 for never. Default half a minute. */
  readonly pingMs?: number | undefined
  /**
   * How often its tools are listed anew, in milliseconds; 0 for never. Default: every five minutes where the server
   * can't tell changes.
   */
  readonly pollMs?: number | undefined
  /** To start and list its tools, in milliseconds. Default: the `codeMode` block's. */
  readonly connectTimeoutMs?: number | undefined
  /**
   * What it may make this process hold, in bytes: its list of tools, a list of its resources, and each message may be a
   * quarter of it. What is cut is said in the log and by `starbind doctor`. Default 33,554,432 (32 MiB).
   */
  readonly maxBytes?: number | undefined
  /**
   * Folders that it is told to work in (the protocol's roots), relative to the file. Default: the `codeMode` block's.
   */
  readonly roots?: readonly string[] | undefined
}

/** The block `codeMode` as a person writes it. */
export interface CodeModeEntry extends CodeModeSettings {
  /** What a run may use up. */
  readonly limits?: { readonly [K in keyof Limits]?: number | undefined } | undefined
  /** How programs are answered. */
  readonly answer?: AnswerEntry | undefined
  /** How stubs are written, and what is remembered of results. */
  readonly stubs?: { readonly [K in keyof StubSettings]?: StubSettings[K] | undefined } | undefined
  /** Room for what is kept in `results/`. */
  readonly results?: { readonly [K in keyof ResultSettings]?: ResultSettings[K] | undefined } | undefined
  /** Folders that servers are told to work in (the protocol's roots), relative to the file. Default: none are told. */
  readonly roots?: readonly string[] | undefined
}

/**
 * Where programs are read and run: in threads of this process, or in threads of a child process, which may be lost
 * without losing a caller.
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
  /** The longest answer to a model, in characters. Default 24,000. */
  readonly maxChars?: number | undefined
  /** Answers carry `structuredContent` beside their text. Default false, because many hosts show a model both. */
  readonly structured?: boolean | undefined
}

/**
 * What runs when nothing is configured: programs without tools.
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
