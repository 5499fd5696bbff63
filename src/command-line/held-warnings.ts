// A server that failed to start is a warning, and often a part of the command's answer. So that a person reads it once,
// such warnings wait for the answer, and only what it did not say is said after it.

import type { Log, LogLine } from '../index.js'

interface Held {
  readonly log: Log
  readonly line: LogLine & { readonly reason: string }
  isSaid: boolean
}

const held: Held[] = []

/** A log that holds these warnings; for commands that end with their answer. */
export function holding(log: Log): Log {
  return (line) => {
    const { reason } = line
    if (reason === undefined) log(line)
    else held.push({ log, line: { ...line, reason }, isSaid: false })
  }
}

/** Notes what a person reads. */
export function noteShown(text: string): void {
  for (const one of held) one.isSaid ||= text.includes(one.line.reason)
}

/** When the answer was shown. */
export function tellHeldWarnings(): void {
  for (const { log, line, isSaid } of held.splice(0)) {
    const { message, reason } = line
    const rest = isSaid ? message.slice(message.indexOf(reason) + reason.length).replace(/^; /, '') : message
    if (rest !== '') log({ ...line, message: rest })
  }
}
