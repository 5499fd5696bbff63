// `starbind resume`: continue a run that was answered or interrupted.

import { askingPerson } from '../ask-person.js'
import { type CommonOptions, keepingIn } from '../given.js'
import { withNamedRun } from '../named-run.js'
import { openQuietly } from '../opening.js'
import { exitStatus, printResult } from '../run-output.js'
import { whoStarts } from '../starting.js'
import { interruptedStatus, stopping } from '../stopping.js'
import { watched } from '../watched-run.js'

interface ResumeOptions extends CommonOptions {
  readonly json?: true
}

export async function resume(run: string, options: ResumeOptions): Promise<number> {
  await using codeMode = await openQuietly(options, (configuration) => keepingIn(options, configuration))
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
