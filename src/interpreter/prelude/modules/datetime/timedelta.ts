// `timedelta`: a length of time in days, seconds and microseconds.
// Invariant: 0 ≤ seconds < 86400 and 0 ≤ microseconds < 1000000; the sign is that of the days.

import { builtinClass } from '../../classes/known-classes.js'
import { nearest } from '../../numbers/float-text.js'
import { exactly, nearestFloat, type Rational } from '../../numbers/rationals.js'
import { contentOf } from '../../values/contents.js'
import { raise, typeError } from '../../values/errors.js'
import { said, spelled, word } from '../../values/said.js'
import { big, float, floatValue, isInt, normal, TUPLE, typeOf, unbool, type Value } from '../../values/values.js'
import { answer, register } from '../kinds.js'
import { pad } from './days.js'

const DAY = 86_400_000_000n

export class Timedelta {
  readonly $days: number
  readonly $seconds: number
  readonly $microseconds: number
  constructor(days: number, seconds: number, microseconds: number) {
    this.$days = days
    this.$seconds = seconds
    this.$microseconds = microseconds
  }
}

/** The whole length in microseconds. */
export function microsecondsOf(t: Timedelta): bigint {
  return BigInt(t.$days) * DAY + BigInt(t.$seconds) * 1_000_000n + BigInt(t.$microseconds)
}

export function fromMicroseconds(all: bigint): Timedelta {
  let days = all / DAY
  let rest = all % DAY
  if (rest < 0n) {
    rest += DAY
    days--
  }
  if (days > 999_999_999n || days < -999_999_999n)
    raise('OverflowError', said`days=${spelled(days)}; must have magnitude <= 999999999`)
  return new Timedelta(Number(days), Number(rest / 1_000_000n), Number(rest % 1_000_000n))
}

function totalSeconds(t: Timedelta): number {
  return nearestFloat({ top: microsecondsOf(t), bottom: 1_000_000n })
}

/** The exact value of a number. */
function rational(x0: Value, what: string): Rational {
  const x = unbool(contentOf(x0) ?? x0)
  const f = floatValue(x)
  if (f !== undefined) {
    if (Number.isNaN(f)) raise('ValueError', 'cannot convert float NaN to integer')
    if (!Number.isFinite(f)) raise('OverflowError', 'cannot convert float infinity to integer')
    return exactly(f)
  }
  return isInt(x)
    ? { top: big(x), bottom: 1n }
    : typeError(said`unsupported type for timedelta ${word(what)} component: ${typeOf(x0)}`)
}

/** The integer nearest to a fraction, ties to even. */
function rounded({ top, bottom }: Rational): bigint {
  return top < 0n ? -nearest(-top, bottom) : nearest(top, bottom)
}

const UNITS: readonly (readonly [string, bigint])[] = [
  ['days', DAY],
  ['seconds', 1_000_000n],
  ['microseconds', 1n],
  ['milliseconds', 1000n],
  ['minutes', 60_000_000n],
  ['hours', 3_600_000_000n],
  ['weeks', 7n * DAY],
]

function fromParts(parts: readonly (Value | undefined)[]): Timedelta {
  let whole = 0n
  let rest: Rational = { top: 0n, bottom: 1n }
  parts.forEach((part, i) => {
    if (part === undefined) return
    const [name, unit] = UNITS[i]!
    const { top, bottom } = rational(part, name)
    if (bottom === 1n) whole += top * unit
    else rest = { top: rest.top * bottom + top * unit * rest.bottom, bottom: rest.bottom * bottom }
  })
  return fromMicroseconds(whole + rounded(rest))
}

function text(t: Timedelta): string {
  const hours = Math.floor(t.$seconds / 3600)
  const minutes = Math.floor(t.$seconds / 60) % 60
  const days = t.$days === 0 ? '' : `${t.$days} day${Math.abs(t.$days) === 1 ? '' : 's'}, `
  const micros = t.$microseconds === 0 ? '' : `.${pad(t.$microseconds, 6)}`
  return `${days}${hours}:${pad(minutes, 2)}:${pad(t.$seconds % 60, 2)}${micros}`
}

