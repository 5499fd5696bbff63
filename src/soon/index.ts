// Values that are available now or later. Most steps of a call need not wait, and a promise for each of them takes
// longer than their work.
// Invariant: a value that is available now is returned now.

export type Soon<Value> = Value | Promise<Value>

/** Continues with a value, now or when it is available. */
export function after<Value, Next>(value: Soon<Value>, next: (value: Value) => Soon<Next>): Soon<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Runs `act` and continues with its value, or with its exception or rejection. */
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

/** Runs `end` after `act`, however that ends. */
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

/** A value from a caller's function, which may be a foreign promise. */
export function soonOf<Value>(given: Value | PromiseLike<Value>): Soon<Value> {
  return isThenable(given) ? Promise.resolve(given) : given
}

function isThenable<Value>(given: Value | PromiseLike<Value>): given is PromiseLike<Value> {
  return typeof (given as { readonly then?: unknown } | null | undefined)?.then === 'function'
}
