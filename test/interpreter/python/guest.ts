// Runs programs as in production: compiled on the host, in the sandbox's own guests.

import { renderDiagnostics } from '../../../dist/diagnostics/index.js'
import type { CompileOptions } from '../../../dist/interpreter/index.js'
import { compile, explainThrow, readOutcome } from '../../../dist/interpreter/stages.js'
import { openSandbox, type Sandbox } from '../../../dist/sandbox/index.js'

export interface Said {
  /** What it printed. */
  readonly printed: string
  /** Its result in the language's own notation, or undefined. */
  readonly result: string | undefined
  /** The message of the failure that ended it, or undefined. */
  readonly failure: string | undefined
}

export function openGuests(): Promise<Sandbox> | Sandbox {
  // All the time there is: no program ends by it unless its test says so.
  return openSandbox({ limits: { wallMs: 600_000, cpuMs: 300_000 } })
}

/** The messages with which a program is refused before anything runs; undefined when it is not. */
export function refusal(text: string, options: CompileOptions = {}): string | undefined {
  const compiled = compile({ text, language: 'starlark' }, options)
  return compiled.ok ? undefined : renderDiagnostics(compiled.diagnostics, text)
}

export async function run(sandbox: Sandbox, text: string): Promise<Said> {
  const compiled = compile({ text, language: 'starlark' })
  if (!compiled.ok) return { printed: '', result: undefined, failure: renderDiagnostics(compiled.diagnostics, text) }
  let printed = ''
  const end = await sandbox.run({
    image: compiled.program.image,
    code: compiled.program.code,
    onCall: () => Promise.reject(new Error('no tools here')),
    onPrint: (piece) => {
      printed += `${piece}\n`
    },
  })
  if (end.kind === 'threw') return { printed, result: undefined, failure: explainThrow(compiled.program, end).message }
  if (end.kind === 'limit') return { printed, result: undefined, failure: `limit ${end.limit}` }
  if (end.kind !== 'completed') return { printed, result: undefined, failure: end.kind }
  const outcome = readOutcome(compiled.program, end.payload)
  return outcome.ok
    ? { printed, result: outcome.result?.text, failure: undefined }
    : { printed, result: undefined, failure: outcome.diagnostic.message }
}

/** Everything a person at a terminal would see: the output, and the last line of a failure. */
export function shown({ printed, failure }: Said): string {
  return failure === undefined ? printed : `${printed}${failure}\n`
}
