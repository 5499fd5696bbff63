// Checks a program without running it, along the same path as a run.

import { type Diagnostic, DiagnosticError } from '../diagnostics/index.js'
import type { Dialect, Program, Reach } from '../interpreter/index.js'
import { type Limits, limitDiagnostic, resolveLimits } from '../sandbox/index.js'
import { askingTools } from './ledger/policy.js'
import type { RunContext } from './run-context.js'

/**
 * The facts about a program before it runs.
 *
 * @example
 * import { CodeMode, type ProgramCheck } from 'starbind'
 *
 * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } } })
 * const checked: ProgramCheck = await codeMode.check('files.delete_file(path="a")')
 * if (checked.ok) for (const { namespace, member } of checked.reach.tools) console.log(`${namespace}.${member}`)
 * else console.error(checked.diagnostics)
 */
export type ProgramCheck =
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] }
  | {
      readonly ok: true
      /** Mistakes in places that the program may not reach. */
      readonly warnings: readonly Diagnostic[]
      /** The tools it can call. */
      readonly reach: Reach
      /** The reachable tools that need approval, in guest names. */
      readonly asks: readonly string[]
    }

export async function checkProgram(
  program: Program,
  context: RunContext,
  { dialect }: { readonly dialect?: Partial<Dialect> } = {},
): Promise<ProgramCheck> {
  const limits = readLimits(program, context.limits)
  if (!limits.ok) return limits
  const { compilation } = await context.desk.prepare(program, context.bindings, {
    dialect: { ...context.dialect, ...dialect },
    unavailable: context.unavailable(),
    limits: limits.resolved,
    elapsedMs: 0,
    ...(context.group === undefined ? {} : { group: context.group }),
  })
  if (!compilation.ok) return { ok: false, diagnostics: compilation.diagnostics }
  const { reach } = compilation.program
  const { keeping, bindings } = context
  const asks = keeping === undefined ? [] : askingTools(bindings, keeping.asks, reach)
  return { ok: true, warnings: compilation.warnings, reach, asks }
}

/** The limits of a program's run, if its text is within them. */
export function readLimits(program: Program, configured: Partial<Limits>, requested?: Partial<Limits>) {
  try {
    const resolved = resolveLimits(configured, requested)
    if (Buffer.byteLength(program.text) <= resolved.sourceBytes) return { ok: true, resolved } as const
    return { ok: false, diagnostics: [limitDiagnostic('sourceBytes', resolved.sourceBytes)] } as const
  } catch (error) {
    if (error instanceof DiagnosticError) return { ok: false, diagnostics: error.diagnostics } as const
    throw error
  }
}
