// Converts the MCP servers of this machine's hosts into our configuration, and a host's file into one that starts
// starbind instead. Knows which entries are usable here, but not the files and their formats.
// Invariant: nothing is written. An unreadable file is reported in the list, and does not fail. The resulting
// configuration can be opened: an entry that would be refused is omitted, with the reason.

import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import {
  checkConfiguration,
  type Environment,
  inputVariable,
  knownKeys,
  ownEntry,
  referencesIn,
} from '../configuration/index.js'
import { type Entry, type HostOptions, type HostPlace, hostPlaces, isRecord, nameOf, type Start } from './host-files.js'
import { editedHostText, type KeyPath, readHostText } from './host-text.js'
import { secretsIn, type WrittenSecret } from './written-secrets.js'

/**
 * The options of an import.
 *
 * @example
 * import { type ImportOptions, importHosts } from 'starbind'
 *
 * const options: ImportOptions = { folder: process.cwd(), from: ['cursor', 'zed'] }
 * console.log((await importHosts(options)).found.length)
 */
export interface ImportOptions extends HostOptions {
  /** A file to leave out. */
  readonly except?: string
  /** Names of hosts, from `hostNames`. Default: all. */
  readonly from?: readonly string[]
  /** Existing servers, in our form. Equal servers are not imported, and their names are not used again. */
  readonly known?: Readonly<Record<string, object>>
  /** The folder of the resulting file. Default: `folder`. */
  readonly into?: string
}

/**
 * One file of a host, and the results for its servers.
 *
 * @example
 * import { importHosts, type ImportedFile } from 'starbind'
 *
 * const { found } = await importHosts({ folder: process.cwd() })
 * const shown = ({ host, file, names }: ImportedFile) => `${host} ${file}: ${names.join(', ')}`
 * console.log(found.map(shown).join('\n'))
 */
export interface ImportedFile {
  readonly host: string
  readonly file: string
  /** The names in the configuration of the file's servers. Known servers are not among them. */
  readonly names: readonly string[]
  /** Servers that are left out, and keys that have no meaning here, each with the reason. */
  readonly leftOut: readonly { readonly name: string; readonly reason: string }[]
  /** The reason why the file can't be read. */
  readonly problem?: string
}

/**
 * A variable that must be set before the servers that refer to it can start.
 *
 * @example
 * import { importHosts, type MissingVariable } from 'starbind'
 *
 * const { missing } = await importHosts({ folder: process.cwd() })
 * const shown = ({ variable, servers }: MissingVariable) => `${variable} for ${servers.join(', ')}`
 * console.log(missing.map(shown).join('\n'))
 */
export interface MissingVariable {
  readonly variable: string
  readonly servers: readonly string[]
  /** The host's description of the input that it would ask for. */
  readonly description?: string
}

/**
 * The servers of all hosts as one configuration.
 *
 * @example
 * import { type Imported, importHosts } from 'starbind'
 *
 * const { found }: Imported = await importHosts({ folder: process.cwd() })
 * for (const { names, problem } of found) console.log(problem ?? names.join(', '))
 */
export interface Imported {
  readonly configuration: { readonly mcpServers: Readonly<Record<string, object>> }
  readonly found: readonly ImportedFile[]
  readonly missing: readonly MissingVariable[]
  /** Credentials in the configuration. */
  readonly secrets: readonly WrittenSecret[]
}

/**
 * Imports the servers of hosts. Equal servers are taken once; of two different servers with one name, the second is
 * named after its host.
 *
 * @example
 * import { writeFileSync } from 'node:fs'
 * import { importHosts } from 'starbind'
 *
 * const { configuration, found } = await importHosts({ folder: process.cwd() })
 * for (const { names } of found) console.log(names.join(', '))
 * writeFileSync('starbind.json', JSON.stringify(configuration, null, 2))
 */
export async function importHosts(options: ImportOptions): Promise<Imported> {
  const { known = {}, environment = process.env } = options
  const mcpServers: Record<string, Entry> = {}
  const inputs = new Map<string, string>()
  const found: ImportedFile[] = []
  for (const read of await readHosts(options)) {
    const names: string[] = []
    const leftOut: { name: string; reason: string }[] = []
    for (const [name, given] of read.entries) {
      if (isOurselves(given)) continue
      const { entry, unknown, reason } = usable(given, read, options)
      if (unknown.length > 0) leftOut.push({ name, reason: `${unknown.join(', ')} means nothing here` })
      if (reason !== undefined) leftOut.push({ name, reason })
      if (reason !== undefined || isAmong({ ...known, ...mcpServers }, entry)) continue
      const own = freeName(name, read.host.name, { ...known, ...mcpServers })
      mcpServers[own] = entry
      names.push(own)
    }
    for (const [id, description] of read.inputs) inputs.set(id, description)
    const { host, file, problem } = read
    if (read.entries.length > 0 || problem !== undefined)
      found.push({ host: host.name, file, names, leftOut, ...(problem === undefined ? {} : { problem }) })
  }
  const missing = missingIn(mcpServers, environment, inputs)
  return { configuration: { mcpServers }, found, missing, secrets: secretsIn(mcpServers) }
}

