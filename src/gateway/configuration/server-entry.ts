// One server: from the entry that a person wrote to what a connection needs. Knows how keys go together.

import path from 'node:path'
import type { Diagnostic } from '../../diagnostics/index.js'
import { wrong } from './complaints.js'
import type { Connection, ServerConfig, ServerEntry } from './configuration.js'
import { defined } from './defined.js'
import { describeTool, type InProcess, isMcpClient, isMcpServer } from './in-process.js'
import { References } from './references.js'
import type { CheckOptions } from './surroundings.js'

/** Adds what is wrong to `faults`; the config is of use only when nothing is. */
export function serverConfig(
  name: string,
  entry: ServerEntry,
  options: CheckOptions,
  faults: Diagnostic[],
): ServerConfig {
  const references = new References(name, options, entry.disabled === true ? undefined : faults)
  return {
    name,
    connection: connectionOf(name, entry, references, options, faults),
    ...defined({
      codeMode: entry.codeMode,
      resources: entry.resources,
      prompts: entry.prompts,
      bindingLevel: entry.bindingLevel,
      toolsToExecute: entry.toolsToExecute,
      toolsToAutoExecute: entry.toolsToAutoExecute,
      toolsToDeny: entry.toolsToDeny,
      timeoutMs: entry.timeoutMs,
      results: entry.results,
      tools: entry.tools,
      callsAtOnce: entry.callsAtOnce,
      reads: entry.reads,
      writes: entry.writes,
      readAhead: entry.readAhead,
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
  if (entry.inProcess !== undefined) return inProcessConnection(name, entry.inProcess, entry, options, faults)
  const type =
    entry.type === undefined ? (entry.url === undefined ? 'stdio' : 'http') : entry.type === 'stdio' ? 'stdio' : 'http'
  const needed = type === 'stdio' ? 'command' : 'url'
  if (entry[needed] === undefined) {
    const want =
      entry.type === undefined ? 'command (a program to start) or url' : `${needed}, because type is "${entry.type}"`
    faults.push(wrong(options.placeOf, ['mcpServers', name], 'an entry without it', want))
  }
  for (const key of type === 'stdio' ? (['url', 'headers'] as const) : (['command', 'args', 'env', 'cwd'] as const)) {
    if (entry[key] === undefined) continue
    const not = type === 'stdio' ? 'a server that is started with command' : 'a server that is reached at a url'
    faults.push(wrong(options.placeOf, ['mcpServers', name, key], 'a value', `no such key for ${not}`))
  }
  if (type === 'http') {
    const url = references.resolve(entry.url ?? 'http://localhost', ['url'])
    if (!/^https?:\/\/[^/]/.test(url))
      faults.push(wrong(options.placeOf, ['mcpServers', name, 'url'], 'something else', 'an http or https URL'))
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

function inProcessConnection(
  name: string,
  inProcess: InProcess,
  entry: ServerEntry,
  options: CheckOptions,
  faults: Diagnostic[],
): Connection {
  const at = ['mcpServers', name]
  for (const key of ['command', 'args', 'env', 'cwd', 'url', 'headers'] as const) {
    if (entry[key] !== undefined)
      faults.push(wrong(options.placeOf, [...at, key], 'a value', 'no such key for a server in this process'))
  }
  for (const [tool, given] of isMcpServer(inProcess) || isMcpClient(inProcess) ? [] : Object.entries(inProcess)) {
    try {
      describeTool(tool, given)
    } catch (error) {
      const got = `one that JSON Schema can't express (${(error as Error).message})`
      faults.push(wrong(options.placeOf, [...at, 'inProcess', tool], got, 'schemas of data'))
    }
  }
  return { type: 'in-process', inProcess }
}
