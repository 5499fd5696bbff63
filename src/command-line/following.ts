// What a server that goes on for weeks does when its configuration file is edited: it has the servers that the file names now.
// Invariant: whatever happens is said in the log, and a file that is wrong changes nothing.

import { type CodeMode, type Configuration, followConfiguration, type Log, renderDiagnostics } from '../index.js'
import { type CommonOptions, configurationFileFor } from './given.js'

/** Follows the file that the command was given. Returns what ends it. */
export function followGiven(
  options: CommonOptions,
  configuration: Configuration,
  opening: Promise<CodeMode>,
  log: Log,
): () => void {
  const file = configurationFileFor(options)
  if (file === undefined) return () => {}
  return followConfiguration(file, {
    onChange: async (changed) => {
      const touched = await (await opening).servers.become(changed)
      const names = touched.length === 0 ? 'no server is touched' : touched.join(', ')
      log({ level: 'info', message: `the configuration has changed: ${names}` })
      if (restOf(changed) !== restOf(configuration))
        log({ level: 'warn', message: 'what the configuration says beside its servers takes effect at the next start' })
    },
    onWrong: ({ diagnostics }) =>
      log({ level: 'error', message: `the configuration is left as it was: ${renderDiagnostics(diagnostics)}` }),
  })
}

function restOf({ servers, ...rest }: Configuration): string {
  return JSON.stringify(rest)
}