function constructorText(t: Timedelta): string {
  const parts: string[] = []
  if (t.$days !== 0) parts.push(`days=${t.$days}`)
  if (t.$seconds !== 0) parts.push(`seconds=${t.$seconds}`)
  if (t.$microseconds !== 0) parts.push(`microseconds=${t.$microseconds}`)
  return `datetime.timedelta(${parts.length === 0 ? '0' : parts.join(', ')})`
}

function floorDivide(a: bigint, b: bigint): bigint {
  if (b === 0n) raise('ZeroDivisionError', 'integer division or modulo by zero')
  const q = a / b
  return a % b !== 0n && a < 0n !== b < 0n ? q - 1n : q
}

function binary(operator: string, x: object, other: Value, reflected: boolean): Value | undefined {
  const t = x as Timedelta
  if (other instanceof Timedelta) return withTimedelta(operator, reflected ? other : t, reflected ? t : other)
  const n = unbool(other)
  const isNumber = isInt(n) || floatValue(n) !== undefined
  if (!isNumber) return undefined
  const micros = microsecondsOf(t)
  if (operator === '*') {
    const by = rational(n, '')
    return fromMicroseconds(rounded({ top: micros * by.top, bottom: by.bottom }))
  }
  if (reflected) return undefined
  if (operator === '/') {
    const by = rational(n, '')
    if (by.top === 0n) raise('ZeroDivisionError', isInt(n) ? 'division by zero' : 'division by zero')
    const sign = by.top < 0n ? -1n : 1n
    return fromMicroseconds(rounded({ top: sign * micros * by.bottom, bottom: sign * by.top }))
  }
  return operator === '//' && isInt(n) ? fromMicroseconds(floorDivide(micros, big(n))) : undefined
}

function withTimedelta(operator: string, a: Timedelta, b: Timedelta): Value | undefined {
  const x = microsecondsOf(a)
  const y = microsecondsOf(b)
  switch (operator) {
    case '+':
      return fromMicroseconds(x + y)
    case '-':
      return fromMicroseconds(x - y)
    case '/':
      if (y === 0n) raise('ZeroDivisionError', 'division by zero')
      return float(nearestFloat({ top: y < 0n ? -x : x, bottom: y < 0n ? -y : y }))
    case '//':
      return normal(floorDivide(x, y))
    case '%':
      if (y === 0n) raise('ZeroDivisionError', 'integer modulo by zero')
      return fromMicroseconds(x - floorDivide(x, y) * y)
    case 'divmod':
      return [TUPLE, normal(floorDivide(x, y)), fromMicroseconds(x - floorDivide(x, y) * y)]
    default:
      return undefined
  }
}

function compareTimedeltas(a: Timedelta, b: Timedelta): number {
  return a.$days - b.$days || a.$seconds - b.$seconds || a.$microseconds - b.$microseconds
}

const kind = register<Timedelta>({
  name: 'timedelta',
  type: 'datetime.timedelta',
  of: Timedelta,
  base: builtinClass('object'),
  parameters: 'days=, seconds=, microseconds=, milliseconds=, minutes=, hours=, weeks=',
  make: (...parts) => fromParts(parts),
  attributes: { days: (t) => t.$days, seconds: (t) => t.$seconds, microseconds: (t) => t.$microseconds },
  protocol: {
    truth: (x) => microsecondsOf(x as Timedelta) !== 0n,
    binary,
    unary(operator, x) {
      const all = microsecondsOf(x as Timedelta)
      if (operator === '-') return fromMicroseconds(-all)
      return operator === '+' ? x : operator === 'abs' ? fromMicroseconds(all < 0n ? -all : all) : undefined
    },
    equals: (x, other) => (other instanceof Timedelta ? compareTimedeltas(x as Timedelta, other) === 0 : undefined),
    order: (x, other, operator) =>
      other instanceof Timedelta ? answer(compareTimedeltas(x as Timedelta, other), operator) : undefined,
    hashKey: (x) => [TUPLE, 'timedelta', normal(microsecondsOf(x as Timedelta))],
    str: (x) => text(x as Timedelta),
    repr: (x) => constructorText(x as Timedelta),
  },
})
kind.method('total_seconds', '/', (t) => float(totalSeconds(t)))
kind.onClass('min', new Timedelta(-999_999_999, 0, 0))
kind.onClass('max', new Timedelta(999_999_999, 86_399, 999_999))
kind.onClass('resolution', new Timedelta(0, 0, 1))

export const timedelta: Value = kind.value
