// `starbind repl`: programs line by line.

import type { Command } from 'commander'
import { CodeMode } from '../../index.js'
import { examples, finish } from '../command.js'
import {
  clockOption,
  configurationFor,
  languageFor,
  languageOption,
  type ProgramOptions,
  quietLog,
  randomOption,
  worldGiven,
} from '../given.js'
import { show } from '../print.js'
import { prompt } from '../repl/prompt.js'
import { stopping } from '../stopping.js'

export function addRepl(starbind: Command): void {
  starbind
    .command('repl')
    .description('type programs line by line; Tab completes servers, tools and parameters')
    .addOption(languageOption())
    .option('--strict', 'pure Starlark, without what Python adds')
    .addOption(clockOption())
    .addOption(randomOption())
    .addHelpText(
      'after',
      examples('starbind repl', 'starbind repl --config servers.json', "echo '1 + 1' | starbind repl"),
    )
    .action((_, command: Command) => finish(repl(command.optsWithGlobals())))
}

async function repl(options: ProgramOptions): Promise<number> {
  const log = quietLog(options)
  const configuration = configurationFor(options, log)
  await using codeMode = await CodeMode.open({ configuration, ...worldGiven(options), log, signal: stopping })
  if (process.stdin.isTTY && process.stdout.isTTY) {
    const servers = codeMode.bindings().map(({ name, tools }) => `${name} (${tools.length} tools)`)
    show(
      process.stdout,
      `${servers.length === 0 ? 'no servers' : servers.join(', ')}. .help tells what there is; Ctrl-D ends.`,
    )
  }
  return await prompt(codeMode, {
    language: languageFor(undefined, options, configuration),
    ...(options.strict ? { strict: true } : {}),
  })
}
