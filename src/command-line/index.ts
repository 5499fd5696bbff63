// The door of the room `command-line`. Each command is a file of `commands/`.
//
// Exit status: 0 done, 1 the program or the question failed, 2 wrong usage or configuration, 3 the program waits for a
// person.
// Invariant: stdout carries answers only (with --json exactly one object), everything else goes to stderr.

import { keepCompiledCode } from './compile-cache.js'
import { beginListingTime } from './listing-time.js'

/** Runs the command in the process's arguments. Resolves when it is done; the exit status is set by then. */
export async function main(): Promise<void> {
  beginListingTime()
  keepCompiledCode()
  // What is imported before is not kept.
  const { starbind } = await import('./starbind.js')
  await starbind()
}
