// The inputs of commands: shared options, the configuration, the program's text.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { addAbortSignal } from 'node:stream'
import { text as readAll } from 'node:stream/consumers'
import { InvalidArgumentError, Option } from 'commander'
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
  type OpenOptions,
  readConfiguration,
  stderrLog,
} from '../index.js'
import { wrongUsage } from './failure.js'
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

/** The log on stderr, of `usual` and worse where `--log-level` says nothing. */
export function logFor({ logLevel, logFormat }: CommonOptions, usual: LogLevel): Log {
  return stderrLog(logLevel ?? usual, logFormat)
}

/**
 * For commands whose answer is all that a person wants to see: warnings and worse, unless `--log-level` says otherwise.
 */
export function quietLog(options: CommonOptions): Log {
  return logFor(options, 'warn')
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

/** `--clock`: whether programs may know when they began. */
export function clockOption(): Option {
  return new Option('--clock <use>', 'run: the program may know when it began (default: as configured)').choices([
    'none',
    'run',
  ])
}

/** `--random`: whether programs may draw random numbers. */
export function randomOption(): Option {
  return new Option('--random <use>', 'seeded: the program may draw random numbers (default: as configured)').choices([
    'none',
    'seeded',
  ])
}

/** The values of `--clock` and `--random`, which override the configuration. */
export function worldGiven({ clock, random }: WorldGiven): WorldGiven {
  return { ...(clock === undefined ? {} : { clock }), ...(random === undefined ? {} : { random }) }
}

/** `--read-only`: restricts the tools. */
export function readOnlyOption(): Option {
  return new Option(
    '--read-only',
    'refuse the program if it can call a tool that its server does not declare read-only',
  )
}

/** `--language`, for commands that take a program. */
export function languageOption(): Option {
  return new Option('--language <name>', 'of the program (default: by the file name, else by the text)').choices([
    'starlark',
    'javascript',
  ])
}

/** Reads ISO text as milliseconds since 1970. */
export function moment(text: string): number {
  const ms = Date.parse(text)
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(ms)) throw new InvalidArgumentError('Write 2026-01-31T12:00:00Z.')
  return ms
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Write a whole number.')
  return Number(text)
}

/** Reads 500ms, 5s and 2m as milliseconds; a bare number is seconds. */
export function duration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text)
  const milliseconds = Math.round(Number(match?.[1]) * { ms: 1, s: 1000, m: 60_000 }[match?.[2] ?? 's']!)
  if (!match || milliseconds < 1) throw new InvalidArgumentError('Write 500ms, 5s or 2m.')
  return milliseconds
}
