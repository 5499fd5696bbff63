// The entry of a worker thread: holds guests, runs programs in them and restores them after each run. If guests can be
// suspended, many runs are in progress at once, each in a seat with its own channel; otherwise one at a time.
// Invariant: a guest serves one run at a time and is pristine before the next; a seat is lent again only after an
// `ended` that says it is free, or after its `idle`.

import { availableParallelism } from 'node:os'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { BlockingSleep } from './blocking-sleep.js'
import { ENDED, headerOf, RUN, RUNS } from './channel-memory.js'
import { channelToNobody } from './channel-to-nobody.js'
import { buildImage, Guest, type ImageState } from './guest.js'
import { SharedGuestChannel } from './guest-end.js'
import type { Notice } from './host-end.js'
import type { HostTables } from './lookups.js'
import { Patience } from './patience.js'
import { type HostMessage, sharedMs, type WorkerMessage, type WorkerSettings } from './protocol.js'
import { SuspendingSleep } from './suspending-sleep.js'
import { suspensionProblem } from './suspension-check.js'
import { ownClock, ownThread } from './thread-clock.js'
import { Pace, Turns } from './turns.js'

interface Seat {
  readonly channel: SharedGuestChannel
  readonly header: Int32Array
  /** Present if guests can be suspended. */
  readonly shared?: { readonly pace: Pace; readonly sleep: SuspendingSleep }
}

type RunMessage = Extract<HostMessage, { kind: 'run' }>
type PractiseMessage = Extract<HostMessage, { kind: 'practise' }>

/**
 * The number of pristine guests that are kept for long. All are kept for a moment: when many runs end at once, as many
 * may start.
 */
const KEPT_GUESTS = 8
const KEPT_MS = 3000
/**
 * A run without others beside it is often followed by another at once: after it, a pristine guest polls for the next one
 * for this time. Waking it would take longer than most of that.
 */
const NEXT_MS = 0.15
const nexts = new Patience()
/** With one processor, polling keeps the host from sending a run. */
const canLook = availableParallelism() > 1

const port = parentPort as MessagePort
const settings = workerData as WorkerSettings
const turns = new Turns(settings.turnMemory)
const states = new Map<number, ImageState>()
const tables = new Map<number, HostTables>()
const seats = new Map<number, Seat>()
/** Pristine guests, the one that was used last at the end. */
const kept: { readonly image: number; readonly guest: Guest }[] = []

let compiled: WebAssembly.Module | undefined
let suspends = false
const clock = ownClock()

// One message is handled at a time, even if its handler awaits; runs that can be suspended are only started so.
let last: Promise<void> = Promise.resolve()
port.on('message', (message: HostMessage) => {
  if (typeof message === 'number') seats.get(message)?.shared?.sleep.wake()
  else if (message.kind === 'long') seats.get(message.seat)?.shared?.sleep.arrived(message.bytes)
  else last = last.then(() => handle(message)).catch(fail)
})

async function handle(message: Exclude<HostMessage, number | { kind: 'long' }>): Promise<void> {
  switch (message.kind) {
    case 'engine': {
      compiled = message.compiled
      const problem = settings.suspends ? await suspensionProblem(compiled) : undefined
      suspends = settings.suspends && problem === undefined
      const thread = suspends ? undefined : ownThread()
      post({ kind: 'ready', suspends, problem, thread })
      return
    }
    case 'become': {
      const { image, source, lookUp } = message
      if (lookUp !== undefined) tables.set(image, (await import(lookUp)) as HostTables)
      const state = source === undefined ? message.state : await buildImage(compiled!, source)
      states.set(image, state)
      keep(image, await newGuest(image))
      post({ kind: 'became', image, ...(source === undefined ? {} : { state }) })
      return
    }
    case 'practise':
      return practise(message)
    case 'seat':
      seats.set(message.seat, newSeat(message.seat, message.channelMemory))
      return
    case 'leave':
      seats.clear()
      return
    case 'run': {
      const run = serve(message)
      if (suspends) run.catch(fail)
      else await run
      return
    }
  }
}

