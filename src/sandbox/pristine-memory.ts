// Putting a guest's linear memory back to where it was. The whole state of a guest is its linear memory and its stack pointer, so a copy of the one
// and a number are a snapshot, and any instance of the same QuickJS over a memory with these bytes is that guest.
//
// The memory of this build, from address 0 up:
//
//   statics | stack, growing down from `stackTop` | heap, growing up to the break
//
// Only what can differ is touched: the statics and the heap of the snapshot are copied back, what the run added to the heap and to the stack is
// zeroed. How far the heap reached is read from the allocator's own break; how far the stack reached is found by looking for
// its first long stretch of zeros. Linear memory starts out as zeros, which is what makes everything beyond the snapshot zero.
//
// Invariant: after `restore` every byte of linear memory equals the snapshot, zeros beyond it.

import type { Engine } from './quickjs.js'

/** A guest at rest, independent of any thread. Shared between all workers and never written after it was taken. */
export interface Snapshot {
  /** The statics, then the heap. */
  readonly bytes: SharedArrayBuffer
  readonly staticsEnd: number
  readonly stackTop: number
  readonly heapEnd: number
  /** Where the allocator keeps its break. */
  readonly breakAddress: number
}

/** The size of the stack that this build of QuickJS is linked with. */
const STACK_BYTES = 5 * 1024 * 1024
/** A stretch of zeros longer than any frame of QuickJS's own C code leaves untouched. */
const STACK_GAP_BYTES = 128 * 1024
const PROBE_BYTES = 192 * 1024

/**
 * Finds the word in which the allocator keeps its break: the one word among the statics that moves when memory is allocated and
 * then points behind everything allocated. To be called on a fresh engine.
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

export function takeSnapshot(engine: Engine, breakAddress: number): Snapshot {
  const { stackTop, bytes, words } = engine
  const end = staticsEnd(engine)
  bytes.fill(0, end, stackTop)
  let last = words[breakAddress >>> 2]! >>> 2
  while (words[last - 1] === 0) last--
  const heapEnd = last << 2
  const copy = new SharedArrayBuffer(end + heapEnd - stackTop)
  const target = new Uint8Array(copy)
  target.set(bytes.subarray(0, end))
  target.set(bytes.subarray(stackTop, heapEnd), end)
  return { bytes: copy, staticsEnd: end, stackTop, heapEnd, breakAddress }
}

export class PristineMemory {
  readonly #engine: Engine
  readonly #snapshot: Snapshot
  readonly #statics: Uint8Array
  readonly #heap: Uint8Array

  constructor(engine: Engine, snapshot: Snapshot) {
    if (engine.stackTop !== snapshot.stackTop) throw new Error('the snapshot belongs to another build of QuickJS')
    this.#engine = engine
    this.#snapshot = snapshot
    this.#statics = new Uint8Array(snapshot.bytes, 0, snapshot.staticsEnd)
    this.#heap = new Uint8Array(snapshot.bytes, snapshot.staticsEnd)
  }

  /** How far the heap reached beyond the snapshot. */
  heapGrowthBytes(): number {
    return Math.max(0, this.#break() - this.#snapshot.heapEnd)
  }

  /** The size up to which the run may let linear memory grow, for `extra` bytes of heap beyond the snapshot. */
  limitFor(extra: number): number {
    return Math.ceil((this.#snapshot.heapEnd + extra) / 65536) * 65536
  }

  /** `untouched` names a part of the heap that was allocated and never written. */
  restore(untouched: { readonly start: number; readonly end: number } = { start: 0, end: 0 }): void {
    const { bytes } = this.#engine
    const { heapEnd, stackTop } = this.#snapshot
    const reached = Math.min(bytes.length, Math.max(heapEnd, this.#break()))
    bytes.fill(0, this.#stackBottom(), stackTop)
    bytes.set(this.#heap, stackTop)
    bytes.fill(0, heapEnd, Math.max(heapEnd, Math.min(reached, untouched.start)))
    bytes.fill(0, Math.max(heapEnd, Math.min(reached, untouched.end)), reached)
    bytes.set(this.#statics)
    this.#engine.resetStack()
  }

  /** The address of the first byte that differs from the snapshot, or -1. Reads all of linear memory: for tests. */
  firstDifference(): number {
    const { bytes } = this.#engine
    const { staticsEnd, stackTop, heapEnd } = this.#snapshot
    const expected = new Uint8Array(bytes.length)
    expected.set(this.#statics)
    expected.set(this.#heap, stackTop)
    if (expected.fill(0, staticsEnd, stackTop).length !== bytes.length || heapEnd > bytes.length) return bytes.length
    if (Buffer.compare(expected, bytes) === 0) return -1
    return expected.findIndex((byte, i) => byte !== bytes[i])
  }

  #break(): number {
    return this.#engine.words[this.#snapshot.breakAddress >>> 2]!
  }

  #stackBottom(): number {
    const { words } = this.#engine
    const gap = STACK_GAP_BYTES >>> 2
    const floor = this.#snapshot.staticsEnd >>> 2
    let lowest = this.#snapshot.stackTop >>> 2
    for (let i = lowest - 1; i >= floor && lowest - i <= gap; i--) if (words[i] !== 0) lowest = i
    return lowest << 2
  }
}

function staticsEnd(engine: Engine): number {
  // Rounded up to a whole page. The rounding takes the lowest part of the stack, which nothing reaches: limits end far above it.
  return (engine.stackTop - STACK_BYTES + 0xffff) & ~0xffff
}
