// Values that are there now or later. Most steps of a call wait for nothing: a promise for each of them takes longer
// than all that they do.
// Invariant: what is there now is given now.

export type Soon<Value> = Value | Promise<Value>

/** Goes on with a value, now or when it is there. */
export function after<Value, Next>(value: Soon<Value>, next: (value: Value) => Soon<Next>): Soon<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Does `act` and goes on with what came of it, or with what it threw or rejected with. */
export function settled<Value, Next>(
  act: () => Soon<Value>,
  done: (value: Value) => Soon<Next>,
  failed: (error: unknown) => Soon<Next>,
): Soon<Next> {
  let value: Soon<Value>
  try {
    value = act()
  } catch (error) {
    return failed(error)
  }
  return value instanceof Promise ? value.then(done, failed) : done(value)
}

/** Does `end` after `act`, however that ends. */
export function lastly<Value>(act: () => Soon<Value>, end: () => void): Soon<Value> {
  return settled(
    act,
    (value) => {
      end()
      return value
    },
    (error) => {
      end()
      throw error
    },
  )
}

/** What somebody else gives, which may be a promise that is not the engine's own. */
export function soonOf<Value>(given: Value | PromiseLike<Value>): Soon<Value> {
  return isThenable(given) ? Promise.resolve(given) : given
}

function isThenable<Value>(given: Value | PromiseLike<Value>): given is PromiseLike<Value> {
  return typeof (given as { readonly then?: unknown } | null | undefined)?.then === 'function'
}
