import { CodeMode, type Configuration, type OpenOptions } from '../index.js'
import { type CommonOptions, configurationFor, keepingIn, quietLog, remembering } from './given.js'
import { stopping } from './stopping.js'

/** Opens a CodeMode with the agents of its configuration. */
export async function openGiven(options: OpenOptions & { readonly configuration: Configuration }): Promise<CodeMode> {
  const codeMode = await CodeMode.open(options)
  try {
    await addGivenAgents(codeMode, options.configuration)
  } catch (error) {
    await codeMode.close()
    throw error
  }
  return codeMode
}

/** The room of agents is loaded only where there are some. */
export async function addGivenAgents(codeMode: CodeMode, configuration: Configuration): Promise<void> {
  if (configuration.agents === undefined) return
  const { addAgents, agentsOf } = await import('../agent/index.js')
  await addAgents(codeMode, agentsOf(configuration))
}

/** Opens a CodeMode for a process that stays. Its servers start meanwhile. */
export function openToStay(
  options: CommonOptions,
  settings: OpenOptions & { readonly configuration: Configuration },
): Promise<CodeMode> {
  return openGiven({
    ...settings,
    ...remembering(options),
    ...keepingIn(options, settings.configuration),
    startServers: 'meanwhile',
    warm: 'run',
    signal: stopping,
  })
}

/** Opens a CodeMode for a command that logs only warnings and starts only the servers that it needs. */
export function openQuietly(
  options: CommonOptions,
  settings: (configuration: Configuration) => Omit<OpenOptions, 'configuration'>,
): Promise<CodeMode> {
  const log = quietLog(options)
  const configuration = configurationFor(options, log)
  return openGiven({
    configuration,
    ...remembering(options),
    log,
    startServers: 'named',
    signal: stopping,
    ...settings(configuration),
  })
}
