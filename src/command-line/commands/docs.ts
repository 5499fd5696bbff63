// `starbind docs`: everything that is known about tools.

import type { Command } from 'commander'
import { ask } from '../ask.js'
import { examples, finish } from '../command.js'

export function addDocs(starbind: Command): void {
  starbind
    .command('docs <server> <tools...>')
    .description('print the full documentation of tools')
    .addHelpText('after', examples('starbind docs github list_issues', 'starbind docs github list_issues create_issue'))
    .action((server: string, tools: string[], _, command: Command) =>
      finish(ask(command.optsWithGlobals(), 'getToolDocs', { server, tools })),
    )
}
