// The end of every failed command: one message on stderr and an exit status.
// Invariant: no JavaScript stack is shown unless STARBIND_DEBUG asks for it.

import { CommanderError } from 'commander'
import { DiagnosticError, renderDiagnostics } from '../index.js'
import { paintFailure } from './paint.js'
import { show } from './print.js'
import { Interrupted } from './stopping.js'
import { forPeople } from './wording.js'

/** Wrong usage. The message names the right usage. */
export function wrongUsage(message: string, hint?: string): DiagnosticError {
  return new DiagnosticError({
    class: 'host error',
    code: 'wrong-usage',
    message,
    ...(hint === undefined ? {} : { hint }),
  })
}

/** A question about servers where nothing says which. `hosts`: those whose servers could be imported, if known. */
export function noConfiguration(hosts: readonly string[] = ['other hosts']): DiagnosticError {
  const tour = 'starbind try has some built in'
  const named = hosts.join(', ')
  return wrongUsage(
    'there is no configuration: no starbind.json or .mcp.json, here or in a folder above',
    named === ''
      ? `write one, for example with starbind add files; ${tour}`
      : `starbind import writes one with the servers of ${named}; ${tour}`,
  )
}

/** Prints the failure and returns the exit status: 0 after --help and --version, 130 after Ctrl-C, else 2. */
export function failureStatus(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof DiagnosticError) {
    const text = forPeople(renderDiagnostics(error.diagnostics))
    show(process.stderr, text.replace(/^host error \[wrong-usage\] /gm, 'starbind: '), paintFailure)
    return 2
  }
  if (error instanceof Interrupted) {
    show(process.stderr, error.message)
    return error.status
  }
  const message = error instanceof Error ? error.message : String(error)
  show(process.stderr, `host error [internal] starbind itself failed: ${message}`, paintFailure)
  if (process.env.STARBIND_DEBUG !== undefined && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  return 2
}
