// Restores a guest's linear memory. The whole state of a guest is its linear memory and its stack pointer, so a copy of
// the one and a number are a snapshot, and any instance of the same QuickJS over a memory with these bytes is that
// guest.
//
// The memory of this build, from address 0 up:
//
//   statics | stack, growing down from `stackTop` | heap, growing up to the break
//
// Only memory that can differ is touched. A snapshot is a list of the ranges that are not zero; restoring copies these,
// zeroes what the run added to the heap and to the stack, and zeroes the gaps between the ranges if the run wrote into
// them. How far the heap reached is read from the allocator's own break; how far the stack reached is found by looking
// for its first long stretch of zeros. Linear memory starts out as zeros, which is what makes everything outside the
// snapshot zero. Evaluating an image leaves more garbage than guest behind, so the free part of the heap is zeroed
// before the snapshot is taken: a gap that no run needs is never even mapped.
//
// Invariant: after `restore` every byte of linear memory equals the snapshot, zeros beyond it.

import type { Engine } from './quickjs.js'

/** A guest at rest, independent of any thread. Shared between all workers and never written after it was taken. */
export interface Snapshot {
  /** The stretches of memory that are not zero, one after the other. */
  readonly bytes: SharedArrayBuffer
  /** Address and length of each stretch, in order of addresses: statics first, then the heap from `stackTop`. */
  readonly stretches: readonly (readonly [address: number, length: number])[]
  readonly staticsEnd: number
  readonly stackTop: number
  readonly heapEnd: number
  /** The address of the allocator's break, and its value. */
  readonly breakAddress: number
  readonly breakAt: number
}

/** The size of the stack that this build of QuickJS is linked with. */
const STACK_BYTES = 5 * 1024 * 1024
/** A stretch of zeros longer than any frame of QuickJS's own C code leaves untouched. */
const STACK_GAP_BYTES = 128 * 1024
const PROBE_BYTES = 192 * 1024
/** Stretches are made of whole blocks of this size. */
const BLOCK_BYTES = 4096
/** Gaps are looked at in pieces of at most this size. */
const GAP_BYTES = 64 * 1024

/**
 * Finds the word in which the allocator keeps its break: the one word among the statics that moves when memory is
 * allocated and then points behind everything allocated. Needs a fresh engine.
 */
export function findBreak(engine: Engine): number {
  engine.allocate(16)
  const statics = staticsEnd(engine) >>> 2
  const before = engine.words.slice(0, statics)
  const block = engine.allocate(PROBE_BYTES)
  const after = engine.words
  let found = -1
  for (let i = 0; i < statics; i++) {
    const moved = after[i]! - before[i]!
    if (moved < PROBE_BYTES / 2 || moved > 2 * PROBE_BYTES || after[i]! < block + PROBE_BYTES) continue
    if (found < 0 || after[i]! > after[found]!) found = i
  }
  if (found < 0) throw new Error('the allocator of this build of QuickJS keeps no break')
  return found << 2
}

/** Takes the snapshot of an engine at rest. */
export function takeSnapshot(engine: Engine, breakAddress: number): Snapshot {
  zeroFreeMemory(engine, breakAddress)
  const { stackTop, bytes, words } = engine
  const end = staticsEnd(engine)
  bytes.fill(0, stackBottom(engine), stackTop)
  const breakAt = words[breakAddress >>> 2]!
  const stretches = [...stretchesOf(bytes, 0, end), ...stretchesOf(bytes, stackTop, breakAt)]
  const copy = new SharedArrayBuffer(stretches.reduce((size, [, length]) => size + length, 0))
  const target = new Uint8Array(copy)
  let at = 0
  for (const [address, length] of stretches) {
    target.set(bytes.subarray(address, address + length), at)
    at += length
  }
  const [last, lastLength] = stretches.at(-1)!
  return { bytes: copy, stretches, staticsEnd: end, stackTop, heapEnd: last + lastLength, breakAddress, breakAt }
}

/** The stretches between two addresses that are not zero, made of whole blocks where they do not meet an end. */
function stretchesOf(bytes: Uint8Array, start: number, end: number): [number, number][] {
  const found: [number, number][] = []
  for (let from = start; from < end; ) {
    const to = Math.min(end, (from & ~(BLOCK_BYTES - 1)) + BLOCK_BYTES)
    const last = found.at(-1)
    if (!isZero(bytes, from, to)) {
      if (last !== undefined && last[0] + last[1] === from) last[1] += to - from
      else found.push([from, to - from])
    }
    from = to
  }
  return found
}

