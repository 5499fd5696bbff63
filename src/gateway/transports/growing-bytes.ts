// Bytes that come in pieces. A piece may be a single byte, and there may be millions: nothing is kept for each of them.

export class GrowingBytes {
  /** Twice as long as before where it is too short. */
  #room = Buffer.alloc(0)
  #length = 0

  get length(): number {
    return this.#length
  }

  add(piece: Uint8Array): void {
    const length = this.#length + piece.length
    if (length > this.#room.length) {
      const longer = Buffer.allocUnsafe(Math.max(length, 2 * this.#room.length))
      this.#room.copy(longer, 0, 0, this.#length)
      this.#room = longer
    }
    this.#room.set(piece, this.#length)
    this.#length = length
  }

  /** Everything that came; nothing is here afterwards. */
  take(): Buffer {
    const all = this.#room.subarray(0, this.#length)
    this.#room = Buffer.alloc(0)
    this.#length = 0
    return all
  }
}
