// The start time of the run and the seed for randomness, if a person has given them to programs. Invariant: without
// them, these functions fail.

import { typeError } from './errors.js'
import { said } from './said.js'
import { waitedMs } from './timers.js'

/** See run-code.ts of the host. */
export interface RunFacts {
  readonly now?: number
  readonly seed?: number
  readonly argv?: readonly string[]
  readonly stdin?: string
  readonly placesOf?: readonly string[]
}

const ExplicitDate = Date
const { construct } = Reflect

let began: number | undefined
/** The state of the generator, xoshiro128**. */
let words: readonly [number, number, number, number] = [0, 0, 0, 1]

export function enterWorld({ now, seed }: RunFacts): void {
  if (now !== undefined) giveClock(now)
  if (seed !== undefined) giveChance(seed)
}

/** The run's start and the time waited since, in milliseconds since 1970; undefined if programs have no clock. */
export function present(): number | undefined {
  return began === undefined ? undefined : began + Math.floor(waitedMs())
}

function giveClock(now: number): void {
  began = now
  const read = (): number => now + Math.floor(waitedMs())
  // biome-ignore lint/suspicious/noShadowRestrictedNames: this is what programs find under that name
  const given = function Date(this: unknown, ...parts: unknown[]): unknown {
    if (new.target === undefined) return String(new ExplicitDate(read()))
    return construct(ExplicitDate, parts.length === 0 ? [read()] : parts, new.target)
  }
  const own = Object.getOwnPropertyDescriptors(ExplicitDate)
  Object.defineProperties(given, { ...own, now: { value: read, configurable: true, writable: true } })
  Object.defineProperty(ExplicitDate.prototype, 'constructor', { value: given, configurable: true, writable: true })
  Object.defineProperty(globalThis, 'Date', { value: given, configurable: true, writable: true })
}

function giveChance(seed: number): void {
  // splitmix32 separates seeds that are close to each other.
  let state = (seed ^ Math.floor(seed / 0x1_0000_0000)) | 0
  const spread = (): number => {
    state = (state + 0x9e3779b9) | 0
    let z = state
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad)
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97)
    return z ^ (z >>> 15)
  }
  words = [spread(), spread(), spread(), spread()]
  Object.defineProperty(globalThis, 'crypto', { value: crypto, configurable: true, writable: true })
  Object.defineProperty(Math, 'random', {
    value: () => ((word32() >>> 5) * 67_108_864 + (word32() >>> 6)) / 9_007_199_254_740_992,
    configurable: true,
    writable: true,
  })
}

/** Random bits. */
function word32(): number {
  const [a, b, c, d] = words
  const turned = Math.imul(b, 5)
  const drawn = Math.imul((turned << 7) | (turned >>> 25), 9)
  const [c1, d1] = [c ^ a, d ^ b]
  words = [a ^ d1, b ^ c1, c1 ^ (b << 9), (d1 << 11) | (d1 >>> 21)]
  return drawn
}

function fill(into: Uint8Array): void {
  for (let i = 0; i < into.length; i++) into[i] = word32() >>> 24
}

const MOST_BYTES = 65_536

const crypto = Object.freeze({
  getRandomValues<T extends ArrayBufferView>(into: T): T {
    if (!ArrayBuffer.isView(into) || into instanceof Float32Array || into instanceof Float64Array)
      throw typeError('crypto.getRandomValues takes an array of integers')
    if (into.byteLength > MOST_BYTES) throw typeError(said`crypto.getRandomValues gives at most ${MOST_BYTES} bytes`)
    fill(new Uint8Array(into.buffer, into.byteOffset, into.byteLength))
    return into
  },
  randomUUID(): string {
    const bytes = new Uint8Array(16)
    fill(bytes)
    bytes[6] = (bytes[6]! & 15) | 64
    bytes[8] = (bytes[8]! & 63) | 128
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  },
})
