// Finds and reads configuration files, their includes and their `.env` files.
// Invariant: every complaint names the file that holds the key, or the variable.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { parse as parseVariables } from 'dotenv'
import { type Diagnostic, DiagnosticError, nearestNames, seenFrom } from '../../diagnostics/index.js'
import {
  configMissing,
  configNotJson,
  configNotSupported,
  configServerTwice,
  configUnknownKey,
  configUnknownVariable,
  configUnreadable,
  configVariablesMissing,
  configWrongValue,
} from '../messages.js'
import { checkConfiguration, unusableServer } from './check.js'
import { dotted } from './complaints.js'
import type { Configuration, Environment, ServerConfig } from './configuration.js'
import { type Document, ownForm } from './forms.js'
import { type JsonText, JsonTextError, type Place, parseJsonText } from './json-text.js'
import type { PlaceOf, ReadOptions } from './surroundings.js'
import { blocksFrom, knownVariables, merged } from './variables.js'

/**
 * Looks for `starbind.json`, then `.mcp.json`, in `folder` and then in each folder above it.
 *
 * @example
 * import { findConfiguration } from 'starbind'
 *
 * console.log(findConfiguration(process.cwd()) ?? 'neither starbind.json nor .mcp.json, here or above')
 */
export function findConfiguration(folder: string): string | undefined {
  for (let here = path.resolve(folder); ; here = path.dirname(here)) {
    for (const name of ['starbind.json', '.mcp.json']) {
      const file = path.join(here, name)
      if (existsSync(file)) return file
    }
    if (here === path.dirname(here)) return undefined
  }
}

/**
 * Reads a configuration file, its includes and the `STARBIND_` variables. A server with a wrong entry, or with an
 * unreadable included file, is listed but can't be used: its connection is `unusable` and has the reason. Throws a
 * DiagnosticError with all other mistakes.
 *
 * @example
 * import { CodeMode, DiagnosticError, readConfiguration, renderDiagnostics } from 'starbind'
 *
 * try {
 *   await using codeMode = await CodeMode.open({ configuration: readConfiguration('starbind.json') })
 *   console.log(codeMode.status())
 * } catch (error) {
 *   if (!(error instanceof DiagnosticError)) throw error
 *   console.error(renderDiagnostics(error.diagnostics))
 * }
 */
export function readConfiguration(file: string, options: ReadOptions = {}): Configuration {
  try {
    return configurationOf([readSource(file), ...includedBy(file)], options)
  } catch (error) {
    throw seenFrom(readConfiguration, error)
  }
}

/**
 * The configuration without a file: the `STARBIND_` variables. Throws a DiagnosticError with all mistakes in them.
 *
 * @example
 * import { CodeMode, defaultConfiguration, findConfiguration, readConfiguration } from 'starbind'
 *
 * const file = findConfiguration(process.cwd())
 * await using codeMode = await CodeMode.open({
 *   configuration: file === undefined ? defaultConfiguration() : readConfiguration(file),
 * })
 */
export function defaultConfiguration(options: ReadOptions = {}): Configuration {
  const document = ownForm({})
  const placeOf = () => 'the environment'
  const nothing = { ...unread, file: '', folder: process.cwd(), document }
  return configurationOf([{ ...nothing, placeOf }], options)
}

/**
 * The files and folders that `readConfiguration` would read: those to watch. A file that can't be read is the only one.
 */
export function configurationFiles(file: string): string[] {
  try {
    const included = includedBy(file)
    const files = included.map((source) => source.file)
    const variables = [readSource(file), ...included].flatMap((source) => envFileOf(source) ?? [])
    return [path.resolve(file), ...files, ...files.map((one) => path.dirname(one)), ...variables]
  } catch {
    return [path.resolve(file)]
  }
}

/**
 * Finds the parts of a configuration without effect: unknown keys of Bifrost's form, and unknown `STARBIND_…`
 * variables. They cause no failure. Throws a DiagnosticError if the file can't be read.
 *
 * @example
 * import { configurationRemarks, findConfiguration } from 'starbind'
 *
 * for (const { message, hint } of configurationRemarks(findConfiguration('.'))) console.error(message, hint)
 */
