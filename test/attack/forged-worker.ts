// A worker that lies. The host's side of a run is real (channel, hosted run); the other side is the test, which writes whatever it likes into the shared
// memory and sends whatever it likes.

import { BlockingHostChannel, newChannelMemory } from '../../dist/sandbox/blocking-channel.js'
import { type Conclusion, HostedRun } from '../../dist/sandbox/hosted-run.js'
import { defaultLimits, type Limits, type RunRequest } from '../../dist/sandbox/index.js'
import type { HostMessage } from '../../dist/sandbox/protocol.js'

export interface ForgedRun {
  /** The shared memory as the worker sees it. Words: state, stop, call id, length, written, taken, announced. */
  readonly header: Int32Array
  readonly exchange: Uint8Array
  readonly ring: Uint8Array
  readonly run: HostedRun
  readonly channel: BlockingHostChannel
  /** What the host sent to the worker. */
  readonly posted: HostMessage[]
  readonly calls: string[]
  readonly printed: string[]
  readonly state: { conclusion: Conclusion | undefined; terminated: number }
  /** Puts a call into the exchange, as the guest's side does. */
  request(id: number, payload: string, length?: number): void
  /** Appends a frame to the output ring. */
  frame(head: number, bytes: Uint8Array): void
}

export const WAKE = 1
export const WIDE = 0x4000_0000
export const REQUEST = 1

export function forgedRun(onCall: RunRequest['onCall'] = () => 'reply', limits: Partial<Limits> = {}): ForgedRun {
  const memory = newChannelMemory()
  const header = new Int32Array(memory, 0, 16)
  const exchange = new Uint8Array(memory, 64, 65_536)
  const ring = new Uint8Array(memory, 64 + 65_536, 65_536)
  const posted: HostMessage[] = []
  const calls: string[] = []
  const printed: string[] = []
  const state: ForgedRun['state'] = { conclusion: undefined, terminated: 0 }
  const channel = new BlockingHostChannel(memory, (message) => posted.push(message))
  channel.reset()
  const thread = {
    channel,
    post: (message: HostMessage) => posted.push(message),
    terminate: async () => {
      state.terminated++
      run.lost(new Error('the worker ended'))
    },
  }
  const run = new HostedRun(thread, 7, {
    request: {
      code: '',
      onCall: (call, signal) => {
        calls.push(call.payload)
        return onCall(call, signal)
      },
      onPrint: (text) => printed.push(text),
    },
    limits: { ...defaultLimits, ...limits },
    concluded: (conclusion) => {
      if (state.conclusion !== undefined) throw new Error('concluded twice')
      state.conclusion = conclusion
    },
  })
  const request = (id: number, payload: string, length = payload.length): void => {
    exchange.set(Buffer.from(payload, 'latin1').subarray(0, exchange.length))
    Atomics.store(header, 2, id)
    Atomics.store(header, 3, length)
    Atomics.store(header, 0, REQUEST)
  }
  const frame = (head: number, bytes: Uint8Array): void => {
    const at = Atomics.load(header, 4)
    new DataView(ring.buffer, ring.byteOffset).setInt32(at & 65_535, head, true)
    ring.set(bytes, (at + 4) & 65_535)
    Atomics.store(header, 4, at + 4 + ((bytes.length + 3) & ~3))
  }
  return { header, exchange, ring, run, channel, posted, calls, printed, state, request, frame }
}

/** The conclusion of a run whose worker was found out. */
export function breach(words: string): object {
  return { kind: 'fault', message: `the worker broke the protocol: ${words}` }
}
