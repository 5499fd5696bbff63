// Runs hostile programs in the program's language: compiled, in the real sandbox, against tools of this process that
// can be as hostile as the program.

import { afterAll } from 'vitest'
import { bindServers, type Tool, type ToolOutcome, type ToolServer } from '../../dist/bindings/index.js'
import { type Diagnostic, renderDiagnostics } from '../../dist/diagnostics/index.js'
import type { Dialect } from '../../dist/interpreter/index.js'
import { compile, explainThrow, readOutcome } from '../../dist/interpreter/stages.js'
import { openSandbox } from '../../dist/sandbox/index.js'
import { noWorkersLeft } from '../sandbox/leaks.js'

export interface Stage {
  readonly dialect?: Partial<Dialect>
  readonly servers?: readonly ToolServer[]
  /** The answer of every tool. */
  readonly answer?: ToolOutcome
}

export interface Performance {
  /** The result as JSON, or as text where it is not JSON; undefined when the program failed. */
  readonly result: string | undefined
  readonly printed: readonly string[]
  /** The failure in the form that a model reads. */
  readonly failure: string | undefined
  /** The arguments that reached tools. */
  readonly calls: readonly unknown[]
}

export function stage(): (program: string, stage?: Stage) => Promise<Performance> {
  noWorkersLeft()
  // Unlimited time: no program here may end by it.
  const sandbox = openSandbox({ maxWorkers: 1, spareWorkers: 0, limits: { wallMs: 600_000, cpuMs: 300_000 } })
  afterAll(() => sandbox.close())
  return async (text, { dialect = {}, servers = [], answer = { isError: false, content: [] } } = {}) => {
    const bindings = bindServers(servers)
    const compilation = compile({ text, language: 'starlark' }, { dialect, foreign: bindings.foreign })
    const said = (diagnostics: readonly Diagnostic[]) => renderDiagnostics(diagnostics, text)
    if (!compilation.ok) return { result: undefined, printed: [], failure: said(compilation.diagnostics), calls: [] }
    const printed: string[] = []
    const calls: unknown[] = []
    const caller = {
      call: async (_server: string, _tool: string, args: unknown) => {
        calls.push(args)
        return answer
      },
    }
    const { program } = compilation
    const end = await sandbox.run({
      image: program.image,
      code: program.code,
      onPrint: (line) => printed.push(line),
      onCall: async (call, signal) => (await bindings.perform(call.payload, caller, { signal })).reply,
    })
    if (end.kind === 'threw') return { result: undefined, printed, failure: said([explainThrow(program, end)]), calls }
    if (end.kind !== 'completed') return { result: undefined, printed, failure: JSON.stringify(end), calls }
    const outcome = readOutcome(program, end.payload)
    if (!outcome.ok) return { result: undefined, printed, failure: said([outcome.diagnostic]), calls }
    return { result: outcome.result?.json ?? outcome.result?.text, printed, failure: undefined, calls }
  }
}

export function toolNamed(name: string, extra: Partial<Tool> = {}): Tool {
  return { name, inputSchema: { type: 'object' }, ...extra }
}
