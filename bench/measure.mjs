// Measuring for all sections: medians and their spread, in turns, so that other work on the machine affects all alike.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** The median and the range from the 10th to the 90th percentile. */
export function spread(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  return { median: at(0.5), low: at(0.1), high: at(0.9) }
}

export function median(values) {
  return spread(values).median
}

export function geometricMean(values) {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length)
}

/** Milliseconds of an act. */
export async function timed(act) {
  const begun = performance.now()
  await act()
  return performance.now() - begun
}

/** The measurements of some acts, each of which returns one, taken in turns for some rounds. */
export async function inTurns(rounds, acts) {
  const taken = acts.map(() => [])
  for (let round = 0; round < rounds; round++) for (const [i, act] of acts.entries()) taken[i].push(await act())
  return taken
}

/** Runs all acts, at most `width` of them at once. */
export async function atMost(width, acts) {
  const waiting = [...acts]
  const worker = async () => {
    for (let act = waiting.shift(); act !== undefined; act = waiting.shift()) await act()
  }
  await Promise.all(Array.from({ length: width }, worker))
}

/** Bytes of memory that a process holds. */
export function residentBytes(pid = process.pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1024
  } catch {
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024
  }
}

/** The heap that is held: after a collection. */
export function heldBytes() {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

/** Two significant digits below a hundred, whole numbers above: the third would be noise. */
export function rounded(value) {
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return value >= 10 ? value.toFixed(0) : String(Number(value.toPrecision(2)))
}

export function milliseconds(ms) {
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`
  return ms < 0.095 ? `${rounded(ms * 1000)} µs` : `${rounded(ms)} ms`
}

export function megabytes(bytes) {
  return `${rounded(bytes / 1e6)} MB`
}
