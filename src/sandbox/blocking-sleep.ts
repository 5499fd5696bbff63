// A guest's sleep without stack switching: its thread blocks on the shared memory. Blocking and waking take longer than
// a host function, so the guest polls for its reply for a moment first.

import { availableParallelism } from 'node:os'
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { BELL, REPLIES_SOON } from './channel-memory.js'
import type { Sleep } from './guest-end.js'

const LOOKING_MS = 0.1
/** With one processor, polling keeps the host from answering. */
const canLook = availableParallelism() > 1

export class BlockingSleep implements Sleep {
  readonly #port: MessagePort

  constructor(port: MessagePort) {
    this.#port = port
  }

  until(header: Int32Array, bell: number, ms: number): undefined {
    const began = performance.now()
    if (canLook && Atomics.load(header, REPLIES_SOON) === 1) {
      const end = began + Math.min(ms, LOOKING_MS)
      while (Atomics.load(header, BELL) === bell && performance.now() < end);
    }
    Atomics.wait(header, BELL, bell, Math.max(0, ms + began - performance.now()))
    return undefined
  }

  // The block was sent before its frame was written, and a thread gets no other message during a run.
  takeLong(): SharedArrayBuffer | undefined {
    const received = receiveMessageOnPort(this.#port) as
      | { readonly message: { readonly bytes: SharedArrayBuffer } }
      | undefined
    return received?.message.bytes
  }
}
