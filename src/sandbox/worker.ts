// The entry of a worker thread: it becomes the guest it is told to be, runs one program at a time and makes the guest pristine again after
// each. Knows the words of `protocol.ts` and nothing of pools.
// Invariant: between an `ended` and the `idle` that follows it this thread does nothing but restore; it is lent again only after `idle`.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { BlockingSleep } from './blocking-sleep.js'
import { buildImage, Guest, type ImageState } from './guest.js'
import { SharedGuestChannel } from './guest-end.js'
import type { HostMessage, WorkerMessage, WorkerSettings } from './protocol.js'

const port = parentPort as MessagePort
const settings = workerData as WorkerSettings
const channel = new SharedGuestChannel(settings.channelMemory, port, new BlockingSleep(port))

let compiled: WebAssembly.Module | undefined
let state: ImageState | undefined
let guest: Guest | undefined

// Messages are handled one after the other, also while one of them awaits.
let last: Promise<void> = Promise.resolve()
port.on('message', (message: HostMessage) => {
  last = last.then(() => handle(message)).catch((error: unknown) => post({ kind: 'failed', message: describe(error) }))
})

async function handle(message: HostMessage): Promise<void> {
  switch (message.kind) {
    case 'engine':
      compiled = message.compiled
      return
    case 'become':
      state = message.image === undefined ? message.state : await buildImage(compiled!, message.image)
      guest = await Guest.create(compiled!, state, settings.maxMemoryBytes)
      post({ kind: 'became', ...(message.image === undefined ? {} : { state }) })
      return
    case 'run': {
      const { end, stats } = await guest!.run(message.code, message.limits, channel)
      post({ kind: 'ended', run: message.run, end, stats })
      const footprint = guest!.footprint()
      if (end.kind === 'broken' || footprint !== 'small')
        guest = await Guest.create(compiled!, state!, settings.maxMemoryBytes)
      else guest!.restore()
      // The thread's own stack, too, keeps what it once took.
      const overflowed = end.kind === 'stopped' && end.reason === 'stackBytes'
      post({ kind: 'idle', run: message.run, grew: footprint === 'grown' || overflowed })
      return
    }
    case 'long':
      // The reply to a call whose run ended while it was on its way.
      return
  }
}

function post(message: WorkerMessage): void {
  port.postMessage(message)
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
