// Where the hosts of this machine keep their MCP servers. Knows files and the shape around their `mcpServers`; what an
// entry means is known elsewhere. Invariant: nothing is written, and a file that can't be read is a reason in a list
// and no failure.

import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { parse as parseToml } from 'smol-toml'
import type { Environment } from './configuration.js'
import { ownForm } from './forms.js'
import { JsonTextError, parseJsonText } from './json-text.js'

/** One place where a host keeps servers. */
export interface HostFile {
  readonly host: string
  readonly file: string
}

/** What a host's file says. */
export interface HostServers extends HostFile {
  /** Entries in our words, by name. */
  readonly servers: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Why it can't be read. */
  readonly problem?: string
}

/**
 * Where other hosts keep their configurations.
 *
 * @example
 * import { type HostOptions, importHosts } from 'starbind'
 *
 * const options: HostOptions = { folder: process.cwd(), home: '/home/me', platform: 'linux' }
 * console.log(importHosts(options).configuration)
 */
export interface HostOptions {
  /** Of the project: some hosts keep servers beside it. */
  readonly folder: string
  readonly home?: string
  readonly platform?: NodeJS.Platform
  readonly environment?: Environment
}

/** The files of hosts that there may be. */
export function hostFiles(options: HostOptions): HostFile[] {
  const { folder, home = homedir(), platform = process.platform, environment = process.env } = options
  const settings = settingsFolder(home, platform, environment)
  const at = (host: string, ...parts: string[]): HostFile => ({ host, file: path.join(...parts) })
  return [
    at('Claude Code', folder, '.mcp.json'),
    at('Cursor', folder, '.cursor', 'mcp.json'),
    at('VS Code', folder, '.vscode', 'mcp.json'),
    at('Gemini CLI', folder, '.gemini', 'settings.json'),
    at('Claude Code', home, '.claude.json'),
    at('Claude Desktop', settings, 'Claude', 'claude_desktop_config.json'),
    at('Cursor', home, '.cursor', 'mcp.json'),
    at('VS Code', settings, 'Code', 'User', 'mcp.json'),
    at('Windsurf', home, '.codeium', 'windsurf', 'mcp_config.json'),
    at('Gemini CLI', home, '.gemini', 'settings.json'),
    at('Codex', home, '.codex', 'config.toml'),
    at(
      'Zed',
      platform === 'win32' ? settings : path.join(home, '.config'),
      platform === 'win32' ? 'Zed' : 'zed',
      'settings.json',
    ),
  ]
}

/** What the hosts of this machine have, in the order of `hostFiles`; only those that there are. */
export function readHosts(options: HostOptions): HostServers[] {
  return hostFiles(options)
    .filter(({ file }) => existsSync(file))
    .map((one) => readHost(one, options.folder))
    .filter(({ servers, problem }) => problem !== undefined || Object.keys(servers).length > 0)
}

/**
 * Everything that the hosts have, as one configuration of ours.
 *
 * @example
 * import { type Imported, importHosts } from 'starbind'
 *
 * const { found }: Imported = importHosts({ folder: process.cwd() })
 * for (const { names, problem } of found) console.log(problem ?? names.join(', '))
 */
export interface Imported {
  readonly configuration: { readonly mcpServers: Readonly<Record<string, object>> }
  /** Each file, with the names under which its servers are in the configuration. */
  readonly found: readonly (HostFile & { readonly names: readonly string[]; readonly problem?: string })[]
}

/**
 * Servers that are the same are taken once, and of two different ones of one name the second is called after its host.
 * `except` is not read.
 *
 * @example
 * import { writeFileSync } from 'node:fs'
 * import { importHosts } from 'starbind'
 *
 * const { configuration, found } = importHosts({ folder: process.cwd() })
 * for (const { names } of found) console.log(names.join(', '))
 * writeFileSync('starbind.json', JSON.stringify(configuration, null, 2))
 */
export function importHosts(options: HostOptions & { readonly except?: string }): Imported {
  const mcpServers: Record<string, object> = {}
  const hosts = readHosts(options).filter(({ file }) => file !== options.except)
  const found = hosts.map(({ servers, ...host }) => {
    const names = Object.entries(servers).flatMap(([name, entry]) => {
      const isKnown = Object.values(mcpServers).some((known) => JSON.stringify(known) === JSON.stringify(entry))
      if (isKnown || isOurselves(entry)) return []
      const own = freeName(name, host.host, mcpServers)
      mcpServers[own] = entry
      return [own]
    })
    return { ...host, names }
  })
  return { configuration: { mcpServers }, found }
}

function freeName(name: string, host: string, taken: Readonly<Record<string, object>>): string {
  const second = `${name}-${host.toLowerCase().replaceAll(' ', '-')}`
  const names = [name, second, ...Array.from({ length: 100 }, (_, i) => `${second}-${i + 2}`)]
  return names.find((one) => !Object.hasOwn(taken, one)) ?? name
}

/** A starbind that started itself would never end starting. */
function isOurselves({ command, args }: Readonly<Record<string, unknown>>): boolean {
  const words = [command, ...(Array.isArray(args) ? args : [])].map(String)
  return words.some((word) => /(^|[\\/])starbind(@[\w.-]+)?$/.test(word)) && words.includes('serve')
}

function readHost(one: HostFile, folder: string): HostServers {
  try {
    const text = readFileSync(one.file, 'utf8')
    const raw = one.file.endsWith('.toml') ? parseToml(text) : parseJsonText(text).value
    return { ...one, servers: serversIn(raw, folder) }
  } catch (error) {
    const problem = error instanceof JsonTextError ? `line ${error.place.line}: ${error.message}` : "it can't be read"
    return { ...one, servers: {}, problem }
  }
}

/** All servers of a file, those that Claude Code keeps for the project included. */
function serversIn(raw: unknown, folder: string): HostServers['servers'] {
  if (!isRecord(raw)) return {}
  const project = isRecord(raw.projects) ? raw.projects[folder] : undefined
  const named = raw.context_servers ?? raw.mcp_servers
  const blocks = [named === undefined ? raw : { mcpServers: named }, isRecord(project) ? project : {}]
  return Object.assign({}, ...blocks.map(entriesOf))
}

function entriesOf(block: Readonly<Record<string, unknown>>): Record<string, Record<string, unknown>> {
  const own = ownForm(isRecord(block.mcpServers) ? { ...block, mcpServers: zedEntries(block.mcpServers) } : block).value
  const servers = isRecord(own) ? own.mcpServers : undefined
  const entries = isRecord(servers) ? Object.entries(servers) : []
  return Object.fromEntries(entries.filter((entry): entry is [string, Record<string, unknown>] => isRecord(entry[1])))
}

/** Zed wrote `command: { path, args, env }` for a time. */
function zedEntries(servers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(servers).map(([name, entry]) => {
      if (!isRecord(entry) || !isRecord(entry.command)) return [name, entry]
      const { path: command, ...rest } = entry.command
      return [name, { ...entry, ...rest, command }]
    }),
  )
}

function settingsFolder(home: string, platform: NodeJS.Platform, environment: Environment): string {
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support')
  if (platform === 'win32') return environment.APPDATA || path.join(home, 'AppData', 'Roaming')
  return environment.XDG_CONFIG_HOME || path.join(home, '.config')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
