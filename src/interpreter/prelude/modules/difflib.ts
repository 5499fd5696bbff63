// The module `difflib`: how alike two sequences are, and what changes one into the other. Longest matching blocks are looked for as CPython does, popular
// elements of long sequences left out, so that the answers agree.

import { asMethod, attachClass, Class, classCallable, setMember } from '../classes.js'
import { valueError } from '../errors.js'
import { settleClass } from '../instances.js'
import { items } from '../iterate.js'
import { key } from '../keys.js'
import { objectClass } from '../known-classes.js'
import { truth } from '../membership.js'
import { fieldsOf } from '../object-attributes.js'
import { builtin, call, type Native } from '../signature.js'
import { tupleClass } from '../tuple-class.js'
import { float, floatValue, type Int, TUPLE, toNumber, type Value } from '../values.js'
import { type Module, module } from './module.js'

interface Block {
  readonly a: number
  readonly b: number
  readonly size: number
}

interface Opcode {
  readonly tag: 'equal' | 'replace' | 'delete' | 'insert'
  readonly a: readonly [number, number]
  readonly b: readonly [number, number]
}

/** Two sequences of normalised keys. */
class Matcher {
  readonly a: readonly Value[]
  readonly b: readonly Value[]
  readonly #places = new Map<Value, number[]>()
  readonly #junk = new Set<Value>()
  #blocks: readonly Block[] | undefined

