// What a command of ours is: a function that adds itself to the command line, and an action that ends in an exit status.

import type { Command } from 'commander'

/** Adds one command, with its options, to `starbind`. */
export type AddCommand = (starbind: Command) => void

/** Lets an action's status become the process's. */
export async function finish(action: Promise<number>): Promise<void> {
  process.exitCode = await action
}