async function serve({ seat: number, run, image, code, limits, atMs, lookups: earlier }: RunMessage): Promise<void> {
  const { channel, header, shared } = seats.get(number)!
  shared?.pace.reset()
  shared?.sleep.reset()
  await shared?.pace.enter()
  const guest = taken(image) ?? (await newGuest(image))
  const lateMs = Math.max(0, sharedMs() - atMs)
  const { end, stats, lookups } = await guest.run(code, limits, channel, {
    pace: shared?.pace,
    lateMs,
    clock,
    tables: tables.get(image),
    lookups: earlier,
  })
  const footprint = guest.footprint()
  const restores = end.kind !== 'broken' && footprint === 'small'
  // The thread's own stack never shrinks, either.
  const overflowed = !suspends && end.kind === 'stopped' && end.reason === 'stackBytes'
  // The next run's message waits until the guest is pristine, so the host need not be woken once more.
  const isFree = restores && !overflowed
  const wasAlone = Atomics.exchange(header, RUN, 0) === RUNS.alone
  Atomics.store(header, ENDED, 1)
  post({ kind: 'ended', seat: number, run, end, stats, lookups, isFree })
  await keepPristine(image, restores ? guest : undefined)
  shared?.pace.leave()
  if (!isFree) post({ kind: 'idle', seat: number, run, grew: footprint === 'grown' || overflowed })
  else if (wasAlone && !suspends && canLook && nexts.isWorthPolling()) lookForNext(header)
}

async function practise({ image, code, limits, stop }: PractiseMessage): Promise<void> {
  const guest = taken(image) ?? (await newGuest(image))
  const { end } = await guest.run(code, limits, channelToNobody(stop))
  await keepPristine(image, end.kind !== 'broken' && guest.footprint() === 'small' ? guest : undefined)
}

/** Restores and keeps the guest; undefined: another one takes its place where there is one only. */
async function keepPristine(image: number, guest: Guest | undefined): Promise<void> {
  if (guest !== undefined) {
    guest.restore()
    keep(image, guest)
  } else if (!suspends) keep(image, await newGuest(image))
}

/** Polls for the next run, whose message is received in the next turn of the loop. */
function lookForNext(header: Int32Array): void {
  const end = performance.now() + NEXT_MS
  while (Atomics.load(header, RUN) === 0) if (performance.now() > end) return nexts.missed()
  nexts.met()
}

function newGuest(image: number): Promise<Guest> {
  return Guest.create(compiled!, states.get(image)!, settings.maxMemoryBytes, suspends)
}

function newSeat(number: number, memory: SharedArrayBuffer): Seat {
  const notify = (notice: Notice): void => {
    if (notice.kind === 'wake') port.postMessage(number)
    else port.postMessage({ ...notice, seat: number })
  }
  const header = headerOf(memory)
  if (!suspends) return { header, channel: new SharedGuestChannel(memory, notify, new BlockingSleep(port)) }
  const pace = new Pace(turns, number)
  const sleep = new SuspendingSleep(pace)
  return { header, channel: new SharedGuestChannel(memory, notify, sleep), shared: { pace, sleep } }
}

function keep(image: number, guest: Guest): void {
  kept.push({ image, guest })
  if (!suspends) kept.splice(0, kept.length - 1)
  else if (kept.length > KEPT_GUESTS && !trimming) {
    trimming = true
    setTimeout(dropSpare, KEPT_MS).unref()
  }
}

let trimming = false

function dropSpare(): void {
  kept.splice(0, kept.length - KEPT_GUESTS)
  trimming = false
}

/** A pristine guest of the image, if one was kept. */
function taken(image: number): Guest | undefined {
  const at = kept.findLastIndex((one) => one.image === image)
  return at < 0 ? undefined : kept.splice(at, 1)[0]!.guest
}

function post(message: WorkerMessage): void {
  port.postMessage(message)
}

function fail(error: unknown): void {
  post({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
}
