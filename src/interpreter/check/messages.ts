// The messages of the check: one template for each mistake, with a hint if the correction is certain.

import type { Span } from '../../diagnostics/index.js'
import { didYouMean, mistake } from '../mistake.js'

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}

export const messages = {
  missingArguments: (span: Span, path: string, names: readonly string[], takes: string) =>
    mistake('missing-argument', span, `${path} needs ${names.join(' and ')}`, takes),
  unknownParameter: (span: Span, path: string, name: string, near: readonly string[], takes: string) =>
    mistake('unknown-parameter', span, `${path} has no parameter ${name}`, didYouMean(near) ?? takes),
  tooManyArguments: (span: Span, path: string, most: number, got: number, takes: string) =>
    mistake('too-many-arguments', span, `${path} takes at most ${count(most, 'argument')}, got ${got}`, takes),
  argumentTwice: (span: Span, path: string, name: string) =>
    mistake('argument-twice', span, `${path} gets two values for ${name}`, `give ${name} once`),
  wrongArgument: (span: Span, path: string, problem: string, hint?: string) =>
    mistake('wrong-argument', span, `${path}: ${problem}`, hint),
  noField: (span: Span, what: string, field: string, near: readonly string[], fields: readonly string[]) =>
    mistake(
      'no-field',
      span,
      `${what} has no field ${field}`,
      didYouMean(near.map((name) => JSON.stringify(name))) ?? `its fields are ${fields.slice(0, 12).join(', ')}`,
    ),
  noAttribute: (span: Span, type: string, name: string, hint: string | undefined) =>
    mistake('no-attribute', span, `${type} has no attribute ${name}`, hint),
  badOperands: (span: Span, operator: string, left: string, right: string, hint?: string) =>
    mistake('bad-operands', span, `${left} ${operator} ${right} is not possible`, hint),
  badOperand: (span: Span, operator: string, operand: string) =>
    mistake('bad-operands', span, `${operator} ${operand} is not possible`),
  notCallable: (span: Span, type: string) =>
    mistake('not-callable', span, `${type} can't be called`, type === 'server' ? 'call one of its tools' : undefined),
  notIterable: (span: Span, type: string, hint?: string) =>
    mistake('not-iterable', span, `${type} can't be iterated over`, hint),
  notSubscriptable: (span: Span, type: string, hint?: string) =>
    mistake('not-subscriptable', span, `${type} can't be indexed`, hint),
  badIndex: (span: Span, type: string, index: string, hint: string) =>
    mistake('bad-index', span, `${type} can't be indexed with ${index}`, hint),
  notAssignable: (span: Span, type: string, hint?: string) =>
    mistake('not-assignable', span, `the elements of ${type} can't be assigned`, hint),
  wrongUnpacking: (span: Span, got: number, want: string) =>
    mistake('wrong-unpacking', span, `a tuple of ${got} can't be unpacked into ${want}`),
  unreachable: (span: Span, leaving: number) =>
    mistake('unreachable-code', span, `this is never reached: line ${leaving} always leaves`),
  badBuiltinArgument: (span: Span, name: string, got: string, want: string) =>
    mistake('wrong-argument', span, `${name}() got ${got}, want ${want}`),
}
