// Changes the length of bytearrays.
// Invariant: nothing else refers to the memory of a bytearray.

import type { ByteArray } from '../values/values.js'

/** Buffers with spare room at the end, so that the cost of appending does not depend on the length. */
const rooms = new WeakMap<ByteArray, Uint8Array>()

/** Replaces the bytes from `start` to `end`. */
export function splice(x: ByteArray, start: number, end: number, bytes: Uint8Array): void {
  const length = x.b.length - (end - start) + bytes.length
  let room = rooms.get(x)
  if (room === undefined || room.buffer !== x.b.buffer || room.length < length) {
    room = new Uint8Array(length < 16 ? 16 : length * 2)
    room.set(x.b)
    rooms.set(x, room)
  }
  const own = bytes.buffer === room.buffer ? bytes.slice() : bytes
  if (start + own.length !== end) room.copyWithin(start + own.length, end, x.b.length)
  room.set(own, start)
  x.b = room.subarray(0, length)
}
