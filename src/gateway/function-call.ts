// What a function of this process learns of its call.

import type { KeptForCall } from '../bindings/index.js'
import type { InProcessCall } from './configuration/index.js'
import type { Params } from './params.js'

interface FunctionCallOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly kept?: KeptForCall | undefined
  readonly onProgress?: ((progress: Params) => void) | undefined
}

const SIGNAL: PropertyDescriptor & ThisType<FunctionCall> = {
  enumerable: true,
  get() {
    return this.controller().signal
  },
}

// Everything that a function learns is a property of the object itself, which a function may copy. All calls share one
// getter, so that V8 keeps one shape for their objects.
export class FunctionCall implements InProcessCall {
  declare readonly signal: AbortSignal
  readonly headers: Readonly<Record<string, string>>
  readonly kept: KeptForCall | undefined
  readonly tellProgress: InProcessCall['tellProgress']
  #isOver = false
  #own: AbortController | undefined

  constructor({ headers = {}, kept, onProgress }: FunctionCallOptions) {
    this.headers = headers
    this.kept = kept
    this.tellProgress = (progress) => {
      if (!this.#isOver) onProgress?.(progress)
    }
    Object.defineProperty(this, 'signal', SIGNAL)
  }

  /** Made on first use, because most functions never use it. */
  controller(): AbortController {
    this.#own ??= new AbortController()
    return this.#own
  }

  /** The call has ended. `isWanted`: with the function's result. */
  end(isWanted: boolean): void {
    this.#isOver = true
    if (!isWanted) this.controller().abort()
  }
}
