// Host functions that a program can call, grouped in namespaces, and the format of such a call. Tools are unknown here:
// a namespace is a name with members.

import type { MarkedValue } from '../diagnostics/index.js'

/** A name that programs see as an object whose members are functions of the host. */
export interface ForeignNamespace {
  /** The guest name, a valid identifier. */
  readonly name: string
  readonly members: readonly ForeignFunction[]
}

export interface ForeignFunction {
  /** The guest name, a valid identifier. */
  readonly name: string
  /** Further guest names that reach the same function. */
  readonly aliases?: readonly string[]
  /** Parameter names in positional order, as a program writes them. */
  readonly parameters: readonly string[]
  /** The types of the arguments and the result. Without them no call is checked. */
  readonly signature?: ForeignSignature
}

export interface ForeignSignature {
  /** The parameters in positional order. */
  readonly parameters: readonly ForeignParameter[]
  /** The type of further keyword arguments. Absent if none are allowed. */
  readonly extra?: ForeignType
  readonly returns: ForeignType
  /**
   * The problems of a JSON value as the argument with this key, in words for a notation. Empty if there are none, or if
   * they depend on other arguments.
   */
  readonly problemsWith?: (key: string, value: unknown, notation: 'python' | 'typescript') => readonly string[]
}

export interface ForeignParameter {
  /** The name that a program writes. */
  readonly name: string
  /** A second name of the same parameter. */
  readonly key: string
  readonly type: ForeignType
  readonly required: boolean
}

/**
 * The type of a value that crosses to or from the host. It is a graph: every cycle goes through a record or an alias.
 */
export type ForeignType =
  | { readonly kind: 'any' | 'never' | 'none' | 'bool' | 'int' | 'float' | 'str' }
  | { readonly kind: 'literal'; readonly values: readonly (string | number | boolean)[] }
  | { readonly kind: 'list'; readonly item: ForeignType }
  | { readonly kind: 'tuple'; readonly items: readonly ForeignType[] }
  | { readonly kind: 'dict'; readonly key: ForeignType; readonly value: ForeignType }
  | ForeignRecord
  | { readonly kind: 'alias'; readonly target: ForeignType }
  | { readonly kind: 'union'; readonly members: readonly ForeignType[] }

/** A dict with known keys. */
export interface ForeignRecord {
  readonly kind: 'record'
  readonly fields: readonly { readonly key: string; readonly type: ForeignType; readonly required: boolean }[]
  /** True if other keys are not allowed. */
  readonly closed?: boolean
}

/**
 * One call as the guest sends it, as JSON text. The host binds positional arguments to names, because it knows the
 * signatures. Floats with an integral value keep their `.0` in the text, and integers of any size keep all digits.
 */
export interface ForeignCall {
  readonly namespace: string
  readonly member: string
  readonly positional: readonly unknown[]
  readonly named: Readonly<Record<string, unknown>>
}

/*
 * If the program runs ahead of the call, the text begins with `+PLACE ` (a failure ends the program) or `?PLACE ` (a
 * handler of the program could observe the failure). PLACE is `START-END` in the program's text, or empty. If the run
 * asks where the program calls this tool, `@LINE:COLUMN ` follows: a place in the generated code. A space at the very
 * end means that the program has slept since its last call, or makes calls together.
 */

/**
 * The host's answer: a letter and a text. `J` and JSON text: a value. `D` and JSON text: a value that remembers its
 * text. `U` and JSON text: likewise, but it is undecided whether the text or the value is meant. `T` and a text: a
 * string. `E` and the JSON text of a ForeignError: the call raises.
 */
export type ForeignReply = `J${string}` | `D${string}` | `U${string}` | `T${string}` | `E${string}`

/**
 * What an engine's parser may change, also inside strings: numbers with a fraction of zeros or nines, an exponent or
 * many digits; keys that are array indices, which an engine puts first; keys with escapes.
 */
export const SPOILED = /\d\.(?:0|9{5})|\d[eE]|\d{16}|\d{10}\.|"(?:\d{1,10}|__proto__)"\s*:|\\u00/
/** Longer texts are not searched, because all callers share the thread. */
const LONGEST_LOOKED_THROUGH = 1_000_000

/**
 * The reply with a lower-case letter (`j`, `d`, `u`) if the engine's parser parses its text without loss. Otherwise the
 * reply is unchanged, and the guest searches the text itself.
 */
export function withoutLoss(reply: string): string {
  const isJson = reply[0] === 'J' || reply[0] === 'D' || reply[0] === 'U'
  if (!isJson || reply.length > LONGEST_LOOKED_THROUGH || SPOILED.test(reply)) return reply
  return reply.charAt(0).toLowerCase() + reply.slice(1)
}

export interface ForeignError {
  /**
   * `tool`: the upstream failed; the program may catch this. `program`: the call itself was wrong. `denied`: a person
   * refused the call; the program may catch this too. `limit` and `host` can't be caught.
   */
  readonly kind: 'tool' | 'program' | 'denied' | 'limit' | 'host'
  /** The diagnostic's code. */
  readonly code: string
  readonly message: string
  readonly hint?: string
  /**
   * The values from the program that the message and the hint quote, all of them marked. Absent for a tool's failure,
   * whose message consists of the tool's words.
   */
  readonly values?: readonly MarkedValue[]
  readonly hintValues?: readonly MarkedValue[]
  /**
   * For a failed tool: its server and name as the program writes them, its own words, and the data that it returned.
   */
  readonly server?: string
  readonly tool?: string
  readonly words?: string
  readonly data?: unknown
}
