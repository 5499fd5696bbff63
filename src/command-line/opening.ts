import { CodeMode, type Configuration, type OpenOptions } from '../index.js'
import { type CommonOptions, configurationFor, quietLog, remembering } from './given.js'
import { stopping } from './stopping.js'

/** Opens a CodeMode for a command that logs only warnings and starts only the servers that it needs. */
export function openQuietly(
  options: CommonOptions,
  settings: (configuration: Configuration) => OpenOptions,
): Promise<CodeMode> {
  const log = quietLog(options)
  const configuration = configurationFor(options, log)
  return CodeMode.open({
    configuration,
    ...remembering(options),
    log,
    startServers: 'named',
    signal: stopping,
    ...settings(configuration),
  })
}
