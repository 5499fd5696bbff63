// Reads the end of a run and explains it in the program's terms. Maps places in generated code to places in the
// program.

import { type Diagnostic, type MarkedTexts, type Span, shifted, type TraceFrame } from '../diagnostics/index.js'
import { parseWhole } from './compile/index.js'
import type { ForeignError, ForeignReply } from './foreign.js'
import { explainFailure } from './javascript/index.js'
import { type FailurePayload, readPayload } from './payload.js'
import type { CompiledProgram, Explained, Outcome, Program, SourceRange } from './program.js'
import { framesIn, MOST_FRAMES } from './stack-frames.js'
import { Positions } from './syntax/index.js'
import { forEachStatement } from './syntax/walk.js'
import { partsOf, wholeText } from './whole-text.js'

/** Reads the payload of a completed run. `compiled` is called only if there is something to explain. */
export function readOutcome(compiled: CompiledProgram | (() => CompiledProgram), payload: string): Outcome {
  const outcome = readPayload(payload)
  if (outcome === undefined) return { ok: false, diagnostic: broken('the guest returned something that is no outcome') }
  if (outcome.ok) return outcome.result === undefined ? { ok: true } : { ok: true, result: outcome.result }
  const program = typeof compiled === 'function' ? compiled() : compiled
  return { ok: false, ...explain(program, outcome.error), isOwn: outcome.error.isOwn === true }
}

interface Thrown {
  readonly name: string
  readonly message: string
  readonly stack: string
}

/** Reads an exception that left the guest without an outcome. */
export function readThrow(compiled: CompiledProgram, { name, message, stack }: Thrown): Outcome {
  return { ok: false, ...explain(compiled, { kind: `native ${name}`, message, stack }) }
}

export function explainThrow(compiled: CompiledProgram, thrown: Thrown): Diagnostic {
  return explain(compiled, { kind: `native ${thrown.name}`, message: thrown.message, stack: thrown.stack }).diagnostic
}

/** The place at which a program was when its time ran out. */
export function placeIn(compiled: CompiledProgram, stack: string): Pick<Diagnostic, 'span' | 'trace'> {
  const { span, trace } = explainThrow(compiled, {
    name: 'InternalError',
    message: 'interrupted',
    stack: isInLoop(compiled, stack) ? stack : withoutInnermost(stack),
  })
  return { ...(span === undefined ? {} : { span }), ...(trace === undefined ? {} : { trace }) }
}

/** The span in the program of a place in the generated code. */
export function spanOf(compiled: CompiledProgram, line: number, column: number): Span | undefined {
  const range = compiled.positions.find(line, column)
  return range && positionsOf(compiled.source).span(range.start, range.end)
}

function positionsOf(program: Program): Positions {
  return new Positions(wholeText(program), partsOf(program))
}

const OWN_FRAME = /^[ \t]*at [^\n]{1,2000} \(program\.js:\d{1,9}:\d{1,9}\)\n/

function withoutInnermost(stack: string): string {
  return stack.replace(OWN_FRAME, '')
}

/**
 * True if the engine interrupted the program in a loop. It interrupts at calls, whose places it knows, and at the start
 * of a loop's next round. There it knows only the last call, which may be in the loop or before it.
 */
function isInLoop(compiled: CompiledProgram, stack: string): boolean {
  if (!OWN_FRAME.test(stack)) return true
  const { language } = compiled.source
  const [innermost] = framesIn(stack)
  const place = innermost && compiled.positions.find(innermost.line, innermost.column)
  if (place === undefined || language === 'javascript') return false
  const covers = ({ start, end }: SourceRange): boolean => start <= place.start && place.end <= end
  const { file } = parseWhole(compiled.source, compiled.dialect.strict)
  let isInside = false
  forEachStatement(file.body, (s) => {
    isInside ||= (s.kind === 'ForStmt' || s.kind === 'WhileStmt') && covers(s)
  })
  return isInside
}

