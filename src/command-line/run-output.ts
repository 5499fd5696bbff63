// The machine-readable output and the exit status of `starbind run` and `starbind resume`.

import type { RunResult } from '../index.js'

/** Prints one line. The result is its original JSON text, in which big integers and 120.0 are exact. */
export function printResult(result: RunResult, { events }: { readonly events?: true } = {}): void {
  const { ok, logs, error, stats, now, seed } = result
  const calls = result.calls.map(({ server, tool, ok, ms, bytes }) => ({ server, tool, ok, ms, bytes }))
  const paused = result.paused && {
    runId: result.paused.runId,
    calls: result.paused.calls.map(({ server, tool, arguments: given, line }) => ({
      server,
      tool,
      arguments: given,
      line,
    })),
  }
  const exact = result.resultJson ?? JSON.stringify(result.result)
  const rest = JSON.stringify({ logs, error, calls, stats, now, seed, paused }).slice(1)
  process.stdout.write(`{${events ? '"type":"result",' : ''}"ok":${ok},"result":${exact},${rest}\n`)
}

/** 0 after success, 3 if the run waits for a person, else 1. */
export function exitStatus({ ok, paused }: RunResult): number {
  return paused === undefined ? (ok ? 0 : 1) : 3
}
