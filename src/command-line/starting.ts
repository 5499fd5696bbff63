// The line on stderr with the servers that are still starting.

import type { CodeMode } from '../index.js'
import { coloursFor } from './colours.js'
import { LiveCalls } from './live-calls.js'

/** Resolves like `done` and shows the line until then. */
export async function showingWhoStarts<T>(codeMode: CodeMode, done: Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return done
  const live = new LiveCalls(process.stderr, coloursFor(process.stderr), { starting: () => whoStarts(codeMode) })
  try {
    return await done
  } finally {
    live.end()
  }
}

/** The names of starting servers. */
export function whoStarts(codeMode: CodeMode): string[] {
  return codeMode.servers.status().flatMap(({ name, state }) => (state === 'connecting' ? [name] : []))
}
