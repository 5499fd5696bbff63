// The blocks `mcpServers` and `codeMode`, and the whole configuration, as zod schemas. The comment of a key is its
// documentation, for editors, docs/api and docs/configuration.md. Rules across keys are checked elsewhere.

import { z } from 'zod'
import { builtinNames } from '../../builtin/index.js'
import { type Limits, limitNames } from '../../sandbox/index.js'
import { approvalRule } from '../approval-policy.js'
import { isOfConnection } from '../passed-headers.js'
import { agentsEntry } from './agents.js'
import {
  amount,
  atLeastNone,
  atLeastOne,
  type Declared,
  listOf,
  oneOf,
  recordOf,
  someText,
  text,
  yesOrNo,
} from './declared.js'
import { type InProcess, isInProcess } from './in-process.js'
import { modelsEntry } from './models.js'
import { chanceUse, clockUse, codeModeUse, memoryUse, serveEntry } from './serving.js'

const texts = recordOf(text, 'an object whose values are strings')
const toolNames = listOf(text, 'a list of tool names')
const milliseconds = z.int({ error: 'a whole number of milliseconds' }).min(1, { error: 'at least 1 millisecond' })
const millisecondsOrNever = z.int({ error: 'a whole number of milliseconds' }).min(0, { error: 'at least 0' })
const days = z.number({ error: 'a number of days' }).positive({ error: 'more than 0 days' })
const stateUse = z.union([someText, z.literal(false)], { error: 'a folder, a redis:// URL or false' })
const folderOrNone = z.union([someText, z.literal(false)], { error: 'a folder or false' })

const level = oneOf('server', 'tool')

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
export type BindingLevel = z.output<typeof level>

const resultsForm = oneOf('text', 'json', 'auto')

/**
 * How programs receive text that is JSON: as data, as text, or as data that also works as text.
 *
 * @example
 * import { CodeMode, type ResultsForm } from 'starbind'
 *
 * const resultForm: ResultsForm = 'text'
 * await using codeMode = await CodeMode.open({ resultForm })
 */
export type ResultsForm = z.output<typeof resultsForm>

const toolEntry = z.strictObject(
  {
    /** The timeout of one call. Milliseconds. */
    timeoutMs: milliseconds.optional(),
    /**
     * Whether programs receive text that is JSON as data (`json`), as text, or as data that also works as text (`auto`).
     */
    results: resultsForm.optional(),
  },
  { error: 'an object that describes one tool' },
)

/**
 * The settings of one tool.
 *
 * @example
 * import { CodeMode, type ToolConfig } from 'starbind'
 *
 * const report: ToolConfig = { timeoutMs: 300_000, results: 'text' }
 * await using codeMode = await CodeMode.open({ servers: { crm: { command: 'my-mcp-server', tools: { report } } } })
 */
export interface ToolConfig extends Declared<typeof toolEntry> {}

const oauthEntry = z.strictObject(
  {
    /** The id of a client that was registered by hand. Default: starbind registers itself. */
    clientId: someText.optional(),
    /** The secret of that client. */
    clientSecret: someText.optional(),
    /**
     * The URL of a document that describes the client, for authorization servers that accept one instead of a
     * registration.
     */
    clientMetadataUrl: someText.optional(),
    /** `client_credentials`: starbind uses its own account, and no person logs in. Default `authorization_code`. */
    grant: oneOf('authorization_code', 'client_credentials').optional(),
    /**
     * The URL of the authorization server; credentials are sent to no other. With `client_credentials` it has to be set
     * here, or confirmed with `starbind login`.
     */
    issuer: someText.refine((url) => URL.canParse(url), { error: 'a URL' }).optional(),
    /** A private key (PEM) with which the client authenticates instead of a secret. */
    privateKey: someText.optional(),
    /** The algorithm of that key. Default `RS256`. */
    algorithm: someText.optional(),
    /** Default: the scopes that the server asks for. */
    scopes: listOf(someText, 'a list of strings').optional(),
    /** The local port that the browser is redirected to. Default: a free one. */
    callbackPort: z.int({ error: 'a port' }).min(1, { error: 'a port' }).max(65_535, { error: 'a port' }).optional(),
  },
  { error: 'an object' },
)

/** OAuth settings that can't be discovered. */
export interface OAuthSettings extends Declared<typeof oauthEntry> {}

