// Reads a meta-tool's raw arguments and repairs obvious slips of models.
// Invariant: the result has only declared names and types.

import { type Diagnostic, nearestNames } from '../diagnostics/index.js'
import { argumentsNotJson, wrongArgument, wrongArgumentName } from './messages.js'

/** `text`: a string. `texts`: a list of strings, or one. `line`: a whole number. */
type ArgumentKind = 'text' | 'texts' | 'line'

type Value<K extends ArgumentKind> = K extends 'text' ? string : K extends 'texts' ? readonly string[] : number

export type ReadArguments<S extends Readonly<Record<string, ArgumentKind>>> =
  | { readonly ok: true; readonly values: { readonly [N in keyof S]?: Value<S[N]> } }
  | { readonly ok: false; readonly diagnostic: Diagnostic }

/**
 * The arguments of one call as a record. Some interfaces of models pass them on as JSON text. Empty text means none.
 */
export function readRawArguments(
  metaTool: string,
  raw: Readonly<Record<string, unknown>> | string,
):
  | { readonly ok: true; readonly args: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly diagnostic: Diagnostic } {
  if (typeof raw !== 'string') return { ok: true, args: raw }
  if (raw.trim() === '') return { ok: true, args: {} }
  try {
    const args: unknown = JSON.parse(raw)
    if (typeof args === 'object' && args !== null && !Array.isArray(args))
      return { ok: true, args: args as Readonly<Record<string, unknown>> }
  } catch {
    // Truncated or badly quoted: the model gets a message.
  }
  return { ok: false, diagnostic: argumentsNotJson(metaTool) }
}

/** Empty texts and nulls count as absent. */
export function readArguments<S extends Readonly<Record<string, ArgumentKind>>>(
  metaTool: string,
  raw: Readonly<Record<string, unknown>>,
  shape: S,
): ReadArguments<S> {
  const names = Object.keys(shape)
  const values: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(raw)) {
    if (!names.includes(name))
      return { ok: false, diagnostic: wrongArgumentName(metaTool, name, nearestNames(name, names, 1), names) }
    if (value === undefined || value === null || value === '') continue
    const read = readValue(value, shape[name]!)
    if (read === undefined) return { ok: false, diagnostic: wrongArgument(metaTool, name, value, WANTED[shape[name]!]) }
    values[name] = read
  }
  return { ok: true, values: values as { readonly [N in keyof S]?: Value<S[N]> } }
}

const WANTED: Readonly<Record<ArgumentKind, string>> = {
  text: 'text',
  texts: 'a list of texts',
  line: 'a whole number',
}

function readValue(value: unknown, kind: ArgumentKind): unknown {
  if (kind === 'text') return typeof value === 'string' ? value : undefined
  if (kind === 'texts') {
    const list = Array.isArray(value) ? value : [value]
    return list.every((one) => typeof one === 'string') ? list : undefined
  }
  // Models sometimes send numbers as strings.
  const number = typeof value === 'string' ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) ? number : undefined
}
