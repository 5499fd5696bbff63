import type { Command } from 'commander'
import { examples, finish, withThreads } from '../command.js'

export function addResume(starbind: Command): void {
  starbind
    .command('resume <run>')
    .description('continue a run that was answered or whose process is gone; no call is repeated')
    .option('--json', 'print one JSON object, as starbind run --json does')
    .addHelpText('after', examples('starbind resume run-1f2e3d4c5b', 'starbind resume run-1f2e3d4c5b --json'))
    .action(async (run: string, _, command: Command) => {
      const { resume } = await withThreads(import('../commands/resume.js'))
      await finish(resume(run, command.optsWithGlobals()))
    })
}