  constructor(
    a: readonly Value[],
    b: readonly Value[],
    isJunk: ((x: Value) => boolean) | undefined,
    automatic: boolean,
  ) {
    this.a = a
    this.b = b
    b.forEach((x, i) => {
      const known = this.#places.get(x)
      if (known === undefined) this.#places.set(x, [i])
      else known.push(i)
    })
    if (isJunk !== undefined) {
      for (const x of [...this.#places.keys()]) {
        if (!isJunk(x)) continue
        this.#junk.add(x)
        this.#places.delete(x)
      }
    }
    if (!automatic || b.length < 200) return
    const most = Math.floor(b.length / 100) + 1
    for (const [x, all] of [...this.#places]) if (all.length > most) this.#places.delete(x)
  }

  longest(alo: number, ahi: number, blo: number, bhi: number): Block {
    let best: Block = { a: alo, b: blo, size: 0 }
    let lengths = new Map<number, number>()
    for (let i = alo; i < ahi; i++) {
      const next = new Map<number, number>()
      for (const j of this.#places.get(this.a[i]!) ?? []) {
        if (j < blo) continue
        if (j >= bhi) break
        const k = (lengths.get(j - 1) ?? 0) + 1
        next.set(j, k)
        if (k > best.size) best = { a: i - k + 1, b: j - k + 1, size: k }
      }
      lengths = next
    }
    best = this.#grown(best, alo, ahi, blo, bhi, false)
    return this.#grown(best, alo, ahi, blo, bhi, true)
  }

  /** A block with what equal elements lie next to it: first those that count, then junk. */
  #grown(block: Block, alo: number, ahi: number, blo: number, bhi: number, junk: boolean): Block {
    let { a, b, size } = block
    const fits = (i: number, j: number): boolean => this.#junk.has(this.b[j]!) === junk && this.a[i] === this.b[j]
    while (a > alo && b > blo && fits(a - 1, b - 1)) {
      a--
      b--
      size++
    }
    while (a + size < ahi && b + size < bhi && fits(a + size, b + size)) size++
    return { a, b, size }
  }

  blocks(): readonly Block[] {
    if (this.#blocks !== undefined) return this.#blocks
    const found: Block[] = []
    const queue: [number, number, number, number][] = [[0, this.a.length, 0, this.b.length]]
    while (queue.length > 0) {
      const [alo, ahi, blo, bhi] = queue.pop()!
      const m = this.longest(alo, ahi, blo, bhi)
      if (m.size === 0) continue
      found.push(m)
      if (alo < m.a && blo < m.b) queue.push([alo, m.a, blo, m.b])
      if (m.a + m.size < ahi && m.b + m.size < bhi) queue.push([m.a + m.size, ahi, m.b + m.size, bhi])
    }
    found.sort((x, y) => x.a - y.a || x.b - y.b)
    const joined: Block[] = []
    for (const m of found) {
      const last = joined.at(-1)
      if (last !== undefined && last.a + last.size === m.a && last.b + last.size === m.b)
        joined[joined.length - 1] = { ...last, size: last.size + m.size }
      else joined.push(m)
    }
    joined.push({ a: this.a.length, b: this.b.length, size: 0 })
    this.#blocks = joined
    return joined
  }

  ratio(): number {
    const matches = this.blocks().reduce((n, m) => n + m.size, 0)
    return share(matches, this.a.length + this.b.length)
  }

  /** An upper bound of the ratio: how many elements they have in common. */
  quickRatio(): number {
    const counts = new Map<Value, number>()
    for (const x of this.b) counts.set(x, (counts.get(x) ?? 0) + 1)
    let matches = 0
    for (const x of this.a) {
      const left = counts.get(x) ?? 0
      counts.set(x, left - 1)
      if (left > 0) matches++
    }
    return share(matches, this.a.length + this.b.length)
  }

  boundRatio(): number {
    return share(Math.min(this.a.length, this.b.length), this.a.length + this.b.length)
  }

  opcodes(): Opcode[] {
    const out: Opcode[] = []
    let i = 0
    let j = 0
    for (const { a, b, size } of this.blocks()) {
      const tag = i < a && j < b ? 'replace' : i < a ? 'delete' : j < b ? 'insert' : undefined
      if (tag !== undefined) out.push({ tag, a: [i, a], b: [j, b] })
      i = a + size
      j = b + size
      if (size > 0) out.push({ tag: 'equal', a: [a, i], b: [b, j] })
    }
    return out
  }

  /** The changes with up to `n` equal elements around them. */
  groups(n: number): Opcode[][] {
    let codes = this.opcodes()
    if (codes.length === 0) codes = [{ tag: 'equal', a: [0, 1], b: [0, 1] }]
    const first = codes[0]!
    if (first.tag === 'equal')
      codes[0] = {
        tag: 'equal',
        a: [Math.max(first.a[0], first.a[1] - n), first.a[1]],
        b: [Math.max(first.b[0], first.b[1] - n), first.b[1]],
      }
    const last = codes.at(-1)!
    if (last.tag === 'equal')
      codes[codes.length - 1] = {
        tag: 'equal',
        a: [last.a[0], Math.min(last.a[1], last.a[0] + n)],
        b: [last.b[0], Math.min(last.b[1], last.b[0] + n)],
      }
    const groups: Opcode[][] = []
    let group: Opcode[] = []
    for (const c of codes) {
      let [alo, blo] = [c.a[0], c.b[0]]
      if (c.tag === 'equal' && c.a[1] - alo > 2 * n) {
        group.push({ tag: 'equal', a: [alo, Math.min(c.a[1], alo + n)], b: [blo, Math.min(c.b[1], blo + n)] })
        groups.push(group)
        group = []
        alo = Math.max(alo, c.a[1] - n)
        blo = Math.max(blo, c.b[1] - n)
      }
      group.push({ tag: c.tag, a: [alo, c.a[1]], b: [blo, c.b[1]] })
    }
    if (group.length > 0 && !(group.length === 1 && group[0]!.tag === 'equal')) groups.push(group)
    return groups
  }
}

function share(matches: number, length: number): number {
  return length === 0 ? 1 : (2 * matches) / length
}

const keysOf = (x: Value): Value[] => items(x).map(key)

// ---- SequenceMatcher -------------------------------------------------------------------------------------------

interface Settings {
  junk: ((x: Value) => boolean) | undefined
  automatic: boolean
  a: Value[]
  b: Value[]
  matcher: Matcher | undefined
}
const settings = new WeakMap<object, Settings>()

function matcherOf(x: Value): Matcher {
  const s = settings.get(x as object)!
  s.matcher ??= new Matcher(s.a, s.b, s.junk, s.automatic)
  return s.matcher
}

const match = tupleClass('Match', ['a', 'b', 'size'])
const shown = (m: Block): Value => match.make([m.a, m.b, m.size])
const tupleOf = (c: Opcode): Value => [TUPLE, c.tag, c.a[0], c.a[1], c.b[0], c.b[1]]

const cls = new Class('SequenceMatcher', 'builtin', [objectClass])
attachClass(classCallable(cls), cls)
Object.assign(cls.$extras, { inheritable: true, module: 'difflib' })
const define = (name: string, parameters: string, f: Native): void =>
  setMember(cls, name, asMethod(builtin(name, parameters, f)))

define('__init__', 'self, isjunk=, a=, b=, autojunk=', (self, isJunk, a, b, automatic) => {
  settings.set(self as object, {
    junk: isJunk === undefined || isJunk === null ? undefined : (x) => truth(call(isJunk, [x])),
    automatic: automatic !== false,
    a: keysOf(a ?? ''),
    b: keysOf(b ?? ''),
    matcher: undefined,
  })
  Object.assign(fieldsOf(self!), { a: a ?? '', b: b ?? '' })
  return null
})
const change = (self: Value, a: Value | undefined, b: Value | undefined): null => {
  const s = settings.get(self as object)!
  if (a !== undefined) s.a = keysOf(a)
  if (b !== undefined) s.b = keysOf(b)
  s.matcher = undefined
  return null
}
define('set_seqs', 'self, a, b', (self, a, b) => change(self!, a, b))
define('set_seq1', 'self, a', (self, a) => change(self!, a, undefined))
define('set_seq2', 'self, b', (self, b) => change(self!, undefined, b))
define('ratio', 'self', (self) => float(matcherOf(self!).ratio()))
define('quick_ratio', 'self', (self) => float(matcherOf(self!).quickRatio()))
define('real_quick_ratio', 'self', (self) => float(matcherOf(self!).boundRatio()))
define('get_matching_blocks', 'self', (self) => matcherOf(self!).blocks().map(shown))
define('get_opcodes', 'self', (self) => matcherOf(self!).opcodes().map(tupleOf))
define('get_grouped_opcodes', 'self, n=', (self, n) =>
  matcherOf(self!)
    .groups(n === undefined ? 3 : toNumber(n as Int))
    .map((g) => g.map(tupleOf)),
)
define('find_longest_match', 'self, alo=, ahi=, blo=, bhi=', (self, alo, ahi, blo, bhi) => {
  const m = matcherOf(self!)
  const or = (x: Value | undefined, otherwise: number): number =>
    x === undefined || x === null ? otherwise : toNumber(x as Int)
  return shown(m.longest(or(alo, 0), or(ahi, m.a.length), or(blo, 0), or(bhi, m.b.length)))
})
settleClass(cls)

// ---- functions -------------------------------------------------------------------------------------------------

function closeMatches(word: Value, possibilities: Value, n: number, cutoff: number): Value[] {
  if (n <= 0) return valueError(`n must be > 0: ${n}`)
  if (!(cutoff >= 0 && cutoff <= 1)) return valueError(`cutoff must be in [0.0, 1.0]: ${cutoff}`)
  const b = keysOf(word)
  const found: { readonly ratio: number; readonly x: string }[] = []
  for (const x of items(possibilities)) {
    const m = new Matcher(keysOf(x), b, undefined, true)
    if (m.boundRatio() >= cutoff && m.quickRatio() >= cutoff && m.ratio() >= cutoff)
      found.push({ ratio: m.ratio(), x: x as string })
  }
  // Of equally close ones the greater comes first.
  found.sort((p, q) => q.ratio - p.ratio || (p.x < q.x ? 1 : p.x > q.x ? -1 : 0))
  return found.slice(0, n).map((f) => f.x)
}

interface Sides {
  readonly a: readonly Value[]
  readonly b: readonly Value[]
  readonly names: readonly [string, string]
  readonly dates: readonly [string, string]
  readonly n: number
  readonly end: string
}

function heading({ names, dates, end }: Sides, marks: readonly [string, string]): string[] {
  return marks.map((mark, i) => `${mark} ${names[i]}${dates[i] === '' ? '' : `\t${dates[i]}`}${end}`)
}

function unified(s: Sides): string[] {
  const out: string[] = []
  for (const group of new Matcher(s.a.map(key), s.b.map(key), undefined, true).groups(s.n)) {
    if (out.length === 0) out.push(...heading(s, ['---', '+++']))
    const [first, last] = [group[0]!, group.at(-1)!]
    const range = (from: number, to: number): string =>
      to - from === 1 ? `${from + 1}` : `${to === from ? from : from + 1},${to - from}`
    out.push(`@@ -${range(first.a[0], last.a[1])} +${range(first.b[0], last.b[1])} @@${s.end}`)
    for (const c of group) {
      if (c.tag === 'equal') for (const x of s.a.slice(...c.a)) out.push(` ${x as string}`)
      if (c.tag === 'replace' || c.tag === 'delete') for (const x of s.a.slice(...c.a)) out.push(`-${x as string}`)
      if (c.tag === 'replace' || c.tag === 'insert') for (const x of s.b.slice(...c.b)) out.push(`+${x as string}`)
    }
  }
  return out
}

const number = (x: Value | undefined, otherwise: number): number =>
  x === undefined ? otherwise : (floatValue(x) ?? toNumber(x as Int))
const text = (x: Value | undefined, otherwise = ''): string => (typeof x === 'string' ? x : otherwise)

export const difflib: Module = module('difflib', {
  SequenceMatcher: cls.$value,
  Match: match.value,
  get_close_matches: builtin(
    'get_close_matches',
    'word, possibilities, n=, cutoff=',
    (word, possibilities, n, cutoff) => closeMatches(word!, possibilities!, number(n, 3), number(cutoff, 0.6)),
  ),
  unified_diff: builtin(
    'unified_diff',
    'a, b, fromfile=, tofile=, fromfiledate=, tofiledate=, n=, lineterm=',
    (a, b, from, to, fromDate, toDate, n, end) =>
      unified({
        a: items(a!),
        b: items(b!),
        names: [text(from), text(to)],
        dates: [text(fromDate), text(toDate)],
        n: number(n, 3),
        end: text(end, '\n'),
      }),
  ),
})
