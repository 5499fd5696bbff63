// Selects the headers of a caller's request that are forwarded with its calls.
// Invariant: connection headers are never forwarded, and a credential only under its full name: a wildcard for other
// headers does not match it.

import { matchesGlob, type RequestHeaders } from './filter.js'

/** True for a header that belongs to its connection and not to its sender. */
export function isOfConnection(name: string): boolean {
  return /^(accept|connection|content-.*|cookie|host|last-event-id|mcp-.*|transfer-encoding|upgrade)$/i.test(name)
}

/** Headers that patterns never match: credentials, headers for starbind, and those that proxies and browsers set. */
const NAMED_ONLY =
  /^(authorization|proxy-.*|x-api-key|x-starbind-.*|x-mcp-.*|x-bf-.*|traceparent|tracestate|baggage|accept-.*|user-agent|origin|referer|sec-.*|dnt|te|trailer|keep-alive|expect|via|forwarded|x-forwarded-.*|x-real-ip)$/

/** `patterns`: names and globs, in lower case like the names of `headers`. */
export function passedHeaders(patterns: readonly string[], headers: RequestHeaders = {}): Record<string, string> {
  const passes = (name: string) =>
    patterns.includes(name) || (!NAMED_ONLY.test(name) && patterns.some((pattern) => matchesGlob(pattern, name)))
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || isOfConnection(name) || !passes(name) ? [] : [[name, [value].flat().join(', ')]],
    ),
  )
}
