// The options of `CodeMode.open`, and how they combine with a configuration.
// Invariant: the configuration applies unless an option overrides it.

import { z } from 'zod'
import { type Diagnostic, DiagnosticError } from '../diagnostics/index.js'
import {
  type CodeModeSettings,
  type Configuration,
  checkConfiguration,
  checkServer,
  codeModeSettingNames,
  type Declared,
  defined,
  emptyConfiguration,
  isStoreUrl,
  type Log,
  type ResultSettings,
  type ServerConfig,
  type ServerEntry,
  type ServeSettings,
  type StubSettings,
} from '../gateway/index.js'
import type { OnApproval } from '../meta-tools/index.js'
import type { Limits } from '../sandbox/index.js'
import { checkOf, option, optionsOf } from './check-options.js'

const serverStart = option.oneOf('first', 'meanwhile', 'named')

/**
 * When servers start: `first`, `meanwhile` or `named`.
 *
 * @example
 * import { CodeMode, type ServerStart } from 'starbind'
 *
 * const startServers: ServerStart = process.stdin.isTTY ? 'named' : 'first'
 * await using codeMode = await CodeMode.open({ startServers, servers: { files: { command: 'my-mcp-server' } } })
 */
export type ServerStart = z.output<typeof serverStart>

/** Options that a file can't have, or has in another form; the rest is checked like a file. */
const ownOptions = optionsOf({
  /** The upstream servers, in the form of `mcpServers`. Relative `cwd`s mean the folder of this process. */
  servers: option.anything<Readonly<Record<string, ServerEntry>>>(),
  /** A configuration from a file; the other options override it. */
  configuration: option.object<Configuration>(),
  /** The limits of a run. Absent names take their defaults. */
  limits: option.object<Partial<Limits>>(),
  /** The longest answer to a model, in characters. Default 24,000. */
  answerMaxChars: option.amount,
  /** The form of stubs, and the file that keeps observed result types across restarts. */
  stubs: option.anything<StubSettings>(),
  /** The size of `results/`. Default: 32 million bytes in 200 files. */
  results: option.anything<ResultSettings>(),
  /** What `serve` offers to callers, and the conditions for connecting. */
  serve: option.anything<ServeSettings>(),
  /**
   * True: callers may answer servers' requests during a call (sampling, elicitation), and servers are told so. Default
   * false.
   */
  callersAnswer: option.boolean,
  /**
   * True: a worker for programs starts together with the servers, so that the first program need not wait for it. If none
   * comes at once, the threads practise with a small program of starbind's own, which takes no time of the caller's thread.
   * `run`: that program takes the whole way of a program, so that all code on it has run before the first one comes; for
   * processes that stay. It calls nobody either way. Default true.
   */
  warm: z.union([z.boolean(), z.literal('run')], { error: 'true, false or "run"' }),
  /**
   * When servers start. `first`: opening waits until each is ready or has failed. `meanwhile`: they start in the
   * background, and a request waits only for the servers that it names. `named`: each starts when a request names it.
   * Default `first`.
   */
  startServers: serverStart,
  /**
   * The folder in which the servers' tool lists are cached for the next start: a server with a cached list is started
   * only when one of its tools is called, or as `startServers` says, and listings do not wait for it. With
   * `state: "redis://…"` the lists are there instead, for all processes. Default: none.
   */
  catalogueFolder: option.string,
  /** True: starbind requests the lists again and caches the new ones. Default false. */
  freshCatalogues: option.boolean,
  /** Called for calls that need approval. Default: none, and runs wait until they are resumed. */
  onApproval: option.function<OnApproval>(),
  /** Receives log lines for operators. Default: warnings, such as servers that failed, go to stderr. */
  log: option.function<Log>(),
  /** Cancels opening. */
  signal: option.object<AbortSignal>().optional(),
})

/**
 * The options of `CodeMode.open`. All have defaults.
 *
 * @example
 * import { CodeMode, type OpenOptions, stderrLog } from 'starbind'
 *
 * const options: OpenOptions = {
 *   servers: { files: { command: 'my-mcp-server', args: ['.'], toolsToExecute: ['read_*'] } },
 *   limits: { wallMs: 10_000 },
 *   callTimeoutMs: 5000,
 *   log: stderrLog('info'),
 * }
 * await using codeMode = await CodeMode.open(options)
 */
export interface OpenOptions extends CodeModeSettings, Declared<typeof ownOptions> {}

const PLACE = 'CodeMode.open:'

const checkOptions = checkOf(
  PLACE,
  ownOptions.extend(Object.fromEntries(codeModeSettingNames.map((name) => [name, z.unknown().optional()]))),
)

/** The configuration that the options describe. Throws a DiagnosticError with the mistakes in them. */
export function configurationOf(options: OpenOptions): Configuration {
  const faults: Diagnostic[] = []
  const attempt = <T>(act: () => T): T | undefined => {
    try {
      return act()
    } catch (error) {
      if (!(error instanceof DiagnosticError) || Object(options) !== options) throw error
      faults.push(...error.diagnostics)
      return undefined
    }
  }
  attempt(() => checkOptions(options))
  const { configuration = emptyConfiguration, answerMaxChars } = options
  const settings = settingsOf(options)
  const { servers, stubs, results, serve, state, stateFiles, stateBucket, stateKey } =
    attempt(() => blocksOf(options, settings)) ?? emptyConfiguration
  if (faults.length > 0) throw new DiagnosticError(faults)
  return {
    ...configuration,
    ...defined({
      ...settings,
      answerMaxChars,
      stateFiles,
      stateBucket,
      stateKey,
      ...(isStoreUrl(settings.state) ? { state } : {}),
    }),
    ...(options.servers === undefined ? {} : { servers, folder: process.cwd() }),
    limits: { ...configuration.limits, ...options.limits },
    stubs: { ...configuration.stubs, ...stubs },
    results: { ...configuration.results, ...results },
    serve: { ...configuration.serve, ...serve },
  }
}

function settingsOf(options: OpenOptions): CodeModeSettings {
  return Object.fromEntries(codeModeSettingNames.map((name) => [name, options[name]]))
}

/** One server's entry, for `servers.add` and `servers.update`. Throws a DiagnosticError with the mistakes in it. */
export function serverOf(name: string, entry: ServerEntry, method: 'servers.add' | 'servers.update'): ServerConfig {
  const place = `${method}:`
  return checkServer(name, entry, { folder: process.cwd(), placeOf: () => place, keyOf: (key) => key.slice(1) })
}

/** The options that have the same form in a file. */
function blocksOf(
  { configuration, servers, stubs, results, serve }: OpenOptions,
  settings: CodeModeSettings,
): Configuration {
  const state = configuration?.state
  const raw = { ...defined({ mcpServers: servers, serve }), codeMode: defined({ ...settings, stubs, results }) }
  return checkConfiguration(raw, { folder: process.cwd(), placeOf: () => PLACE, keyOf: optionOf, state })
}

/** Options of the library have no keys `mcpServers` and `codeMode`, unlike a file. */
function optionOf([block, ...rest]: readonly PropertyKey[]): readonly PropertyKey[] {
  return block === 'mcpServers' ? ['servers', ...rest] : block === 'codeMode' ? rest : [block!, ...rest]
}
