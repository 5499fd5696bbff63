// What a command of ours is: a function that adds itself to the command line, and an action that ends in an exit
// status.

import type { Command } from 'commander'

/** Adds one command, with its options, to `starbind`. */
export type AddCommand = (starbind: Command) => void

/** Lets an action's status become the process's. */
export async function finish(action: Promise<number>): Promise<void> {
  process.exitCode = await action
}

/** The end of a command's help: commands that can be copied. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`
}
