// Hash functions on bytes: MD5, SHA-1, SHA-224/256, SHA-384/512. What they compute is fixed by RFC 1321 and FIPS 180-4; the constants are the
// integer parts of sines and the fractional parts of roots of primes, and are computed from those.

/** The message with its padding: one bit, zeros, and the length in bits. */
function padded(message: Uint8Array, block: number, littleEndian: boolean): Uint8Array {
  const lengthBytes = block / 8
  const total = Math.ceil((message.length + 1 + lengthBytes) / block) * block
  const out = new Uint8Array(total)
  out.set(message)
  out[message.length] = 0x80
  let bits = BigInt(message.length) * 8n
  for (let i = 0; i < 8; i++) {
    out[littleEndian ? total - 8 + i : total - 1 - i] = Number(bits & 255n)
    bits >>= 8n
  }
  return out
}

function rotateLeft(x: number, n: number): number {
  return (x << n) | (x >>> (32 - n))
}

function rotateRight(x: number, n: number): number {
  return (x >>> n) | (x << (32 - n))
}

// ---- MD5 -------------------------------------------------------------------------------------------------------

const SINES = Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32) | 0)
const SHIFTS = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]

export function md5(message: Uint8Array): Uint8Array {
  const data = padded(message, 64, true)
  let [a0, b0, c0, d0] = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476]
  const words = new Int32Array(16)
  for (let at = 0; at < data.length; at += 64) {
    for (let i = 0; i < 16; i++) {
      const p = at + 4 * i
      words[i] = data[p]! | (data[p + 1]! << 8) | (data[p + 2]! << 16) | (data[p + 3]! << 24)
    }
    let [a, b, c, d] = [a0, b0, c0, d0]
    for (let i = 0; i < 64; i++) {
      const round = i >> 4
      let f: number
      let g: number
      if (round === 0) {
        f = (b & c) | (~b & d)
        g = i
      } else if (round === 1) {
        f = (d & b) | (~d & c)
        g = (5 * i + 1) & 15
      } else if (round === 2) {
        f = b ^ c ^ d
        g = (3 * i + 5) & 15
      } else {
        f = c ^ (b | ~d)
        g = (7 * i) & 15
      }
      const sum = (f + a + SINES[i]! + words[g]!) | 0
      a = d
      d = c
      c = b
      b = (b + rotateLeft(sum, SHIFTS[4 * round + (i & 3)]!)) | 0
    }
    a0 = (a0 + a) | 0
    b0 = (b0 + b) | 0
    c0 = (c0 + c) | 0
    d0 = (d0 + d) | 0
  }
  const out = new Uint8Array(16)
  ;[a0, b0, c0, d0].forEach((x, i) => {
    for (let k = 0; k < 4; k++) out[4 * i + k] = (x >>> (8 * k)) & 255
  })
  return out
}

// ---- SHA-1 -----------------------------------------------------------------------------------------------------

function bigEndian(words: readonly number[]): Uint8Array {
  const out = new Uint8Array(4 * words.length)
  words.forEach((x, i) => {
    for (let k = 0; k < 4; k++) out[4 * i + k] = (x >>> (24 - 8 * k)) & 255
  })
  return out
}

function word(data: Uint8Array, p: number): number {
  return (data[p]! << 24) | (data[p + 1]! << 16) | (data[p + 2]! << 8) | data[p + 3]!
}

export function sha1(message: Uint8Array): Uint8Array {
  const data = padded(message, 64, false)
  const h = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476, 0xc3d2e1f0 | 0]
  const w = new Int32Array(80)
  for (let at = 0; at < data.length; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = word(data, at + 4 * i)
    for (let i = 16; i < 80; i++) w[i] = rotateLeft(w[i - 3]! ^ w[i - 8]! ^ w[i - 14]! ^ w[i - 16]!, 1)
    let [a, b, c, d, e] = h as [number, number, number, number, number]
    for (let i = 0; i < 80; i++) {
      const [f, k] =
        i < 20
          ? [(b & c) | (~b & d), 0x5a827999]
          : i < 40
            ? [b ^ c ^ d, 0x6ed9eba1]
            : i < 60
              ? [(b & c) | (b & d) | (c & d), 0x8f1bbcdc | 0]
              : [b ^ c ^ d, 0xca62c1d6 | 0]
      const next = (rotateLeft(a, 5) + f + e + k + w[i]!) | 0
      e = d
      d = c
      c = rotateLeft(b, 30)
      b = a
      a = next
    }
    ;[a, b, c, d, e].forEach((x, i) => {
      h[i] = (h[i]! + x) | 0
    })
  }
  return bigEndian(h)
}

