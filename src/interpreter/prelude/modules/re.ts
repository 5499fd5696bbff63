// The module `re`: regular expressions in Python's syntax and with its results, matched by JavaScript's engine. Offsets count UTF-16 units.

import { textInside } from '../contents.js'
import { dictOf } from '../dict.js'
import { GuestError, raise, typeError } from '../errors.js'
import { exceptionClasses } from '../exceptions.js'
import { endBound, given, optionalInt, startBound, wantInt, wantString } from '../expect.js'
import { Iterator } from '../iterators.js'
import { boundMethod, method } from '../methods.js'
import { unary } from '../ordering.js'
import { PROTOCOL, type Protocol } from '../protocol.js'
import { builtin, isCallable } from '../signature.js'
import { quote } from '../text.js'
import { isInt, nameClass, TUPLE, toNumber, typeName, unbool, type Value } from '../values.js'
import { type Module, module } from './module.js'
import {
  ASCII,
  DOTALL,
  IGNORECASE,
  LOCALE,
  MULTILINE,
  patternError,
  type Translation,
  translate,
  UNICODE,
  VERBOSE,
} from './re-translate.js'

type Absent = undefined

class Pattern {
  readonly $text: string
  readonly $translation: Translation
  /** Finds from `lastIndex` on. */
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

/** Matches only where it begins, at `lastIndex`. */
function here(p: Pattern): RegExp {
  p.$here ??= new RegExp(p.$translation.source, `${p.$translation.flags}y`)
  return p.$here
}

function whole(p: Pattern): RegExp {
  p.$whole ??= new RegExp(`(?:${p.$translation.source})(?![\\s\\S])`, `${p.$translation.flags}y`)
  return p.$whole
}

class Match {
  readonly $pattern: Pattern
  readonly $string: string
  readonly $found: Found
  readonly $from: number
  readonly $to: number
  $indices: readonly (readonly [number, number] | undefined)[] | undefined

