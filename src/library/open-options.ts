// What `CodeMode.open` takes, and what that makes of a configuration. Knows names, kinds and defaults; what is inside of the options is checked as
// a file's would be, or where it is used. Invariant: what a configuration says holds unless an option says otherwise.

import {
  type BindingLevel,
  type Configuration,
  checkConfiguration,
  checkServer,
  defined,
  emptyConfiguration,
  type Isolation,
  type Log,
  type ResultSettings,
  type ResultsForm,
  type ServerConfig,
  type ServerEntry,
  type ServeSettings,
  type StubSettings,
} from '../gateway/index.js'
import type { Language } from '../interpreter/index.js'
import type { Limits } from '../sandbox/index.js'
import { checkOptions, type Kinds } from './check-options.js'

/**
 * What `CodeMode.open` takes. Everything has a default.
 *
 * @example
 * import { CodeMode, type OpenOptions, stderrLog } from 'starbind'
 *
 * const options: OpenOptions = {
 *   servers: { files: { command: 'my-mcp-server', args: ['.'], toolsToExecute: ['read_*'] } },
 *   limits: { wallMs: 10_000 },
 *   callTimeoutMs: 5000,
 *   log: stderrLog('warn'),
 * }
 * await using codeMode = await CodeMode.open(options)
 */
export interface OpenOptions {
  /** The upstream servers, in the form of `mcpServers`. Relative `cwd`s mean the folder of this process. */
  readonly servers?: Readonly<Record<string, ServerEntry>>
  /** A configuration that was read from a file; the other options override what it says. */
  readonly configuration?: Configuration
  /** One stub file for each server (default) or one for each tool. */
  readonly bindingLevel?: BindingLevel
  /** What a run may use up. Names that are absent take their defaults. */
  readonly limits?: Partial<Limits>
  /** Of programs that do not say. Default Starlark. */
  readonly language?: Language
  /** Pure Starlark, without what Python adds. Default false. */
  readonly strict?: boolean
  /** The longest answer to a model, in characters. Default 24,000. */
  readonly answerMaxChars?: number
  /** How stubs are written, and whether what tools return is remembered over restarts. */
  readonly stubs?: StubSettings
  /** Room for what is kept in `results/`. Default: 32 million bytes in 200 files. */
  readonly results?: ResultSettings
  /** For one call of a tool, in milliseconds. Servers and tools may have their own. Default one minute. */
  readonly callTimeoutMs?: number
  /** Whether text that is JSON is given to programs as data, as text, or as data that remembers its text. Default `auto`: the last. */
  readonly resultForm?: ResultsForm
  /** The most calls underway at once in one run. Servers have a bound of their own, over all runs. Default 16. */
  readonly callsAtOnce?: number
  /** Whether programs run ahead of calls that only read, which does not change what they mean. Default true. */
  readonly readAhead?: boolean
  /** Whether equal reads that are underway in one run at the same time share one answer. Default false. */
  readonly coalesceReads?: boolean
  /** `process`: programs are read and run in a child process, which may be lost without losing this one. Default `thread`. */
  readonly isolation?: Isolation
  /** For one upstream to start and list its tools, in milliseconds. Default 30,000. */
  readonly connectTimeoutMs?: number
  /** What callers get who connect, and who may. */
  readonly serve?: ServeSettings
  /** True: those who call may answer what servers ask meanwhile (sampling, elicitation), and servers are told so. Default false. */
  readonly callersAnswer?: boolean
  /** Start a worker for programs while the servers start, so that the first program need not wait for it. Default true. */
  readonly warm?: boolean
  /** Is told what people who run this want to know. Default: nothing is told. */
  readonly log?: Log
  /** Gives up opening. */
  readonly signal?: AbortSignal
}

const kinds: Kinds<OpenOptions> = {
  servers: 'object',
  configuration: 'object',
  bindingLevel: ['server', 'tool'],
  limits: 'object',
  language: ['starlark', 'javascript'],
  strict: 'boolean',
  answerMaxChars: 'number',
  stubs: 'object',
  results: 'object',
  callTimeoutMs: 'number',
  resultForm: ['auto', 'json', 'text'],
  callsAtOnce: 'number',
  readAhead: 'boolean',
  coalesceReads: 'boolean',
  isolation: ['thread', 'process'],
  connectTimeoutMs: 'number',
  serve: 'object',
  callersAnswer: 'boolean',
  warm: 'boolean',
  log: 'function',
  signal: 'object',
}

const PLACE = 'CodeMode.open:'

/** The configuration that the options mean. Throws a DiagnosticError with what is wrong in them. */
export function configurationOf(options: OpenOptions): Configuration {
  checkOptions(PLACE, options, kinds)
  const { configuration = emptyConfiguration } = options
  const { servers, stubs, results, serve } = blocksOf(options)
  const { bindingLevel, language, strict, answerMaxChars, connectTimeoutMs } = options
  const { callTimeoutMs, callsAtOnce, resultForm, readAhead, coalesceReads, isolation } = options
  return {
    ...configuration,
    ...defined({ bindingLevel, language, strict, answerMaxChars, connectTimeoutMs }),
    ...defined({ callTimeoutMs, callsAtOnce, resultForm, readAhead, coalesceReads, isolation }),
    ...(options.servers === undefined ? {} : { servers }),
    limits: { ...configuration.limits, ...options.limits },
    stubs: { ...configuration.stubs, ...stubs },
    results: { ...configuration.results, ...results },
    serve: { ...configuration.serve, ...serve },
  }
}

/** One server's entry, as `servers.add` and `servers.update` take it. Throws a DiagnosticError with what is wrong in it. */
export function serverOf(name: string, entry: ServerEntry, method: 'servers.add' | 'servers.update'): ServerConfig {
  const place = `${method}:`
  return checkServer(name, entry, { folder: process.cwd(), placeOf: () => place, keyOf: (key) => key.slice(1) })
}

/** The options that have a form of their own, which is the same in a file. */
function blocksOf({ servers, stubs, results, serve }: OpenOptions): Configuration {
  const raw = { ...defined({ mcpServers: servers, serve }), codeMode: defined({ stubs, results }) }
  return checkConfiguration(raw, { folder: process.cwd(), placeOf: () => PLACE, keyOf: optionOf })
}

/** Whoever gives options to the library did not write `mcpServers` or `codeMode`, as a file does. */
function optionOf([block, ...rest]: readonly PropertyKey[]): readonly PropertyKey[] {
  return block === 'mcpServers' ? ['servers', ...rest] : block === 'codeMode' ? rest : [block!, ...rest]
}