// ---- SHA-2 -----------------------------------------------------------------------------------------------------

function primes(count: number): bigint[] {
  const found: bigint[] = []
  for (let n = 2; found.length < count; n++) if (found.every((p) => BigInt(n) % p !== 0n)) found.push(BigInt(n))
  return found
}

/** The first `bits` bits of the fraction of the `degree`-th root of n. */
function rootFraction(n: bigint, degree: bigint, bits: bigint): bigint {
  const target = n << (degree * bits)
  let low = 0n
  let high = 1n << (bits + 8n)
  while (high - low > 1n) {
    const middle = (low + high) >> 1n
    if (middle ** degree <= target) low = middle
    else high = middle
  }
  return low & ((1n << bits) - 1n)
}

const first80 = primes(80)
const K256 = first80.slice(0, 64).map((p) => Number(rootFraction(p, 3n, 32n)) | 0)
const H256 = first80.slice(0, 8).map((p) => Number(rootFraction(p, 2n, 32n)) | 0)
const H224 = first80.slice(8, 16).map((p) => Number(rootFraction(p, 2n, 64n) & 0xffffffffn) | 0)

function sha2Words(message: Uint8Array, start: readonly number[]): number[] {
  const data = padded(message, 64, false)
  const h = start.slice()
  const w = new Int32Array(64)
  for (let at = 0; at < data.length; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = word(data, at + 4 * i)
    for (let i = 16; i < 64; i++) {
      const x = w[i - 15]!
      const y = w[i - 2]!
      const s0 = rotateRight(x, 7) ^ rotateRight(x, 18) ^ (x >>> 3)
      const s1 = rotateRight(y, 17) ^ rotateRight(y, 19) ^ (y >>> 10)
      w[i] = w[i - 16]! + s0 + w[i - 7]! + s1
    }
    let [a, b, c, d, e, f, g, k] = h as [number, number, number, number, number, number, number, number]
    for (let i = 0; i < 64; i++) {
      const s1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)
      const t1 = (k + s1 + ((e & f) ^ (~e & g)) + K256[i]! + w[i]!) | 0
      const s0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
      k = g
      g = f
      f = e
      e = (d + t1) | 0
      d = c
      c = b
      b = a
      a = (t1 + t2) | 0
    }
    ;[a, b, c, d, e, f, g, k].forEach((x, i) => {
      h[i] = (h[i]! + x) | 0
    })
  }
  return h
}

export function sha256(message: Uint8Array): Uint8Array {
  return bigEndian(sha2Words(message, H256))
}

export function sha224(message: Uint8Array): Uint8Array {
  return bigEndian(sha2Words(message, H224).slice(0, 7))
}

// Words of 64 bits are pairs of 32: bigints would cost ten times as much.
const K512 = first80.flatMap((p) => halves(rootFraction(p, 3n, 64n)))
const H512 = first80.slice(0, 8).flatMap((p) => halves(rootFraction(p, 2n, 64n)))
const H384 = first80.slice(8, 16).flatMap((p) => halves(rootFraction(p, 2n, 64n)))

function halves(x: bigint): [number, number] {
  return [Number(x >> 32n) | 0, Number(x & 0xffffffffn) | 0]
}

/** The high word of a sum whose low words are given unsigned: how much they carry. */
function carry(lowSum: number): number {
  return Math.floor(lowSum / 4294967296)
}

