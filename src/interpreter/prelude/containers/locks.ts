// Tracks the containers that may not change. Strict Starlark forbids changing a list, dict or set during iteration and
// after freezing (specification: Freezing a value; mutation during iteration). Python forbids neither in this form.
// Loops that could change their iterable push it on a stack, and pop it in a `finally`.
// Invariant: every operation that changes a container first calls `mutable` on it, unless `locks` shows that this is
// unnecessary.

import { type GuestError, guestError } from '../values/errors.js'
import { protocolOf } from '../values/protocol.js'
import { asName, said } from '../values/said.js'
import { isDict, typeName, type Value } from '../values/values.js'

const entered: Value[] = []
let depth = 0
const frozen = new Set<Value>()
let anyFrozen = false
let allFrozen = false

/**
 * `idle`: nothing is locked or frozen, so `mutable` need not be called. `dictsIdle`: at most lists and tuples are, so
 * it need not be called for a dict. Generated code reads both.
 */
export const locks = { idle: true, dictsIdle: true }

/** Forbids changes of `x` until `leave` is called with the returned depth. */
export function enter(x: Value): number {
  const before = depth
  entered[depth++] = x
  locks.idle = false
  if (x === null || x.constructor !== Array) locks.dictsIdle = false
  return before
}

export function leave(before: number): void {
  depth = before
  if (before === 0) locks.idle = locks.dictsIdle = !anyFrozen
}

/** Throws if `x` may not change. */
export function mutable(x: Value): void {
  for (let i = 0; i < depth; i++) if (entered[i] === x) throw locked(x, 'during iteration')
  if (anyFrozen && isFrozen(x)) throw locked(x, 'frozen')
}

function locked(x: Value, why: 'during iteration' | 'frozen'): GuestError {
  const type = typeName(x)
  return why === 'frozen'
    ? guestError('ValueError', said`cannot change a frozen ${asName(type)}`, { code: 'frozen-value' })
    : guestError('RuntimeError', said`cannot change a ${asName(type)} during iteration over it`, {
        code: 'changed-during-iteration',
        hint: type === 'dict' ? 'iterate over list(d.keys()) instead' : 'iterate over a copy: list(x)',
      })
}

export function isFrozen(x: Value): boolean {
  return anyFrozen && (allFrozen || frozen.has(x))
}

/** Makes a value and its contents immutable; a function contains its defaults and captured variables. */
export function freeze(x: Value): void {
  const reached: (Value | undefined)[] = [x]
  while (reached.length > 0) {
    const v = reached.pop()
    if ((typeof v !== 'object' && typeof v !== 'function') || v === null || frozen.has(v)) continue
    frozen.add(v)
    for (const e of heldBy(v)) reached.push(e)
  }
  anyFrozen = true
  locks.idle = locks.dictsIdle = false
}

function heldBy(x: object): readonly (Value | undefined)[] {
  if (typeof x === 'function') return (x as { held?: () => readonly (Value | undefined)[] }).held?.() ?? []
  if (Array.isArray(x)) return x as Value[]
  if (x instanceof Map) return [...(x as Map<Value, Value>)].flat()
  if (x instanceof Set) return [...(x as Set<Value>)]
  // A record, or a shell, which keeps its entries under a symbol.
  if (isDict(x)) return Reflect.ownKeys(x).map((name) => (x as Record<string | symbol, Value>)[name])
  return protocolOf(x)?.held?.(x) ?? []
}

/** Makes everything immutable. */
export function freezeAll(): void {
  allFrozen = true
  anyFrozen = true
  locks.idle = locks.dictsIdle = false
}
