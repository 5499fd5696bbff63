// The operations about a program's text: the check, and what can be written at a place.

import type { Diagnostic, Language } from '../index.js'
import type { Asked } from './asked.js'
import { completionsAt } from './completion.js'
import type { Checked, CheckText, Completion, CompletionAt, PageDiagnostic } from './interface.js'

/** The text around the cursor that is looked at. */
const LOOKED_AT = 20_000

export function textAnswers(usual: Language) {
  return {
    check: async ({ viewer, body }: Asked): Promise<Checked> => {
      const { code, language, strict } = body as CheckText
      const options = { ...(language === undefined ? {} : { language }), ...(strict === undefined ? {} : { strict }) }
      const checked = await viewer.session.check(code, options)
      const taken = language ?? usual
      if (!checked.ok)
        return {
          ok: false,
          language: taken,
          diagnostics: checked.diagnostics.map((one) => placed(one, 'error')),
          reach: [],
        }
      const { warnings, reach } = checked
      const widened = reach.widened === 'all' ? ['*'] : reach.widened.map((space) => `${space}.*`)
      return {
        ok: true,
        language: taken,
        diagnostics: warnings.map((one) => placed(one, 'warning')),
        reach: [...reach.tools.map(({ namespace, member }) => `${namespace}.${member}`), ...widened],
      }
    },
    completion: async ({ viewer, body }: Asked): Promise<Completion> => {
      const { code, language = usual, offset } = body as CompletionAt
      const start = Math.max(0, Math.min(offset, code.length) - LOOKED_AT)
      const before = code.slice(start, offset)
      const names = code.slice(start, offset + LOOKED_AT)
      const { from, options } = completionsAt(before, viewer.session.bindings(), { names, language })
      return { from: from + start, options }
    },
  }
}

function placed({ code, message, hint, span }: Diagnostic, severity: PageDiagnostic['severity']): PageDiagnostic {
  const own = span?.file === undefined ? span : undefined
  return {
    severity,
    code,
    message,
    hint: hint ?? null,
    line: own?.line ?? null,
    column: own?.column ?? null,
    endLine: own?.endLine ?? null,
    endColumn: own?.endColumn ?? null,
  }
}
