// `starbind docs`: prints the documentation of tools, or lists a server's tools.

import type { Command } from 'commander'
import { ask } from '../ask.js'
import { examples, finish } from '../command.js'

export function addDocs(starbind: Command): void {
  starbind
    .command('docs <server> [tools...]')
    .description('print the full documentation of tools; without any, list those of the server')
    .addHelpText(
      'after',
      examples('starbind docs github', 'starbind docs github list_issues', 'starbind docs github list_issues get_me'),
    )
    .action((server: string, tools: string[], _, command: Command) => {
      const options = command.optsWithGlobals()
      return finish(
        tools.length === 0 ? ask(options, 'listToolFiles', { server }) : ask(options, 'getToolDocs', { server, tools }),
      )
    })
}
