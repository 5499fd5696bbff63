// The log of a process. Never writes to stdout, which belongs to answers and to the protocol.

import { createRequire } from 'node:module'
import type * as Pino from 'pino'
import { type Log, type LogFormat, type LogLevel, logLevels } from './log.js'

/**
 * Writes lines of at least `level` to stderr, one line each: `starbind warn [files] message`, or with the format `json`
 * pino's JSON lines. Without a format, `STARBIND_LOG_FORMAT` decides.
 *
 * @example
 * import { CodeMode, stderrLog } from 'starbind'
 *
 * await using codeMode = await CodeMode.open({ log: stderrLog('info') })
 */
export function stderrLog(level: LogLevel, format: LogFormat = formatOf(process.env)): Log {
  return format === 'json' ? jsonLog(level) : textLog(level)
}

function formatOf({ STARBIND_LOG_FORMAT }: Readonly<Record<string, string | undefined>>): LogFormat {
  return STARBIND_LOG_FORMAT === 'json' ? 'json' : 'text'
}

function jsonLog(level: LogLevel): Log {
  const { destination, pino, stdTimeFunctions } = createRequire(import.meta.url)('pino') as typeof Pino
  const formatters = { level: (label: string) => ({ level: label }), bindings: () => ({ name: 'starbind' }) }
  const options = { level, formatters, timestamp: stdTimeFunctions.isoTime }
  // The last lines often explain the end of the process.
  const logger = pino(options, destination({ fd: 2, sync: true }))
  return ({ level, server, message }) => logger[level](server === undefined ? {} : { server }, message)
}

function textLog(level: LogLevel): Log {
  const least = logLevels.indexOf(level)
  return (line) => {
    if (logLevels.indexOf(line.level) < least) return
    const server = line.server === undefined ? '' : ` [${line.server}]`
    process.stderr.write(`starbind ${line.level}${server} ${printable(line.message)}\n`)
  }
}

/** Upstream words may contain control characters, which could move the cursor or forge lines. */
function printable(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '�').replace(/\n/g, '\n  ')
}
