// Asks a meta-tool what a model would ask it, for the commands that are questions.

import { CodeMode } from '../index.js'
import { type CommonOptions, configurationFor, quietLog, remembering } from './given.js'
import { paintFailure } from './paint.js'
import { printAnswer, printJson, show } from './print.js'
import { showingWhoStarts, whoStarts } from './starting.js'
import { mustGoOn, stopping } from './stopping.js'

const WAITS = 'hint: --fresh waits until every server has started'
const NO_SERVERS =
  'hint: servers are read from starbind.json or .mcp.json, here or in a folder above; starbind try has some built in'

/** Prints the answer, as text or as the data that it is of. Resolves to the exit status. */
export async function ask(
  options: CommonOptions,
  metaTool: string,
  args: Readonly<Record<string, unknown>>,
  asJson = false,
): Promise<number> {
  const log = quietLog(options)
  const configuration = configurationFor(options, log)
  // A person's screen scrolls: what was asked for is shown whole.
  const answerMaxChars = Number.MAX_SAFE_INTEGER
  await using codeMode = await CodeMode.open({
    configuration,
    answerMaxChars,
    ...remembering(options),
    log,
    warm: false,
    startServers: 'named',
    signal: stopping,
  })
  const asked = async () => {
    if (options.fresh && metaTool === 'listToolFiles') await codeMode.servers.started({ signal: stopping })
    return codeMode.call(metaTool, args, { signal: stopping })
  }
  const answer = await showingWhoStarts(codeMode, asked())
  mustGoOn()
  if (asJson && !answer.isError) {
    printJson(answer.structured as object)
    return 0
  }
  const status = printAnswer(answer)
  if (!answer.isError && metaTool === 'listToolFiles' && whoStarts(codeMode).length > 0)
    show(process.stderr, WAITS, paintFailure)
  if (configuration.servers.length === 0 && (answer.isError || metaTool === 'listToolFiles'))
    show(process.stderr, NO_SERVERS, paintFailure)
  return status
}
