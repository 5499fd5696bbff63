// Operations with patterns: searching, splitting, replacing.

import { wantInt } from '../../calls/expect.js'
import { isCallable } from '../../calls/signature.js'
import { Iterator } from '../../operators/iterators.js'
import { unary } from '../../operators/ordering.js'
import { textInside } from '../../values/contents.js'
import { typeError } from '../../values/errors.js'
import { said } from '../../values/said.js'
import { TUPLE, typeOf, type Value } from '../../values/values.js'
import { Match } from './match.js'
import { allMatches, type Found, groupOf, here, type Pattern, subject, whole } from './pattern.js'
import { type Replacement, template } from './template.js'

type Absent = undefined

type Way = 'search' | 'match' | 'fullmatch'

/** The start or end of a search. A negative offset means 0: it does not count from the end. */
function place(x: Value | Absent, usual: number, length: number, fn: string): number {
  return x === undefined ? usual : Math.max(0, Math.min(length, wantInt(x, fn, 'pos')))
}

export function matchOnce(p: Pattern, x: Value | Absent, way: Way, pos: Value | Absent, endpos: Value | Absent): Value {
  const s = subject(x)
  const from = place(pos, 0, s.length, way)
  const to = place(endpos, s.length, s.length, way)
  if (from > to) return null
  const part = to === s.length ? s : s.slice(0, to)
  const r = way === 'search' ? p.$find : way === 'match' ? here(p) : whole(p)
  r.lastIndex = from
  const found = r.exec(part)
  return found === null ? null : new Match(p, s, found, from, to)
}

export function findAll(p: Pattern, x: Value | Absent, pos: Value | Absent, endpos: Value | Absent): Value[] {
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
  const from = place(pos, 0, s.length, fn)
  const to = place(endpos, s.length, s.length, fn)
  const part = to === s.length ? s : s.slice(0, to)
  allMatches(p, part, from, (found) => {
    each(found, s, from, to)
    return undefined
  })
}

export function finditer(p: Pattern, x: Value | Absent, pos: Value | Absent, endpos: Value | Absent): Value {
  const matches: Value[] = []
  windowed(p, x, pos, endpos, 'finditer', (found, s, from, to) => {
    matches.push(new Match(p, s, found, from, to))
  })
  let i = 0
  return new Iterator('callable_iterator', () => matches[i++])
}

export function split(p: Pattern, x: Value | Absent, maxsplit: number): Value[] {
  const s = subject(x)
  const parts: Value[] = []
  let from = 0
  allMatches(p, s, 0, (found) => {
    if (maxsplit < 0 || (maxsplit > 0 && parts.length >= maxsplit * (1 + p.$translation.groups.length))) return false
    parts.push(s.slice(from, found.index))
    for (let i = 1; i <= p.$translation.groups.length; i++) parts.push(groupOf(p, found, i) ?? null)
    from = found.index + found[0]!.length
    return undefined
  })
  parts.push(s.slice(from))
  return parts
}

export function substitute(
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
    if (most < 0 || (most > 0 && count >= most)) return false
    count++
    text += s.slice(from, found.index) + by(found, s)
    from = found.index + found[0]!.length
    return undefined
  })
  return { text: count === 0 ? s : text + s.slice(from), count }
}

function replacement(p: Pattern, repl0: Value, s: string): Replacement {
  const repl = textInside(repl0) ?? repl0
  if (typeof repl === 'string') return template(p, repl)
  if (!isCallable(repl)) return typeError(said`decoding to str: need a bytes-like object, ${typeOf(repl)} found`)
  const f = unary(repl)
  return (found) => {
    const r = f(new Match(p, s, found, 0, s.length))
    if (typeof r === 'string') return r
    return r === null ? '' : typeError(said`sequence item 0: expected str instance, ${typeOf(r)} found`)
  }
}