  constructor(pattern: Pattern, string: string, found: Found, from: number, to: number) {
    this.$pattern = pattern
    this.$string = string
    this.$found = found
    this.$from = from
    this.$to = to
  }
}

// ---- patterns --------------------------------------------------------------------------------------------------

const compiled = new Map<string, Pattern>()

function compile(pattern: Value, flags0: Value | Absent): Pattern {
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
  const key = `${flags} ${pattern}`
  let found = compiled.get(key)
  if (found === undefined) {
    found = new Pattern(pattern, translate(pattern, flags))
    compiled.set(key, found)
  }
  return found
}

function flagsOf(x0: Value): number {
  const x = unbool(x0)
  return isInt(x) ? toNumber(x) : typeError(`unsupported operand type(s) for &: '${typeName(x0)}' and 'int'`)
}

function subject(x: Value | Absent): string {
  if (typeof x === 'string') return x
  const text = textInside(x)
  if (text !== undefined) return text
  return typeError(
    typeName(x!) === 'bytes'
      ? 'cannot use a string pattern on a bytes-like object'
      : `expected string or bytes-like object, got '${typeName(x!)}'`,
  )
}

type Way = 'search' | 'match' | 'fullmatch'

function matchOnce(p: Pattern, x: Value | Absent, way: Way, pos: Value | Absent, endpos: Value | Absent): Value {
  const s = subject(x)
  const from = Math.min(startBound(pos, s.length, way), s.length)
  const to = endpos === undefined ? s.length : endBound(endpos, s.length, way)
  if (from > to) return null
  const part = to === s.length ? s : s.slice(0, to)
  const r = way === 'search' ? p.$find : way === 'match' ? here(p) : whole(p)
  r.lastIndex = from
  const found = r.exec(part)
  return found === null ? null : new Match(p, s, found, from, to)
}

/** What was matched, and where. */
interface Found extends Array<string> {
  readonly index: number
}

/** Calls `each` with every match between two offsets in turn; it ends when `each` says false. */
function allMatches(p: Pattern, s: string, from: number, each: (found: Found) => boolean | undefined): void {
  const r = p.$find
  let at = from
  while (at <= s.length) {
    // `each` may run another search with the same expression.
    r.lastIndex = at
    const found: Found | null = r.exec(s)
    if (found === null || each(found) === false) return
    at = found.index + found[0]!.length
    while (at === found.index) {
      // After an empty match there may be one at the same place that is not empty.
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

/** The offset behind the character at `at`. */
function after(s: string, at: number): number {
  const code = s.codePointAt(at)
  return at + (code !== undefined && code > 0xffff ? 2 : 1)
}

function groupOf(p: Pattern, found: Found, n: number): string | undefined {
  return n === 0 ? found[0] : found[p.$translation.groups[n - 1]!]
}

function findAll(p: Pattern, x: Value | Absent, pos: Value | Absent, endpos: Value | Absent): Value[] {
  const all: Value[] = []
  const n = p.$translation.groups.length
  windowed(p, x, pos, endpos, 'findall', (found) => {
    if (n === 0) all.push(found[0]!)
    else if (n === 1) all.push(groupOf(p, found, 1) ?? '')
    else {
      const t: Value[] = [TUPLE]
      for (let i = 1; i <= n; i++) t.push(groupOf(p, found, i) ?? '')
      all.push(t)
    }
  })
  return all
}

/** Every match between two offsets. */
function windowed(
  p: Pattern,
  x: Value | Absent,
  pos: Value | Absent,
  endpos: Value | Absent,
  fn: string,
  each: (found: Found, s: string, from: number, to: number) => void,
): void {
  const s = subject(x)
  const from = Math.min(startBound(pos, s.length, fn), s.length)
  const to = endpos === undefined ? s.length : endBound(endpos, s.length, fn)
  const part = to === s.length ? s : s.slice(0, to)
  allMatches(p, part, from, (found) => {
    each(found, s, from, to)
    return undefined
  })
}

function finditer(p: Pattern, x: Value | Absent, pos: Value | Absent, endpos: Value | Absent): Value {
  const matches: Value[] = []
  windowed(p, x, pos, endpos, 'finditer', (found, s, from, to) => {
    matches.push(new Match(p, s, found, from, to))
  })
  let i = 0
  return new Iterator('callable_iterator', () => matches[i++])
}

function split(p: Pattern, x: Value | Absent, maxsplit: number): Value[] {
  const s = subject(x)
  const parts: Value[] = []
  let from = 0
  allMatches(p, s, 0, (found) => {
    if (maxsplit > 0 && parts.length >= maxsplit * (1 + p.$translation.groups.length)) return false
    parts.push(s.slice(from, found.index))
    for (let i = 1; i <= p.$translation.groups.length; i++) parts.push(groupOf(p, found, i) ?? null)
    from = found.index + found[0]!.length
    return undefined
  })
  parts.push(s.slice(from))
  return parts
}

// ---- replacing -------------------------------------------------------------------------------------------------

type Replacement = (found: Found, s: string) => string

function substitute(
  p: Pattern,
  repl: Value | Absent,
  x: Value | Absent,
  most: number,
): { readonly text: string; readonly count: number } {
  const s = subject(x)
  const by = replacement(p, repl!, s)
  let text = ''
  let from = 0
  let count = 0
  allMatches(p, s, 0, (found) => {
    if (most > 0 && count >= most) return false
    count++
    text += s.slice(from, found.index) + by(found, s)
    from = found.index + found[0]!.length
    return undefined
  })
  return { text: count === 0 ? s : text + s.slice(from), count }
}

function replacement(p: Pattern, repl: Value, s: string): Replacement {
  if (typeof repl === 'string') return template(p, repl)
  if (!isCallable(repl)) return typeError(`decoding to str: need a bytes-like object, ${typeName(repl)} found`)
  const f = unary(repl)
  return (found) => {
    const r = f(new Match(p, s, found, 0, s.length))
    if (typeof r === 'string') return r
    return r === null ? '' : typeError(`sequence item 0: expected str instance, ${typeName(r)} found`)
  }
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', a: '\x07', b: '\b', '\\': '\\' }

/** A replacement text as texts and group numbers alternating. */
function template(p: Pattern, text: string): Replacement {
  if (text.indexOf('\\') < 0) return () => text
  const parts: (string | number)[] = []
  let plain = ''
  const group = (n: number, at: number): void => {
    if (n > p.$translation.groups.length) throw patternError(`invalid group reference ${n}`, text, at)
    parts.push(plain, n)
    plain = ''
  }
  for (let i = 0; i < text.length; ) {
    const c = text[i]!
    if (c !== '\\') {
      plain += c
      i++
      continue
    }
    const rest = text.slice(i + 1)
    const named = /^g<([^>]*)>/.exec(rest)
    const octal = /^(?:0[0-7]{0,2}|[1-3][0-7]{2})/.exec(rest)
    const digits = /^[1-9]\d?/.exec(rest)
    if (named !== null) {
      group(groupNumber(p, named[1]!, text, i + 3), i + 3)
      i += 1 + named[0].length
    } else if (octal !== null) {
      plain += String.fromCharCode(Number.parseInt(octal[0], 8))
      i += 1 + octal[0].length
    } else if (digits !== null) {
      group(Number(digits[0]), i + 1)
      i += 1 + digits[0].length
    } else {
      const e = rest[0]
      if (e === undefined) throw patternError('bad escape (end of pattern)', text, i)
      if (e === 'g') throw patternError('missing <', text, i + 2)
      const known = ESCAPES[e]
      if (known === undefined && /[A-Za-z]/.test(e)) throw patternError(`bad escape \\${e}`, text, i)
      plain += known ?? `\\${e}`
      i += 2
    }
  }
  parts.push(plain)
  return (found) => {
    let out = ''
    for (const part of parts) out += typeof part === 'string' ? part : (groupOf(p, found, part) ?? '')
    return out
  }
}

function groupNumber(p: Pattern, name: string, text: string, at: number): number {
  if (/^\d+$/.test(name)) return Number(name)
  const n = p.$translation.names.get(name)
  if (n !== undefined) return n
  if (name === '') throw patternError('missing group name', text, at)
  if (!/^[\p{XIDS}_]\p{XIDC}*$/u.test(name)) throw patternError(`bad character in group name ${quote(name)}`, text, at)
  throw new GuestError('IndexError', `unknown group name ${quote(name)}`)
}

// ---- the methods of patterns -----------------------------------------------------------------------------------

function onPattern(name: string, parameters: string, fn: (p: Pattern, a?: Value, b?: Value, c?: Value) => Value): void {
  method('re.Pattern', Pattern.prototype, name, parameters, function (this: Pattern, a?: Value, b?: Value, c?: Value) {
    return fn(this, a, b, c)
  } as never)
}

for (const way of ['search', 'match', 'fullmatch'] as const) {
  onPattern(way, 'string, pos=, endpos=', (p, s, pos, endpos) => matchOnce(p, s, way, pos, endpos))
}
onPattern('findall', 'string, pos=, endpos=', findAll)
onPattern('finditer', 'string, pos=, endpos=', finditer)
onPattern('split', 'string, maxsplit=', (p, s, most) => split(p, s, optionalInt(most, 0, 'split', 'maxsplit')))
onPattern(
  'sub',
  'repl, string, count=',
  (p, repl, s, count) => substitute(p, repl, s, optionalInt(count, 0, 'sub', 'count')).text,
)
onPattern('subn', 'repl, string, count=', (p, repl, s, count) =>
  counted(substitute(p, repl, s, optionalInt(count, 0, 'subn', 'count'))),
)

function counted(r: { readonly text: string; readonly count: number }): Value {
  return [TUPLE, r.text, r.count]
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

// ---- the methods of matches ------------------------------------------------------------------------------------

function indexOfGroup(m: Match, which: Value | Absent): number {
  const n = which === undefined ? 0 : unbool(which)
  if (typeof n === 'string') {
    const found = m.$pattern.$translation.names.get(n)
    if (found !== undefined) return found
  } else if (isInt(n)) {
    const i = toNumber(n)
    if (i >= 0 && i <= m.$pattern.$translation.groups.length) return i
  }
  return raise('IndexError', 'no such group')
}

function group(m: Match, which: Value | Absent): Value {
  return groupOf(m.$pattern, m.$found, which === undefined || which === 0 ? 0 : indexOfGroup(m, which)) ?? null
}

function span(m: Match, which: Value | Absent): readonly [number, number] {
  const n = indexOfGroup(m, which)
  const from = m.$found.index
  if (n === 0) return [from, from + m.$found[0]!.length]
  m.$indices ??= placesOf(m)
  return m.$indices[m.$pattern.$translation.groups[n - 1]!] ?? [-1, -1]
}

/** Where groups lie is asked for rarely and dear to keep: the match is made once more, in the way in which it was made. */
function placesOf(m: Match): readonly (readonly [number, number] | undefined)[] {
  const { flags, notEmpty, source } = m.$pattern.$translation
  const part = m.$string.slice(0, m.$to)
  for (const [way, shift] of [
    [source, 0],
    [`(?:${source})(?![\\s\\S])`, 0],
    [notEmpty, 1],
  ] as const) {
    const r = new RegExp(way, `${flags}dy`)
    r.lastIndex = m.$found.index
    const found = r.exec(part)
    if (found?.[0].length !== m.$found[0]!.length) continue
    const indices = found.indices as (readonly [number, number] | undefined)[]
    return shift === 0 ? indices : [indices[0], ...indices.slice(2)]
  }
  return []
}

function onMatch(name: string, parameters: string, fn: (this: Match, ...args: (Value | Absent)[]) => Value): void {
  method('re.Match', Match.prototype, name, parameters, fn as never)
}

onMatch('group', 'a=, b=, c=, d=, e=, f=, g=, h=, i=, j=, k=, l=, /', function (a, b, ...more) {
  if (b === undefined) return group(this, a)
  const t: Value[] = [TUPLE, group(this, a), group(this, b)]
  for (const g of more) if (g !== undefined) t.push(group(this, g))
  return t
})
onMatch('groups', 'default=', function (ifAbsent) {
  const t: Value[] = [TUPLE]
  for (let i = 1; i <= this.$pattern.$translation.groups.length; i++)
    t.push(groupOf(this.$pattern, this.$found, i) ?? ifAbsent ?? null)
  return t
})
onMatch('groupdict', 'default=', function (ifAbsent) {
  const flat: Value[] = []
  for (const [name, i] of this.$pattern.$translation.names)
    flat.push(name, groupOf(this.$pattern, this.$found, i) ?? ifAbsent ?? null)
  return dictOf(flat)
})
onMatch('start', 'group=, /', function (which) {
  return span(this, which)[0]
})
onMatch('end', 'group=, /', function (which) {
  return span(this, which)[1]
})
onMatch('span', 'group=, /', function (which) {
  return [TUPLE, ...span(this, which)]
})
onMatch('expand', 'template, /', function (text) {
  given(text, 're.Match', 'expand')
  return template(this.$pattern, wantString(text, 'expand', 'template'))(this.$found, this.$string)
})

function lastGroup(m: Match): number | undefined {
  let last: number | undefined
  let end = -1
  for (let i = 1; i <= m.$pattern.$translation.groups.length; i++) {
    const [, to] = span(m, i)
    // Of groups that end together the outermost closes last.
    if (to > end) {
      end = to
      last = i
    }
  }
  return last
}

const matchProtocol: Protocol = {
  truth: () => true,
  getAttribute(x, name) {
    const m = x as Match
    switch (name) {
      case 'string':
        return m.$string
      case 're':
        return m.$pattern
      case 'pos':
        return m.$from
      case 'endpos':
        return m.$to
      case 'lastindex':
        return lastGroup(m) ?? null
      case 'lastgroup': {
        const last = lastGroup(m)
        for (const [n, i] of m.$pattern.$translation.names) if (i === last) return n
        return null
      }
      default:
        return boundMethod(x, name)
    }
  },
  getItem: (x, i) => group(x as Match, i),
  repr(x) {
    const m = x as Match
    const [from, to] = span(m, undefined)
    return `<re.Match object; span=(${from}, ${to}), match=${quote(m.$found[0]!)}>`
  },
}
Object.defineProperty(Match.prototype, PROTOCOL, { value: matchProtocol })
nameClass((x) => x instanceof Match, 're.Match')

// ---- the module ------------------------------------------------------------------------------------------------

const members: Record<string, Value> = {
  error: exceptionClasses.error!,
  IGNORECASE,
  I: IGNORECASE,
  MULTILINE,
  M: MULTILINE,
  DOTALL,
  S: DOTALL,
  VERBOSE,
  X: VERBOSE,
  ASCII,
  A: ASCII,
  UNICODE,
  U: UNICODE,
  LOCALE,
  L: LOCALE,
  NOFLAG: 0,
  compile: builtin('compile', 'pattern, flags=', (pattern, flags) => compile(pattern!, flags)),
  findall: builtin('findall', 'pattern, string, flags=', (p, s, flags) =>
    findAll(compile(p!, flags), s, undefined, undefined),
  ),
  finditer: builtin('finditer', 'pattern, string, flags=', (p, s, flags) =>
    finditer(compile(p!, flags), s, undefined, undefined),
  ),
  split: builtin('split', 'pattern, string, maxsplit=, flags=', (p, s, most, flags) =>
    split(compile(p!, flags), s, most === undefined ? 0 : wantInt(most, 'split', 'maxsplit')),
  ),
  sub: builtin(
    'sub',
    'pattern, repl, string, count=, flags=',
    (p, repl, s, count, flags) => substitute(compile(p!, flags), repl, s, optionalInt(count, 0, 'sub', 'count')).text,
  ),
  subn: builtin('subn', 'pattern, repl, string, count=, flags=', (p, repl, s, count, flags) =>
    counted(substitute(compile(p!, flags), repl, s, optionalInt(count, 0, 'subn', 'count'))),
  ),
  escape: builtin('escape', 'pattern', (s) =>
    wantString(s, 'escape', 'pattern').replace(/[()[\]{}?*+\-|^$\\.&~# \t\n\r\v\f]/g, (c) => `\\${c}`),
  ),
  purge: builtin('purge', '', () => {
    compiled.clear()
    return null
  }),
}
for (const way of ['search', 'match', 'fullmatch'] as const) {
  members[way] = builtin(way, 'pattern, string, flags=', (p, s, flags) =>
    matchOnce(compile(p!, flags), s, way, undefined, undefined),
  )
}

export const re: Module = module('re', members)
