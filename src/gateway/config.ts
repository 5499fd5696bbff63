// The configuration: which upstreams there are and how programs run. Knows the `mcpServers` JSON that MCP hosts share and the keys we add
// to it; connects to nothing. Invariant: what leaves this file is complete and checked, and every complaint names the file, the line, the
// key and what was expected.

import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { type Diagnostic, DiagnosticError, nearestNames } from '../diagnostics/index.js'
import { type Limits, limitNames, resolveLimits } from '../sandbox/index.js'
import { type JsonText, JsonTextError, type Place, parseJsonText } from './json-text.js'
import {
  configMissing,
  configNotJson,
  configUnknownKey,
  configUnreadable,
  configVariableMissing,
  configWrongValue,
  serverNameUnusable,
} from './messages.js'

export type Connection =
  | {
      readonly type: 'stdio'
      readonly command: string
      readonly args: readonly string[]
      /** Added to the few variables that every upstream inherits (HOME, PATH and the like). */
      readonly env: Readonly<Record<string, string>>
      /** Absolute; absent: the folder that starbind was started in. */
      readonly cwd?: string
    }
  | { readonly type: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> }

export type BindingLevel = 'server' | 'tool'

export type ResultsForm = 'text' | 'json' | 'auto'

export interface ToolConfig {
  /** For one call. Milliseconds. */
  readonly timeoutMs?: number | undefined
  readonly results?: ResultsForm | undefined
}

export interface ServerConfig {
  readonly name: string
  readonly connection: Connection
  /** Absent: the level of the `codeMode` block. */
  readonly bindingLevel?: BindingLevel
  /** Names or globs of the tools that may be called; absent: all of them. */
  readonly toolsToExecute?: readonly string[]
  /** The part of `toolsToExecute` that needs nobody's consent; absent: all of it. */
  readonly toolsToAutoExecute?: readonly string[]
  /** For one call. Milliseconds; absent: the `codeMode` block's. */
  readonly timeoutMs?: number
  /** Whether text that is JSON is given to programs as data or as text; absent: the `codeMode` block's. */
  readonly results?: ResultsForm
  /** What differs for single tools, by their own names. */
  readonly tools?: Readonly<Record<string, ToolConfig>>
  readonly disabled: boolean
  /** Values that must never be shown: what environment references stood for, headers, tokens. */
  readonly secrets: readonly string[]
}

export interface StubSettings {
  /** The longest description in a stub line, in characters. */
  readonly descriptionLength?: number
  /** Remembers over restarts what tools were seen to return. Absolute. */
  readonly observationsFile?: string
  /** How many different texts of one place may be remembered as an enumeration. */
  readonly observedValues?: number
}

/** Room for what is kept in `results/`. */
export interface ResultSettings {
  readonly maxBytes?: number
  readonly maxFiles?: number
}

export interface Configuration {
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
  /** For one call of a tool. Milliseconds; absent: one minute. */
  readonly callTimeoutMs?: number
  /** Whether text that is JSON is given to programs as data or as text; absent: as data that remembers its text. */
  readonly resultForm?: ResultsForm
  readonly stubs?: StubSettings
  readonly results?: ResultSettings
  /** For one upstream to start and list its tools. Milliseconds. */
  readonly connectTimeoutMs: number
}

export type Environment = Readonly<Record<string, string | undefined>>

/** One entry of `mcpServers` as a person writes it. Strings may hold `${NAME}` and `${NAME:-default}`. */
export interface ServerEntry {
  /** Default: `stdio` where there is a `command`, `http` where there is a `url`. */
  readonly type?: 'stdio' | 'http' | 'streamable-http' | undefined
  /** A program to start, which speaks MCP on its stdin and stdout. */
  readonly command?: string | undefined
  readonly args?: readonly string[] | undefined
  /** Added to the few variables that every upstream inherits. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Where the program starts. */
  readonly cwd?: string | undefined
  /** A Streamable HTTP endpoint. */
  readonly url?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Its tools are reached through programs: the one way there is. */
  readonly codeMode?: true | undefined
  /** One stub file for the server or one for each tool. Default: the `codeMode` block's. */
  readonly bindingLevel?: BindingLevel | undefined
  /** Names and globs (`get_*`) of the tools that may be called; `[]` for none. Default: all. */
  readonly toolsToExecute?: readonly string[] | undefined
  /** The part of `toolsToExecute` that needs nobody's consent. Default: all of it. */
  readonly toolsToAutoExecute?: readonly string[] | undefined
  /** For one call, in milliseconds. */
  readonly timeoutMs?: number | undefined
  /** Whether text that is JSON is given to programs as data (`json`), as text, or as data that remembers its text (`auto`, the default). */
  readonly results?: ResultsForm | undefined
  /** What differs for single tools. */
  readonly tools?: Readonly<Record<string, ToolConfig>> | undefined
  readonly disabled?: boolean | undefined
}

