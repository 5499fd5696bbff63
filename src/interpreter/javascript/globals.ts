// The global names of every JavaScript program. A test compares this list with the guest's own.

import type { Dialect } from '../dialect.js'

const own =
  'AbortController AbortSignal ApprovalDenied ToolError TextDecoder TextEncoder URL URLSearchParams artifacts atob btoa clearImmediate clearInterval clearTimeout console ' +
  'help parallel performance print queueMicrotask results runtime setImmediate setInterval setTimeout structuredClone'

const engine =
  'AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError Float16Array Float32Array ' +
  'Float64Array Infinity Int16Array Int32Array Int8Array InternalError Intl Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ' +
  'ReferenceError Reflect RegExp Set String Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray ' +
  'WeakMap WeakSet decodeURI decodeURIComponent encodeURI encodeURIComponent escape globalThis isFinite isNaN parseFloat parseInt undefined unescape'

export const globalNames: ReadonlySet<string> = new Set(`${own} ${engine}`.split(' '))

/** The names, including those that exist only with randomness, an input, or kept values. */
export function globalNamesIn({
  random,
  input,
  memory,
}: Pick<Dialect, 'random' | 'input' | 'memory'>): ReadonlySet<string> {
  const more = [...(random ? ['crypto'] : []), ...(input ? ['process'] : []), ...(memory ? ['memory'] : [])]
  return more.length === 0 ? globalNames : new Set([...globalNames, ...more])
}
