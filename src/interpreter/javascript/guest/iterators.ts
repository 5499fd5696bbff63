// Corrects the engine's iterators where they differ from the standard.
// Invariant: an exception of the program's iterator is passed on.

/**
 * The engine's `map`, `filter` and similar methods call `return` on an iterator that is left early, even if it has no
 * such method. The iterators of arrays have none, so `list.values().filter(f).take(1)` would fail.
 */
export function repairIterators(): void {
  const list = [0].values() as unknown as { map(call: (x: unknown) => unknown): object }
  const helper = Object.getPrototypeOf(list.map((x) => x)) as { return: () => IteratorResult<unknown> }
  const plainReturn = helper.return
  Object.defineProperty(helper, 'return', {
    value: { return: endOf(plainReturn) }.return,
    writable: true,
    configurable: true,
  })
}

function endOf(plainReturn: () => IteratorResult<unknown>) {
  return function (this: unknown): IteratorResult<unknown> {
    try {
      return plainReturn.call(this as never)
    } catch (error) {
      if (!(error instanceof TypeError) || !isEngines(error)) throw error
      return { value: undefined, done: true }
    }
  }
}

/** True for a TypeError that the engine's own `return` throws. */
function isEngines({ message, stack }: TypeError): boolean {
  return message === 'not a function' && /^\s*at return \(native\)/.test(stack ?? '')
}
