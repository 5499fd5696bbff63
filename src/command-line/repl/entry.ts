// Splits input into entries, and shows the value of an expression without moving a character.
// Invariant: the program contains the entries as typed, one line apart, so that messages show them unchanged.

import type { Diagnostic, Language, ProgramCheck } from '../../index.js'

/** The check stage's findings about a text. */
export type CheckText = (text: string) => Promise<ProgramCheck>

/** Mistakes that more lines may fix. */
const OPEN: ReadonlySet<string> = new Set(['unclosed-bracket', 'missing-block', 'try-without-handler'])

/**
 * Whether more lines belong to an entry, as Python's own prompt decides: an open bracket, an open string, or a block
 * that no empty line has ended.
 */
export async function wantsMore(entry: string, check: CheckText): Promise<boolean> {
  const lines = entry.split('\n')
  if (lines.at(-1)?.trim() === '' && lines.length > 1) return false
  const checked = await check(entry)
  if (!checked.ok && checked.diagnostics.some((one) => isOpen(one, entry))) return true
  return opensBlock(lines[0]!)
}

/**
 * A string in plain quotes ends with its line; only a triple-quoted one continues. JavaScript has one message for
 * anything that is missing at the end.
 */
function isOpen({ code, message }: Diagnostic, entry: string): boolean {
  if (code === 'unterminated-string') return /"""|'''/.test(entry)
  return OPEN.has(code) || message === 'the program ends too early'
}

/** A block ends with an empty line, because only its author knows whether more belongs to it. */
function opensBlock(line: string): boolean {
  return line.startsWith('@') || /^(def|if|for|while|try|with|class|async|match)\b.*:\s*(#.*)?$/.test(line)
}

/** The line above an entry that makes its value the result. Continued lines keep the places of the following text. */
const SHOW: Readonly<Record<Language, string>> = { starlark: 'result = \\', javascript: 'result =' }

/** A program with one more entry. */
interface Grown {
  readonly text: string
  /** True if the entry sets the result: it is an expression, or assigns `result` itself. */
  readonly shows: boolean
}

/** Adds an entry to a program. If it is an expression, its value becomes the result. */
export async function grow(before: string, entry: string, language: Language, check: CheckText): Promise<Grown> {
  // Between brackets an assignment is a mistake, but a function or a class would only lose its name.
  if (!/^\s*(async\s+)?(function|class)\b/.test(entry) && (await check(`${before}\n(\n${entry}\n)\n`)).ok)
    return { text: `${before}${SHOW[language]}\n${entry}\n`, shows: true }
  return { text: `${before}\n${entry}\n`, shows: /^\s*(var |let |const )?result\b\s*[^\s=]?=(?!=)/m.test(entry) }
}
