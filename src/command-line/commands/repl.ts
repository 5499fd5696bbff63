// `starbind repl`: programs line by line.

import type { CodeMode } from '../../index.js'
import { configurationFor, languageFor, logFor, type ProgramOptions, remembering, worldGiven } from '../given.js'
import { openGiven } from '../opening.js'
import { show } from '../print.js'
import { prompt } from '../repl/prompt.js'
import { stopping } from '../stopping.js'

export async function repl(options: ProgramOptions): Promise<number> {
  const log = logFor(options, 'warn')
  const configuration = configurationFor(options, log)
  const isWatched = process.stdin.isTTY === true && process.stdout.isTTY === true
  await using codeMode = await openGiven({
    configuration,
    ...worldGiven(options),
    ...remembering(options),
    log,
    // Servers can start while a person types; piped input names the servers that it needs.
    startServers: isWatched ? 'meanwhile' : 'named',
    warm: isWatched ? 'run' : true,
    signal: stopping,
  })
  if (isWatched) show(process.stdout, `${serversOf(codeMode)}. .help lists the commands; Ctrl-D ends.`)
  return await prompt(codeMode, {
    language: languageFor(undefined, options, configuration),
    ...(options.strict ? { strict: true } : {}),
  })
}

function serversOf(codeMode: CodeMode): string {
  const known = codeMode.bindings().map(({ name, tools }) => `${name} (${tools.length} tools)`)
  const unknown = codeMode.servers.status().filter(({ state, tools }) => state === 'connecting' && tools.length === 0)
  return [...known, ...unknown.map(({ name }) => `${name} (still starting)`)].join(', ') || 'no servers'
}