const passedHeader = z
  .string({ error: 'a header name' })
  .regex(/^[\w!#$%&'*+.^`|~-]+$/, { error: 'a header name' })
  .refine((name) => !isOfConnection(name), { error: 'a header that does not belong to the connection itself' })

const serverEntry = z.strictObject(
  {
    /** Default: `stdio` with a `command`, `http` with a `url`. Ignored for `builtin` and `inProcess`. */
    type: z.enum(['stdio', 'http', 'streamable-http', 'sse'], { error: '"stdio", "http" or "sse"' }).optional(),
    /** The program to start; it speaks MCP on stdin and stdout. */
    command: someText.optional(),
    /** The program's arguments. */
    args: listOf(text, 'a list of strings').optional(),
    /** Added to the few variables that every upstream inherits. */
    env: texts.optional(),
    /** A file with lines of `NAME=value`, relative to the configuration file. `env` wins over it. */
    envFile: someText.optional(),
    /** The program's working directory. */
    cwd: someText.optional(),
    /** An endpoint that speaks Streamable HTTP, or the older HTTP with SSE; for the built-in server `sql` a database. */
    url: someText.optional(),
    /** Sent with every request. */
    headers: texts.optional(),
    /** Sent as `Authorization: Bearer …`. */
    bearerToken: someText.optional(),
    /**
     * Names and globs of the caller's request headers that are passed on with its calls; credentials must be listed by
     * their full names. Default: none.
     */
    passHeaders: listOf(passedHeader, 'a list of header names').optional(),
    /** For `starbind login`, if the authorization server does not support dynamic client registration. */
    oauth: (oauthEntry as z.ZodType<OAuthSettings>).optional(),
    /** A server that starbind brings along: see docs/builtin.md. It needs neither a program nor an address. */
    builtin: oneOf(...builtinNames).optional(),
    /** The folder that a built-in server works in, relative to the file. */
    root: someText.optional(),
    /** Whether the built-in servers `files` and `sql` may change files, or their database. Default false. */
    write: yesOrNo.optional(),
    /** Files that a built-in server hides from programs: patterns as in a `.gitignore`. Default: none. */
    exclude: listOf(someText, 'a list of patterns').optional(),
    /**
     * Whether the built-in server `shell` runs commands in `bwrap`: `"bwrap"` (no command runs without it) or `"none"`.
     * Default: where it works.
     */
    sandbox: oneOf('bwrap', 'none').optional(),
    /** The hosts that the built-in server `web` may reach, such as `"example.com"`, `"*.example.com"`, `"10.0.0.0/8"`. */
    hosts: listOf(someText, 'a list of hosts').optional(),
    /** Tools that are functions of this process, or a server or client object of the SDK: only a program can give one. */
    inProcess: z
      .custom<InProcess>(isInProcess, {
        error: 'tools with a function call, or a server or client object of the MCP SDK',
      })
      .optional(),
    /**
     * Whether its tools are reached through programs (true), directly (false), or directly while there are few (`auto`).
     * Default: the `serve` block's.
     */
    codeMode: codeModeUse.optional(),
    /** One stub file for the server or one for each tool. Default: the `codeMode` block's. */
    bindingLevel: level.optional(),
    /** Names and globs (`get_*`) of the tools that may be called; `[]` for none. Default: all. */
    toolsToExecute: toolNames.optional(),
    /** The part of `toolsToExecute` that needs no approval. Default: all of it. */
    toolsToAutoExecute: toolNames.optional(),
    /** Names and globs of the tools that may not be called, whatever else allows them. */
    toolsToDeny: toolNames.optional(),
    /** The calls that need a person's approval; a list has names and globs of its tools. */
    approve: approvalRule.optional(),
    /** The timeout of one call, in milliseconds. */
    timeoutMs: milliseconds.optional(),
    /**
     * Whether programs receive text that is JSON as data (`json`), as text, or as data that also works as text (`auto`,
     * the default).
     */
    results: resultsForm.optional(),
    /** Settings of single tools. */
    tools: recordOf<ToolConfig>(toolEntry, 'an object with one entry for each tool').optional(),
    /** The maximum number of concurrent calls to it. Default 8. */
    callsAtOnce: atLeastOne.optional(),
    /**
     * Names and globs of tools that only read although the server does not declare it: programs may run ahead of their
     * answers.
     */
    reads: toolNames.optional(),
    /**
     * Names and globs of tools that may write although the server declares them read-only: programs wait for each call.
     */
    writes: toolNames.optional(),
    /** Whether programs run ahead of its reads. Default: the `codeMode` block's. */
    readAhead: yesOrNo.optional(),
    /** Whether callers may read its resources directly; false also takes them from programs. Default: programs only. */
    resources: yesOrNo.optional(),
    /** The same for its prompts. */
    prompts: yesOrNo.optional(),
    /** Do not use this server. Default false. */
    disabled: yesOrNo.optional(),
    /** Start it when it is first needed, and stop it after `idleMs` without a call. Default false. */
    lazy: yesOrNo.optional(),
    /** How long a lazy server stays connected without a call, in milliseconds. Default five minutes. */
    idleMs: milliseconds.optional(),
    /** How often it is pinged, in milliseconds; 0 for never. Default half a minute. */
    pingMs: millisecondsOrNever.optional(),
    /**
     * How often its tools are listed again, in milliseconds; 0 for never. Default: every five minutes if the server does
     * not announce changes.
     */
    pollMs: millisecondsOrNever.optional(),
    /** The timeout for starting it and listing its tools, in milliseconds. Default: the `codeMode` block's. */
    connectTimeoutMs: milliseconds.optional(),
    /**
     * The memory that it may occupy in this process, in bytes: its list of tools, a list of its resources, and each
     * message may take a quarter of it. The log and `starbind doctor` report cuts. Default 33,554,432 (32 MiB).
     */
    maxBytes: amount.min(65_536, { error: 'at least 65,536 bytes' }).optional(),
    /** Folders that it may work in (the protocol's roots), relative to the file. Default: the `codeMode` block's. */
    roots: listOf(someText, 'a list of folders').optional(),
    /**
     * How it is spoken to: `"2025"` for the revisions up to 2025-11-25, which begin with a handshake, `"2026"` for
     * 2026-07-28, which has none. Default `"auto"`: it is asked, and the answer is remembered.
     */
    protocol: oneOf('auto', '2025', '2026').optional(),
  },
  { error: 'an object that describes one server' },
)

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
export interface ServerEntry extends Declared<typeof serverEntry> {}

const limitsEntry = z.strictObject(
  Object.fromEntries(limitNames.map((name) => [name, amount.optional()])) as Record<
    keyof Limits,
    z.ZodOptional<typeof amount>
  >,
  { error: 'an object' },
)

export const stubsEntry = z.strictObject(
  {
    /** The maximum length of a description in a stub line, in characters. */
    descriptionLength: atLeastNone.optional(),
    /** A file that keeps the observed result types across restarts; relative to the configuration file. */
    observationsFile: someText.optional(),
    /** How many different strings of one field may be kept as an enumeration. */
    observedValues: atLeastNone.max(100, { error: 'at most 100' }).optional(),
  },
  { error: 'an object' },
)

/**
 * How stubs are written, and which observations are kept for them.
 *
 * @example
 * import { CodeMode, type StubSettings } from 'starbind'
 *
 * const stubs: StubSettings = { descriptionLength: 160, observationsFile: 'observed.json', observedValues: 8 }
 * await using codeMode = await CodeMode.open({ stubs })
 */
export interface StubSettings extends Declared<typeof stubsEntry> {}

const resultsEntry = z.strictObject(
  {
    /**
     * The total size of a session's files, in bytes, and as much again for the call results of its failed runs; all
     * sessions together hold at most eight times as much. Default 32 million.
     */
    maxBytes: atLeastOne.optional(),
    /** The number of a session's files. Default 200. */
    maxFiles: atLeastOne.optional(),
    /** How long a file is kept, in days. Default 30. */
    maxDays: days.optional(),
  },
  { error: 'an object' },
)

/**
 * The size of `results/`.
 *
 * @example
 * import { CodeMode, type ResultSettings } from 'starbind'
 *
 * const results: ResultSettings = { maxBytes: 8_000_000, maxFiles: 50, maxDays: 7 }
 * await using codeMode = await CodeMode.open({ results })
 */
export interface ResultSettings extends Declared<typeof resultsEntry> {}

const answerEntry = z.strictObject(
  {
    /** The maximum length of an answer to a model, in characters. Default 24,000. */
    maxChars: amount.min(500, { error: 'at least 500' }).optional(),
    /** Answers have `structuredContent` beside their text. Default false, because many hosts show a model both. */
    structured: yesOrNo.optional(),
  },
  { error: 'an object' },
)

export interface AnswerEntry extends Declared<typeof answerEntry> {}

const isolationUse = oneOf('thread', 'process')

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
export type Isolation = z.output<typeof isolationUse>

const bucketEntry = z.strictObject(
  {
    /** The URL of a store other than Amazon’s. Default `${AWS_ENDPOINT_URL}`, else Amazon’s. */
    endpoint: someText.optional(),
    /** Default `${AWS_REGION}`, else `us-east-1`. */
    region: someText.optional(),
    /** Default `${AWS_ACCESS_KEY_ID}`. */
    accessKeyId: someText.optional(),
    /** Default `${AWS_SECRET_ACCESS_KEY}`. */
    secretAccessKey: someText.optional(),
    /** For temporary credentials. Default `${AWS_SESSION_TOKEN}`, else none. */
    sessionToken: someText.optional(),
  },
  { error: 'an object' },
)

/**
 * The address and the credentials of a bucket.
 *
 * @example
 * import { type BucketSettings, CodeMode } from 'starbind'
 *
 * const stateBucket: BucketSettings = { endpoint: 'https://s3.example.com', region: 'eu-central-1' }
 * const state = 'redis://redis.internal'
 * await using codeMode = await CodeMode.open({ state, stateFiles: 's3://team/starbind', stateBucket })
 */
export interface BucketSettings extends Declared<typeof bucketEntry> {}

const settings = z.strictObject({
  /** One stub file for each server, or one for each tool. Default `server`. */
  bindingLevel: level.optional(),
  /** The language of programs that do not declare one. Default `starlark`. */
  language: oneOf('starlark', 'javascript').optional(),
  /** Pure Starlark, without Python's additions. Default false. */
  strict: yesOrNo.optional(),
  /** `run`: programs may know when their run began, to the millisecond. Default `none`. */
  clock: clockUse.optional(),
  /** `seeded`: programs may draw random numbers, which follow from a seed that is new for each run. Default `none`. */
  random: chanceUse.optional(),
  /** `session`: programs may keep values for later runs of the same caller. Default `none`. See docs/programs.md. */
  memory: memoryUse.optional(),
  /** The timeout for starting one server and listing its tools, in milliseconds. Default 30,000. */
  connectTimeoutMs: milliseconds.optional(),
  /** The timeout of one tool call, in milliseconds. Servers and tools may have their own. Default one minute. */
  callTimeoutMs: milliseconds.optional(),
  /**
   * Whether programs receive text that is JSON as data (`json`), as text, or as data that also works as text (`auto`,
   * the default).
   */
  resultForm: resultsForm.optional(),
  /** The maximum number of concurrent calls in one run. Servers have their own bound, over all runs. Default 16. */
  callsAtOnce: atLeastOne.optional(),
  /** Whether programs run ahead of calls that only read; this does not change their meaning. Default true. */
  readAhead: yesOrNo.optional(),
  /** Whether equal concurrent reads of one run share one answer. Default false. */
  coalesceReads: yesOrNo.optional(),
  /** The calls that need a person's approval: see docs/approvals.md. Default `never`. */
  approve: approvalRule.optional(),
  /** How long a run waits for an answer before it ends, in hours. Default 24. */
  approvalHours: z.number({ error: 'a number of hours' }).positive({ error: 'more than 0 hours' }).optional(),
  /**
   * Where runs are kept: a folder, relative to the configuration file; `redis://…` or `rediss://…` for several machines,
   * see docs/operating.md; false keeps them in memory. Default: `.starbind` for the command line, memory for the library.
   */
  state: stateUse.optional(),
  /** With `redis://`: the beginning of every key. Deployments with different configurations need different ones. Default `starbind`. */
  statePrefix: z
    .string()
    .regex(/^[\w.-]{1,64}$/, { error: 'letters, digits, `.`, `_` and `-`, at most 64' })
    .optional(),
  /**
   * With `redis://`: where the contents of files are: a folder that all machines share, relative to the configuration
   * file, or `s3://BUCKET/PREFIX`. Default: in Redis, files of up to 8 million bytes.
   */
  stateFiles: someText.optional(),
  /** With `redis://`: the address and the credentials of that bucket. */
  stateBucket: (bucketEntry as z.ZodType<BucketSettings>).optional(),
  /**
   * With `redis://`: logins to servers are kept there, encrypted with a key that is derived from this text of at least 16
   * characters. Default: they stay in files of each machine.
   */
  stateKey: someText.optional(),
  /** With `redis://…`: the most background runs of one caller that all workers carry out at once. Default 16. */
  runsAtOnce: atLeastOne.optional(),
  /** With `redis://…`: the most background runs of one caller that wait for a worker; more are refused. Default 1,000. */
  runsWaiting: atLeastOne.optional(),
  /** How long ended runs are kept, in days. Default 30. */
  stateDays: days.optional(),
  /** The maximum size of the kept runs, in bytes; waiting runs are never dropped. Default 256 million. */
  stateBytes: atLeastOne.optional(),
  /** False: digests are kept instead of the arguments of calls. Default true. */
  keepArguments: yesOrNo.optional(),
  /**
   * The folder of saved programs, relative to the configuration file; false: there are none. Default: `programs` beside
   * the file. See docs/programs.md.
   */
  programs: folderOrNone.optional(),
  /**
   * `thread`: programs are compiled and run in threads of this process. `process`: in threads of a child process, whose
   * loss disconnects no caller. Default `thread`.
   */
  isolation: isolationUse.optional(),
})

/**
 * How programs run: settings that the block `codeMode` of a file and the options of `CodeMode.open` share.
 *
 * @example
 * import { CodeMode, type CodeModeSettings } from 'starbind'
 *
 * const settings: CodeModeSettings = { language: 'javascript', callTimeoutMs: 5000, isolation: 'process' }
 * await using codeMode = await CodeMode.open(settings)
 */
export interface CodeModeSettings extends Declared<typeof settings> {}

export const codeModeSettingNames = Object.keys(settings.shape) as (keyof CodeModeSettings)[]

const codeModeEntry = z.strictObject(
  {
    ...settings.shape,
    /** The limits of a run. */
    limits: limitsEntry.optional(),
    /** How answers are written. */
    answer: (answerEntry as z.ZodType<AnswerEntry>).optional(),
    /** How stubs are written, and which observations are kept for them. */
    stubs: (stubsEntry as z.ZodType<StubSettings>).optional(),
    /** The size of `results/`. */
    results: (resultsEntry as z.ZodType<ResultSettings>).optional(),
    /** Folders that servers may work in (the protocol's roots), relative to the file. Default: none. */
    roots: listOf(someText, 'a list of folders').optional(),
  },
  { error: 'an object' },
)

/** The block `codeMode` as a person writes it. */
export interface CodeModeEntry extends CodeModeSettings, Declared<typeof codeModeEntry> {}

export const configurationEntry = z.strictObject(
  {
    $schema: text.optional(),
    mcpServers: recordOf<ServerEntry>(serverEntry, 'an object with one entry for each server').optional(),
    codeMode: codeModeEntry.optional(),
    serve: serveEntry.optional(),
    models: modelsEntry.optional(),
    agents: agentsEntry.optional(),
  },
  { error: 'an object with the key mcpServers' },
)

/** The known keys at a place of the file; empty if any key is allowed. */
export function knownKeys(key: readonly PropertyKey[]): readonly string[] {
  const schema = key.reduce<z.ZodType | undefined>(schemaWithin, configurationEntry)
  const keys = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  // Keys that a file can't hold are not suggested to authors of files.
  return keys.filter((key) => key !== 'inProcess')
}

function schemaWithin(schema: z.ZodType | undefined, key: PropertyKey): z.ZodType | undefined {
  if (schema instanceof z.ZodRecord) return bare(schema.valueType as z.ZodType)
  if (schema instanceof z.ZodArray) return bare(schema.element as z.ZodType)
  return schema instanceof z.ZodObject ? bare(schema.shape[String(key)] as z.ZodType | undefined) : undefined
}

function bare(schema: z.ZodType | undefined): z.ZodType | undefined {
  return schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema
}
