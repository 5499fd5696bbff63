// The module `difflib`: the similarity of two sequences, and the changes between them. The functions that write
// differences as text are compiled from CPython's own source.

import { builtin, call } from '../calls/signature.js'
import { moduleClass } from '../classes/module-class.js'
import { fieldsOf } from '../classes/object-attributes.js'
import { tupleClass } from '../classes/tuple-class.js'
import { items } from '../containers/iterate.js'
import { key } from '../containers/keys.js'
import { truth } from '../operators/membership.js'
import { valueError } from '../values/errors.js'
import { said, spelled } from '../values/said.js'
import { float, floatValue, type Int, TUPLE, toNumber, type Value } from '../values/values.js'
import { type Block, Matcher, type Opcode } from './difflib/matcher.js'
import { type Module, module } from './module.js'

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

const { cls, define } = moduleClass('SequenceMatcher', 'difflib')

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

// ---- functions -------------------------------------------------------------------------------------------------

function closeMatches(word: Value, possibilities: Value, n: number, cutoff: number): Value[] {
  if (n <= 0) return valueError(said`n must be > 0: ${spelled(n)}`)
  if (!(cutoff >= 0 && cutoff <= 1)) return valueError(said`cutoff must be in [0.0, 1.0]: ${spelled(cutoff)}`)
  const b = keysOf(word)
  const found: { readonly ratio: number; readonly x: string }[] = []
  for (const x of items(possibilities)) {
    const m = new Matcher(keysOf(x), b, undefined, true)
    if (m.boundRatio() >= cutoff && m.quickRatio() >= cutoff && m.ratio() >= cutoff)
      found.push({ ratio: m.ratio(), x: x as string })
  }
  // Of equally close words the greater comes first.
  found.sort((p, q) => q.ratio - p.ratio || (p.x < q.x ? 1 : p.x > q.x ? -1 : 0))
  return found.slice(0, n).map((f) => f.x)
}

const number = (x: Value | undefined, otherwise: number): number =>
  x === undefined ? otherwise : (floatValue(x) ?? toNumber(x as Int))

export const difflib: Module = module('difflib', {
  SequenceMatcher: cls.$value,
  Match: match.value,
  get_close_matches: builtin(
    'get_close_matches',
    'word, possibilities, n=, cutoff=',
    (word, possibilities, n, cutoff) => closeMatches(word!, possibilities!, number(n, 3), number(cutoff, 0.6)),
  ),
})
