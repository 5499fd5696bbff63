import { type Command, Option } from 'commander'
import { examples, finish } from '../command.js'

export function addTraces(starbind: Command): void {
  starbind
    .command('traces [trace]')
    .description('list the kept conversations with models, or show one: texts, calls, answers, tokens')
    .option('--json', 'print one JSON object')
    .option('--html <file>', 'write the conversation as a page without scripts')
    .option('--full', 'show long texts whole')
    .addOption(new Option('--delete', 'delete the conversation').conflicts(['html', 'full']))
    .addHelpText(
      'after',
      examples(
        'starbind traces',
        'starbind traces agent-1f2e3d4c5b',
        'starbind traces agent-1f2e3d4c5b --html trace.html',
      ),
    )
    .action(async (trace: string | undefined, _, command: Command) => {
      const { traces } = await import('../commands/traces.js')
      await finish(traces(trace, command.optsWithGlobals()))
    })
}
