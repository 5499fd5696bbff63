// `starbind ls`: which servers and tools there are, and which of them match words. With --catalogues from saved
// answers, and nothing is started.

import type { Command } from 'commander'
import { Catalogues } from '../../index.js'
import { ask } from '../ask.js'
import { examples, finish } from '../command.js'
import type { CommonOptions } from '../given.js'
import { printAnswer, printJson } from '../print.js'
import { warnAboutQuarantined } from '../quarantined.js'

interface ListOptions extends CommonOptions {
  readonly server?: string
  readonly query?: string
  readonly catalogues?: string
  readonly json?: true
}

interface Question {
  readonly query?: string
  readonly server?: string
}

export function addLs(starbind: Command): void {
  starbind
    .command('ls [words...]')
    .description('list servers and tools as a tree of stub files; with words, those that match')
    .option('--server <name>', 'only this server')
    .option('--query <text>', 'the words, as one text')
    .option('--catalogues <folder>', 'saved tools/list answers, one JSON file for each server; nothing is started')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      examples(
        'starbind ls',
        'starbind ls create issue',
        'starbind ls --server github',
        'starbind ls issues --catalogues saved/ --json',
      ),
    )
    .action((words: string[], _, command: Command) => finish(ls(words, command.optsWithGlobals())))
}

async function ls(words: readonly string[], options: ListOptions): Promise<number> {
  const { server, catalogues, json } = options
  const query = [...words, ...(options.query === undefined ? [] : [options.query])].join(' ')
  const question = { ...(query === '' ? {} : { query }), ...(server === undefined ? {} : { server }) }
  if (catalogues !== undefined) return listCatalogues(catalogues, question, json === true)
  return ask(options, 'listToolFiles', question, json === true)
}

function listCatalogues(folder: string, question: Question, json: boolean): number {
  const catalogues = Catalogues.openFolder(folder)
  warnAboutQuarantined(catalogues)
  if (!json) return printAnswer(catalogues.listToolFiles(question))
  printJson({ results: catalogues.search(question.query, question.server) })
  return 0
}
