// The inputs of commands: shared options, the configuration, the program's text.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { addAbortSignal } from 'node:stream'
import { text as readAll } from 'node:stream/consumers'
import {
  type ChanceUse,
  type ClockUse,
  type Configuration,
  defaultConfiguration,
  findConfiguration,
  type Language,
  type Log,
  type LogFormat,
  type LogLevel,
  type MemoryUse,
  type ModelConfig,
  modelsOf,
  type OpenOptions,
  readConfiguration,
  stderrLog,
} from '../index.js'
import { wrongUsage } from './failure.js'
import { holding } from './held-warnings.js'
import { inStateFolder } from './state-folder.js'
import { mustGoOn, stopping } from './stopping.js'

/** The options of `starbind` itself, before or after any command. */
export interface CommonOptions {
  readonly config?: string
  readonly logLevel?: LogLevel
  readonly logFormat?: LogFormat
  readonly fresh?: true
  /** False: no runs are kept when the process ends. */
  readonly state?: boolean
}

/** The options of commands that take a program. */
interface WorldGiven {
  readonly clock?: ClockUse | undefined
  readonly random?: ChanceUse | undefined
  readonly memory?: MemoryUse | undefined
}

export interface ProgramOptions extends CommonOptions, WorldGiven {
  readonly eval?: string
  readonly language?: Language
  readonly strict?: true
  readonly readOnly?: true
}

/** The file that `--config` names, else the nearest one, else none. Throws a DiagnosticError that names the mistake. */
export function configurationFor(options: CommonOptions, log: Log): Configuration {
  if (options.config !== undefined) return readConfiguration(options.config)
  const found = findConfiguration(process.cwd())
  log({ level: 'debug', message: found === undefined ? 'there is no configuration file' : `using ${found}` })
  // A file that was found speaks for the folder it lies in: its relative paths mean that folder.
  return found === undefined ? defaultConfiguration() : readConfiguration(found, { startIn: path.dirname(found) })
}

/** The file that `configurationFor` reads; undefined when there is none. */
export function configurationFileFor(options: CommonOptions): string | undefined {
  return options.config ?? findConfiguration(process.cwd())
}

/** The key for models that `--model` names. */
const MODEL_KEY = 'STARBIND_MODEL_KEY'

/** The models that `--model NAME=BASE_URL` names, and those of the configuration with other names. */
export function modelsGiven(given: readonly string[], { models = [] }: Configuration): readonly ModelConfig[] {
  const apiKey = process.env[MODEL_KEY]
  const entries = given.map((text) => {
    // Names may have signs of equality; URLs begin with their scheme.
    const [, name, baseUrl] = /^(.+?)=(https?:\/\/.+)$/.exec(text) ?? []
    if (name === undefined || baseUrl === undefined || name.includes('|'))
      throw wrongUsage(`--model ${text}: write NAME=BASE_URL, as in qwen3:8b=http://127.0.0.1:11434/v1`)
    return [name, { baseUrl, ...(apiKey === undefined ? {} : { apiKey }) }] as const
  })
  const own = modelsOf(Object.fromEntries(entries))
  return [...own, ...models.filter(({ name }) => !own.some((one) => one.name === name))]
}

/** The servers' tool lists are cached from one command to the next. */
export function remembering(options: CommonOptions): Pick<OpenOptions, 'catalogueFolder' | 'freshCatalogues'> {
  return { catalogueFolder: catalogueFolder(), freshCatalogues: options.fresh === true }
}

export function catalogueFolder(): string {
  return inStateFolder('catalogues')
}

/** Runs are kept beside the configuration, where there is one and it says nothing else. */
export function keepingIn(options: CommonOptions, { state }: Configuration): Pick<OpenOptions, 'state'> {
  if (options.state === false) return { state: false }
  const file = configurationFileFor(options)
  return state === undefined && file !== undefined
    ? { state: path.join(path.dirname(path.resolve(file)), '.starbind') }
    : {}
}

/** Background runs wait in Redis for the workers of many processes. */
export function hasQueue(options: CommonOptions, { state }: Configuration): boolean {
  return options.state !== false && typeof state === 'string' && /^rediss?:/.test(state)
}

/** The log on stderr, of `usual` and worse where `--log-level` says nothing. */
export function logFor({ logLevel, logFormat }: CommonOptions, usual: LogLevel): Log {
  return stderrLog(logLevel ?? usual, logFormat)
}

/**
 * For commands whose answer is all that a person wants to see: warnings and worse, unless `--log-level` says otherwise.
 */
export function quietLog(options: CommonOptions): Log {
  const log = logFor(options, 'warn')
  return (options.logLevel ?? options.logFormat) ? log : holding(log)
}

/** The program of `FILE`, `-` or `-e CODE`; without any of them that of a pipe. */
export async function programText(file: string | undefined, options: ProgramOptions): Promise<string> {
  if (options.eval !== undefined) {
    if (file !== undefined) throw wrongUsage('give either a file or -e CODE, not both')
    return options.eval
  }
  if (file === '-') return standardInput()
  if (file === undefined) {
    const piped = process.stdin.isTTY ? '' : await standardInput()
    if (piped.trim() === '') throw wrongUsage('there is no program: give a file, - for stdin, or -e CODE')
    return piped
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } catch (error) {
    if (error instanceof TypeError) throw wrongUsage(`the program ${file} can't be read: it is not UTF-8 text`)
    const code = (error as NodeJS.ErrnoException).code
    const reason = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : String(code)
    throw wrongUsage(`the program ${file} can't be read: ${reason}`)
  }
}

/** All that comes from stdin. Throws when a person interrupts it. */
export async function standardInput(): Promise<string> {
  try {
    return await readAll(addAbortSignal(stopping, process.stdin))
  } catch (error) {
    mustGoOn()
    throw error
  }
}

/** The language that was asked for, else that of the file's name, else that of the configuration. */
export function languageFor(file: string | undefined, options: ProgramOptions, configuration: Configuration): Language {
  return options.language ?? languageOf(file) ?? configuration.language
}

/** The language that was asked for, else that of the file's name; nothing when the text has to tell. */
export function languageGiven(file: string | undefined, options: ProgramOptions): { readonly language?: Language } {
  const language = options.language ?? languageOf(file)
  return language === undefined ? {} : { language }
}

/** The language that the file's name tells. */
function languageOf(file: string | undefined): Language | undefined {
  const ending = path.extname(file ?? '')
  if (['.js', '.mjs', '.ts', '.mts'].includes(ending)) return 'javascript'
  return ['.star', '.bzl', '.py'].includes(ending) ? 'starlark' : undefined
}

/** What `--clock`, `--random` and `--memory` say, over the configuration. */
export function worldGiven({ clock, random, memory }: WorldGiven): WorldGiven {
  return {
    ...(clock === undefined ? {} : { clock }),
    ...(random === undefined ? {} : { random }),
    ...(memory === undefined ? {} : { memory }),
  }
}
