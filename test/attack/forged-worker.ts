// A worker that lies. The host's side of a run is real (channel, hosted run); the other side is the test, which writes
// arbitrary data into the shared memory and sends arbitrary messages.

import { newChannelMemory } from '../../dist/sandbox/channel-memory.js'
import { type Notice, SharedHostChannel } from '../../dist/sandbox/host-end.js'
import { type Conclusion, HostedRun, YOUNG_MS } from '../../dist/sandbox/hosted-run.js'
import { defaultLimits, type Limits, type RunRequest } from '../../dist/sandbox/index.js'
import { Later } from '../../dist/sandbox/later.js'
import type { RunStart } from '../../dist/sandbox/protocol.js'

export interface ForgedRun {
  /**
   * The shared memory as the worker sees it. Words 8 to 11: bytes written and read outward, written and read inward.
   */
  readonly header: Int32Array
  readonly run: HostedRun
  readonly channel: SharedHostChannel
  /** The host's messages to the worker. */
  readonly posted: (Notice | RunStart)[]
  readonly calls: string[]
  readonly printed: string[]
  readonly state: { conclusion: Conclusion | undefined; terminated: number }
  /** Appends a call to the outward ring, as the guest's side does. */
  request(id: number, payload: string, head?: number): void
  /** Appends a frame of output to the outward ring. */
  frame(head: number, bytes: Uint8Array): void
  /** Reads the arrived replies, as the guest's side does. */
  replies(): string[]
}

export const WAKE = { kind: 'wake' }
export const WIDE = 0x4000_0000
export const MARK = 0x2000_0000
export const LONG = 0x1000_0000
export const WRITTEN = 8
const RING_BYTES = 128 * 1024

export function forgedRun(onCall: RunRequest['onCall'] = () => 'reply', limits: Partial<Limits> = {}): ForgedRun {
  const memory = newChannelMemory()
  const header = new Int32Array(memory, 0, 16)
  const ring = new Uint8Array(memory, 64, RING_BYTES)
  const inward = new Uint8Array(memory, 64 + RING_BYTES, RING_BYTES)
  const posted: ForgedRun['posted'] = []
  const calls: string[] = []
  const printed: string[] = []
  const state: ForgedRun['state'] = { conclusion: undefined, terminated: 0 }
  const channel = new SharedHostChannel(memory, (message) => posted.push(message))
  channel.reset()
  const end = async () => {
    state.terminated++
    run.lost(new Error('the worker ended'))
  }
  const place = {
    channel,
    shared: false,
    computedMs: undefined,
    // The worker works when the test does.
    isParallel: false,
    later: new Later(YOUNG_MS),
    begin: (start: RunStart) => posted.push(start),
    abandon: end,
    condemn: end,
  }
  const run = new HostedRun(place, 7, {
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
  const put = (head: number, id: number, bytes: Uint8Array): void => {
    const at = Atomics.load(header, WRITTEN)
    const view = new DataView(ring.buffer, ring.byteOffset)
    view.setInt32(at & (RING_BYTES - 1), head, true)
    view.setInt32((at + 4) & (RING_BYTES - 1), id, true)
    ring.set(bytes, (at + 8) & (RING_BYTES - 1))
    Atomics.store(header, WRITTEN, at + 8 + ((bytes.length + 3) & ~3))
  }
  const request = (id: number, payload: string, head = payload.length): void =>
    put(head, id, Buffer.from(payload, 'latin1'))
  const frame = (head: number, bytes: Uint8Array): void => put(head, 0, bytes)
  const replies = (): string[] => {
    const found: string[] = []
    const view = new DataView(inward.buffer, inward.byteOffset)
    while (header[10] !== header[11]) {
      const at = header[11]!
      const length = view.getInt32(at, true)
      found.push(
        `${view.getInt32(at + 4, true)} ${Buffer.from(inward.subarray(at + 8, at + 8 + length)).toString('latin1')}`,
      )
      header[11] = at + 8 + ((length + 3) & ~3)
    }
    return found
  }
  return { header, run, channel, posted, calls, printed, state, request, frame, replies }
}

/** The end of a run whose worker broke the protocol. */
export function breach(words: string): object {
  return { kind: 'fault', message: `the worker broke the protocol: ${words}` }
}
