// Matches of the module `re`, and their groups.

import { asIndex, given, wantString } from '../../calls/expect.js'
import { boundMethod, method } from '../../calls/method-tables.js'
import { dictOf } from '../../containers/dict.js'
import { key } from '../../containers/keys.js'
import { textInside } from '../../values/contents.js'
import { raise } from '../../values/errors.js'
import { PROTOCOL, type Protocol } from '../../values/protocol.js'
import { quote } from '../../values/string-literals.js'
import { isInt, nameClass, TUPLE, toNumber, unbool, type Value } from '../../values/values.js'
import { type Found, groupOf, type Pattern } from './pattern.js'
import { template } from './template.js'

type Absent = undefined

export class Match {
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

function indexOfGroup(m: Match, which: Value | Absent): number {
  const n = which === undefined ? 0 : unbool(asIndex(textInside(which) ?? which))
  if (typeof n === 'string') {
    const found = m.$pattern.$translation.names.get(n)
    if (found !== undefined) return found
  } else if (isInt(n)) {
    const i = toNumber(n)
    if (i >= 0 && i <= m.$pattern.$translation.groups.length) return i
  }
  if (which !== undefined) key(which)
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

/** The positions of the groups. They are rarely needed and expensive to keep, so the match is repeated for them. */
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
    // If groups end together, the outermost closes last.
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
