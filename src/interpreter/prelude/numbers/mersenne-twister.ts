// The generator MT19937 with CPython's seeding: a seed gives the same numbers as in CPython. Knows no source of seeds.
// Invariant: between two draws `#words` has 624 unsigned words, the first `#used` of which have been drawn.

const SIZE = 624
const PERIOD = 397

function product(a: number, b: number): number {
  return Math.imul(a, b) >>> 0
}

/** The state of a generator: its words, and the number of those that are used. */
interface TwisterState {
  readonly words: readonly number[]
  readonly used: number
}

export class MersenneTwister {
  #words: Uint32Array
  #used = SIZE

  /** `key` is the seed in words of 32 bits, the lowest first. */
  constructor(key: readonly number[]) {
    const w = new Uint32Array(SIZE)
    w[0] = 19650218
    for (let i = 1; i < SIZE; i++) w[i] = product(1812433253, w[i - 1]! ^ (w[i - 1]! >>> 30)) + i
    let i = 1
    let j = 0
    for (let k = Math.max(SIZE, key.length); k > 0; k--) {
      w[i] = (w[i]! ^ product(w[i - 1]! ^ (w[i - 1]! >>> 30), 1664525)) + key[j]! + j
      if (++i >= SIZE) {
        w[0] = w[SIZE - 1]!
        i = 1
      }
      if (++j >= key.length) j = 0
    }
    for (let k = SIZE - 1; k > 0; k--) {
      w[i] = (w[i]! ^ product(w[i - 1]! ^ (w[i - 1]! >>> 30), 1566083941)) - i
      if (++i >= SIZE) {
        w[0] = w[SIZE - 1]!
        i = 1
      }
    }
    w[0] = 0x80000000
    this.#words = w
  }

  get state(): TwisterState {
    return { words: Array.from(this.#words), used: this.#used }
  }

  set state({ words, used }: TwisterState) {
    this.#words = Uint32Array.from(words)
    this.#used = used
  }

  #refill(): void {
    const w = this.#words
    for (let i = 0; i < SIZE; i++) {
      const y = (w[i]! & 0x80000000) | (w[(i + 1) % SIZE]! & 0x7fffffff)
      w[i] = w[(i + PERIOD) % SIZE]! ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0)
    }
    this.#used = 0
  }

  /** An unsigned word of 32 bits. */
  word(): number {
    if (this.#used >= SIZE) this.#refill()
    let y = this.#words[this.#used++]!
    y ^= y >>> 11
    y ^= (y << 7) & 0x9d2c5680
    y ^= (y << 15) & 0xefc60000
    return (y ^ (y >>> 18)) >>> 0
  }

  /** A float from 0 (inclusive) to 1 (exclusive). */
  fraction(): number {
    const high = this.word() >>> 5
    return (high * 67108864 + (this.word() >>> 6)) / 9007199254740992
  }

  /** An integer of `count` bits. */
  bits(count: number): bigint {
    let all = 0n
    for (let at = 0; at < count; at += 32) {
      const word = this.word()
      all |= BigInt(count - at < 32 ? word >>> (32 - (count - at)) : word) << BigInt(at)
    }
    return all
  }

  /** An integer from 0 (inclusive) to a positive `n` (exclusive). */
  below(n: number): number {
    if (n >= 0x80000000) return Number(this.belowBig(BigInt(n)))
    const shift = Math.clz32(n)
    let r = this.word() >>> shift
    while (r >= n) r = this.word() >>> shift
    return r
  }

  belowBig(n: bigint): bigint {
    const count = n.toString(2).length
    let r = this.bits(count)
    while (r >= n) r = this.bits(count)
    return r
  }
}
