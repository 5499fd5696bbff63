// The entry of a host worker: loads its module and performs one task at a time.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { HostWork, WorkMessage, WorkReply } from './host-workers.js'
import { ownClock, ownThread } from './thread-clock.js'

const port = parentPort as MessagePort
const thread = ownThread()
const clock = ownClock()
const work = (await import(workerData as string)) as HostWork

/** The lag of the processor clock. Shorter work counts as not delayed. */
const TICK_MS = 20

port.on('message', (message: WorkMessage) => {
  switch (message.kind) {
    case 'learn':
      return work.learn(message.lesson, message.piece)
    case 'forget':
      return work.forget(message.lesson)
    case 'forget-all':
      return work.forgetAll?.()
    case 'work':
      return answer(message.input)
    case 'practise':
      return practise(message.input)
  }
})
post({ kind: 'ready', thread })

function answer(input: unknown): void {
  const started = performance.now()
  const computed = clock.read() ?? 0
  try {
    const value = work.work(input)
    const passed = performance.now() - started
    const now = passed < TICK_MS ? undefined : clock.read()
    post({ kind: 'done', value, workMs: now === undefined ? passed : now - computed })
  } catch (error) {
    // An exhausted stack does no harm to the thread.
    const message = error instanceof Error ? error.message : String(error)
    post({ kind: 'failed', message, isStack: error instanceof RangeError && message.includes('call stack') })
  }
}

function practise(input: unknown): void {
  try {
    post({ kind: 'practised', value: work.work(input) })
  } catch {
    // A task that fails in the same way says so.
    post({ kind: 'practised', value: undefined })
  }
}

function post(reply: WorkReply): void {
  port.postMessage(reply)
}
