// What `CodeMode.open` takes. Knows the names of the options and the kinds of their values, because programs in JavaScript have no compiler that does;
// what is inside of them is checked where it is used. Invariant: an option that there is not is never passed over in silence.

import { DiagnosticError, nearestNames } from './diagnostics/index.js'
import {
  type BindingLevel,
  type Configuration,
  configUnknownKey,
  configWrongValue,
  type Log,
  type ResultSettings,
  type ResultsForm,
  type ServerEntry,
  type ServeSettings,
  type StubSettings,
} from './gateway/index.js'
import type { Language } from './interpreter/index.js'
import type { Limits } from './sandbox/index.js'

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

type Kind = 'object' | 'function' | 'boolean' | 'number' | readonly string[]

const kinds: Readonly<Record<keyof OpenOptions, Kind>> = {
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
  connectTimeoutMs: 'number',
  serve: 'object',
  callersAnswer: 'boolean',
  warm: 'boolean',
  log: 'function',
  signal: 'object',
}

const words: Readonly<Record<Exclude<Kind, readonly string[]>, string>> = {
  object: 'an object',
  function: 'a function',
  boolean: 'true or false',
  number: 'a number above 0',
}

/** Throws a DiagnosticError with every option that there is not and every value of the wrong kind. */
export function checkOptions(options: OpenOptions): void {
  const wrong = Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined) return []
    if (!Object.hasOwn(kinds, name)) return [unknownOption(name)]
    const kind = kinds[name as keyof OpenOptions]
    return fits(value, kind) ? [] : [configWrongValue(PLACE, name, gotOf(value, kind), wantOf(kind))]
  })
  if (wrong.length > 0) throw new DiagnosticError(wrong)
}

const PLACE = 'CodeMode.open:'

function unknownOption(name: string) {
  const known = Object.keys(kinds)
  const near = nearestNames(name, known, 2)
  const { hint, ...fact } = configUnknownKey(PLACE, name, near, known)
  return near.length > 0 && hint !== undefined ? { ...fact, hint } : fact
}

function fits(value: unknown, kind: Kind): boolean {
  if (typeof kind !== 'string') return kind.includes(value as string)
  if (kind === 'number') return typeof value === 'number' && value > 0
  return typeof value === kind && value !== null && !Array.isArray(value)
}

/** A value is shown only where it stands for a word. */
function gotOf(value: unknown, kind: Kind): string {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value)
  if (typeof value === 'string') return typeof kind === 'string' ? 'a string' : JSON.stringify(value)
  return Array.isArray(value) ? 'a list' : `a${typeof value === 'object' ? 'n' : ''} ${typeof value}`
}

function wantOf(kind: Kind): string {
  return typeof kind === 'string' ? words[kind] : kind.map((word) => `"${word}"`).join(' or ')
}
