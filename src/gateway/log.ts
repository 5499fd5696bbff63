// Log lines for the people who run the gateway.

/**
 * The log levels, from the most verbose to none.
 *
 * @example
 * import { logLevels, stderrLog } from 'starbind'
 *
 * const wanted = logLevels.find((level) => level === process.env['LOG_LEVEL'])
 * export const log = stderrLog(wanted ?? 'warn')
 */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

/**
 * The severity of a log line.
 *
 * @example
 * import { type LogLevel, stderrLog } from 'starbind'
 *
 * const level: LogLevel = process.env['DEBUG'] ? 'debug' : 'warn'
 * export const log = stderrLog(level)
 */
export type LogLevel = (typeof logLevels)[number]

/**
 * One line of the log.
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
  /** Why the server failed to start: a part of the message that answers about this server repeat. */
  readonly reason?: string
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
 * Discards every line.
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
 * `text` for people, `json` for log collectors.
 *
 * @example
 * import { type LogFormat, stderrLog } from 'starbind'
 *
 * const format: LogFormat = process.stderr.isTTY ? 'text' : 'json'
 * export const log = stderrLog('info', format)
 */
export type LogFormat = (typeof logFormats)[number]
