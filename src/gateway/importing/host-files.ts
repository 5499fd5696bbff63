// The hosts whose MCP servers can be imported: for each, the places and formats of its files, from its documentation.
// Knows paths and keys, and reads no files.

import { homedir } from 'node:os'
import path from 'node:path'
import type { Environment } from '../configuration/index.js'

export type Entry = Readonly<Record<string, unknown>>

/**
 * The command of an entry that starts starbind.
 *
 * @example
 * import { movedHostText, type Start } from 'starbind'
 *
 * const start: Start = { command: 'npx', args: ['-y', 'starbind', 'serve'] }
 * console.log((await movedHostText('.cursor/mcp.json', { files: {} }, start, { folder: process.cwd() }))?.after)
 */
export interface Start {
  readonly command: string
  readonly args: readonly string[]
}

interface Host {
  readonly name: string
  /** Paths of files in a project, relative to its folder. */
  readonly project: readonly string[]
  /** Paths of files in the home folder; `config:` and `settings:` stand for the system's folders for configurations. */
  readonly person: readonly string[]
  /** The key paths of the tables of servers in a file's value. `folder`: of the project. */
  blocks(value: unknown, folder: string): readonly (readonly string[])[]
  /** A server's entry without the host's special keys; undefined if the entry is a part of the host itself. */
  plain(entry: Entry): Entry | undefined
  /** A text of an entry, with the host's references to variables in our notation. */
  referring(text: string): string
  /** The entry for a server with this command. */
  entryFor(name: string, start: Start): Entry
}

/** One place where a host may keep servers. */
export interface HostPlace {
  readonly host: Host
  readonly file: string
  readonly isProject: boolean
}

/**
 * The configurations of other hosts.
 *
 * @example
 * import { type HostOptions, importHosts } from 'starbind'
 *
 * const options: HostOptions = { folder: process.cwd(), home: '/home/me', platform: 'linux' }
 * console.log((await importHosts(options)).configuration)
 */
export interface HostOptions {
  /** The project's folder; some hosts keep servers for it elsewhere. */
  readonly folder: string
  readonly home?: string
  readonly platform?: NodeJS.Platform
  readonly environment?: Environment
}

/** The places of all hosts, those of the project first. */
export function hostPlaces(options: HostOptions): HostPlace[] {
  const { folder, home = homedir(), platform = process.platform, environment = process.env } = options
  const within: Readonly<Record<string, string>> = {
    config: environment.XDG_CONFIG_HOME || path.join(home, '.config'),
    settings: settingsFolder(home, platform, environment),
  }
  const ofPerson = (place: string): string => {
    const [, root, rest] = /^(?:(config|settings):)?(.*)$/.exec(place)!
    return path.join(root === undefined ? home : within[root]!, rest!)
  }
  return [
    ...HOSTS.flatMap((host) =>
      host.project.map((place) => ({ host, file: path.join(folder, place), isProject: true })),
    ),
    ...HOSTS.flatMap((host) => host.person.map((place) => ({ host, file: ofPerson(place), isProject: false }))),
  ]
}

/**
 * The values of `from` in `importHosts`.
 *
 * @example
 * import { hostNames } from 'starbind'
 *
 * console.log(hostNames().join(', '))
 */
export function hostNames(): string[] {
  return HOSTS.map(({ name }) => nameOf(name))
}

/** A host's name on the command line: `claude-code`. */
export function nameOf(host: string): string {
  return host.toLowerCase().replaceAll(' ', '-')
}

function settingsFolder(home: string, platform: NodeJS.Platform, environment: Environment): string {
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support')
  if (platform === 'win32') return environment.APPDATA || path.join(home, 'AppData', 'Roaming')
  return environment.XDG_CONFIG_HOME || path.join(home, '.config')
}

interface HostRow extends Partial<Omit<Host, 'name' | 'blocks'>> {
  /** Files of one name in the project and in the home folder. */
  readonly both?: string
  readonly block?: string
  readonly blocks?: Host['blocks']
}

