// What the module `asyncio` lets programs await, written in steps.

import { coroutine, type Pending } from '../../statements/coroutines.js'
import type { Value } from '../../values/values.js'

export type Steps = globalThis.Generator<Pending, Value, Value>

/** A coroutine of the library: `steps` yields what it waits for. */
export function run(name: string, steps: () => Steps): Value {
  return coroutine(name, steps())
}
