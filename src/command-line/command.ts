import { setFlagsFromString } from 'node:v8'
import type { Command } from 'commander'

/** Adds one command, with its options, to `starbind`. */
export type AddCommand = (starbind: Command) => void

/** Makes the action's status the process's exit status. */
export async function finish(action: Promise<number>): Promise<void> {
  process.exitCode = await action
}

/**
 * V8 optimises a function of the engine after it has run this many bytes; the default is 1.8 million. The interpreter's
 * loop runs 50,000 for each instruction, so this many are some ten milliseconds.
 */
const BYTES_UNTIL_OPTIMISED = 2_000_000_000

/** Loads a command that runs programs; the threads for these start meanwhile. */
export async function withThreads<Loaded>(command: Promise<Loaded>): Promise<Loaded> {
  // The flag affects the whole process, which is ours. A short program ends before optimised code would pay off.
  setFlagsFromString(`--wasm-tiering-budget=${BYTES_UNTIL_OPTIMISED}`)
  const { startThreads } = await import('./threads.js')
  startThreads()
  return await command
}

/** The end of a command's help: commands that can be copied. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`
}

/** Reports a usage mistake in our own format. */
export function tellMistake(message: string, write: (text: string) => void): void {
  write(withLikelyNames(message).replace(/^error: /, 'starbind: '))
}

/**
 * Commander considers names similar that share half of their letters. A mistyped name usually begins correctly: "bogus"
 * is not "logout".
 */
function withLikelyNames(message: string): string {
  return message.replace(/ '(-*)(.)([^\n]*)\n\(Did you mean (?:one of )?(.+)\?\)/, (_, dashes, first, rest, meant) => {
    const likely = meant.split(', ').filter((name: string) => name.startsWith(`${dashes}${first.toLowerCase()}`))
    return ` '${dashes}${first}${rest}${likely.length === 0 ? '' : `\n(did you mean ${likely.join(' or ')}?)`}`
  })
}
