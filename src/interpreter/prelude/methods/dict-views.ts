// `keys`, `values` and `items` in the default dialect: Python's live views. In strict mode these methods return lists,
// which programs index. Therefore views can be indexed here, although Python refuses that.

import { dictEquals, dictGet, dictHas, dictItems, dictKeys, dictSize, dictValues } from '../containers/dict.js'
import { items } from '../containers/iterate.js'
import { type GuestSet, setHas, setOf } from '../containers/set.js'
import { equal } from '../operators/comparison.js'
import { index } from '../operators/subscript.js'
import { repr } from '../text/repr.js'
import { PROTOCOL, type Protocol } from '../values/protocol.js'
import { isTuple, nameClass, type Value } from '../values/values.js'

type Kind = 'keys' | 'values' | 'items'

export class DictView {
  readonly $dict: object
  readonly $kind: Kind
  constructor(dict: object, kind: Kind) {
    this.$dict = dict
    this.$kind = kind
  }
}

/** The current elements of the view, as a new array. */
function viewItems(v: DictView): Value[] {
  return v.$kind === 'keys' ? dictKeys(v.$dict) : v.$kind === 'values' ? dictValues(v.$dict) : dictItems(v.$dict)
}

function contains(v: DictView, x: Value): boolean {
  if (v.$kind === 'keys') return dictHas(v.$dict, x)
  if (v.$kind === 'values') return dictValues(v.$dict).some((y) => x === y || equal(x, y))
  if (!isTuple(x) || x.length !== 3) return false
  const found = dictGet(v.$dict, x[1]!)
  return found !== undefined && equal(found, x[2]!)
}

/** The operand of a set operator: keys and items are sets. Undefined for other values. */
function asSet(x: Value): ReadonlySet<Value> | undefined {
  if (x instanceof Set) return x as Set<Value>
  return x instanceof DictView && x.$kind !== 'values' ? setOf(viewItems(x)) : undefined
}

function isSetLike(x: Value): x is DictView | GuestSet {
  return x instanceof Set || (x instanceof DictView && x.$kind !== 'values')
}

function sizeOf(x: DictView | GuestSet): number {
  return x instanceof DictView ? dictSize(x.$dict) : x.size
}

function binary(operator: string, x: object, other: Value, reflected: boolean): Value | undefined {
  const v = x as DictView
  if (operator === '+' && Array.isArray(other) && !reflected) return viewItems(v).concat(items(other))
  if (operator === '+' && Array.isArray(other)) return [...items(other), ...viewItems(v)]
  if (v.$kind === 'values' || '|&-^'.indexOf(operator) < 0) return undefined
  const mine = viewItems(v)
  const theirs = items(other).slice()
  const [a, b] = reflected ? [theirs, mine] : [mine, theirs]
  const inA = setOf(a)
  const inB = setOf(b)
  switch (operator) {
    case '|':
      return setOf(a.concat(b))
    case '&':
      return setOf(a.filter((e) => setHas(inB, e)))
    case '-':
      return setOf(a.filter((e) => !setHas(inB, e)))
    default:
      return setOf(a.filter((e) => !setHas(inB, e)).concat(b.filter((e) => !setHas(inA, e))))
  }
}

function equals(x: object, other: Value): boolean | undefined {
  const v = x as DictView
  if (other === v) return true
  if (v.$kind === 'items' && other instanceof DictView && other.$kind === 'items')
    return dictEquals(v.$dict, other.$dict, equal)
  const b = asSet(other)
  if (b === undefined) return undefined
  if (v.$kind === 'values') return false
  const a = asSet(v)!
  if (a.size !== b.size) return false
  for (const k of a) if (!b.has(k)) return false
  return true
}

/** The order of two views as sets. The values of pairs need not be hashable. */
function order(x: object, other: Value, operator: string): boolean | undefined {
  const mine = x as Value
  if (!isSetLike(mine) || !isSetLike(other)) return undefined
  const [small, large] = operator.startsWith('<') ? [mine, other] : [other, mine]
  const [few, many] = [sizeOf(small), sizeOf(large)]
  if (few > many || (operator.length === 1 && few === many)) return false
  return items(small).every((e) => (large instanceof DictView ? contains(large, e) : setHas(large, e)))
}

function getAttribute(x: object, name: string): Value | undefined {
  return name === 'mapping' ? (x as DictView).$dict : undefined
}

const protocol: Protocol = {
  getAttribute,
  binary,
  equals,
  order,
  length: (x) => dictSize((x as DictView).$dict),
  items: (x) => viewItems(x as DictView),
  contains: (x, element) => contains(x as DictView, element),
  getItem: (x, i) => index(viewItems(x as DictView), i),
  repr: (x) => `dict_${(x as DictView).$kind}(${repr(viewItems(x as DictView))})`,
}
Object.defineProperty(DictView.prototype, PROTOCOL, { value: protocol })
nameClass(
  (x) => x instanceof DictView,
  (x) => `dict_${(x as DictView).$kind}`,
)
/** Python's `isdisjoint` of a view. */
export function isDisjoint(v: DictView, other: Value): boolean {
  return !items(other).some((x) => contains(v, x))
}
