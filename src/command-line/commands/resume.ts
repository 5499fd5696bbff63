// `starbind resume`: continue a run that was answered or interrupted.

import { CodeMode } from '../../index.js'
import { askingPerson } from '../ask-person.js'
import { type CommonOptions, configurationFor, keepingIn, quietLog, remembering } from '../given.js'
import { exitStatus, printResult } from '../run-output.js'
import { whoStarts } from '../starting.js'
import { interruptedStatus, stopping } from '../stopping.js'
import { watched } from '../watched-run.js'

interface ResumeOptions extends CommonOptions {
  readonly json?: true
}

export async function resume(run: string, options: ResumeOptions): Promise<number> {
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
    const result = await codeMode.resume(run, { onApproval: askingPerson((work) => work()), signal: stopping })
    printResult(result)
    return interruptedStatus() ?? exitStatus(result)
  }
  const { result, print } = await watched(
    (onEvent, alone) => codeMode.resume(run, { onApproval: askingPerson(alone), signal: stopping, onEvent }),
    { starting: () => whoStarts(codeMode) },
  )
  print()
  return interruptedStatus() ?? exitStatus(result)
}
