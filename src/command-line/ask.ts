import type { Answer, CodeMode, ServerStatus } from '../index.js'
import { type CommonOptions, configurationFor, keepingIn, quietLog, remembering } from './given.js'
import { listingMs } from './listing-time.js'
import { openGiven } from './opening.js'
import { paintFailure } from './paint.js'
import { printAnswer, show } from './print.js'
import { showingWhoStarts } from './starting.js'
import { mustGoOn, stopping } from './stopping.js'

const WAITS = 'hint: --fresh waits until every server has started'
const NO_SERVERS =
  'hint: servers are read from starbind.json or .mcp.json, here or in a folder above; starbind import writes one, starbind try has some built in'

/** Prints the answer. `print` returns the exit status. */
export async function ask(
  options: CommonOptions,
  metaTool: string,
  args: Readonly<Record<string, unknown>>,
  print: (answer: Answer) => number = printAnswer,
): Promise<number> {
  const log = quietLog(options)
  const configuration = configurationFor(options, log)
  // A terminal scrolls, so a person gets the whole answer.
  const answerMaxChars = Number.MAX_SAFE_INTEGER
  await using codeMode = await openGiven({
    configuration,
    answerMaxChars,
    ...remembering(options),
    ...keepingIn(options, configuration),
    log,
    warm: false,
    startServers: 'named',
    signal: stopping,
  })
  const isListing = metaTool === 'listToolFiles' && args.server === undefined
  const asked = async () => {
    if (options.fresh && metaTool === 'listToolFiles') await codeMode.servers.started({ signal: stopping })
    const call = () =>
      codeMode.call(metaTool, args, { signal: stopping, ...(isListing ? { waitMs: listingMs() } : {}) })
    let answer = await call()
    // A call waits two seconds at most, which is too short for an answer about nothing.
    while (metaTool === 'listToolFiles' && isTooEarly(codeMode, args.server) && !stopping.aborted) answer = await call()
    return answer
  }
  const answer = await showingWhoStarts(codeMode, asked())
  mustGoOn()
  const status = print(answer)
  if (!answer.isError && isListing && codeMode.servers.status().some(isUnheard))
    show(process.stderr, WAITS, paintFailure)
  if (configuration.servers.length === 0 && (answer.isError || metaTool === 'listToolFiles'))
    show(process.stderr, NO_SERVERS, paintFailure)
  return status
}

/** The command did not wait for the server’s list. */
function isUnheard({ state, tools }: ServerStatus): boolean {
  return state === 'connecting' || (state === 'idle' && tools.length === 0)
}

/** None of the servers that are asked about, by default all, has shown tools, and one is still starting. */
function isTooEarly({ servers }: CodeMode, server: unknown): boolean {
  const asked = servers.status().filter(({ name }) => server === undefined || name === server)
  return asked.every(({ tools }) => tools.length === 0) && asked.some(({ state }) => state === 'connecting')
}
