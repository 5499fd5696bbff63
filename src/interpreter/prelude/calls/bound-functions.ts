// Bound methods as values, and calls that bind a method without creating such a value.
// Invariant: a bound function has the signature of its function without the first parameter.

import { TUPLE, type Value } from '../values/values.js'
import { bind, type Callable, callNamed, define, type Native, type Signature } from './signature.js'

const shortened = new Map<Signature, Signature>()

/** A signature without its first parameter. */
export function withoutFirst(sig: Signature): Signature {
  const known = shortened.get(sig)
  if (known !== undefined) return known
  const less: Signature =
    sig.positional === 0
      ? sig
      : {
          ...sig,
          n: sig.n > 0 ? sig.n - 1 : -1,
          parameters: sig.parameters.slice(1),
          positional: sig.positional - 1,
          positionalOnly: Math.max(0, sig.positionalOnly - 1),
          required: sig.required.slice(1),
          argsSlot: sig.argsSlot < 0 ? -1 : sig.argsSlot - 1,
          kwargsSlot: sig.kwargsSlot < 0 ? -1 : sig.kwargsSlot - 1,
          unbound: sig,
        }
  shortened.set(sig, less)
  return less
}

/** `f` with `self` as its first argument. */
export function bindFunction(f: Callable, self: Value): Callable {
  const fn = f as unknown as Native
  const { sig } = f
  const bound: Native =
    sig.positional === 0
      ? (args, ...rest) => fn([TUPLE, self, ...(args as Value[]).slice(1)], ...rest)
      : (...args) => fn(self, ...args)
  ;(bound as unknown as { $self: Value }).$self = self
  ;(bound as unknown as { $function: Value }).$function = f
  return define(bound as object, withoutFirst(sig))
}

/** `f(self, …)`. */
export function callBound(f: Callable, self: Value, args: readonly Value[], named?: readonly Value[]): Value {
  const { sig } = f
  if (named === undefined && sig.n === args.length + 1) {
    const fn = f as unknown as Native
    switch (args.length) {
      case 0:
        return fn(self)
      case 1:
        return fn(self, args[0])
      default:
        return fn(self, ...args)
    }
  }
  if (sig.positional === 0) return callNamed(f, [self, ...args], named)
  return (f as unknown as Native)(self, ...bind(withoutFirst(sig), args, named))
}
