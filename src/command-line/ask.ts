// Asks a meta-tool what a model would ask it, for the commands that are questions.

import { CodeMode } from '../index.js'
import { type CommonOptions, configurationFor, quietLog } from './given.js'
import { printAnswer } from './print.js'
import { stopping } from './stopping.js'

/** Prints the answer. Resolves to the exit status. */
export async function ask(
  options: CommonOptions,
  metaTool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<number> {
  const log = quietLog(options)
  const configuration = configurationFor(options, log)
  await using codeMode = await CodeMode.open({ configuration, log, signal: stopping })
  return printAnswer(await codeMode.call(metaTool, args))
}
