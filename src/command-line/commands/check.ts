// `starbind check`: reports a program's mistakes and the tools that it can reach, without running it.

import { type ProgramCheck, type Reach, renderDiagnostics } from '../../index.js'
import { languageGiven, type ProgramOptions, programText, worldGiven } from '../given.js'
import { openQuietly } from '../opening.js'
import { type Paint, paintFailure } from '../paint.js'
import { printJson, show } from '../print.js'
import { onlyReading } from '../read-only.js'
import { showingWhoStarts } from '../starting.js'
import { mustGoOn, stopping } from '../stopping.js'
import { forPeople } from '../wording.js'

interface CheckOptions extends ProgramOptions {
  readonly json?: true
}

export async function check(file: string | undefined, options: CheckOptions): Promise<number> {
  const code = await programText(file, options)
  await using codeMode = await openQuietly(options, () => ({ ...worldGiven(options), warm: false }))
  const program = { ...languageGiven(file, options), ...(options.strict ? { strict: true } : {}) }
  const checking = async (): Promise<ProgramCheck> => {
    const refusal = options.readOnly ? (await onlyReading(codeMode, code, program)).refusal : undefined
    return refusal === undefined
      ? codeMode.check(code, { ...program, stdin: '', signal: stopping })
      : { ok: false, diagnostics: [refusal] }
  }
  const checked = await showingWhoStarts(codeMode, checking())
  mustGoOn()
  if (options.json) printJson(checked)
  else if (!checked.ok) show(process.stderr, forPeople(renderDiagnostics(checked.diagnostics, code)), paintFailure)
  else {
    if (checked.warnings.length > 0)
      show(
        process.stderr,
        `warnings (the program may run):\n${renderDiagnostics(checked.warnings, code)}`,
        paintFailure,
      )
    const asks = checked.asks.length === 0 ? '' : `\nasks a person before: ${checked.asks.join(', ')}`
    show(process.stdout, `ok\nreaches: ${reachText(checked.reach)}${asks}`, paintChecked)
  }
  return checked.ok ? 0 : 1
}

const paintChecked: Paint = (text, { green, dim }) =>
  text
    .replace(/^ok/, green('ok'))
    .replace('reaches:', dim('reaches:'))
    .replace('asks a person before:', dim('asks a person before:'))

function reachText({ tools, widened }: Reach): string {
  if (widened === 'all') return 'any tool'
  const all = [
    ...tools.map((tool) => `${tool.namespace}.${tool.member}`),
    ...widened.map((name) => `any tool of ${name}`),
  ]
  return all.length === 0 ? 'no tools' : all.join(', ')
}
