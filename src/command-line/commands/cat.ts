// `starbind cat`: the files that a model can read.

import type { Command } from 'commander'
import { ask } from '../ask.js'
import { finish } from '../command.js'

export function addCat(starbind: Command): void {
  starbind
    .command('cat <files...>')
    .description('print stub files and other files that a model can read')
    .action((fileNames: string[], _, command: Command) =>
      finish(ask(command.optsWithGlobals(), 'readToolFile', { fileNames })),
    )
}