function host(name: string, row: HostRow): Host {
  const { both, block = 'mcpServers', project = [], person = [] } = row
  const here = both === undefined ? [] : [both]
  return {
    blocks: () => [[block]],
    plain: (entry) => entry,
    referring: (text) => text,
    entryFor: (_, start) => ({ ...start }),
    ...row,
    name,
    project: [...here, ...project],
    person: [...here, ...person],
  }
}

/** A reference in our notation. */
const referenceTo = (variable: unknown): string => `\${${variable}}`
const referring =
  (theirs: RegExp): Host['referring'] =>
  (text) =>
    text.replace(theirs, (_, variable) => referenceTo(variable))
/** `$NAME`, as shells write it, besides `${NAME}`. */
const asInShells = referring(/\$([A-Za-z_]\w*)/g)
const stdio = (_: string, start: Start): Entry => ({ type: 'stdio', ...start })
/** The files of an extension of VS Code. */
const ofExtension = (place: string): string[] =>
  ['Code', 'Code - Insiders', 'VSCodium'].map((code) => `settings:${code}/User/globalStorage/${place}`)

/** opencode and its descendants. */
const opencode: HostRow = {
  // Version 2 has one more level.
  blocks: (value) => [
    isRecord(value) && isRecord(value.mcp) && isRecord(value.mcp.servers) ? ['mcp', 'servers'] : ['mcp'],
  ],
  plain: ({ oauth, ...entry }) => (isRecord(oauth) ? { oauth, ...entry } : entry),
  referring: referring(/\{env:(\w+)\}/g),
  entryFor: (_, { command, args }) => ({ type: 'local', command: [command, ...args] }),
}

const HOSTS: readonly Host[] = [
  host('Claude Code', {
    project: ['.mcp.json'],
    person: ['.claude.json'],
    blocks: (_, folder) => [['mcpServers'], ['projects', folder, 'mcpServers']],
    entryFor: stdio,
  }),
  host('Claude Desktop', { person: ['settings:Claude/claude_desktop_config.json'] }),
  host('Cursor', { both: '.cursor/mcp.json' }),
  host('VS Code', {
    project: ['.vscode/mcp.json'],
    person: ['settings:Code/User/mcp.json', 'settings:Code - Insiders/User/mcp.json'],
    block: 'servers',
    entryFor: stdio,
  }),
  host('Windsurf', { person: ['.codeium/windsurf/mcp_config.json'] }),
  host('Gemini CLI', { both: '.gemini/settings.json', referring: asInShells }),
  host('Codex', { person: ['.codex/config.toml'], block: 'mcp_servers', plain: codexEntry }),
  host('Zed', {
    person: ['config:zed/settings.json', 'settings:Zed/settings.json'],
    block: 'context_servers',
    plain: zedEntry,
  }),
  host('opencode', {
    ...opencode,
    project: ['opencode.json', 'opencode.jsonc', '.opencode/opencode.json', '.opencode/opencode.jsonc'],
    person: ['config:opencode/opencode.json', 'config:opencode/opencode.jsonc'],
  }),
  host('Goose', {
    person: ['config:goose/config.yaml', 'settings:Block/goose/config/config.yaml'],
    block: 'extensions',
    plain: gooseEntry,
    entryFor: (name, { command, args }) => ({ name, type: 'stdio', enabled: true, cmd: command, args, timeout: 300 }),
  }),
  host('Amp', { project: ['.amp/settings.json'], person: ['config:amp/settings.json'], block: 'amp.mcpServers' }),
  host('Cline', {
    person: [
      ...ofExtension('saoudrizwan.claude-dev/settings/cline_mcp_settings.json'),
      '.cline/data/settings/cline_mcp_settings.json',
    ],
    plain: ({ transport, ...entry }) =>
      isRecord(transport)
        ? { ...entry, ...transport }
        : { ...entry, ...(transport === undefined ? {} : { transport }) },
  }),
  host('Roo Code', {
    project: ['.roo/mcp.json'],
    person: ofExtension('rooveterinaryinc.roo-cline/settings/mcp_settings.json'),
  }),
  host('Kilo Code', { person: ofExtension('kilocode.kilo-code/settings/mcp_settings.json') }),
  host('Kilo CLI', { ...opencode, person: ['config:kilo/kilo.jsonc', 'config:kilo/kilo.json'] }),
  host('Copilot CLI', {
    person: ['.copilot/mcp-config.json'],
    plain: ({ tools, ...entry }) => ({
      ...entry,
      ...(Array.isArray(tools) && !tools.includes('*') ? { toolsToExecute: tools } : {}),
    }),
    entryFor: (_, start) => ({ type: 'local', ...start, tools: ['*'] }),
  }),
  host('Crush', {
    project: ['crush.json', '.crush.json'],
    person: ['config:crush/crush.json'],
    block: 'mcp',
    referring: asInShells,
    entryFor: stdio,
  }),
  host('Kiro', { both: '.kiro/settings/mcp.json' }),
  host('Junie', { both: '.junie/mcp/mcp.json' }),
  host('LM Studio', { person: ['.lmstudio/mcp.json'] }),
  host('Qwen Code', { both: '.qwen/settings.json', referring: asInShells }),
  host('Amazon Q', { person: ['.aws/amazonq/mcp.json', '.aws/amazonq/default.json'], entryFor: stdio }),
  host('Factory Droid', { both: '.factory/mcp.json', entryFor: stdio }),
  host('Warp', { both: '.warp/.mcp.json' }),
  host('Augment', { person: ['.augment/settings.json'], entryFor: stdio }),
  host('Antigravity', { person: ['.gemini/config/mcp_config.json'] }),
  host('Continue', {
    person: ['.continue/config.yaml'],
    referring: referring(/\$\{\{\s*(?:secrets|inputs)\.(\w+)\s*\}\}/g),
    plain: ({ requestOptions, ...entry }) =>
      isRecord(requestOptions) && isRecord(requestOptions.headers)
        ? { headers: requestOptions.headers, ...entry }
        : entry,
    entryFor: (name, start) => ({ name, ...start }),
  }),
]

