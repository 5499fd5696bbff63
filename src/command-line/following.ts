// Applies edits of the configuration file to a running server.
// Invariant: every change is logged, and an invalid file changes nothing.

import { type CodeMode, type Configuration, followConfiguration, type Log, renderDiagnostics } from '../index.js'
import { type CommonOptions, configurationFileFor } from './given.js'
import { addGivenAgents } from './opening.js'

/** Follows the command's configuration file until the returned object is disposed of. */
export function followGiven(
  options: CommonOptions,
  configuration: Configuration,
  opening: Promise<CodeMode>,
  log: Log,
): Disposable {
  const file = configurationFileFor(options)
  let agents = agentsIn(configuration)
  if (file === undefined) return { [Symbol.dispose]: () => {} }
  const stop = followConfiguration(file, {
    onChange: async (changed) => {
      const codeMode = await opening
      const { servers } = codeMode
      const before = servers.status().map(({ name }) => name)
      const isSame = agents === agentsIn(changed)
      agents = agentsIn(changed)
      // Their calls take long, so other edits do not disturb them.
      const touched = await servers.become(changed, { keep: isSame && changed.agents ? ['agents'] : [] })
      if (!isSame) await addGivenAgents(codeMode, changed)
      const after = servers.status().map(({ name }) => name)
      log({ level: 'info', message: `the configuration has changed: ${changesIn(touched, before, after)}` })
      if (restOf(changed) !== restOf(configuration))
        log({ level: 'warn', message: 'changes outside mcpServers and agents take effect at the next start' })
    },
    onWrong: ({ diagnostics }) =>
      log({ level: 'error', message: `the previous configuration stays in effect: ${renderDiagnostics(diagnostics)}` }),
  })
  return { [Symbol.dispose]: stop }
}

function agentsIn({ agents, models }: Configuration): string {
  return JSON.stringify(agents === undefined ? [] : [agents, models])
}

/** The added, changed and removed servers; the names are those of all servers. */
function changesIn(touched: readonly string[], before: readonly string[], after: readonly string[]): string {
  const kinds = {
    added: touched.filter((name) => !before.includes(name)),
    changed: touched.filter((name) => before.includes(name) && after.includes(name)),
    removed: touched.filter((name) => !after.includes(name)),
  }
  const parts = Object.entries(kinds).filter(([, names]) => names.length > 0)
  return parts.map(([kind, names]) => `${kind} ${names.join(', ')}`).join('; ') || 'no server is affected'
}

function restOf({ servers, agents, ...rest }: Configuration): string {
  return JSON.stringify(rest)
}
