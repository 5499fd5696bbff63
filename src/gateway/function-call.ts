// What a function of this process learns of its call.

import type { KeptForCall } from '../bindings/index.js'
import type { InProcessCall } from './configuration/index.js'
import type { Params } from './params.js'

interface FunctionCallOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly kept?: KeptForCall | undefined
  readonly onProgress?: ((progress: Params) => void) | undefined
}

export class FunctionCall implements InProcessCall {
  readonly headers: Readonly<Record<string, string>>
  readonly kept: KeptForCall | undefined
  readonly #onProgress: FunctionCallOptions['onProgress']
  #isOver = false
  #own: AbortController | undefined

  constructor({ headers = {}, kept, onProgress }: FunctionCallOptions) {
    this.headers = headers
    this.kept = kept
    this.#onProgress = onProgress
  }

  /** Made on first use, because most functions never use it. */
  get signal(): AbortSignal {
    this.#own ??= new AbortController()
    return this.#own.signal
  }

  get tellProgress(): InProcessCall['tellProgress'] {
    return (progress) => {
      if (!this.#isOver) this.#onProgress?.(progress)
    }
  }

  /** The call has ended. `isWanted`: with the function's result. */
  end(isWanted: boolean): void {
    this.#isOver = true
    if (isWanted) return
    this.#own ??= new AbortController()
    this.#own.abort()
  }
}
