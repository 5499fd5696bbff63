// Adds servers to an existing starbind configuration file. The existing text stays unchanged, including comments.

import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse as parseVariables } from 'dotenv'
import { JsonTextError, ownForm, parseJsonText } from '../configuration/index.js'
import { type Entry, isRecord } from './host-files.js'
import { withValues } from './host-text.js'

/**
 * An existing configuration file.
 *
 * @example
 * import { importHosts, type OwnFile, readOwnFile, textWithServers } from 'starbind'
 *
 * const own: OwnFile = readOwnFile('starbind.json')
 * const { configuration } = await importHosts({ folder: process.cwd(), known: own.servers })
 * console.log(textWithServers(own, configuration.mcpServers))
 */
export interface OwnFile {
  readonly text: string
  /** The servers, with the variables of the file's `envFile` inserted. */
  readonly servers: Readonly<Record<string, Entry>>
  readonly envFile?: string
}

/**
 * Reads a file that servers will be added to. Throws if its text is not JSON or has the form of another program; the
 * message is a fact for people.
 *
 * @example
 * import { readOwnFile } from 'starbind'
 *
 * console.log(Object.keys(readOwnFile('starbind.json').servers))
 */
export function readOwnFile(file: string): OwnFile {
  const text = readFileSync(file, 'utf8')
  const { value, original } = ownForm(parsed(text))
  if (!isRecord(value) || original(['mcpServers']).join('.') !== 'mcpServers')
    throw new Error('it has the form of another program')
  const envFile = typeof value.envFile === 'string' ? value.envFile : undefined
  const variables = envFile === undefined ? {} : readVariables(path.resolve(path.dirname(file), envFile))
  const servers = isRecord(value.mcpServers) ? value.mcpServers : {}
  const filled = JSON.stringify(servers).replace(/\$\{(\w+)\}/g, (whole, name) =>
    Object.hasOwn(variables, name) ? JSON.stringify(variables[name]).slice(1, -1) : whole,
  )
  return { text, servers: JSON.parse(filled), ...(envFile === undefined ? {} : { envFile }) }
}

/**
 * The variables of a file with lines of `NAME=value`; none if the file is missing.
 *
 * @example
 * import { readVariables } from 'starbind'
 *
 * console.log(Object.keys(readVariables('.env')))
 */
export function readVariables(file: string): Readonly<Record<string, string>> {
  return existsSync(file) ? parseVariables(readFileSync(file, 'utf8')) : {}
}

/**
 * The text of a configuration with more servers, and with an `envFile` if one is given. Without `own`: a new file.
 *
 * @example
 * import { textWithServers } from 'starbind'
 *
 * console.log(textWithServers(undefined, { files: { command: 'my-mcp-server' } }))
 */
export function textWithServers(
  own: Pick<OwnFile, 'text'> | undefined,
  servers: Readonly<Record<string, object>>,
  envFile?: string,
): string {
  const variables = envFile === undefined ? {} : { envFile }
  if (own === undefined) return `${JSON.stringify({ ...variables, mcpServers: servers }, null, 2)}\n`
  return withValues(own.text, [
    ...Object.entries(variables).map(([key, value]) => ({ at: [key], value })),
    ...Object.entries(servers).map(([name, value]) => ({ at: ['mcpServers', name], value })),
  ])
}

function parsed(text: string): unknown {
  try {
    return parseJsonText(text).value
  } catch (error) {
    throw error instanceof JsonTextError ? new Error(`line ${error.place.line}: ${error.message}`) : error
  }
}
