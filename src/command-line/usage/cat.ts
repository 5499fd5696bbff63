import type { Command } from 'commander'
import { examples, finish } from '../command.js'

export function addCat(starbind: Command): void {
  starbind
    .command('cat <files...>')
    .description('print stub files and other files that a model can read')
    .addHelpText(
      'after',
      examples(
        'starbind cat servers/github.pyi',
        'starbind cat guide.md',
        'starbind cat servers/github/list_issues.pyi servers/slack.pyi',
      ),
    )
    .action(async (fileNames: string[], _, command: Command) => {
      const { ask } = await import('../ask.js')
      await finish(ask(command.optsWithGlobals(), 'readToolFile', { fileNames }))
    })
}
