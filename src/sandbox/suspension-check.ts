// Tests whether guests can be suspended on this runtime by suspending one, because the engine's package does not
// document it.

import { Engine } from './quickjs.js'
import { hasSuspension } from './suspension.js'

const MEMORY_PAGES = 128

/** Why guests can't be suspended; undefined when they can. */
export async function suspensionProblem(compiled: WebAssembly.Module): Promise<string | undefined> {
  if (!hasSuspension()) return 'this runtime has no WebAssembly stack switching'
  try {
    const memory = new WebAssembly.Memory({ initial: MEMORY_PAGES, maximum: MEMORY_PAGES })
    const pause = (): Promise<undefined> => new Promise((resolve) => setImmediate(resolve, undefined))
    const hooks = { call: () => pause().then(() => 0), interrupt: () => pause().then(() => false), grow: () => 0 }
    const engine = await Engine.start(compiled, memory, hooks, true)
    engine.createContext({ date: false })
    engine.setMaxStackBytes(64 * 1024)
    engine.setProperty(engine.globalObject(), 'pause', engine.newHostFunction('pause', 0, 1))
    // Through a native function, and often enough for the interrupt hook to be called.
    const code = '[1, 2].map(() => pause()); for (let i = 0; i < 20000; i++); "done"'
    const result = await engine.evaluate(code, 'check.js')
    if (engine.exceptionOf(result) !== 0 || !engine.isString(result)) throw new Error('a suspended guest went wrong')
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
