// `starbind try`: a tour with built-in servers and without a configuration, followed by a prompt at a terminal.

import { CodeMode } from '../../index.js'
import { type CommonOptions, logFor } from '../given.js'
import { show } from '../print.js'
import { prompt } from '../repl/prompt.js'
import { mustGoOn, stopping } from '../stopping.js'
import { demoServers } from '../try/demo-servers.js'
import { tour } from '../try/tour.js'

export async function tryOut(options: CommonOptions): Promise<number> {
  await using codeMode = await CodeMode.open({ servers: demoServers(), log: logFor(options, 'warn'), signal: stopping })
  const isShown = await tour(codeMode)
  mustGoOn()
  if (!isShown) return 1
  if (process.stdin.isTTY && process.stdout.isTTY)
    show(process.stdout, '\nYour turn: for example tickets.get(id=107). Tab completes, .help shows more, Ctrl-D ends.')
  return await prompt(codeMode, { language: 'starlark' })
}
