// A value that is available now, or a promise of one. Most steps of a call have their value at once, and a promise for
// each step would take longer than the step.
// Invariant: an available value is never wrapped in a promise.

export type Awaitable<Value> = Value | Promise<Value>

/** `next` of a value: at once if the value is available, else once its promise resolves. */
export function after<Value, Next>(value: Awaitable<Value>, next: (value: Value) => Awaitable<Next>): Awaitable<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Runs `act` and passes its value to `done`, or its exception or rejection to `failed`. */
export function settled<Value, Next>(
  act: () => Awaitable<Value>,
  done: (value: Value) => Awaitable<Next>,
  failed: (error: unknown) => Awaitable<Next>,
): Awaitable<Next> {
  let value: Awaitable<Value>
  try {
    value = act()
  } catch (error) {
    return failed(error)
  }
  return value instanceof Promise ? value.then(done, failed) : done(value)
}

/** Runs `act`, then `end`, whether `act` succeeded or failed. */
export function lastly<Value>(act: () => Awaitable<Value>, end: () => void): Awaitable<Value> {
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

/** The result of a caller's function, whose promises may be of another library. */
export function awaitableOf<Value>(given: Value | PromiseLike<Value>): Awaitable<Value> {
  return isThenable(given) ? Promise.resolve(given) : given
}

function isThenable<Value>(given: Value | PromiseLike<Value>): given is PromiseLike<Value> {
  return typeof (given as { readonly then?: unknown } | null | undefined)?.then === 'function'
}
