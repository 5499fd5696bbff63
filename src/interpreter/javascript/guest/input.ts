// The input of the run, in Node's form: `process.argv` and `process.stdin`. The text arrives in one piece.

import { timers } from './timers.js'
import type { RunFacts } from './world.js'

const { setTimeout } = timers

type Listener = (part?: string) => void

export function giveInput({ argv = ['program'], stdin }: RunFacts): void {
  if (stdin === undefined) return
  const process = { argv: ['starbind', ...argv], stdin: inputOf(stdin) }
  Object.defineProperty(globalThis, 'process', { value: process, configurable: true, writable: true })
}

function inputOf(text: string): object {
  let parts = text === '' ? [] : [text]
  const taken = (): string[] => {
    const rest = parts
    parts = []
    return rest
  }
  const stdin = {
    isTTY: false,
    setEncoding: () => stdin,
    toArray: async () => taken(),
    async *[Symbol.asyncIterator]() {
      yield* taken()
    },
    on: (event: string, listener: Listener) => {
      const tell = (): void => {
        if (event === 'data') for (const part of taken()) listener(part)
        // Listeners for the end are called after all others have received the text.
        else if (event === 'end' || event === 'close') setTimeout(listener, 0)
      }
      setTimeout(tell, 0)
      return stdin
    },
  }
  return stdin
}
