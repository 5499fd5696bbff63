import type { Command } from 'commander'
import { examples, finish } from '../command.js'

export function addDoctor(starbind: Command): void {
  starbind
    .command('doctor')
    .description('check the configuration and each server; report each problem in one line')
    .option('--json', 'print one JSON object: ok, servers')
    .addHelpText('after', examples('starbind doctor', 'starbind doctor --config servers.json --json'))
    .action(async (_, command: Command) => {
      const { examine } = await import('../commands/doctor.js')
      await finish(examine(command.optsWithGlobals()))
    })
}
