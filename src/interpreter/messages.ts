// The messages about saved programs and calls of them: one template for each code.

import type { Span } from '../diagnostics/index.js'
import { didYouMean, mistake } from './mistake.js'

export const messages = {
  unknownProgram: (span: Span, name: string, near: readonly string[], names: readonly string[]) =>
    mistake(
      'unknown-program',
      span,
      `there is no saved program ${name}`,
      didYouMean(near.map((one) => `programs.${one}`)) ??
        `the saved programs are ${names.slice(0, 12).join(', ')}${names.length > 12 ? ` and ${names.length - 12} more` : ''}`,
    ),
  programsAsValue: (span: Span) =>
    mistake(
      'programs-as-value',
      span,
      'programs is not a value: the name of a saved program must follow it',
      'write programs.NAME(…)',
    ),
  otherLanguage: (span: Span, file: string) =>
    mistake(
      'program-in-other-language',
      span,
      `${file} is in another language than the program that calls it`,
      'write both in one language, or let executeToolCode run each',
    ),
  cycle: (span: Span, path: readonly string[]) =>
    mistake(
      'program-cycle',
      span,
      `${path.at(-1)} calls itself: ${path.join(' → ')}`,
      'a saved program may call others, but not itself',
    ),
  unreadableScriptParameter: (span: Span, name: string, reason: string) =>
    mistake(
      'unreadable-parameter',
      span,
      `main: ${name} ${reason}`,
      'write function main({ month, top = 3 }), with types such as string, number, integer, boolean, string[] and "a"|"b" in @param; defaults are constants',
    ),
  unreadableParameter: (span: Span, name: string, reason: string) =>
    mistake(
      'unreadable-parameter',
      span,
      `main: ${name} ${reason}`,
      'annotate with int, float, str, bool, list[…], dict[str, …], Literal[…] or Optional[…]; defaults are constants',
    ),
}
