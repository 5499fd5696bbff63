// `starbind stubs`: prints the stub files of a saved tools/list answer.

import { type Command, Option } from 'commander'
import { type BindingLevel, Catalogues } from '../../index.js'
import { examples, finish } from '../command.js'
import { printAnswer } from '../print.js'
import { warnAboutQuarantined } from '../quarantined.js'

interface StubsOptions {
  readonly server: string
  readonly level?: BindingLevel
  readonly file?: string
}

export function addStubs(starbind: Command): void {
  starbind
    .command('stubs <catalogue>')
    .description('print the stubs of a saved tools/list answer; nothing is started')
    .requiredOption('--server <name>', 'what to call the server')
    .addOption(
      new Option('--level <level>', 'one stub file for the server or one for each tool').choices(['server', 'tool']),
    )
    .option('--file <path>', 'only this file')
    .addHelpText(
      'after',
      examples('starbind stubs saved.json --server github', 'starbind stubs saved.json --server github --level tool'),
    )
    .action((catalogue: string, _, command: Command) => finish(stubs(catalogue, command.optsWithGlobals())))
}

async function stubs(catalogue: string, { server, level = 'server', file }: StubsOptions): Promise<number> {
  const catalogues = Catalogues.open({ [server]: catalogue }, { bindingLevel: level })
  warnAboutQuarantined(catalogues)
  return printAnswer(catalogues.readToolFile({ fileNames: file === undefined ? catalogues.stubFiles() : [file] }))
}
