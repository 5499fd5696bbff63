// `starbind serve`: be an MCP server. Invariant: over stdio, stdout is the protocol's alone.

import type { Command } from 'commander'
import { CodeMode, offersOf, serveStdio, stderrLog, version } from '../../index.js'
import { finish } from '../command.js'
import { followGiven } from '../following.js'
import { type CommonOptions, configurationFor } from '../given.js'
import { stopping } from '../stopping.js'

export function addServe(starbind: Command): void {
  starbind
    .command('serve')
    .description('be an MCP server over stdio with the four meta-tools')
    .action((_, command: Command) => finish(serve(command.optsWithGlobals())))
}

async function serve(options: CommonOptions): Promise<number> {
  const log = stderrLog(options.logLevel ?? 'info')
  const configuration = configurationFor(options, log)
  // Hosts give a server a few seconds to say hello; upstreams may take longer than that to start.
  const opening = CodeMode.open({ configuration, log, callersAnswer: true, signal: stopping })
  opening.catch(() => {})
  const stopFollowing = followGiven(options, configuration, opening, log)
  await serveStdio({
    version,
    structured: configuration.answerStructured ?? false,
    offers: offersOf(configuration),
    open: async (facts) => (await opening).accept(facts),
    log,
    signal: stopping,
  })
  stopFollowing()
  await (await opening).close()
  return 0
}
