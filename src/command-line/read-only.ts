// `--read-only`: a program that may only read. The library enforces it at every call; this file reports before the run.

import type { CodeMode, Diagnostic, ProgramOptions, SavedCall, Session } from '../index.js'
import { stopping } from './stopping.js'

/** The mistake in a program that may only read; undefined if there is none. */
export async function onlyReading(
  codeMode: CodeMode,
  code: string | SavedCall,
  options: Pick<ProgramOptions, 'language' | 'strict'>,
): Promise<{ readonly session: Session; readonly refusal: Diagnostic | undefined }> {
  const session = codeMode.session({ readOnly: true, results: 'shared' })
  const checked = await codeMode.check(code, { ...options, stdin: '', signal: stopping })
  if (!checked.ok) return { session, refusal: undefined }
  const readers = new Set(session.bindings().flatMap(({ name, tools }) => tools.map((tool) => `${name}.${tool.name}`)))
  const called = checked.reach.tools.map(({ namespace, member }) => `${namespace}.${member}`)
  const writers = called.filter((name) => !readers.has(name))
  return { session, refusal: writers.length === 0 ? undefined : notReadOnly(writers) }
}

function notReadOnly(tools: readonly string[]): Diagnostic {
  const they = tools.length === 1 ? 'which its server does' : 'which their servers do'
  return {
    class: 'program error',
    code: 'not-read-only',
    message: `the program can call ${tools.join(', ')}, ${they} not declare read-only`,
    hint: 'run it without --read-only, or with --ask to be asked before each such call',
  }
}
