// `--read-only` and `--ask`: the report before a run, and the question before a call. The library enforces both at
// every call.

import type { Approve, CodeMode, Diagnostic, ProgramOptions, Session } from '../index.js'
import { wrongUsage } from './failure.js'
import { answerTo, isPersonThere } from './question.js'
import { stopping } from './stopping.js'
import type { Alone } from './watched-run.js'

/** The caller's view, and what is wrong with a program that may only read; undefined when nothing is. */
export async function onlyReading(
  codeMode: CodeMode,
  code: string,
  options: Pick<ProgramOptions, 'language' | 'strict'>,
): Promise<{ readonly session: Session; readonly refusal: Diagnostic | undefined }> {
  const session = codeMode.session({ readOnly: true })
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

/** Throws where there is nobody to ask. `alone` keeps others from writing to the screen meanwhile. */
export function askingPerson(alone: Alone): Approve {
  if (!isPersonThere()) throw wrongUsage('--ask needs a person at a terminal')
  const always = new Set<string>()
  let before: Promise<unknown> = Promise.resolve()
  const ask: Approve = async ({ server, tool, arguments: given }) => {
    const name = `${server}.${tool}`
    if (always.has(name)) return true
    const answer = await alone(() => answerTo(`call ${name} with ${JSON.stringify(given)}? [y]es, [a]lways, [N]o `))
    if (/^a/i.test(answer)) always.add(name)
    return /^[ya]/i.test(answer)
  }
  // Questions stand one after the other, however many calls are underway.
  return (call) => {
    const answered = before.then(() => ask(call))
    before = Promise.resolve(answered).catch(() => {})
    return answered
  }
}
