// Arithmetic on the bounds of ints.

import { FLOAT, INT } from './kinds.js'
import { ANY_INT, FLOATING, ints, isInt32, isSmallInt, MAX_SAFE, type Type } from './types.js'

const ANY_NUMBER: Type = { kinds: INT | FLOAT, lo: -Infinity, hi: Infinity }

function product(x: number, y: number): number {
  return x === 0 || y === 0 ? 0 : x * y
}

/** `base ** exponent` for a positive base, exactly; Infinity beyond the safe ints. */
function power(base: number, exponent: number): number {
  if (base === 1) return 1
  let result = 1
  for (let i = 0; i < exponent && Number.isFinite(result); i++)
    result = result * base > Number.MAX_SAFE_INTEGER ? Infinity : result * base
  return result
}

/** The type of `a operator b` where both are ints. */
export function intResult(operator: string, a: Type, b: Type): Type {
  switch (operator) {
    case '+':
      return ints(a.lo + b.lo, a.hi + b.hi)
    case '-':
      return ints(a.lo - b.hi, a.hi - b.lo)
    case '*': {
      const corners = [product(a.lo, b.lo), product(a.lo, b.hi), product(a.hi, b.lo), product(a.hi, b.hi)]
      return ints(Math.min(...corners), Math.max(...corners))
    }
    case '//':
      if (b.lo > 0) {
        const lo = a.lo >= 0 ? Math.floor(a.lo / b.hi) : Math.floor(a.lo / b.lo)
        const hi = a.hi >= 0 ? Math.floor(a.hi / b.lo) : Math.min(-1, Math.floor(a.hi / b.hi))
        return ints(lo, hi)
      }
      return isSmallInt(a) ? ints(-Math.max(-a.lo, a.hi) - 1, Math.max(-a.lo, a.hi) + 1) : ANY_INT
    case '%':
      if (b.lo > 0) return a.lo >= 0 ? ints(0, Math.min(a.hi, b.hi - 1)) : ints(0, b.hi - 1)
      if (b.hi < 0) return ints(b.lo + 1, 0)
      return Number.isFinite(b.lo) && Number.isFinite(b.hi) ? ints(Math.min(b.lo, 0), Math.max(b.hi, 0)) : ANY_INT
    case '&':
      if (a.lo >= 0 && b.lo >= 0) return ints(0, Math.min(a.hi, b.hi))
      if (a.lo >= 0) return ints(0, a.hi)
      if (b.lo >= 0) return ints(0, b.hi)
      return isInt32(a) && isInt32(b) ? ints(-2147483648, 2147483647) : ANY_INT
    case '|':
    case '^': {
      if (a.lo >= 0 && b.lo >= 0) {
        const most = Math.max(a.hi, b.hi)
        return ints(0, most > 2 ** 52 ? Infinity : 2 ** Math.ceil(Math.log2(most + 1)) - 1)
      }
      return isInt32(a) && isInt32(b) ? ints(-2147483648, 2147483647) : ANY_INT
    }
    case '<<':
      if (b.lo >= 0 && b.hi <= 52) return intResult('*', a, ints(2 ** b.lo, 2 ** b.hi))
      return ANY_INT
    case '>>':
      if (b.lo >= 0 && isSmallInt(a))
        return ints(Math.min(a.lo, Math.floor(a.lo / 2 ** Math.min(b.hi, 60))), Math.max(a.hi, 0))
      return ANY_INT
    case '/':
      return FLOATING
    case '**':
      return a.lo >= 1 && b.lo >= 0 ? ints(Math.min(power(a.lo, b.lo), MAX_SAFE), power(a.hi, b.hi)) : ANY_NUMBER
    default:
      return ANY_NUMBER
  }
}
