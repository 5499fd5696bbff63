// `starbind try`: a tour with built-in servers and without a configuration, followed by a prompt at a terminal.

import type { Command } from 'commander'
import { CodeMode } from '../../index.js'
import { examples, finish } from '../command.js'
import { type CommonOptions, quietLog } from '../given.js'
import { show } from '../print.js'
import { prompt } from '../repl/prompt.js'
import { mustGoOn, stopping } from '../stopping.js'
import { demoServers } from '../try/demo-servers.js'
import { tour } from '../try/tour.js'

export function addTry(starbind: Command): void {
  starbind
    .command('try')
    .description('watch starbind use built-in servers, then type programs against them; needs no configuration')
    .addHelpText('after', examples('starbind try', "echo 'tickets.get(id=107)' | starbind try"))
    .action((_, command: Command) => finish(tryOut(command.optsWithGlobals())))
}

async function tryOut(options: CommonOptions): Promise<number> {
  await using codeMode = await CodeMode.open({ servers: demoServers(), log: quietLog(options), signal: stopping })
  const isShown = await tour(codeMode)
  mustGoOn()
  if (!isShown) return 1
  if (process.stdin.isTTY && process.stdout.isTTY)
    show(process.stdout, '\nYour turn: for example tickets.get(id=107). Tab completes, .help shows more, Ctrl-D ends.')
  return await prompt(codeMode, { language: 'starlark' })
}
