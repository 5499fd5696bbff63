// Checks of a request's Host and Origin, before anything reads it. A page whose name was pointed at this machine (DNS
// rebinding) sends its own name as Host; a page elsewhere sends its own Origin.
// Invariant: a browser's request for a foreign page is refused, whatever else it contains.

import type { IncomingHttpHeaders } from 'node:http'
import { isLoopback, LOOPBACK } from '../loopback.js'

export interface Walls {
  /** The address that the server listens on. */
  readonly host: string
  readonly allowedHosts: readonly string[]
  readonly allowedOrigins: readonly string[]
}

/** The mistake in the headers of a request; undefined if there is none. */
export function refusalOf(headers: IncomingHttpHeaders, walls: Walls): string | undefined {
  const { host, origin } = headers
  if (host === undefined) return 'the header Host is missing'
  if (!isOurs(host, walls)) return `this is not the host ${shown(host)}`
  if (origin === undefined || walls.allowedOrigins.includes(origin)) return undefined
  return isSame(origin, host) ? undefined : `pages of ${shown(origin)} may not connect`
}

/** The CORS headers for a page of an allowed origin; none for other pages. */
export function corsHeaders(
  { origin, ...headers }: IncomingHttpHeaders,
  { allowedOrigins }: Walls,
): Record<string, string> {
  if (origin === undefined || !allowedOrigins.includes(origin)) return {}
  const wanted = headers['access-control-request-headers']
  return {
    Vary: 'Origin',
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers':
      'Mcp-Session-Id, WWW-Authenticate, ETag, Location, Content-Range, Accept-Ranges, Content-Disposition',
    ...(wanted === undefined
      ? {}
      : { 'Access-Control-Allow-Methods': 'GET, POST, DELETE', 'Access-Control-Allow-Headers': wanted }),
  }
}

function isOurs(host: string, { host: own, allowedHosts }: Walls): boolean {
  const name = hostNameIn(host)
  if (name === undefined) return false
  if (allowedHosts.some((allowed) => allowed === host || allowed === name)) return true
  if (isLoopback(own)) return LOOPBACK.includes(name) || name === own
  // Only the operator knows the names of a public gateway; keys keep foreign pages out.
  return allowedHosts.length === 0 || name === own
}

/** True if a page came from the address that it talks to. */
function isSame(origin: string, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`
}

/** The name or address in a Host header. Undefined: it has none. */
export function hostNameIn(host: string): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[^:/?#@[\]\s]+)(?::\d{1,5})?$/i.exec(host)?.[1]?.toLowerCase()
}

function shown(value: string): string {
  return JSON.stringify(value.slice(0, 100))
}

/** A part of a path. Undefined: it is not encoded as one. */
export function decoded(part: string): string | undefined {
  try {
    return part === '' || part.includes('/') ? undefined : decodeURIComponent(part)
  } catch {
    return undefined
  }
}
