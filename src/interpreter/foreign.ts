// Functions a program can call that are implemented outside the guest, grouped in namespaces, and the words guest and host use for such a
// call. Knows nothing of tools: to the interpreter a namespace is a name with members.

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

/**
 * What the host answers: one letter and the rest. `J` and JSON text: a value. `T` and text: a string. `E` and the JSON text of a
 * ForeignError: the call raises.
 */
export type ForeignReply = `J${string}` | `T${string}` | `E${string}`

export interface ForeignError {
  /** `tool`: the upstream failed; the program may catch it. `program`: the call itself was wrong. `limit` and `host` can't be caught. */
  readonly kind: 'tool' | 'program' | 'limit' | 'host'
  /** The diagnostic's code. */
  readonly code: string
  readonly message: string
  readonly hint?: string
}
