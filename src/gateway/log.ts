// What the gateway has to say to the people who run it. Knows levels and lines, not where they go. Nothing here ever writes to stdout: that
// stream belongs to answers and to the protocol.

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

/** Writes lines of at least `level` to stderr, one line each: `starbind warn [files] message`. */
export function stderrLog(level: LogLevel): Log {
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
