// WebAssembly stack switching, if the runtime has it: an import that may suspend the guest, and an export that enters a
// guest that may be suspended. An import suspends the guest only if it returns a promise.
//
// V8 gives such a guest a separate stack, whose size is the lesser of two flags (984 KB, a fraction of what QuickJS's C
// code needs below the limits of this room). The flags are read when the stack is created, so they are set for just
// that moment.

import { setFlagsFromString } from 'node:v8'

type Entry = (...args: number[]) => Promise<number>

/** True when this runtime can suspend WebAssembly. */
export function hasSuspension(): boolean {
  return typeof WebAssembly.Suspending === 'function' && typeof WebAssembly.promising === 'function'
}

/** The import, which suspends the guest when it returns a promise. */
export function suspending(importFunction: (...args: number[]) => unknown): object {
  return new WebAssembly.Suspending(importFunction)
}

/** The export as an entry to a guest that may be suspended. `stackBytes`: the stack that its native code may need. */
export function suspendable(exportFunction: unknown, stackBytes: () => number): Entry {
  const enter = WebAssembly.promising(exportFunction as (...args: number[]) => number)
  return (...args) => {
    setStackKb(Math.ceil(stackBytes() / 1024))
    try {
      return enter(...args)
    } finally {
      setStackKb(DEFAULT_STACK_KB)
    }
  }
}

const DEFAULT_STACK_KB = 984
/** The value of the other flag, high enough not to matter. */
const MOST_STACK_KB = 128 * 1024
let prepared = false

function setStackKb(kb: number): void {
  if (!prepared) setFlagsFromString(`--wasm-stack-switching-stack-size=${MOST_STACK_KB}`)
  prepared = true
  setFlagsFromString(`--stack-size=${kb}`)
}
