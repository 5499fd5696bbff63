import type { Command } from 'commander'
import { examples, finish } from '../command.js'

export function addApprovals(starbind: Command): void {
  starbind
    .command('approvals')
    .description('list the calls that programs wait to make')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('starbind approvals', 'starbind approvals --json'))
    .action(async (_, command: Command) => {
      const { approvals } = await import('../commands/approvals.js')
      await finish(approvals(command.optsWithGlobals()))
    })
}

export function addApprove(starbind: Command): void {
  starbind
    .command('approve <run>')
    .description('approve the calls that a paused run waits to make, once; starbind resume continues it')
    .option('--all-of-this-tool', 'and all further calls of these tools in this run')
    .addHelpText(
      'after',
      examples('starbind approve run-1f2e3d4c5b', 'starbind approve run-1f2e3d4c5b --all-of-this-tool'),
    )
    .action(async (run: string, _, command: Command) => {
      const { approve } = await import('../commands/approvals.js')
      await finish(approve(run, command.optsWithGlobals()))
    })
}

export function addDeny(starbind: Command): void {
  starbind
    .command('deny <run>')
    .description('deny the calls that a paused run waits to make: they fail; starbind resume continues it')
    .option('--reason <words>', 'that the program and the model read')
    .addHelpText(
      'after',
      examples('starbind deny run-1f2e3d4c5b', "starbind deny run-1f2e3d4c5b --reason 'not on a Friday'"),
    )
    .action(async (run: string, _, command: Command) => {
      const { deny } = await import('../commands/approvals.js')
      await finish(deny(run, command.optsWithGlobals()))
    })
}
