import type { Command } from 'commander'
import { examples, finish } from '../command.js'

export function addDocs(starbind: Command): void {
  starbind
    .command('docs <server> [tools...]')
    .description('print the full documentation of tools; without any, list those of the server')
    .addHelpText(
      'after',
      examples('starbind docs github', 'starbind docs github list_issues', 'starbind docs github list_issues get_me'),
    )
    .action(async (server: string, tools: string[], _, command: Command) => {
      const options = command.optsWithGlobals()
      const { ask } = await import('../ask.js')
      await finish(
        tools.length === 0 ? ask(options, 'listToolFiles', { server }) : ask(options, 'getToolDocs', { server, tools }),
      )
    })
}
