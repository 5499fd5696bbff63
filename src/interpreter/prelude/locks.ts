// Which containers may not change now. Strict Starlark forbids changing a list, dict or set while it is iterated over, and for ever once it is
// frozen (specification: Freezing a value; mutation during iteration). Python forbids neither here.
// Loops that could change what they iterate over enter it on a short stack and leave it in a `finally`.
// Invariant: every operation that changes a container calls `mutable` on it first, unless `idle`.

import { GuestError } from './errors.js'
import { TUPLE, type Value, typeName } from './values.js'

const entered: Value[] = []
let depth = 0
const frozen = new Set<Value>()
let anyFrozen = false

/** Is nothing locked or frozen at all? Then `mutable` need not be called. */
export let idle = true

/** Forbids changes of `x` until `leave` is called with the returned depth. */
export function enter(x: Value): number {
  const before = depth
  if (typeof x === 'object' && x !== null) entered[depth++] = x
  idle = false
  return before
}

export function leave(before: number): void {
  depth = before
  idle = before === 0 && !anyFrozen
}

/** Throws when `x` may not change. */
export function mutable(x: Value): void {
  if (depth !== 0) for (let i = 0; i < depth; i++) if (entered[i] === x) throw locked(x, 'during iteration')
  if (anyFrozen && frozen.has(x)) throw locked(x, 'frozen')
}

function locked(x: Value, why: 'during iteration' | 'frozen'): GuestError {
  const type = typeName(x)
  return why === 'frozen'
    ? new GuestError('ValueError', `cannot change a frozen ${type}`, { code: 'frozen-value' })
    : new GuestError('RuntimeError', `cannot change a ${type} during iteration over it`, {
        code: 'changed-during-iteration',
        hint: type === 'dict' ? 'iterate over list(d.keys()) instead' : 'iterate over a copy: list(x)',
      })
}

export function isFrozen(x: Value): boolean {
  return anyFrozen && frozen.has(x)
}

/** Makes a value and all that it holds immutable. `reach` adds what a function holds (defaults and captured variables). */
export function freeze(x: Value, reach?: (f: object) => readonly Value[]): void {
  if (typeof x === 'function') {
    if (frozen.has(x) || reach === undefined) return
    frozen.add(x)
    for (const v of reach(x)) freeze(v, reach)
    return
  }
  if (typeof x !== 'object' || x === null || frozen.has(x)) return
  anyFrozen = true
  idle = false
  frozen.add(x)
  if (Array.isArray(x)) {
    for (let i = x[0] === TUPLE ? 1 : 0; i < x.length; i++) freeze(x[i] as Value, reach)
  } else if (x instanceof Map) {
    for (const [k, v] of x as Map<Value, Value>) {
      freeze(k, reach)
      freeze(v, reach)
    }
  } else if (x instanceof Set) {
    for (const k of x as Set<Value>) freeze(k, reach)
  } else if (Object.getPrototypeOf(x) === Object.prototype) {
    for (const name of Reflect.ownKeys(x)) freeze((x as Record<string | symbol, Value>)[name] as Value, reach)
  }
}
