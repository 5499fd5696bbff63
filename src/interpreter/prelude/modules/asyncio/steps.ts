// The awaitables of the module `asyncio`, written in steps.

import { coroutine, type Steps } from '../../statements/coroutines.js'
import type { Value } from '../../values/values.js'

/** A coroutine of the library: `steps` yields the futures that it waits for. */
export function run(name: string, steps: () => Steps): Value {
  return coroutine(name, steps())
}
