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
  /** What is known of arguments and result; without it every call is taken as right. */
  readonly signature?: ForeignSignature
}

export interface ForeignSignature {
  /** In positional order. */
  readonly parameters: readonly ForeignParameter[]
  /** What further keyword arguments hold; absent when there can be none. */
  readonly extra?: ForeignType
  readonly returns: ForeignType
  /**
   * What is wrong with a JSON value as the argument of that key, in the words of that notation; empty when nothing is,
   * or when it depends on other arguments.
   */
  readonly problemsWith?: (key: string, value: unknown, notation: 'python' | 'typescript') => readonly string[]
}

export interface ForeignParameter {
  /** The name that a program writes. */
  readonly name: string
  /** A second name that means the same. */
  readonly key: string
  readonly type: ForeignType
  readonly required: boolean
}

/**
 * What a value that goes to the host or comes from it may be. A graph: every cycle goes through a record or an alias.
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
  /** There can be no other keys. */
  readonly closed?: boolean
}

/**
 * What the guest sends for one call, as JSON text. Positional arguments are bound to names on the host, which knows the
 * signatures. Floats with an integral value keep their `.0` in the text and integers of any size keep all digits.
 */
export interface ForeignCall {
  readonly namespace: string
  readonly member: string
  readonly positional: readonly unknown[]
  readonly named: Readonly<Record<string, unknown>>
}

/*
 * In front of that text stands `+PLACE ` or `?PLACE ` when the program runs ahead of the call: `+` where its failure ends the program, `?` where a
 * handler of the program could see it, and `@LINE:COLUMN `, the place in the generated code, where the run wants to know that of the tool. The place is `START-END` in the program's text, or nothing. At the end of
 * everything stands a space when the program has slept since its last call, or makes calls together.
 */

/**
 * What the host answers: one letter and the rest. `J` and JSON text: a value. `D` and JSON text: a value that remembers
 * its text. `U` and JSON text: the same, and nobody knows whether the text or the value is meant. `T` and text: a
 * string. `E` and the JSON text of a ForeignError: the call raises.
 */
export type ForeignReply = `J${string}` | `D${string}` | `U${string}` | `T${string}` | `E${string}`

export interface ForeignError {
  /**
   * `tool`: the upstream failed; the program may catch it. `program`: the call itself was wrong. `denied`: a person said
   * no; the program may catch that, too. `limit` and `host` can't be caught.
   */
  readonly kind: 'tool' | 'program' | 'denied' | 'limit' | 'host'
  /** The diagnostic's code. */
  readonly code: string
  readonly message: string
  readonly hint?: string
  /**
   * The values that the message and the hint quote: each that the program sent is marked. Absent for a tool's failure:
   * all of it is the tool's words.
   */
  readonly values?: readonly MarkedValue[]
  readonly hintValues?: readonly MarkedValue[]
  /** Of a failed tool: who failed, in the program's names, what it said, and the data that it gave with it. */
  readonly server?: string
  readonly tool?: string
  readonly words?: string
  readonly data?: unknown
}