/** What runs when nothing is configured: programs without tools. */
export const emptyConfiguration: Configuration = {
  servers: [],
  bindingLevel: 'server',
  limits: {},
  language: 'starlark',
  strict: false,
  connectTimeoutMs: 30_000,
}

/** Looks for `starbind.json`, then `.mcp.json`, in `folder` and then in each folder above it. */
export function findConfiguration(folder: string): string | undefined {
  for (let here = path.resolve(folder); ; here = path.dirname(here)) {
    for (const name of ['starbind.json', '.mcp.json']) {
      const file = path.join(here, name)
      if (existsSync(file)) return file
    }
    if (here === path.dirname(here)) return undefined
  }
}

export interface ReadOptions {
  readonly environment?: Environment
  /** Where stdio servers start that name no `cwd`; absent: the folder that starbind was started in. */
  readonly startIn?: string
}

/** Reads a configuration file. Throws a DiagnosticError with everything that is wrong in it. */
export function readConfiguration(file: string, options: ReadOptions = {}): Configuration {
  const shown = shownPath(file)
  const document = parseFile(readFile(file, shown), shown)
  return checkConfiguration(document.value, {
    ...options,
    folder: path.dirname(path.resolve(file)),
    placeOf: (key) => at(shown, document.placeOf(key)),
  })
}

export interface CheckOptions extends ReadOptions {
  /** What a relative `cwd` is relative to. */
  readonly folder: string
  /** Where a key stands, for people: a file and a line. */
  placeOf(key: readonly PropertyKey[]): string
}

/** Checks a configuration that is already data. Throws a DiagnosticError with everything that is wrong in it. */
export function checkConfiguration(raw: unknown, options: CheckOptions): Configuration {
  const parsed = configurationEntry.safeParse(raw, { reportInput: true })
  if (!parsed.success) throw new DiagnosticError(parsed.error.issues.flatMap((issue) => explain(issue, options)))
  const { mcpServers = {}, codeMode = {} } = parsed.data
  const faults: Diagnostic[] = []
  const servers = Object.entries(mcpServers).map(([name, entry]) => serverConfig(name, entry, options, faults))
  faults.push(...limitFaults(codeMode.limits ?? {}, options))
  if (faults.length > 0) throw new DiagnosticError(faults)
  return {
    ...emptyConfiguration,
    servers,
    ...defined({
      bindingLevel: codeMode.bindingLevel,
      limits: codeMode.limits === undefined ? undefined : defined(codeMode.limits),
      language: codeMode.language,
      strict: codeMode.strict,
      answerMaxChars: codeMode.answer?.maxChars,
      answerStructured: codeMode.answer?.structured,
      callTimeoutMs: codeMode.callTimeoutMs,
      resultForm: codeMode.resultForm,
      stubs: codeMode.stubs === undefined ? undefined : stubSettings(codeMode.stubs, options.folder),
      results: codeMode.results === undefined ? undefined : defined(codeMode.results),
      connectTimeoutMs: codeMode.connectTimeoutMs,
    }),
  }
}

/** Checks the entry of one server. Throws a DiagnosticError with everything that is wrong in it. */
export function checkServer(name: string, entry: ServerEntry, options: CheckOptions): ServerConfig {
  const [server] = checkConfiguration({ mcpServers: { [name]: entry } }, options).servers
  if (server === undefined) throw new DiagnosticError(serverNameUnusable(name))
  return server
}

// The shape. Each `error` is what was wanted, in words.

const text = z.string({ error: 'a string' })
const someText = text.min(1, { error: 'a string that is not empty' })
const texts = z.record(z.string(), text, { error: 'an object whose values are strings' })
const toolNames = z.array(text, { error: 'a list of tool names' })
const yesOrNo = z.boolean({ error: 'true or false' })
const level = z.enum(['server', 'tool'], { error: '"server" or "tool"' })
const milliseconds = z.int({ error: 'a whole number of milliseconds' }).min(1, { error: 'at least 1 millisecond' })
const amount = z.int({ error: 'a whole number' })
const resultsForm = z.enum(['text', 'json', 'auto'], { error: '"text", "json" or "auto"' })
const toolEntry = z.strictObject(
  { timeoutMs: milliseconds.optional(), results: resultsForm.optional() },
  { error: 'an object that describes one tool' },
)

