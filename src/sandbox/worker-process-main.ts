// The entry of a worker process: a sandbox and host workers, driven by messages. Ends with the host.

import type { GuestImage, Sandbox } from './contract.js'
import { type HostWorkers, type Lesson, openHostWorkers } from './host-workers.js'
import { openSandbox } from './sandbox.js'
import type { ChildMessage, HostNews } from './worker-process.js'

let sandbox: Sandbox
let workers: HostWorkers
const images: GuestImage[] = []
const lessons = new Map<number, unknown[]>()
const taught = new Map<number, Lesson>()
/** Cancels runs and pieces of work, by their numbers. */
const stops = new Map<number, AbortController>()
/** Pending calls, by run and call. */
const replies = new Map<string, (text: string) => void>()

process.on('disconnect', () => process.exit())
process.on('message', (message: ChildMessage) => {
  switch (message.kind) {
    case 'open':
      sandbox = openSandbox(message.sandbox)
      workers = openHostWorkers(message.workers)
      return
    case 'image':
      images[message.image] = message.source
      return
    case 'warm':
      if (message.image === undefined) workers.warm()
      else sandbox.warm(images[message.image]!, message.workers).catch(() => undefined)
      return
    case 'run':
      return void run(message)
    case 'reply':
      return replies.get(`${message.run}/${message.id}`)?.(message.text)
    case 'stop':
      return stops.get(message.number)?.abort()
    case 'learn': {
      const pieces = lessons.get(message.lesson)
      if (pieces === undefined) lessons.set(message.lesson, [message.piece])
      else pieces.push(message.piece)
      return
    }
    case 'forget':
      lessons.delete(message.lesson)
      taught.delete(message.lesson)
      return
    case 'work':
      return void work(message)
  }
})

async function run({ run, image, code, limits, sourceBytes, group }: ChildMessage & { kind: 'run' }): Promise<void> {
  const stop = new AbortController()
  stops.set(run, stop)
  const waiting = new Set<string>()
  const end = await sandbox.run({
    image: images[image]!,
    code,
    limits,
    signal: stop.signal,
    ...(sourceBytes === undefined ? {} : { sourceBytes }),
    ...(group === undefined ? {} : { group }),
    onPrint: (text) => tell({ kind: 'print', run, text }),
    onCall: ({ id, payload, waits }) => {
      const key = `${run}/${id}`
      waiting.add(key)
      return new Promise((resolve) => {
        replies.set(key, (text) => {
          replies.delete(key)
          waiting.delete(key)
          resolve(text)
        })
        tell({ kind: 'call', run, id, payload, waits })
      })
    },
  })
  for (const key of waiting) replies.delete(key)
  stops.delete(run)
  tell({ kind: 'ended', run, end })
}

async function work({ job, lessons: ids, request }: ChildMessage & { kind: 'work' }): Promise<void> {
  const stop = new AbortController()
  stops.set(job, stop)
  const end = await workers.run({ ...request, lessons: ids.map(lessonOf), signal: stop.signal })
  stops.delete(job)
  tell({ kind: 'worked', job, end })
}

function lessonOf(id: number): Lesson {
  let lesson = taught.get(id)
  if (lesson === undefined) {
    lesson = { id, pieces: () => lessons.get(id) ?? [] }
    taught.set(id, lesson)
  }
  return lesson
}

function tell(news: HostNews): void {
  process.send!(news)
}
