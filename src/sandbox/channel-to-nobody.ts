// The channel of a guest that runs for practice: its output is lost, and a call ends the run.

import type { GuestChannel } from './channel.js'
import { RunStopped } from './meter.js'

/** `stop`: its number becomes 1 when the run is to end. */
export function channelToNobody(stop: Int32Array): GuestChannel {
  return {
    send() {
      throw new RunStopped('outside')
    },
    print: () => true,
    take: () => undefined,
    stopRequested: () => Atomics.load(stop, 0) === 1,
    expect: () => 0,
    sleep: () => undefined,
    awake() {},
    away() {},
  }
}