/** Variables that Codex passes on become references of the same name. */
function codexEntry({ env_vars, env_http_headers, ...entry }: Entry): Entry {
  const passed = Array.isArray(env_vars) ? env_vars.map((name) => [String(name), referenceTo(name)]) : []
  const sent = isRecord(env_http_headers) ? Object.entries(env_http_headers) : []
  return {
    ...entry,
    ...(passed.length === 0 ? {} : { env: { ...Object.fromEntries(passed), ...asRecord(entry.env) } }),
    ...(sent.length === 0
      ? {}
      : {
          http_headers: {
            ...asRecord(entry.http_headers),
            ...Object.fromEntries(sent.map(([name, variable]) => [name, referenceTo(variable)])),
          },
        }),
  }
}

/** Older versions of Zed write `command: { path, args, env }`. */
function zedEntry(entry: Entry): Entry {
  if (!isRecord(entry.command)) return entry
  const { path: command, ...rest } = entry.command
  return { ...entry, ...rest, command }
}

/** A value in the system's keyring becomes a reference to a variable. */
function gooseEntry({ type, cmd, uri, envs, env_keys, available_tools, timeout, ...entry }: Entry): Entry | undefined {
  if (cmd === undefined && uri === undefined) return undefined
  const kept = Array.isArray(env_keys) ? env_keys.map((name) => [String(name), referenceTo(name)]) : []
  const env = { ...Object.fromEntries(kept), ...asRecord(envs) }
  const { enabled, args, cwd, headers } = entry
  return withoutUndefined({
    ...(uri === undefined
      ? { command: cmd, args, cwd }
      : { type: type === 'sse' ? 'sse' : undefined, url: uri, headers }),
    ...(Object.keys(env).length === 0 || uri !== undefined ? {} : { env }),
    toolsToExecute: Array.isArray(available_tools) && available_tools.length > 0 ? available_tools : undefined,
    timeoutMs: typeof timeout === 'number' ? timeout * 1000 : undefined,
    disabled: enabled === false ? true : undefined,
  })
}

function withoutUndefined(record: Entry): Entry {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))
}

function asRecord(value: unknown): Entry {
  return isRecord(value) ? value : {}
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