/**
 * The text of a host's file with starbind in place of the servers in `servers`, the present text, and the credentials
 * in it. Undefined if the file names none of them. Throws if it can't be edited safely.
 *
 * @example
 * import { importHosts, movedHostText } from 'starbind'
 *
 * const options = { folder: process.cwd() }
 * const { configuration, found } = await importHosts(options)
 * const start = { command: 'npx', args: ['-y', 'starbind', 'serve', '--config', '/home/me/starbind.json'] }
 * for (const { file } of found) console.log((await movedHostText(file, configuration.mcpServers, start, options))?.after)
 */
export async function movedHostText(
  file: string,
  servers: Readonly<Record<string, object>>,
  start: Start,
  options: HostOptions,
): Promise<{ readonly before: string; readonly after: string; readonly secrets: readonly string[] } | undefined> {
  const place = hostPlaces(options).find((one) => one.file === file)
  if (place === undefined) return undefined
  const { entries, text } = await readHost(place, options)
  const moved = entries.filter(([, given]) => isAmong(servers, usable(given, place, options).entry))
  if (moved.length === 0) return undefined
  const own = entries.find(([, given]) => isOurselves(given))
  const remove = [...moved, ...(own === undefined ? [] : [own])].map(([, , at]) => at)
  const names = new Set(entries.filter((one) => !moved.includes(one) && one !== own).map(([name]) => name))
  const name = ['starbind', 'starbind-2', 'starbind-3'].find((one) => !names.has(one))!
  const block = moved[0]![2].slice(0, -1)
  const isList = typeof remove[0]!.at(-1) === 'number'
  const put = {
    at: [...block, isList ? entries.length - remove.length : name],
    value: place.host.entryFor(name, start),
  }
  const secrets = secretsIn(Object.fromEntries(entries)).flatMap(({ value }) => [
    value,
    JSON.stringify(value).slice(1, -1),
  ])
  return { before: text, after: await editedHostText(file, text, { remove: remove.reverse(), put }), secrets }
}

type NamedEntry = readonly [name: string, entry: Entry, at: KeyPath]

interface ReadHost extends HostPlace {
  readonly text: string
  /** The file's servers, in our form. */
  readonly entries: readonly NamedEntry[]
  /** Descriptions of the inputs that the host would ask for, by id. */
  readonly inputs: ReadonlyMap<string, string>
  readonly problem?: string
}

async function readHosts(options: ImportOptions): Promise<ReadHost[]> {
  const places = hostPlaces(options).filter(
    ({ host, file }) =>
      file !== options.except && existsSync(file) && (options.from?.includes(nameOf(host.name)) ?? true),
  )
  return Promise.all(places.map((place) => readHost(place, options)))
}

async function readHost(place: HostPlace, { folder }: HostOptions): Promise<ReadHost> {
  const nothing = { ...place, text: '', entries: [], inputs: new Map<string, string>() }
  let text: string
  try {
    text = readFileSync(place.file, 'utf8')
  } catch {
    return { ...nothing, problem: "it can't be read" }
  }
  try {
    const value = await readHostText(place.file, text)
    const { described, defaults } = inputsOf(value)
    const entries = place.host.blocks(value, folder).flatMap((block) => entriesAt(value, block, place, defaults))
    return { ...place, text, entries, inputs: described }
  } catch (error) {
    return { ...nothing, problem: (error as Error).message }
  }
}

function entriesAt(
  value: unknown,
  block: readonly string[],
  { host }: HostPlace,
  defaults: ReadonlyMap<string, string>,
): NamedEntry[] {
  const servers = block.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), value)
  const named = Array.isArray(servers)
    ? servers.filter(isRecord).map(({ name, ...entry }, i) => [String(name), entry, i] as const)
    : Object.entries(isRecord(servers) ? servers : {}).map(([name, entry]) => [name, entry, name] as const)
  const ours = (text: string): string =>
    host.referring(text).replace(/\$\{input:([^}]+)\}/g, (whole, id) => {
      const usual = defaults.get(id)
      return usual === undefined ? whole : `\${${inputVariable(id)}:-${usual}}`
    })
  return named.flatMap(([name, raw, key]) => {
    const plain = isRecord(raw) ? host.plain(raw) : raw
    if (plain === undefined) return []
    return [[name, eachText(ownEntry(plain).value, ours) as Entry, [...block, key]] as const]
  })
}

