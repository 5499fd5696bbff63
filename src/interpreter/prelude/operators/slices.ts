// `slice(start, stop, step)` as a value, and the elements that it selects from a sequence.

import { asIndex } from '../calls/expect.js'
import { builtin } from '../calls/signature.js'
import { repr } from '../text/repr.js'
import { guestError } from '../values/errors.js'
import { PROTOCOL, type Protocol } from '../values/protocol.js'
import { isInt, nameClass, toNumber, tuple, unbool, type Value } from '../values/values.js'

export class Slice {
  readonly $start: Value
  readonly $stop: Value
  readonly $step: Value
  constructor(start: Value, stop: Value, step: Value) {
    this.$start = start
    this.$stop = stop
    this.$step = step
  }
}

function bound(x: Value, length: number, ifAbsent: number, least: number, most: number): number {
  if (x === null) return ifAbsent
  const i = unbool(asIndex(x))
  if (!isInt(i)) throw guestError('TypeError', 'slice indices must be integers or None or have an __index__ method')
  const n = toNumber(i)
  return Math.max(least, Math.min(most, n < 0 ? n + length : n))
}

function indices(s: Slice, length: number): Value {
  const step = s.$step === null ? 1 : toNumber(s.$step as number)
  if (step === 0) throw guestError('ValueError', 'slice step cannot be zero')
  const [least, most] = step > 0 ? [0, length] : [-1, length - 1]
  const start = bound(s.$start, length, step > 0 ? 0 : length - 1, least, most)
  const stop = bound(s.$stop, length, step > 0 ? length : -1, least, most)
  return tuple([start, stop, step])
}

const protocol: Protocol = {
  getAttribute(x, name) {
    const s = x as Slice
    if (name === 'start') return s.$start
    if (name === 'stop') return s.$stop
    if (name === 'step') return s.$step
    return name === 'indices' ? builtin('indices', 'length, /', (n) => indices(s, toNumber(n as number))) : undefined
  },
  normalKey: () => {
    throw guestError('TypeError', "unhashable type: 'slice'")
  },
  attributeNames: () => ['indices', 'start', 'step', 'stop'],
  equals: (x, other) => {
    const s = x as Slice
    return other instanceof Slice
      ? s.$start === other.$start && s.$stop === other.$stop && s.$step === other.$step
      : undefined
  },
  truth: () => true,
  repr: (x) => {
    const s = x as Slice
    return `slice(${repr(s.$start)}, ${repr(s.$stop)}, ${repr(s.$step)})`
  },
}
Object.defineProperty(Slice.prototype, PROTOCOL, { value: protocol })
nameClass((x) => x instanceof Slice, 'slice')

export const sliceBuiltin: Value = builtin('slice', 'start, stop=, step=, /', (start, stop, step) =>
  stop === undefined ? new Slice(null, start!, null) : new Slice(start!, stop, step ?? null),
)