function sha2Long(message: Uint8Array, start: readonly number[]): number[] {
  const data = padded(message, 128, false)
  const h = start.slice()
  const w = new Int32Array(160)
  for (let at = 0; at < data.length; at += 128) {
    for (let i = 0; i < 32; i++) w[i] = word(data, at + 4 * i)
    for (let i = 32; i < 160; i += 2) extend(w, i)
    const v = Int32Array.from(h)
    for (let i = 0; i < 160; i += 2) longRound(v, w, i)
    for (let i = 0; i < 16; i += 2) {
      const low = (h[i + 1]! >>> 0) + (v[i + 1]! >>> 0)
      h[i] = (h[i]! + v[i]! + carry(low)) | 0
      h[i + 1] = low | 0
    }
  }
  return h
}

function extend(w: Int32Array, i: number): void {
  const [xh, xl] = [w[i - 30]!, w[i - 29]!]
  const [yh, yl] = [w[i - 4]!, w[i - 3]!]
  const s0h = ((xh >>> 1) | (xl << 31)) ^ ((xh >>> 8) | (xl << 24)) ^ (xh >>> 7)
  const s0l = ((xl >>> 1) | (xh << 31)) ^ ((xl >>> 8) | (xh << 24)) ^ ((xl >>> 7) | (xh << 25))
  const s1h = ((yh >>> 19) | (yl << 13)) ^ ((yl >>> 29) | (yh << 3)) ^ (yh >>> 6)
  const s1l = ((yl >>> 19) | (yh << 13)) ^ ((yh >>> 29) | (yl << 3)) ^ ((yl >>> 6) | (yh << 26))
  const low = (w[i - 31]! >>> 0) + (s0l >>> 0) + (w[i - 13]! >>> 0) + (s1l >>> 0)
  w[i] = w[i - 32]! + s0h + w[i - 14]! + s1h + carry(low)
  w[i + 1] = low
}

function longRound(v: Int32Array, w: Int32Array, i: number): void {
  const [eh, el] = [v[8]!, v[9]!]
  const s1h = ((eh >>> 14) | (el << 18)) ^ ((eh >>> 18) | (el << 14)) ^ ((el >>> 9) | (eh << 23))
  const s1l = ((el >>> 14) | (eh << 18)) ^ ((el >>> 18) | (eh << 14)) ^ ((eh >>> 9) | (el << 23))
  const ch = (eh & v[10]!) ^ (~eh & v[12]!)
  const cl = (el & v[11]!) ^ (~el & v[13]!)
  const low1 = (v[15]! >>> 0) + (s1l >>> 0) + (cl >>> 0) + (K512[i + 1]! >>> 0) + (w[i + 1]! >>> 0)
  const t1h = (v[14]! + s1h + ch + K512[i]! + w[i]! + carry(low1)) | 0
  const [ah, al] = [v[0]!, v[1]!]
  const s0h = ((ah >>> 28) | (al << 4)) ^ ((al >>> 2) | (ah << 30)) ^ ((al >>> 7) | (ah << 25))
  const s0l = ((al >>> 28) | (ah << 4)) ^ ((ah >>> 2) | (al << 30)) ^ ((ah >>> 7) | (al << 25))
  const mh = (ah & v[2]!) ^ (ah & v[4]!) ^ (v[2]! & v[4]!)
  const ml = (al & v[3]!) ^ (al & v[5]!) ^ (v[3]! & v[5]!)
  const low2 = (s0l >>> 0) + (ml >>> 0)
  const t2h = (s0h + mh + carry(low2)) | 0
  const [dh, dl] = [v[6]!, v[7]!]
  v.copyWithin(2, 0, 14)
  const lowE = (dl >>> 0) + ((low1 | 0) >>> 0)
  v[8] = dh + t1h + carry(lowE)
  v[9] = lowE
  const lowA = ((low1 | 0) >>> 0) + ((low2 | 0) >>> 0)
  v[0] = t1h + t2h + carry(lowA)
  v[1] = lowA
}

export function sha512(message: Uint8Array): Uint8Array {
  return bigEndian(sha2Long(message, H512))
}

export function sha384(message: Uint8Array): Uint8Array {
  return bigEndian(sha2Long(message, H384).slice(0, 12))
}
