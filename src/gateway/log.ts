// Log lines for the people who run the gateway. Never writes to stdout, which belongs to answers and to the protocol.

import { destination, pino, stdTimeFunctions } from 'pino'

/**
 * The log levels, from the most talkative to none.
 *
 * @example
 * import { logLevels, stderrLog } from 'starbind'
 *
 * const wanted = logLevels.find((level) => level === process.env['LOG_LEVEL'])
 * export const log = stderrLog(wanted ?? 'warn')
 */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

/**
 * Its severity.
 *
 * @example
 * import { type LogLevel, stderrLog } from 'starbind'
 *
 * const level: LogLevel = process.env['DEBUG'] ? 'debug' : 'warn'
 * export const log = stderrLog(level)
 */
export type LogLevel = (typeof logLevels)[number]

/**
 * One thing to know.
 *
 * @example
 * import { CodeMode, type LogLine } from 'starbind'
 *
 * const lines: LogLine[] = []
 * await using codeMode = await CodeMode.open({ log: (line) => lines.push(line) })
 * console.log(lines.filter(({ level }) => level === 'error'))
 */
export interface LogLine {
  readonly level: Exclude<LogLevel, 'silent'>
  /** The upstream that the line is about or comes from. */
  readonly server?: string
  readonly message: string
}

/**
 * Receives log lines for operators. Must return at once.
 *
 * @example
 * import { CodeMode, type Log } from 'starbind'
 *
 * const log: Log = ({ level, server = 'starbind', message }) => console.error(level, server, message)
 * await using codeMode = await CodeMode.open({ log })
 */
export type Log = (line: LogLine) => void

/**
 * Tells nothing.
 *
 * @example
 * import { type Log, silentLog } from 'starbind'
 *
 * export const log: Log = process.env['QUIET'] ? silentLog : ({ message }) => console.error(message)
 */
export const silentLog: Log = () => {}

/**
 * The formats of the log.
 *
 * @example
 * import { logFormats } from 'starbind'
 *
 * console.log(logFormats.join(', '))
 */
export const logFormats = ['text', 'json'] as const

/**
 * For people, or JSON lines for log collectors.
 *
 * @example
 * import { type LogFormat, stderrLog } from 'starbind'
 *
 * const format: LogFormat = process.stderr.isTTY ? 'text' : 'json'
 * export const log = stderrLog('info', format)
 */
export type LogFormat = (typeof logFormats)[number]

/**
 * Writes lines of at least `level` to stderr, one line each: `starbind warn [files] message`, or pino's lines with the
 * format `json`. The default format is `STARBIND_LOG_FORMAT`.
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
  const formatters = { level: (label: string) => ({ level: label }), bindings: () => ({ name: 'starbind' }) }
  const options = { level, formatters, timestamp: stdTimeFunctions.isoTime }
  // The last lines are often about the end.
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

/** Upstream words may hold anything: control characters would let them move the cursor or forge lines. */
function printable(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '�').replace(/\n/g, '\n  ')
}
