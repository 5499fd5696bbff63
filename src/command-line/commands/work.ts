// `starbind work`: a process that only carries out background runs.

import { availableParallelism } from 'node:os'
import { type CommonOptions, configurationFor, logFor } from '../given.js'
import { openToStay } from '../opening.js'
import { stopped } from '../stopping.js'

interface WorkOptions extends CommonOptions {
  readonly runs?: number
}

export async function work(options: WorkOptions): Promise<number> {
  const log = logFor(options, 'info')
  const { runs = availableParallelism() } = options
  await using codeMode = await openToStay(options, { configuration: configurationFor(options, log), log })
  const worker = codeMode.work({ runs })
  log({ level: 'info', message: `carrying out background runs, ${runs} at once` })
  await stopped()
  log({ level: 'info', message: 'taking no more runs; those underway have 10 seconds, then other workers go on' })
  await worker.drain()
  return 0
}