/** Reads the reply to a call that failed while the program continued, when the program can no longer report it. */
export function readReply(compiled: CompiledProgram, reply: ForeignReply, place: SourceRange | undefined): Outcome {
  const error = JSON.parse(reply.slice(1)) as ForeignError
  const { kind, code, message, hint } = error
  const positions = positionsOf(compiled.source)
  const isPlace = place !== undefined && place.start <= place.end && place.end <= wholeText(compiled.source).length
  const lead = kind === 'program' && !compiled.dialect.strict ? 'TypeError: ' : ''
  return {
    ok: false,
    diagnostic: {
      class: classes[kind],
      code,
      message: lead + message,
      ...(isPlace ? { span: positions.span(place.start, place.end) } : {}),
      ...(hint === undefined ? {} : { hint }),
    },
    ...marked(error, lead),
  }
}

/** The marked values of the message and the hint, after `lead` was put before the message. */
function marked(
  { values, hintValues }: Pick<FailurePayload, 'values' | 'hintValues'>,
  lead: string,
): Pick<Explained, 'values'> {
  if (values === undefined) return {}
  const texts: MarkedTexts = { message: shifted(values, lead.length), hint: hintValues ?? [] }
  return { values: texts }
}

const classes = {
  tool: 'tool error',
  denied: 'tool error',
  program: 'program error',
  limit: 'limit',
  host: 'host error',
} as const

function broken(message: string): Diagnostic {
  return { class: 'host error', code: 'broken-guest', message }
}

function explain(compiled: CompiledProgram, failure: FailurePayload): Explained {
  if (compiled.source.language === 'javascript') return explainFailure(compiled.positions, compiled.source, failure)
  const frames = framesOf(compiled, failure.stack)
  const place = {
    ...(frames.length > 0 ? { span: frames[0]!.span } : {}),
    ...(frames.length > 1 ? { trace: frames.map(({ name, span }): TraceFrame => ({ name, span })) } : {}),
    ...(failure.hint === undefined ? {} : { hint: failure.hint }),
  }
  const { kind, code, message } = failure
  if (failure.ends !== undefined)
    return { diagnostic: { class: failure.ends, code: code ?? 'limit', message, ...place } }
  if (kind.startsWith('native ')) return native(compiled, failure, place, frames[0]?.range)
  const isTool = kind === 'ToolError' || kind === 'ApprovalDenied'
  const lead = compiled.dialect.strict || isTool ? '' : message === '' ? kind : `${kind}: `
  return {
    diagnostic: {
      class: isTool ? 'tool error' : 'program error',
      code: code ?? kebab(kind),
      message: lead + message,
      ...place,
    },
    ...marked(failure, lead),
  }
}

/** Explains the engine's own failures that generated code relies on. Of all others, only the kind is reported. */
function native(
  compiled: CompiledProgram,
  failure: { readonly kind: string; readonly message: string },
  place: Pick<Diagnostic, 'span' | 'trace' | 'hint'>,
  range: SourceRange | undefined,
): Explained {
  const meaning = range?.native
  const strict = compiled.dialect.strict
  if (failure.kind === 'native TypeError' && meaning?.kind === 'unassigned') {
    const kind = meaning.global ? 'global' : 'local'
    return {
      diagnostic: {
        class: 'program error',
        code: 'unassigned-name',
        message: strict
          ? `${kind} variable ${meaning.name} referenced before assignment`
          : `NameError: name '${meaning.name}' is not defined`,
        hint: `define ${meaning.name} before this line runs`,
        ...place,
      },
      values: { message: [] },
    }
  }
  if (failure.kind === 'native TypeError' && meaning?.kind === 'method-of-none') {
    return {
      diagnostic: {
        class: 'program error',
        code: 'attribute-error',
        message: strict
          ? `NoneType has no .${meaning.name} field or method`
          : `AttributeError: 'NoneType' object has no attribute '${meaning.name}'`,
        ...place,
      },
      values: { message: [] },
    }
  }
  const lead = 'the guest failed: '
  return {
    diagnostic: { ...broken(lead + failure.message), ...place },
    values: { message: [[lead.length, lead.length + failure.message.length, failure.kind.replace('native ', '')]] },
  }
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
  const positions = positionsOf(compiled.source)
  const frames: Frame[] = []
  for (const { name, line, column } of framesIn(stack)) {
    const range = compiled.positions.find(line, column)
    if (range === undefined) continue
    const shown = name.startsWith('f_') ? name.slice(2).replace(/^programs\$/, 'programs.') : '<toplevel>'
    const count = frames.push({ name: shown, span: positions.span(range.start, range.end), range })
    if (count >= MOST_FRAMES) break
  }
  return frames
}
