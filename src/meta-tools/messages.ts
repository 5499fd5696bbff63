// Every failure that the meta-tools themselves report: one code, one template. Knows words, decides nothing.

import type { Diagnostic } from '../diagnostics/index.js'

// Arguments of a meta-tool.

export function wrongArgument(metaTool: string, name: string, got: unknown, want: string): Diagnostic {
  return {
    class: 'program error',
    code: 'wrong-argument',
    message: `${metaTool}: ${name} is ${argumentText(got)}, want ${want}`,
  }
}

export function wrongArgumentName(
  metaTool: string,
  got: string,
  nearest: readonly string[],
  known: readonly string[],
): Diagnostic {
  return {
    class: 'program error',
    code: 'unknown-argument',
    message: `${metaTool} has no argument ${got}`,
    hint: nearest.length > 0 ? `write ${nearest[0]}` : `its arguments are ${known.join(', ')}`,
  }
}

export function unknownMetaTool(got: string, nearest: readonly string[], known: readonly string[]): Diagnostic {
  return {
    class: 'program error',
    code: 'unknown-meta-tool',
    message: `there is no tool ${got} here`,
    hint: nearest.length > 0 ? `call ${nearest[0]}` : `here are ${known.join(', ')}`,
  }
}

// The end of a run.

export const runCancelled: Diagnostic = {
  class: 'host error',
  code: 'cancelled',
  message: 'the run was cancelled by the caller',
}

export const runBusy: Diagnostic = {
  class: 'host error',
  code: 'busy',
  message: 'too many programs are waiting to run; this one was not started',
  hint: 'submit it again in a moment',
}

export const runFaulted: Diagnostic = {
  class: 'host error',
  code: 'sandbox-fault',
  message: 'the sandbox failed while the program ran; the program is not to blame',
}

// The answer.

export const nothingRan = 'Nothing was run and no tool was called.'

export const nothingToShow =
  'The program ran to its end but printed nothing and set no result. Assign to the global `result`, or print(), what you want to see.'

function argumentText(value: unknown): string {
  if (value === undefined) return 'missing'
  const text = JSON.stringify(value) ?? typeof value
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
