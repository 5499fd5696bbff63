// Compiled patterns of the module `re`, and the search for their matches in a text.

import { wantShortInt } from '../../calls/expect.js'
import { boundMethod } from '../../calls/method-tables.js'
import { dictOf } from '../../containers/dict.js'
import { contentOf, textInside } from '../../values/contents.js'
import { raise, typeError } from '../../values/errors.js'
import { PROTOCOL, type Protocol } from '../../values/protocol.js'
import { said } from '../../values/said.js'
import { quote } from '../../values/string-literals.js'
import { isInt, nameClass, typeName, typeOf, unbool, type Value } from '../../values/values.js'
import {
  ASCII,
  DOTALL,
  IGNORECASE,
  MULTILINE,
  patternError,
  type Translation,
  translate,
  VERBOSE,
} from './translate.js'

type Absent = undefined

export class Pattern {
  readonly $text: string
  readonly $translation: Translation
  /** The expression that searches from `lastIndex`. */
  readonly $find: RegExp
  $here: RegExp | undefined
  $whole: RegExp | undefined
  $notEmpty: RegExp | undefined

  constructor(text: string, translation: Translation) {
    this.$text = text
    this.$translation = translation
    this.$find = regExp(text, translation.source, `${translation.flags}g`)
  }
}

function regExp(text: string, source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags)
  } catch {
    throw patternError('pattern is not supported here', text, 0)
  }
}

/** The expression that matches only at `lastIndex`. */
export function here(p: Pattern): RegExp {
  p.$here ??= new RegExp(p.$translation.source, `${p.$translation.flags}y`)
  return p.$here
}

export function whole(p: Pattern): RegExp {
  p.$whole ??= new RegExp(`(?:${p.$translation.source})(?![\\s\\S])`, `${p.$translation.flags}y`)
  return p.$whole
}

/** Compiled patterns by flags and text. */
export const compiled = new Map<number, Map<string, Pattern>>()

export function compile(pattern0: Value, flags0: Value | Absent): Pattern {
  const pattern = textInside(pattern0) ?? pattern0
  const flags = flags0 === undefined ? 0 : flagsOf(flags0)
  if (pattern instanceof Pattern) {
    if (flags !== 0) raise('ValueError', 'cannot process flags argument with a compiled pattern')
    return pattern
  }
  if (typeof pattern !== 'string') {
    return typeError(
      typeName(pattern) === 'bytes'
        ? 'bytes patterns are not supported: decode the bytes first'
        : 'first argument must be string or compiled pattern',
    )
  }
  return compiled.get(flags)?.get(pattern) ?? compileAnew(pattern, flags)
}

function compileAnew(pattern: string, flags: number): Pattern {
  const made = new Pattern(pattern, translate(pattern, flags))
  const alike = compiled.get(flags) ?? new Map<string, Pattern>()
  compiled.set(flags, alike.set(pattern, made))
  return made
}

function flagsOf(x0: Value): number {
  const x = unbool(contentOf(x0) ?? x0)
  if (isInt(x)) return wantShortInt(x, 'compile', 'flags')
  return typeError(said`unsupported operand type(s) for &: '${typeOf(x0)}' and 'int'`)
}

export function subject(x: Value | Absent): string {
  if (typeof x === 'string') return x
  const text = textInside(x)
  if (text !== undefined) return text
  return typeError(
    typeName(x!) === 'bytes'
      ? 'cannot use a string pattern on a bytes-like object'
      : said`expected string or bytes-like object, got '${typeOf(x!)}'`,
  )
}

/** A match with its position. */
export interface Found extends Array<string> {
  readonly index: number
}

/** Calls `each` with every match between two offsets, in order, until `each` returns false. */
export function allMatches(p: Pattern, s: string, from: number, each: (found: Found) => boolean | undefined): void {
  const r = p.$find
  let at = from
  while (at <= s.length) {
    // `each` may search with the same expression.
    r.lastIndex = at
    const found: Found | null = r.exec(s)
    if (found === null || each(found) === false) return
    at = found.index + found[0]!.length
    while (at === found.index) {
      // After an empty match there may be a match at the same position that is not empty.
      const more = notEmptyAt(p, s, at)
      if (more === undefined) {
        at = after(s, at)
        break
      }
      if (each(more) === false) return
      at += more[0]!.length
    }
  }
}

function notEmptyAt(p: Pattern, s: string, at: number): Found | undefined {
  p.$notEmpty ??= new RegExp(p.$translation.notEmpty, `${p.$translation.flags}y`)
  p.$notEmpty.lastIndex = at
  const found = p.$notEmpty.exec(s)
  if (found === null) return undefined
  const own: string[] = found.slice()
  own.splice(1, 1)
  return Object.assign(own, { index: found.index })
}

/** The offset after the character at `at`. */
function after(s: string, at: number): number {
  const code = s.codePointAt(at)
  return at + (code !== undefined && code > 0xffff ? 2 : 1)
}

export function groupOf(p: Pattern, found: Found, n: number): string | undefined {
  return n === 0 ? found[0] : found[p.$translation.groups[n - 1]!]
}

const FLAGS: readonly (readonly [number, string])[] = [
  [IGNORECASE, 're.IGNORECASE'],
  [MULTILINE, 're.MULTILINE'],
  [DOTALL, 're.DOTALL'],
  [VERBOSE, 're.VERBOSE'],
  [ASCII, 're.ASCII'],
]

const patternProtocol: Protocol = {
  truth: () => true,
  getAttribute(x, name) {
    const p = x as Pattern
    const t = p.$translation
    switch (name) {
      case 'pattern':
        return p.$text
      case 'flags':
        return t.pythonFlags
      case 'groups':
        return t.groups.length
      case 'groupindex':
        return dictOf([...t.names].flat())
      default:
        return boundMethod(x, name)
    }
  },
  repr(x) {
    const p = x as Pattern
    const flags = FLAGS.filter(([bit]) => p.$translation.pythonFlags & bit).map(([, name]) => name)
    return `re.compile(${quote(p.$text)}${flags.length === 0 ? '' : `, ${flags.join('|')}`})`
  },
  equals: (x, other) =>
    other === x ||
    (other instanceof Pattern &&
      other.$text === (x as Pattern).$text &&
      other.$translation.pythonFlags === (x as Pattern).$translation.pythonFlags),
}
Object.defineProperty(Pattern.prototype, PROTOCOL, { value: patternProtocol })
nameClass((x) => x instanceof Pattern, 're.Pattern')