export function configurationRemarks(
  file: string | undefined,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Diagnostic[] {
  const sources = file === undefined ? [] : [readSource(file), ...includedBy(file)]
  const unread = sources.flatMap((source) => {
    const envFile = envFileOf(source)
    return envFile === undefined || existsSync(envFile)
      ? []
      : [configVariablesMissing(source.placeOf(['envFile']), shownPath(envFile))]
  })
  const names = knownVariables()
  const variables = Object.keys(environment).filter((name) => /^STARBIND_/.test(name) && !names.includes(name))
  return [
    ...sources.flatMap(({ remarks }) => remarks),
    ...unread,
    ...variables.map((name) => configUnknownVariable(name, nearestNames(name, names, 1))),
  ]
}

/**
 * A key of a server's entry as its file writes it, and its place. Undefined if the file's form has no such key. Throws
 * a DiagnosticError if the file can't be read.
 *
 * @example
 * import { writtenKey } from 'starbind'
 *
 * const { name, place } = writtenKey('starbind.json', 'github', 'toolsToExecute') ?? {}
 * console.log(place, name)
 */
export function writtenKey(
  file: string,
  server: string,
  key: string,
): { readonly name: string; readonly place: string } | undefined {
  const source = [readSource(file), ...includedBy(file)].find(({ document: { value } }) => {
    const entries = isRecord(value) ? value.mcpServers : undefined
    return isRecord(entries) && Object.hasOwn(entries, server)
  })
  const full = ['mcpServers', server, key]
  const name = source?.keyOf(full).at(-1)
  return typeof name === 'string' ? { name, place: source!.placeOf(full) } : undefined
}

/** One file. */
interface Source {
  readonly file: string
  readonly folder: string
  readonly document: Document
  readonly placeOf: PlaceOf
  /** A starbind key as it is spelled in the file. */
  keyOf(key: readonly PropertyKey[]): readonly PropertyKey[]
  /** Its unsupported keys. */
  readonly refusals: readonly Diagnostic[]
  /** Its parts without effect. */
  readonly remarks: readonly Diagnostic[]
  /** The placeholder for an unreadable file. */
  readonly unusable?: ServerConfig
}

/** The reading of a source without text. */
const unread = { keyOf: (key: readonly PropertyKey[]) => key, refusals: [], remarks: [] }

function configurationOf(sources: readonly Source[], options: ReadOptions): Configuration {
  const [main] = sources
  const environment = options.environment ?? process.env
  const { blocks, names } = blocksFrom(environment)
  const { include: _, envFile: __, ...own } = isRecord(main!.document.value) ? main!.document.value : {}
  const { servers, owners, faults } = together(sources)
  faults.push(...sources.flatMap(({ refusals }) => refusals))
  if (faults.length > 0) throw new DiagnosticError(faults)
  const value = isRecord(main!.document.value)
    ? merged({ ...own, ...(servers === undefined ? {} : { mcpServers: servers }) }, blocks)
    : main!.document.value
  const ownerOf = (key: readonly PropertyKey[]) =>
    (key[0] === 'mcpServers' ? owners.get(String(key[1])) : undefined) ?? main!
  const checked = checkConfiguration(value, {
    ...options,
    environment: { ...Object.assign({}, ...sources.map(variablesOf)), ...environment },
    toleratesEntries: true,
    folder: main!.folder,
    ownFiles: sources.flatMap(({ file }) => (file === '' ? [] : [path.resolve(file)])),
    folderOf: (server) => owners.get(server)?.folder ?? main!.folder,
    inputs: Object.assign({}, ...sources.map(({ document }) => document.inputs)),
    placeOf: (key) => {
      const variable = variableOf(key, names)
      return variable === undefined ? ownerOf(key).placeOf(key) : `the environment variable ${variable}:`
    },
    keyOf: (key) => (variableOf(key, names) === undefined ? ownerOf(key).keyOf(key) : key),
  })
  const { file, folder } = main!
  const beside = file === '' ? {} : { folder, programs: path.join(folder, 'programs') }
  const configuration = { ...beside, ...checked }
  const unusable = sources.flatMap((source) => source.unusable ?? [])
  return unusable.length === 0 ? configuration : { ...configuration, servers: [...configuration.servers, ...unusable] }
}

/** The variables of its `envFile`; none if the file is missing. */
function variablesOf(source: Source): Environment {
  const file = envFileOf(source)
  return file === undefined || !existsSync(file) ? {} : parseVariables(readFileSync(file, 'utf8'))
}

function envFileOf({ document, folder, placeOf }: Source): string | undefined {
  const { envFile } = isRecord(document.value) ? document.value : {}
  if (envFile === undefined) return undefined
  if (typeof envFile !== 'string')
    throw new DiagnosticError(
      configWrongValue(
        placeOf(['envFile']),
        'envFile',
        'something else',
        'the path of a file with lines of NAME=value',
      ),
    )
  return path.resolve(folder, envFile)
}

/** The variable that a key, or its parent, came from. */
function variableOf(key: readonly PropertyKey[], names: ReadonlyMap<string, string>): string | undefined {
  if (key.length === 0) return undefined
  return names.get(key.join('.')) ?? variableOf(key.slice(0, -1), names)
}

/** The servers of all files, each with its file. */
function together(sources: readonly Source[]): {
  readonly servers: unknown
  readonly owners: ReadonlyMap<string, Source>
  readonly faults: Diagnostic[]
} {
  const owners = new Map<string, Source>()
  const faults: Diagnostic[] = []
  const [main, ...included] = sources
  const own = (main?.document.value as Record<string, unknown> | undefined)?.mcpServers
  if (included.length === 0 || (own !== undefined && !isRecord(own))) return { servers: own, owners, faults }
  const servers: Record<string, unknown> = {}
  for (const source of sources) {
    const entries = (source.document.value as Record<string, unknown>).mcpServers
    for (const [name, entry] of isRecord(entries) ? Object.entries(entries) : []) {
      const other = owners.get(name)
      const key = ['mcpServers', name]
      if (other !== undefined) faults.push(configServerTwice(source.placeOf(key), name, other.placeOf(key)))
      owners.set(name, source)
      servers[name] = entry
    }
  }
  return { servers, owners, faults }
}

/** The files that a file's `include` names. A folder means its `*.json` files, in the order of their names. */
function includedBy(file: string): Source[] {
  const main = readSource(file)
  const include = isRecord(main.document.value) ? main.document.value.include : undefined
  if (include === undefined) return []
  const names = [include].flat()
  if (!names.every((name): name is string => typeof name === 'string' && name !== ''))
    throw new DiagnosticError(
      configWrongValue(
        main.placeOf(['include']),
        'include',
        'something else',
        'the path of a file or folder, or a list of them',
      ),
    )
  return names.flatMap((name) => filesAt(path.resolve(main.folder, name))).map(readIncludedOrNot)
}

/** An unreadable file becomes an unusable server, so that the others keep working. */
function readIncludedOrNot(file: string): Source {
  try {
    return readIncluded(file)
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error
    const unusable = unusableServer(path.basename(file, '.json'), error.diagnostics, undefined)
    const folder = projectFolder(path.dirname(file))
    return { ...unread, file, folder, document: ownForm({}), placeOf: () => shownPath(file), unusable }
  }
}

function filesAt(place: string): string[] {
  if (!existsSync(place) || !statSync(place).isDirectory()) return [place]
  const names = readdirSync(place).filter((name) => name.endsWith('.json'))
  return names.sort().map((name) => path.join(place, name))
}

/** The servers of a whole configuration, or one server that is named after the file. */
function readIncluded(file: string): Source {
  const source = readSource(file)
  const { value } = source.document
  const name = path.basename(file, '.json')
  const isOneServer =
    isRecord(value) &&
    !('mcpServers' in value) &&
    ['command', 'url', 'serverUrl', 'httpUrl'].some((key) => key in value)
  if (!isOneServer) return source
  const document = ownForm({ mcpServers: { [name]: value } })
  const keyOf = (key: readonly PropertyKey[]) => document.original(key).slice(2)
  return { ...source, document, keyOf, placeOf: (key) => source.placeOf(keyOf(key)) }
}

function readSource(file: string): Source {
  const shown = shownPath(file)
  const text = parseFile(readFile(file, shown), shown)
  const document = ownForm(text.value)
  const { refused = [], unknown = [] } = document
  return {
    file: path.resolve(file),
    folder: projectFolder(path.dirname(path.resolve(file))),
    document,
    placeOf: (key) => at(shown, nearestPlace(text, document.original(key))),
    keyOf: (key) => document.original(key),
    refusals: refused.map(({ key, what, instead }) =>
      configNotSupported(at(shown, nearestPlace(text, key)), dotted(key), what, instead),
    ),
    remarks: unknown.map(({ key, known }) =>
      configUnknownKey(
        at(shown, nearestPlace(text, key)),
        dotted(key),
        nearestNames(String(key.at(-1)), known, 1),
        known,
      ),
    ),
  }
}

/** The place of the key, or of its nearest existing parent. */
function nearestPlace(text: JsonText, key: readonly PropertyKey[]): Place | undefined {
  return text.placeOf(key) ?? (key.length === 0 ? undefined : nearestPlace(text, key.slice(0, -1)))
}

/** Editors keep their settings in a subfolder of the project. */
function projectFolder(folder: string): string {
  return ['.vscode', '.cursor'].includes(path.basename(folder)) ? path.dirname(folder) : folder
}

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

/** The file's path, relative to the working directory if it is inside. */
function shownPath(file: string): string {
  const relative = path.relative(process.cwd(), path.resolve(file))
  return relative.startsWith('..') ? path.resolve(file) : relative
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
