// What a finished or broken run says, in the program's words: turns places in generated code into places in the program.

import type { Diagnostic, Span, TraceFrame } from '../diagnostics/index.js'
import type { ForeignError, ForeignReply } from './foreign.js'
import { explainFailure } from './javascript/index.js'
import { type FailurePayload, readPayload } from './payload.js'
import type { CompiledProgram, Outcome, SourceRange } from './program.js'
import { framesIn, MOST_FRAMES } from './stack-frames.js'
import { Positions } from './syntax/index.js'

/** Reads what a completed run returned. `compiled` is asked for where there is something to explain. */
export function readOutcome(compiled: CompiledProgram | (() => CompiledProgram), payload: string): Outcome {
  const outcome = readPayload(payload)
  if (outcome === undefined) return { ok: false, diagnostic: broken('the guest returned something that is no outcome') }
  if (outcome.ok) return outcome.result === undefined ? { ok: true } : { ok: true, result: outcome.result }
  const program = typeof compiled === 'function' ? compiled() : compiled
  return { ok: false, diagnostic: explain(program, outcome.error), isOwn: outcome.error.isOwn === true }
}

/** Explains an exception that left the guest without an outcome. */
export function explainThrow(
  compiled: CompiledProgram,
  thrown: { readonly name: string; readonly message: string; readonly stack: string },
): Diagnostic {
  return explain(compiled, { kind: `native ${thrown.name}`, message: thrown.message, stack: thrown.stack })
}

/** Explains a call that failed while the program went on, for a program that can't say it any more. */
export function explainReply(
  compiled: CompiledProgram,
  reply: ForeignReply,
  place: SourceRange | undefined,
): Diagnostic {
  const { kind, code, message, hint } = JSON.parse(reply.slice(1)) as ForeignError
  const positions = new Positions(compiled.source.text)
  const isPlace = place !== undefined && place.start <= place.end && place.end <= compiled.source.text.length
  return {
    class: classes[kind],
    code,
    message: kind === 'program' && !compiled.dialect.strict ? `TypeError: ${message}` : message,
    ...(isPlace ? { span: positions.span(place.start, place.end) } : {}),
    ...(hint === undefined ? {} : { hint }),
  }
}

const classes = { tool: 'tool error', program: 'program error', limit: 'limit', host: 'host error' } as const

function broken(message: string): Diagnostic {
  return { class: 'host error', code: 'broken-guest', message }
}

function explain(compiled: CompiledProgram, failure: FailurePayload): Diagnostic {
  if (compiled.source.language === 'javascript')
    return explainFailure(compiled.positions, compiled.source.text, failure)
  const frames = framesOf(compiled, failure.stack)
  const place = {
    ...(frames.length > 0 ? { span: frames[0]!.span } : {}),
    ...(frames.length > 1 ? { trace: frames.map(({ name, span }): TraceFrame => ({ name, span })) } : {}),
    ...(failure.hint === undefined ? {} : { hint: failure.hint }),
  }
  if (failure.ends !== undefined) {
    return { class: failure.ends, code: failure.code ?? 'limit', message: failure.message, ...place }
  }
  if (failure.kind.startsWith('native ')) return { ...native(compiled, failure, frames[0]?.range), ...place }
  const strict = compiled.dialect.strict
  return {
    class: failure.kind === 'ToolError' ? 'tool error' : 'program error',
    code: failure.code ?? kebab(failure.kind),
    message:
      strict || failure.kind === 'ToolError'
        ? failure.message
        : `${failure.kind}${failure.message === '' ? '' : `: ${failure.message}`}`,
    ...place,
  }
}

/** The engine's own failures that generated code relies on. */
function native(
  compiled: CompiledProgram,
  failure: { kind: string; message: string },
  range: SourceRange | undefined,
): Diagnostic {
  const meaning = range?.native
  const strict = compiled.dialect.strict
  if (failure.kind === 'native TypeError' && meaning?.kind === 'unassigned') {
    const kind = meaning.global ? 'global' : 'local'
    return {
      class: 'program error',
      code: 'unassigned-name',
      message: strict
        ? `${kind} variable ${meaning.name} referenced before assignment`
        : `NameError: name '${meaning.name}' is not defined`,
      hint: `define ${meaning.name} before this line runs`,
    }
  }
  if (failure.kind === 'native TypeError' && meaning?.kind === 'method-of-none') {
    return {
      class: 'program error',
      code: 'attribute-error',
      message: strict
        ? `NoneType has no .${meaning.name} field or method`
        : `AttributeError: 'NoneType' object has no attribute '${meaning.name}'`,
    }
  }
  return broken(`the guest failed: ${failure.message}`)
}

function kebab(kind: string): string {
  return kind.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase()
}

interface Frame {
  readonly name: string
  readonly span: Span
  readonly range: SourceRange
}

/** The frames of the program's own functions in a stack trace of the engine, innermost first. */
function framesOf(compiled: CompiledProgram, stack: string): Frame[] {
  const positions = new Positions(compiled.source.text)
  const frames: Frame[] = []
  for (const { name, line, column } of framesIn(stack)) {
    const range = compiled.positions.find(line, column)
    if (range === undefined) continue
    const shown = name.startsWith('f_') ? name.slice(2) : '<toplevel>'
    const count = frames.push({ name: shown, span: positions.span(range.start, range.end), range })
    if (count >= MOST_FRAMES) break
  }
  return frames
}
