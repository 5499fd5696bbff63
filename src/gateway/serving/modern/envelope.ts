// Reads messages of revision 2026-07-28. The `_meta` of each request names the revision, the client and the client's
// capabilities. Over HTTP, headers repeat some of it.
// Invariant: a request whose headers and body disagree is refused before anything acts on either.

import { isLogLevel, type UpstreamLogLevel } from '../../log-levels.js'
import { metaKey, REVISION } from '../../meta-keys.js'
import type { Params } from '../../params.js'
import { errorCodes, ProtocolError } from '../../protocol-error.js'
import { isRecord } from '../answer-request.js'

/** The supported revisions without sessions. */
export const MODERN_REVISIONS: readonly string[] = [REVISION]

export type RequestId = string | number

export interface ModernRequest {
  readonly id: RequestId
  readonly method: string
  readonly params: Params
  /** The client's own name. */
  readonly clientName: string
  readonly capabilities: Params
  /** The lowest level of the log messages that the client wants. Undefined: it wants none. */
  readonly logLevel: UpstreamLogLevel | undefined
}

/** The headers of a request, by lower-case name. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** True for the name of a revision without sessions, whether starbind supports it or not. */
export function isModernRevision(name: unknown): boolean {
  return typeof name === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(name) && name >= REVISION
}

/** True for a message that names its revision. Earlier revisions agree on one for the whole connection. */
export function saysRevision(message: unknown): boolean {
  return metaOf(message)?.[metaKey.version] !== undefined
}

/** The client's name in a message. */
export function clientNameIn(message: unknown): string {
  const client = metaOf(message)?.[metaKey.client]
  return isRecord(client) && typeof client.name === 'string' ? client.name : ''
}

export function idOf(message: unknown): RequestId | null {
  const id = isRecord(message) ? message.id : undefined
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

/**
 * Throws a ProtocolError if the message is not a request of a supported revision, or if its headers name another one.
 * `headers`: undefined for transports without headers.
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

/** The parameter that `Mcp-Name` repeats, by method. */
const NAMED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
}

/** Throws a ProtocolError if a required header is missing or contradicts the request. */
export function checkHeaders(headers: Headers, { method, params }: ModernRequest): void {
  mustSay('Mcp-Method', headers, method)
  const named = Object.hasOwn(NAMED, method) ? params[NAMED[method]!] : undefined
  if (typeof named === 'string') mustSay('Mcp-Name', headers, named)
}

/**
 * Throws a ProtocolError if a header `Mcp-Param-…` contradicts the argument that it repeats. The keyword `x-mcp-header`
 * in a tool's input schema marks these arguments.
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

/** A header's value, decoded if it has the form `=?base64?…?=`. Undefined: it is not valid Base64. */
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
