// The opaque sequences that `elems`, `elem_ords`, `codepoints` and `codepoint_ords` of strings and bytes return
// (specification: string·elems, bytes·elems).

import { index } from '../operators/subscript.js'
import { repr } from '../text/repr.js'
import { PROTOCOL, type Protocol } from '../values/protocol.js'
import { Bytes, nameClass, typeName, type Value } from '../values/values.js'

type View = 'elems' | 'elem_ords' | 'codepoints' | 'codepoint_ords'

export class Elems {
  readonly $source: string | Bytes
  readonly $view: View
  readonly $values: Value[]
  constructor(source: string | Bytes, view: View) {
    this.$source = source
    this.$view = view
    this.$values = source instanceof Bytes ? Array.from(source.b) : split(`${source}`, view)
  }
}

function split(s: string, view: View): Value[] {
  if (view === 'elems') return s.split('')
  const parts: string[] = view === 'elem_ords' ? s.split('') : Array.from(s)
  return view === 'codepoints' ? parts : parts.map((c) => (view === 'elem_ords' ? c.charCodeAt(0) : c.codePointAt(0)!))
}

/** Code points have different widths, so their sequences have no length and can't be indexed. */
function isIndexable(e: Elems): boolean {
  return e.$view === 'elems' || e.$view === 'elem_ords'
}

const protocol: Protocol = {
  repr: (x) => `${repr((x as Elems).$source)}.${(x as Elems).$view}()`,
  length: (x) => (isIndexable(x as Elems) ? (x as Elems).$values.length : undefined),
  truth: () => true,
  items: (x) => (x as Elems).$values,
  getItem: (x, i) => (isIndexable(x as Elems) ? index((x as Elems).$values, i) : undefined),
}
Object.defineProperty(Elems.prototype, PROTOCOL, { value: protocol })
nameClass(
  (x) => x instanceof Elems,
  (x) =>
    `${typeName((x as Elems).$source) === 'bytes' ? 'bytes' : 'string'}.${isIndexable(x as Elems) ? 'elems' : 'codepoints'}`,
)