const serverEntry: z.ZodObject<{ [K in keyof ServerEntry]-?: z.ZodType<ServerEntry[K]> }> = z.strictObject(
  {
    type: z.enum(['stdio', 'http', 'streamable-http'], { error: '"stdio" or "http"' }).optional(),
    command: someText.optional(),
    args: z.array(text, { error: 'a list of strings' }).optional(),
    env: texts.optional(),
    cwd: someText.optional(),
    url: someText.optional(),
    headers: texts.optional(),
    codeMode: z.literal(true, { error: 'true: every server is reached through programs' }).optional(),
    bindingLevel: level.optional(),
    toolsToExecute: toolNames.optional(),
    toolsToAutoExecute: toolNames.optional(),
    timeoutMs: milliseconds.optional(),
    results: resultsForm.optional(),
    tools: z.record(z.string(), toolEntry, { error: 'an object with one entry for each tool' }).optional(),
    disabled: yesOrNo.optional(),
  },
  { error: 'an object that describes one server' },
)

const limitsEntry = z.strictObject(
  Object.fromEntries(limitNames.map((name) => [name, amount.optional()])) as Record<
    keyof Limits,
    z.ZodOptional<typeof amount>
  >,
  { error: 'an object' },
)

const stubsEntry = z.strictObject(
  {
    descriptionLength: amount.min(0, { error: 'at least 0' }).optional(),
    observationsFile: someText.optional(),
    observedValues: amount.min(0, { error: 'at least 0' }).max(100, { error: 'at most 100' }).optional(),
  },
  { error: 'an object' },
)

const configurationEntry = z.strictObject(
  {
    $schema: text.optional(),
    mcpServers: z.record(z.string(), serverEntry, { error: 'an object with one entry for each server' }).optional(),
    codeMode: z
      .strictObject(
        {
          bindingLevel: level.optional(),
          limits: limitsEntry.optional(),
          language: z.enum(['starlark', 'javascript'], { error: '"starlark" or "javascript"' }).optional(),
          strict: yesOrNo.optional(),
          answer: z
            .strictObject(
              { maxChars: amount.min(500, { error: 'at least 500' }).optional(), structured: yesOrNo.optional() },
              { error: 'an object' },
            )
            .optional(),
          stubs: stubsEntry.optional(),
          results: z
            .strictObject(
              {
                maxBytes: amount.min(1, { error: 'at least 1' }).optional(),
                maxFiles: amount.min(1, { error: 'at least 1' }).optional(),
              },
              { error: 'an object' },
            )
            .optional(),
          connectTimeoutMs: milliseconds.optional(),
          callTimeoutMs: milliseconds.optional(),
          resultForm: resultsForm.optional(),
        },
        { error: 'an object' },
      )
      .optional(),
  },
  { error: 'an object with the key mcpServers' },
)

/** Amounts that the sandbox does not accept, each with its place. */
function limitFaults(
  limits: { readonly [K in keyof Limits]?: number | undefined },
  options: CheckOptions,
): Diagnostic[] {
  return Object.entries(limits).flatMap(([name, value]) => {
    try {
      resolveLimits({ [name]: value })
      return []
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error
      const place = options.placeOf(['codeMode', 'limits', name])
      return error.diagnostics.map((fault) => ({ ...fault, message: `${place} ${fault.message}` }))
    }
  })
}

function stubSettings(entry: z.infer<typeof stubsEntry>, folder: string): StubSettings {
  const { observationsFile, ...rest } = entry
  return defined({
    ...rest,
    observationsFile: observationsFile === undefined ? undefined : path.resolve(folder, observationsFile),
  })
}

// One server.

function serverConfig(name: string, entry: ServerEntry, options: CheckOptions, faults: Diagnostic[]): ServerConfig {
  const references = new References(name, options, entry.disabled === true ? undefined : faults)
  return {
    name,
    connection: connectionOf(name, entry, references, options, faults),
    ...defined({
      bindingLevel: entry.bindingLevel,
      toolsToExecute: entry.toolsToExecute,
      toolsToAutoExecute: entry.toolsToAutoExecute,
      timeoutMs: entry.timeoutMs,
      results: entry.results,
      tools: entry.tools,
    }),
    disabled: entry.disabled ?? false,
    secrets: references.secrets,
  }
}

