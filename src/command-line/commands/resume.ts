// `starbind resume`: continue a run that was answered or interrupted.

import type { Command } from 'commander'
import { CodeMode } from '../../index.js'
import { askingPerson } from '../ask-person.js'
import { examples, finish } from '../command.js'
import { type CommonOptions, configurationFor, keepingIn, quietLog, remembering } from '../given.js'
import { withNamedRun } from '../named-run.js'
import { exitStatus, printResult } from '../run-output.js'
import { whoStarts } from '../starting.js'
import { interruptedStatus, stopping } from '../stopping.js'
import { watched } from '../watched-run.js'

interface ResumeOptions extends CommonOptions {
  readonly json?: true
}

export function addResume(starbind: Command): void {
  starbind
    .command('resume <run>')
    .description('continue a run that was answered or whose process is gone; no call is repeated')
    .option('--json', 'print one JSON object, as starbind run --json does')
    .addHelpText('after', examples('starbind resume run-1f2e3d4c5b', 'starbind resume run-1f2e3d4c5b --json'))
    .action((run: string, _, command: Command) => finish(resume(run, command.optsWithGlobals())))
}

async function resume(run: string, options: ResumeOptions): Promise<number> {
  const log = quietLog(options)
  const configuration = configurationFor(options, log)
  await using codeMode = await CodeMode.open({
    configuration,
    ...keepingIn(options, configuration),
    ...remembering(options),
    log,
    startServers: 'named',
    signal: stopping,
  })
  if (options.json) {
    const onApproval = askingPerson((work) => work())
    const result = await withNamedRun(codeMode.resume(run, { onApproval, signal: stopping }))
    printResult(result)
    return interruptedStatus() ?? exitStatus(result)
  }
  const { result, print } = await watched(
    (onEvent, alone) =>
      withNamedRun(codeMode.resume(run, { onApproval: askingPerson(alone), signal: stopping, onEvent })),
    { starting: () => whoStarts(codeMode) },
  )
  print()
  return interruptedStatus() ?? exitStatus(result)
}