/** The inputs of VS Code's file. */
function inputsOf(value: unknown) {
  const inputs = isRecord(value) && Array.isArray(value.inputs) ? value.inputs.filter(isRecord) : []
  const those = (key: string) =>
    new Map(inputs.flatMap(({ id, [key]: text }) => (typeof text === 'string' ? [[String(id), text] as const] : [])))
  return { described: those('description'), defaults: those('default') }
}

function eachText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one) => eachText(one, change))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, eachText(one, change)]))
}

/** The entry without keys that have no meaning here, and the reason if it is unusable. */
function usable(
  given: Entry,
  { isProject }: HostPlace,
  { folder, into = folder }: ImportOptions,
): { readonly entry: Entry; readonly unknown: readonly string[]; readonly reason: string | undefined } {
  const keys = knownKeys(['mcpServers', 'x'])
  if (!isRecord(given)) return { entry: given, unknown: [], reason: 'it is not an object' }
  const unknown = Object.keys(given).filter((key) => !keys.includes(key))
  const kept = Object.fromEntries(Object.entries(given).filter(([key]) => keys.includes(key)))
  const entry = isProject && path.resolve(into) !== path.resolve(folder) ? fromElsewhere(kept, folder) : kept
  const { envFile: _, ...checked } = entry
  const { servers } = checkConfiguration(
    { mcpServers: { x: checked } },
    {
      folder: into,
      toleratesEntries: true,
      placeOf: () => '',
      keyOf: (key) => key.slice(2),
      // Unset variables are reported separately.
      environment: EVERYTHING,
    },
  )
  const connection = servers[0]?.connection
  const reason =
    connection?.type === 'unusable'
      ? connection.faults.map(({ message }) => message.replace(/^[ :]+/, '')).join('; ')
      : undefined
  return { entry, unknown, reason }
}

const EVERYTHING: Environment = new Proxy({}, { get: () => 'http://x' })

/** Makes paths of the project absolute, for a file in another folder. */
function fromElsewhere(entry: Entry, folder: string): Entry {
  const there = eachText(entry, (text) => text.replace(/\$\{workspaceFolder\}/g, () => folder)) as Entry
  const paths = (['cwd', 'envFile'] as const).flatMap((key) => {
    const value = there[key]
    return typeof value === 'string' && !value.startsWith('${') ? [[key, path.resolve(folder, value)]] : []
  })
  return { ...there, ...Object.fromEntries(paths) }
}

function isAmong(servers: Readonly<Record<string, object>>, entry: Entry): boolean {
  const text = JSON.stringify(entry)
  return Object.values(servers).some((known) => JSON.stringify(known) === text)
}

function freeName(name: string, host: string, taken: Readonly<Record<string, object>>): string {
  const second = `${name}-${nameOf(host)}`
  const names = [name, second, ...Array.from({ length: 100 }, (_, i) => `${second}-${i + 2}`)]
  return names.find((one) => !Object.hasOwn(taken, one)) ?? name
}

/** True for an entry that starts starbind. It would start itself without end. */
function isOurselves(entry: Entry): boolean {
  const { command, args } = isRecord(entry) ? entry : {}
  const words = [command, ...(Array.isArray(args) ? args : [])].map(String)
  return words.some((word) => /(^|[\\/])starbind(@[\w.-]+)?$/.test(word)) && words.includes('serve')
}

function missingIn(
  servers: Readonly<Record<string, Entry>>,
  environment: Environment,
  inputs: ReadonlyMap<string, string>,
): MissingVariable[] {
  const wanted = new Map<string, { servers: Set<string>; description: string | undefined }>()
  for (const [server, entry] of Object.entries(servers))
    eachText(entry, (text) => {
      for (const reference of referencesIn(text)) {
        if (reference.kind === 'place' || reference.fallback !== undefined) continue
        if (environment[reference.variable] !== undefined) continue
        const description = reference.input === undefined ? undefined : inputs.get(reference.input)
        const one = wanted.get(reference.variable) ?? { servers: new Set(), description }
        wanted.set(reference.variable, one)
        one.servers.add(server)
      }
      return text
    })
  return [...wanted].map(([variable, { servers: named, description }]) => ({
    variable,
    servers: [...named],
    ...(description === undefined ? {} : { description }),
  }))
}
