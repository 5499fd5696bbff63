// What the gateway has to say to the people who run it. Knows levels and lines, not where they go. Nothing here ever writes to stdout: that
// stream belongs to answers and to the protocol.

import { destination, pino, stdTimeFunctions } from 'pino'

/** The log levels, from the most talkative to none. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** How much it matters. */
export type LogLevel = (typeof logLevels)[number]

/** One thing to know. */
export interface LogLine {
  readonly level: Exclude<LogLevel, 'silent'>
  /** The upstream that the line is about or comes from. */
  readonly server?: string
  readonly message: string
}

/** Is told what people who run this want to know. Has to come back at once. */
export type Log = (line: LogLine) => void

/** Tells nothing. */
export const silentLog: Log = () => {}

/** For people, or JSON lines for whatever collects logs. */
export type LogFormat = 'text' | 'json'

/**
 * Writes lines of at least `level` to stderr, one line each: `starbind warn [files] message`, or with the format `json` what pino writes. Without
 * a format `STARBIND_LOG_FORMAT` says which.
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
  // What is written last is often about the end.
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
