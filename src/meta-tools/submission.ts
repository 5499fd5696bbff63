// The arguments of executeToolCode, read from whatever a model sent. Knows their names and what models get wrong about them.

import { type Diagnostic, nearestNames } from '../diagnostics/index.js'
import type { Language, Program } from '../interpreter/index.js'
import { wrongArgument, wrongArgumentName } from './messages.js'

export type Submission =
  | { readonly ok: true; readonly program: Program; readonly timeoutMs?: number }
  | { readonly ok: false; readonly diagnostic: Diagnostic }

const names = ['code', 'language', 'timeoutMs']
const languages: readonly Language[] = ['starlark', 'javascript']

export function readSubmission(raw: Readonly<Record<string, unknown>>, usual: Language): Submission {
  const { code, timeoutMs } = raw
  const language = raw.language ?? usual
  const stray = Object.keys(raw).find((name) => !names.includes(name))
  if (stray !== undefined)
    return refuse(wrongArgumentName('executeToolCode', stray, nearestNames(stray, names, 1), names))
  if (typeof code !== 'string') return refuse(wrongArgument('executeToolCode', 'code', code, 'the text of a program'))
  if (!languages.includes(language as Language)) {
    return refuse(
      wrongArgument('executeToolCode', 'language', language, languages.map((name) => `"${name}"`).join(' or ')),
    )
  }
  const program = { text: withoutFence(code), language: language as Language }
  if (timeoutMs === undefined || timeoutMs === null) return { ok: true, program }
  // Models send numbers as strings now and then, and mean the number.
  const milliseconds = Number(typeof timeoutMs === 'string' && timeoutMs.trim() !== '' ? timeoutMs : timeoutMs)
  if (!Number.isFinite(milliseconds) || milliseconds < 1 || typeof timeoutMs === 'boolean') {
    return refuse(wrongArgument('executeToolCode', 'timeoutMs', timeoutMs, 'a number of milliseconds above 0'))
  }
  return { ok: true, program, timeoutMs: Math.ceil(milliseconds) }
}

/** A program that came inside a Markdown code fence is the text in the fence. */
function withoutFence(code: string): string {
  const fenced = /^\s*```[\w-]*\r?\n([\s\S]*?)\r?\n?```\s*$/.exec(code)
  return fenced?.[1] ?? code
}

function refuse(diagnostic: Diagnostic): Submission {
  return { ok: false, diagnostic }
}
