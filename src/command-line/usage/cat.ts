import type { Command } from 'commander'
import { examples, finish } from '../command.js'

export function addCat(starbind: Command): void {
  starbind
    .command('cat <files...>')
    .description('print files that a model can read; those of results/ byte for byte')
    .addHelpText(
      'after',
      examples(
        'starbind cat servers/github.pyi',
        'starbind cat guide.md',
        'starbind cat servers/github/list_issues.pyi servers/slack.pyi',
        'starbind cat results/chart.png > chart.png',
      ),
    )
    .action(async (fileNames: string[], _, command: Command) => {
      const { cat } = await import('../commands/cat.js')
      await finish(cat(fileNames, command.optsWithGlobals()))
    })
}
