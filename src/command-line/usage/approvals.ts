import type { Command } from 'commander'
import { examples, finish } from '../command.js'

export function addApprovals(starbind: Command): void {
  starbind
    .command('approvals')
    .description('list the calls that wait for approval')
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
    .description('approve the waiting calls of a paused run once; starbind resume continues the run')
    .option('--all-of-this-tool', 'also approve later calls of these tools in this run')
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
    .description('deny the waiting calls of a paused run, which then fail; starbind resume continues the run')
    .option('--reason <words>', 'the reason, which the program and the model see')
    .addHelpText(
      'after',
      examples('starbind deny run-1f2e3d4c5b', "starbind deny run-1f2e3d4c5b --reason 'not on a Friday'"),
    )
    .action(async (run: string, _, command: Command) => {
      const { deny } = await import('../commands/approvals.js')
      await finish(deny(run, command.optsWithGlobals()))
    })
}