function connectionOf(
  name: string,
  entry: ServerEntry,
  references: References,
  options: CheckOptions,
  faults: Diagnostic[],
): Connection {
  const type =
    entry.type === undefined ? (entry.url === undefined ? 'stdio' : 'http') : entry.type === 'stdio' ? 'stdio' : 'http'
  const needed = type === 'stdio' ? 'command' : 'url'
  if (entry[needed] === undefined) {
    const want =
      entry.type === undefined ? 'command (a program to start) or url' : `${needed}, because type is "${entry.type}"`
    faults.push(wrong(options, ['mcpServers', name], 'an entry without it', want))
  }
  for (const key of type === 'stdio' ? (['url', 'headers'] as const) : (['command', 'args', 'env', 'cwd'] as const)) {
    if (entry[key] === undefined) continue
    const not = type === 'stdio' ? 'a server that is started with command' : 'a server that is reached at a url'
    faults.push(wrong(options, ['mcpServers', name, key], 'a value', `no such key for ${not}`))
  }
  if (type === 'http') {
    const url = references.resolve(entry.url ?? 'http://localhost', ['url'])
    if (!/^https?:\/\/[^/]/.test(url))
      faults.push(wrong(options, ['mcpServers', name, 'url'], 'something else', 'an http or https URL'))
    return { type, url, headers: references.resolveEach(entry.headers ?? {}, 'headers', /./) }
  }
  const cwd =
    entry.cwd === undefined ? options.startIn : path.resolve(options.folder, references.resolve(entry.cwd, ['cwd']))
  return {
    type,
    command: references.resolve(entry.command ?? '', ['command']),
    args: (entry.args ?? []).map((arg, i) => references.resolve(arg, ['args', i])),
    env: references.resolveEach(entry.env ?? {}, 'env', /token|secret|key|pass|auth|credential/i),
    ...defined({ cwd }),
  }
}

/** Replaces `${NAME}` and `${NAME:-default}` in one server's entry and remembers what must not be shown. */
class References {
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

// Complaints.

function explain(issue: z.core.$ZodIssue, options: CheckOptions): Diagnostic[] {
  if (issue.code !== 'unrecognized_keys') {
    const got = issue.code === 'invalid_value' ? JSON.stringify(issue.input) : kindOf(issue.input)
    return [wrong(options, issue.path, got ?? 'nothing', issue.message)]
  }
  const known: readonly string[] = knownKeys(issue.path)
  return issue.keys.map((key) => {
    const full = [...issue.path, key]
    return configUnknownKey(options.placeOf(full), dotted(full), nearestNames(key, known, 1), known)
  })
}

function knownKeys(key: readonly PropertyKey[]): readonly string[] {
  const [first, second] = key
  if (first === undefined) return ['mcpServers', 'codeMode']
  if (first === 'mcpServers') return Object.keys(key[2] === 'tools' ? toolEntry.shape : serverEntry.shape)
  const block = configurationEntry.shape.codeMode.unwrap()
  if (second === 'limits') return limitNames
  if (second === 'answer') return ['maxChars', 'structured']
  if (second === 'stubs') return Object.keys(stubsEntry.shape)
  if (second === 'results') return ['maxBytes', 'maxFiles']
  return Object.keys(block.shape)
}

function wrong(options: CheckOptions, key: readonly PropertyKey[], got: string, want: string): Diagnostic {
  return configWrongValue(options.placeOf(key), key.length === 0 ? 'the whole file' : dotted(key), got, want)
}

/** A value's kind and never the value: it may be a secret that stands in the wrong place. */
function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return String(value)
  if (Array.isArray(value)) return 'a list'
  if (value === '') return 'an empty string'
  return typeof value === 'string' ? 'a string' : 'an object'
}

function dotted(key: readonly PropertyKey[]): string {
  return key
    .map((part, i) => {
      if (typeof part === 'number') return `[${part}]`
      const word = String(part)
      return /^[\w$-]+$/.test(word) ? `${i === 0 ? '' : '.'}${word}` : `[${JSON.stringify(word)}]`
    })
    .join('')
}

// Files.

function readFile(file: string, shown: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT') throw new DiagnosticError(configMissing(shown))
    const reason = code === 'EISDIR' ? 'it is a folder' : code === 'EACCES' ? 'permission denied' : String(code)
    throw new DiagnosticError(configUnreadable(shown, reason))
  }
}

function parseFile(content: string, shown: string): JsonText {
  try {
    return parseJsonText(content)
  } catch (error) {
    if (error instanceof JsonTextError) throw new DiagnosticError(configNotJson(at(shown, error.place), error.message))
    throw error
  }
}

function at(file: string, place: Place | undefined): string {
  return place === undefined ? file : `${file}:${place.line}:${place.column}`
}

/** As a person in this folder would name the file. */
function shownPath(file: string): string {
  const relative = path.relative(process.cwd(), path.resolve(file))
  return relative.startsWith('..') ? path.resolve(file) : relative
}

/** Without the keys whose value is undefined. */
function defined<T extends object>(record: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
