// How a guest sleeps where WebAssembly can't be suspended: its thread sleeps with it, on the shared memory.

import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { BELL } from './channel-memory.js'
import type { Sleep } from './guest-end.js'

export class BlockingSleep implements Sleep {
  readonly #port: MessagePort

  constructor(port: MessagePort) {
    this.#port = port
  }

  until(header: Int32Array, bell: number, ms: number): undefined {
    Atomics.wait(header, BELL, bell, ms)
    return undefined
  }

  // It was sent before its frame was written, and nothing else is sent to a thread during a run.
  takeLong(): SharedArrayBuffer | undefined {
    const received = receiveMessageOnPort(this.#port) as
      | { readonly message: { readonly bytes: SharedArrayBuffer } }
      | undefined
    return received?.message.bytes
  }
}