/** Allocates everything that is free, zeroes it and frees it again; the allocator's own links stay. */
function zeroFreeMemory(engine: Engine, breakAddress: number): void {
  const blocks: number[] = []
  for (let size = GAP_BYTES * 4; size >= BLOCK_BYTES / 4; size /= 2) {
    while (true) {
      const before = engine.words[breakAddress >>> 2]
      const block = engine.allocate(size)
      blocks.push(block)
      // Memory beyond the old break is zero already.
      if (engine.words[breakAddress >>> 2] !== before) break
      engine.bytes.fill(0, block, block + size)
    }
  }
  for (const block of blocks) engine.release(block)
}

export class PristineMemory {
  readonly #engine: Engine
  readonly #snapshot: Snapshot
  readonly #stretches: readonly { readonly address: number; readonly bytes: Uint8Array }[]
  /** The gaps between the ranges. */
  readonly #gaps: readonly (readonly [start: number, end: number])[]

  constructor(engine: Engine, snapshot: Snapshot) {
    if (engine.stackTop !== snapshot.stackTop) throw new Error('the snapshot belongs to another build of QuickJS')
    this.#engine = engine
    this.#snapshot = snapshot
    let at = 0
    this.#stretches = snapshot.stretches.map(([address, length]) => {
      at += length
      return { address, bytes: new Uint8Array(snapshot.bytes, at - length, length) }
    })
    this.#gaps = gapsBetween(snapshot)
  }

  /** How far the heap reached beyond the snapshot. */
  heapGrowthBytes(): number {
    return Math.max(0, this.#break() - this.#snapshot.breakAt)
  }

  /** The size up to which the run may let linear memory grow, for `extra` bytes of heap beyond the snapshot. */
  limitFor(extra: number): number {
    return Math.ceil((this.#snapshot.breakAt + extra) / 65536) * 65536
  }

  /** `untouched` names a part of the heap that was allocated and never written. */
  restore(untouched: { readonly start: number; readonly end: number }): void {
    const { bytes } = this.#engine
    const { heapEnd, stackTop } = this.#snapshot
    const reached = Math.min(bytes.length, Math.max(heapEnd, this.#break()))
    bytes.fill(0, stackBottom(this.#engine), stackTop)
    zero(bytes, heapEnd, Math.min(reached, untouched.start))
    zero(bytes, Math.max(heapEnd, untouched.end), reached)
    for (const [start, end] of this.#gaps) zero(bytes, start, end)
    // A typed array copies shared memory word by word; this takes two thirds of the time.
    const memory = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    for (const stretch of this.#stretches)
      memory.fill(stretch.bytes, stretch.address, stretch.address + stretch.bytes.length)
    this.#engine.resetStack()
  }

  /** The address of the first byte that differs from the snapshot, or -1. Reads all of linear memory: for tests. */
  firstDifference(): number {
    const { bytes } = this.#engine
    const expected = new Uint8Array(bytes.length)
    for (const stretch of this.#stretches) expected.set(stretch.bytes, stretch.address)
    if (Buffer.compare(expected, bytes) === 0) return -1
    return expected.findIndex((byte, i) => byte !== bytes[i])
  }

  #break(): number {
    return this.#engine.words[this.#snapshot.breakAddress >>> 2]!
  }
}

function gapsBetween({ stretches, staticsEnd: end, stackTop }: Snapshot): [number, number][] {
  const gaps: [number, number][] = []
  let at = 0
  for (const [address, length] of stretches) {
    // The stack lies between statics and heap and is looked after on its own.
    if (at < end && address >= stackTop) {
      gaps.push([at, end])
      at = stackTop
    }
    gaps.push([at, address])
    at = address + length
  }
  return gaps
}

/** Makes a range zero. Writes only where it is not: memory that was never written takes no room. */
function zero(bytes: Uint8Array, start: number, end: number): void {
  for (let from = start; from < end; from += GAP_BYTES) {
    const to = Math.min(end, from + GAP_BYTES)
    if (!isZero(bytes, from, to)) bytes.fill(0, from, to)
  }
}

const zeros = new Uint8Array(GAP_BYTES)

/** At most GAP_BYTES are looked at. */
function isZero(bytes: Uint8Array, start: number, end: number): boolean {
  return Buffer.compare(bytes.subarray(start, end), zeros.subarray(0, end - start)) === 0
}

/** An address at or closely below the lowest of the stack that was ever written. */
function stackBottom(engine: Engine): number {
  const { bytes, stackTop } = engine
  const floor = staticsEnd(engine)
  let lowest = stackTop
  for (let end = stackTop; end > floor && lowest - end <= STACK_GAP_BYTES; end -= BLOCK_BYTES) {
    const start = Math.max(floor, end - BLOCK_BYTES)
    if (!isZero(bytes, start, end)) lowest = start
  }
  return lowest
}

function staticsEnd(engine: Engine): number {
  // Rounded up to a whole page. The rounding takes the lowest part of the stack, which nothing reaches: limits end far
  // above it.
  return (engine.stackTop - STACK_BYTES + 0xffff) & ~0xffff
}
