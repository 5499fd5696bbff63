// Number literals of both dialects.

import { isDigit, nameEnd } from './characters.js'
import * as C from './codes.js'
import { type Fault, messages } from './messages.js'

interface NumberReading {
  readonly end: number
  /** A bigint for an integer literal, a number for a float literal. */
  readonly value: bigint | number
  /** The reason why the literal is wrong. `value` is then a stand-in. */
  readonly fault?: Fault
}

const radixes: Readonly<Record<string, readonly [digits: RegExp, name: string]>> = {
  x: [/^[0-9a-f]+$/i, 'hexadecimal'],
  o: [/^[0-7]+$/, 'octal'],
  b: [/^[01]+$/, 'binary'],
}

const decimalForm = /[0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9_]+)?/y
const operatorWord = /^(?:and|else|for|if|in|is|not|or)$/

/** Reads the number literal that starts at `start`, at a digit or at a dot before a digit. */
export function readNumber(text: string, start: number, strict: boolean): NumberReading {
  const radix = text.charCodeAt(start) === C.ZERO ? radixes[text.charAt(start + 1).toLowerCase()] : undefined
  return radix ? readPrefixed(text, start, strict, radix) : readDecimal(text, start, strict)
}

function readPrefixed(
  text: string,
  start: number,
  strict: boolean,
  [digits, name]: readonly [RegExp, string],
): NumberReading {
  let end = start + 2
  while (digits.test(text.charAt(end)) || text.charCodeAt(end) === C.UNDERSCORE) end++
  const rest = wordAfter(text, end)
  if (rest !== '') return wrong(text, start, end + rest.length, `'${rest[0]}' is no ${name} digit`)
  const body = text.slice(start + 2, end)
  // One underscore may follow the prefix.
  const problem = underscoreProblem(body.startsWith('_') ? body.slice(1) : body)
  if (/^_*$/.test(body)) return wrong(text, start, end, `${name} digits must follow ${text.slice(start, start + 2)}`)
  if (problem) return wrong(text, start, end, problem)
  const value = BigInt(text.slice(start, start + 2).toLowerCase() + body.replaceAll('_', ''))
  return checkUnderscore({ end, value }, body, strict)
}

function readDecimal(text: string, start: number, strict: boolean): NumberReading {
  decimalForm.lastIndex = start
  const literal = decimalForm.exec(text)![0]
  const end = start + literal.length
  const rest = wordAfter(text, end)
  if (rest === 'j' || rest === 'J')
    return { end: end + 1, value: 0n, fault: messages.unsupported('complex numbers are', 'use two floats') }
  if (rest !== '') return wrongSuffix(text, start, end, rest)
  const problem = literal
    .split(/[.eE][+-]?/)
    .map(underscoreProblem)
    .find((p) => p !== undefined)
  if (problem) return wrong(text, start, end, problem)
  const digits = literal.replaceAll('_', '')
  if (/[.eE]/.test(digits)) {
    const value = Number(digits)
    if (strict && value === Number.POSITIVE_INFINITY) return { end, value: 0, fault: messages.floatOverflow(literal) }
    return checkUnderscore({ end, value }, literal, strict)
  }
  if (/^0+[1-9]/.test(digits)) {
    const octal = /^[0-7]+$/.test(digits) ? `0o${digits.replace(/^0+/, '')}` : undefined
    return { end, value: 0n, fault: messages.leadingZero(literal, octal) }
  }
  return checkUnderscore({ end, value: BigInt(digits) }, literal, strict)
}

/** The letters and digits that follow a number directly, unless they are the keyword of an operator. */
function wordAfter(text: string, end: number): string {
  const word = text.slice(end, nameEnd(text, end))
  if (word !== '' || !isDigit(text.charCodeAt(end))) return operatorWord.test(word) ? '' : word
  let last = end
  while (isDigit(text.charCodeAt(last))) last++
  return text.slice(end, last)
}

function wrongSuffix(text: string, start: number, end: number, rest: string): NumberReading {
  const number = text.slice(start, end)
  if (/^[lL]$/.test(rest)) return wrong(text, start, end + 1, 'integers need no suffix', `write ${number}`)
  if (/^[eE]$/.test(rest)) return wrong(text, start, end + 1, 'digits must follow the exponent e')
  return wrong(text, start, end + rest.length, `${rest} can't follow ${number} directly`)
}

function wrong(text: string, start: number, end: number, problem: string, hint?: string): NumberReading {
  const literal = text.slice(start, end)
  return {
    end,
    value: 0n,
    fault: messages.badNumber(literal.length > 40 ? `${literal.slice(0, 40)}…` : literal, problem, hint),
  }
}

function underscoreProblem(digits: string): string | undefined {
  return /^_|_$|__/.test(digits) ? '_ must stand between two digits' : undefined
}

function checkUnderscore(reading: NumberReading, literal: string, strict: boolean): NumberReading {
  if (!strict || !literal.includes('_')) return reading
  return { ...reading, fault: messages.notStarlark('numericUnderscore') }
}
