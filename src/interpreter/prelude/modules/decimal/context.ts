// Contexts of decimal arithmetic: the precision of results, their rounding, and what happens if an operation has no
// result.

import { classIn } from '../../classes/classes.js'
import { exceptionClass } from '../../classes/known-classes.js'
import { dictGet, dictOf } from '../../containers/dict.js'
import { truth } from '../../operators/membership.js'
import { repr } from '../../text/repr.js'
import { guestError, raise, typeError, valueError } from '../../values/errors.js'
import { PROTOCOL, type Protocol } from '../../values/protocol.js'
import { inQuotes, said, word } from '../../values/said.js'
import { isInt, nameClass, toNumber, type Value } from '../../values/values.js'
import { adjusted, type DecimalNumber, infinite, NAN, type Rounding, roundings, roundTo } from './number.js'

export const MAX_EXPONENT = 999999

/** The conditions that can be trapped. Those that are trapped by default come first. */
const signals = [
  'InvalidOperation',
  'DivisionByZero',
  'Overflow',
  'Inexact',
  'Rounded',
  'Subnormal',
  'Underflow',
  'Clamped',
  'FloatOperation',
] as const
type Signal = (typeof signals)[number]
const TRAPPED = 3

export const signalClasses: Readonly<Record<string, Value>> = Object.fromEntries(
  ['DecimalException', ...signals].map((name) => {
    const cls = exceptionClass(name)
    cls.$extras.module = 'decimal'
    return [name, cls.$value]
  }),
)
for (const name of ['ConversionSyntax', 'DivisionUndefined', 'DivisionImpossible'])
  exceptionClass(name).$extras.module = 'decimal'

export class DecimalContext {
  $precision = 28
  $rounding: Rounding = 'ROUND_HALF_EVEN'
  $traps: Value = dictOf(signals.flatMap((s, i) => [signalClasses[s]!, i < TRAPPED]))
  $flags: Value = dictOf(signals.flatMap((s) => [signalClasses[s]!, false]))
}

let current = new DecimalContext()

export function context(): DecimalContext {
  return current
}

export function setContext(c: DecimalContext): void {
  current = c
}

export function copyOf(c: DecimalContext): DecimalContext {
  const copy = new DecimalContext()
  copy.$precision = c.$precision
  copy.$rounding = c.$rounding
  copy.$traps = dictOf(signals.flatMap((s) => [signalClasses[s]!, traps(c, s)]))
  return copy
}

function traps(c: DecimalContext, signal: Signal): boolean {
  return truth(dictGet(c.$traps as object, signalClasses[signal]!) ?? false)
}

/** Raises a condition. If the context does not trap it, returns the substitute for the result. */
export function signal(kind: Signal, otherwise: DecimalNumber = NAN, condition: string = kind): DecimalNumber {
  if (!traps(current, kind)) return otherwise
  const cls = exceptionClass(condition).$value
  throw guestError(kind, word(repr([cls])), { args: [[cls]] })
}

/** A result, rounded to the context. */
export function settled(x: DecimalNumber, c: DecimalContext = current): DecimalNumber {
  if (x.$kind !== 'finite') return x
  const rounded = roundTo(x, c.$precision, c.$rounding)
  if (rounded !== x && traps(c, 'Inexact') && x.$coefficient % 10n ** BigInt(rounded.$exponent - x.$exponent) !== 0n)
    return signal('Inexact')
  return adjusted(rounded) > MAX_EXPONENT && rounded.$coefficient !== 0n
    ? signal('Overflow', infinite(x.$negative))
    : rounded
}

// ---- contexts as values ----------------------------------------------------------------------------------------

export function wantRounding(x: Value): Rounding {
  const found = roundings.find((r) => r === x)
  return (
    found ??
    typeError(
      said`valid values for rounding are:\n  [${word(roundings.join(', '))}]`,
      'write decimal.ROUND_HALF_UP, for example',
    )
  )
}

/** Sets an option of a context, for a keyword or an attribute. Returns false for an unknown one. */
export function configure(c: DecimalContext, name: string, value: Value): boolean {
  switch (name) {
    case 'prec': {
      const n = isInt(value) ? toNumber(value) : typeError('an integer is required')
      if (n < 1 || n > 1e18) valueError('valid range for prec is [1, MAX_PREC]')
      c.$precision = n
      return true
    }
    case 'rounding':
      c.$rounding = wantRounding(value)
      return true
    case 'traps':
      c.$traps = Array.isArray(value)
        ? dictOf(signals.flatMap((s) => [signalClasses[s]!, value.includes(signalClasses[s]!)]))
        : value
      return true
    case 'flags':
      c.$flags = value
      return true
    case 'Emin':
    case 'Emax':
    case 'capitals':
    case 'clamp':
      return true
    default:
      return false
  }
}

const own: Readonly<Record<string, (c: DecimalContext) => Value>> = {
  prec: (c) => c.$precision,
  rounding: (c) => c.$rounding,
  traps: (c) => c.$traps,
  flags: (c) => c.$flags,
  Emin: () => -MAX_EXPONENT,
  Emax: () => MAX_EXPONENT,
  capitals: () => 1,
  clamp: () => 0,
}

/** The methods of contexts. decimal.ts fills them in. */
export const contextMethods: Record<string, (c: DecimalContext) => Value> = {}

const protocol: Protocol = {
  getAttribute: (x, name) => (own[name] ?? contextMethods[name])?.(x as DecimalContext),
  setAttribute(x, name, value) {
    if (configure(x as DecimalContext, name, value)) return true
    return raise('AttributeError', said`'decimal.Context' object has no attribute ${inQuotes(name)}`)
  },
  attributeNames: () => [...Object.keys(own), ...Object.keys(contextMethods)],
  truth: () => true,
  repr(x) {
    const c = x as DecimalContext
    const listed = (of: Value): string =>
      signals
        .filter((s) => truth(dictGet(of as object, signalClasses[s]!) ?? false))
        .map((s) => classIn(signalClasses[s]!)!.$name)
        .join(', ')
    return `Context(prec=${c.$precision}, rounding=${c.$rounding}, Emin=-999999, Emax=999999, capitals=1, clamp=0, flags=[${listed(c.$flags)}], traps=[${listed(c.$traps)}])`
  },
}
Object.defineProperty(DecimalContext.prototype, PROTOCOL, { value: protocol })
nameClass((x) => x instanceof DecimalContext, 'decimal.Context')
