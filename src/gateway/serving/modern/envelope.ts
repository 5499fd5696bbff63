// Reads the messages of revision 2026-07-28: each request says in its `_meta` which revision it is in, who sends it and
// what its sender can do, and over HTTP its headers say the same once more.
// Invariant: a request whose headers and body disagree is refused before anything acts on either.

import { isLogLevel, type UpstreamLogLevel } from '../../log-levels.js'
import type { Params } from '../../params.js'
import { errorCodes, ProtocolError } from '../../protocol-error.js'
import { isRecord } from '../answer-request.js'

/** The revisions that are spoken without a session. */
export const MODERN_REVISIONS: readonly string[] = ['2026-07-28']

export const metaKey = {
  version: 'io.modelcontextprotocol/protocolVersion',
  client: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  server: 'io.modelcontextprotocol/serverInfo',
  subscription: 'io.modelcontextprotocol/subscriptionId',
} as const

export type RequestId = string | number

export interface ModernRequest {
  readonly id: RequestId
  readonly method: string
  readonly params: Params
  /** As the client calls itself. */
  readonly clientName: string
  readonly capabilities: Params
  /** The least level of log messages that it wants; undefined: it wants none. */
  readonly logLevel: UpstreamLogLevel | undefined
}

/** The headers of a request, by their names in lower case. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** True for the name of a revision without sessions, known or not. */
export function isModernRevision(name: unknown): boolean {
  return typeof name === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(name) && name >= MODERN_REVISIONS[0]!
}

/** True for a message that says itself which revision it is in: earlier ones agree on one for a connection. */
export function saysRevision(message: unknown): boolean {
  return metaOf(message)?.[metaKey.version] !== undefined
}

/** The name by which the sender of a message calls itself. */
export function clientNameIn(message: unknown): string {
  const client = metaOf(message)?.[metaKey.client]
  return isRecord(client) && typeof client.name === 'string' ? client.name : ''
}

export function idOf(message: unknown): RequestId | null {
  const id = isRecord(message) ? message.id : undefined
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

/**
 * Throws a ProtocolError if it is no request in a revision that is spoken here, or if its headers name another one.
 * `headers`: undefined where requests have none.
 */
export function readRequest(message: unknown, headers?: Headers): ModernRequest {
  const id = idOf(message)
  if (!isRecord(message) || typeof message.method !== 'string' || id === null)
    throw new ProtocolError(errorCodes.invalidRequest, 'this is not one JSON-RPC request')
  const { method, params = {} } = message
  const meta = metaOf(message)
  if (!isRecord(params) || meta === undefined) throw missing('_meta')
  const version = meta[metaKey.version]
  if (version === undefined) throw missing(metaKey.version)
  if (typeof version !== 'string') throw wrong(metaKey.version, 'a text')
  if (headers !== undefined) mustSay('MCP-Protocol-Version', headers, version)
  if (!MODERN_REVISIONS.includes(version)) {
    const data = { supported: MODERN_REVISIONS, requested: version }
    throw new ProtocolError(errorCodes.unsupportedVersion, `revision ${shown(version)} is not spoken here`, data)
  }
  const { [metaKey.capabilities]: capabilities, [metaKey.logLevel]: logLevel } = meta
  if (capabilities === undefined) throw missing(metaKey.capabilities)
  if (!isRecord(capabilities)) throw wrong(metaKey.capabilities, 'an object')
  if (logLevel !== undefined && !isLogLevel(logLevel)) throw wrong(metaKey.logLevel, 'a level')
  return { id, method, params, clientName: clientNameIn(message), capabilities, logLevel }
}

/** The parameter that the header `Mcp-Name` repeats, by method. */
const NAMED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
}

/** Throws a ProtocolError if the headers say something else than the request, or do not say it. */
export function checkHeaders(headers: Headers, { method, params }: ModernRequest): void {
  mustSay('Mcp-Method', headers, method)
  const named = Object.hasOwn(NAMED, method) ? params[NAMED[method]!] : undefined
  if (typeof named === 'string') mustSay('Mcp-Name', headers, named)
}

/**
 * Throws a ProtocolError if a header `Mcp-Param-…` says something else than the argument that it repeats: those are the
 * properties of a tool's input schema that have the keyword `x-mcp-header`.
 */
export function checkParameterHeaders(headers: Headers, schema: unknown, args: unknown): void {
  const properties = isRecord(schema) && isRecord(schema.properties) ? schema.properties : {}
  for (const [key, property] of Object.entries(properties)) {
    const value = isRecord(args) ? args[key] : undefined
    if (!isRecord(property) || value === undefined || value === null) continue
    if (isRecord(value)) checkParameterHeaders(headers, property, value)
    const { 'x-mcp-header': name } = property
    if (typeof name === 'string' && ['string', 'number', 'boolean'].includes(typeof value))
      mustSay(`Mcp-Param-${name}`, headers, value as string | number | boolean)
  }
}

function mustSay(name: string, headers: Headers, expected: string | number | boolean): void {
  const raw = headers[name.toLowerCase()]
  if (raw === undefined) throw mismatch(`the header ${name} is missing; the body says ${shown(String(expected))}`)
  const value = decoded([raw].flat().join(', ').trim())
  const isSame =
    typeof expected === 'number' ? isDecimal(value) && Number(value) === expected : value === String(expected)
  if (isSame) return
  const what = value === undefined ? 'is not valid Base64' : `says ${shown(value)}`
  throw mismatch(`the header ${name} ${what}; the body says ${shown(String(expected))}`)
}

/** A header's value where it is not plain ASCII: `=?base64?…?=`. Undefined: it is not valid. */
function decoded(value: string): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1]
  if (encoded === undefined) return value
  const bytes = Buffer.from(encoded, 'base64')
  return bytes.toString('base64') === encoded && Buffer.from(bytes.toString()).equals(bytes)
    ? bytes.toString()
    : undefined
}

function isDecimal(value: string | undefined): boolean {
  return value !== undefined && /^-?\d+(\.\d+)?$/.test(value)
}

function metaOf(message: unknown): Params | undefined {
  const params = isRecord(message) ? message.params : undefined
  return isRecord(params) && isRecord(params._meta) ? params._meta : undefined
}

function missing(key: string): ProtocolError {
  return new ProtocolError(errorCodes.invalidParams, `the request has no ${key}`, { missing: [key] })
}

function wrong(key: string, wanted: string): ProtocolError {
  return new ProtocolError(errorCodes.invalidParams, `${key} is not ${wanted}`)
}

function mismatch(message: string): ProtocolError {
  return new ProtocolError(errorCodes.headerMismatch, message)
}

function shown(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)
}
