import type { Command } from 'commander'
import { examples, finish, withThreads } from '../command.js'
import { clockOption, languageOption, memoryOption, randomOption, readOnlyOption } from './options.js'

export function addCheck(starbind: Command): void {
  starbind
    .command('check [file]')
    .description('report the mistakes of a program and the tools it can reach, without running it')
    .option('-e, --eval <code>', 'the program itself')
    .option('--json', 'print one JSON object: ok, and diagnostics or warnings and reach')
    .addOption(readOnlyOption())
    .addOption(languageOption())
    .option('--strict', 'pure Starlark, without what Python adds')
    .addOption(clockOption())
    .addOption(randomOption())
    .addOption(memoryOption())
    .addHelpText(
      'after',
      examples(
        'starbind check report.star',
        "starbind check -e 'print(github.list_isues())'",
        'starbind check report.star --json',
      ),
    )
    .action(async (file: string | undefined, _, command: Command) => {
      const { check } = await withThreads(import('../commands/check.js'))
      await finish(check(file, command.optsWithGlobals()))
    })
}
