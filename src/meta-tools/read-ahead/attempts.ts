// Runs a program in as many attempts as it takes. A program that runs ahead of a read inside `try` or `with` assumes
// that the read succeeds. If it fails, the attempt is void from there on. Nothing of it was visible, because visible
// effects wait for earlier reads. The program runs once more in a pristine guest, gets the answers that it had, and
// waits for that read.
// Invariant: the last attempt is the run. Limits bound all attempts together, except computing time, which each has for
// itself.

import { setTimeout } from 'node:timers/promises'
import { type RunInput, type RunWorld, runCode } from '../../interpreter/index.js'
import type { Limits, RunEnd, RunRequest } from '../../sandbox/index.js'
import type { ReadyProgram } from '../desk.js'
import type { RunContext } from '../run-context.js'
import type { RunCalls } from './run-calls.js'

/** In the last attempt the program waits for every read whose failure it could catch. */
const MOST_ATTEMPTS = 6
const ALL = Number.MAX_SAFE_INTEGER
/** The delay before a refused run tries again. */
const ASK_AGAIN_MS = 20

interface AttemptOptions extends Pick<RunRequest, 'sourceBytes' | 'signal' | 'group' | 'lookups'> {
  readonly limits: Limits
  /** `performance.now()` when the request for the run arrived. */
  readonly arrivedAt: number
  /** The time for compiling the program, which counts as computing. */
  readonly readMs: number
  /** True if the first attempt already waits for every read whose failure it could catch. */
  readonly waits: boolean
  readonly world: RunWorld & RunInput
  /** The functions (`space.member`) whose calls must report their places. */
  readonly placesOf: readonly string[]
}

/** Runs a program; its calls and prints are those of the last attempt. */
export async function runAttempts(
  program: ReadyProgram,
  sandbox: RunContext['sandbox'],
  calls: RunCalls,
  { limits, arrivedAt, readMs, world, waits: waitsForAll, placesOf, signal, ...request }: AttemptOptions,
): Promise<RunEnd> {
  const cpuMs = Math.max(1, Math.round(limits.cpuMs - readMs))
  let waitsFor = waitsForAll ? ALL : 0
  let runMs = 0
  let callWaitMs = 0
  const signals = [signal, calls.stopped].filter((one) => one !== undefined)
  const stop = signals.length > 1 ? AbortSignal.any(signals) : signals[0]
  for (let attempt = 1; ; ) {
    const wallMs = Math.max(1, Math.round(limits.wallMs - (performance.now() - arrivedAt)))
    const end = await sandbox.run({
      image: program.image,
      code: runCode(program, world, waitsFor, placesOf),
      limits: { ...limits, cpuMs, wallMs },
      onPrint: (text) => calls.print(text),
      onCall: ({ id, payload, waits }, signal, asleep) => calls.answer({ id, payload, waits, asleep }, signal),
      ...request,
      ...(stop === undefined ? {} : { signal: stop }),
    })
    // A run that was ended from outside may have left calls in flight. They are cancelled, and their possible effects
    // belong in the ledger.
    await calls.settled()
    runMs += end.stats.runMs
    callWaitMs += end.stats.callWaitMs
    // A run that has begun is not refused: it asks again for a seat as long as it has time.
    if (end.kind === 'busy' && attempt > 1 && wallMs > ASK_AGAIN_MS) {
      await setTimeout(ASK_AGAIN_MS)
      continue
    }
    // After the last attempt only a forged guest can ask for another.
    const another = attempt < MOST_ATTEMPTS && canGoOn(end) ? calls.another() : undefined
    if (another === undefined) {
      const stats = { ...end.stats, runMs, callWaitMs }
      return end.kind === 'limit' ? { ...end, allowed: limits[end.limit], stats } : { ...end, stats }
    }
    waitsFor = attempt + 1 < MOST_ATTEMPTS ? another : ALL
    attempt++
  }
}

/** True if the run has time left and has not been cancelled. */
function canGoOn(end: RunEnd): boolean {
  if (end.kind === 'limit') return end.limit !== 'wallMs'
  return end.kind === 'completed' || end.kind === 'threw'
}
