// Accumulates bytes that arrive in pieces. There may be millions of tiny pieces, so small ones are copied together.

const BLOCK_BYTES = 16_384
const SMALL_BYTES = 1_024
const EMPTY = Buffer.alloc(0)

export class GrowingBytes {
  #parts: Uint8Array[] = []
  /** Collects small pieces. The bytes from `#from` to `#to` are not in a part yet. */
  #block = EMPTY
  #from = 0
  #to = 0
  #length = 0

  get length(): number {
    return this.#length
  }

  add(piece: Uint8Array): void {
    this.#length += piece.length
    if (piece.length > SMALL_BYTES) {
      this.#part()
      this.#parts.push(piece)
      return
    }
    if (this.#to + piece.length > this.#block.length) {
      this.#part()
      this.#block = Buffer.allocUnsafe(BLOCK_BYTES)
      this.#from = 0
      this.#to = 0
    }
    this.#block.set(piece, this.#to)
    this.#to += piece.length
  }

  /** Returns all bytes and empties the buffer. */
  take(): Buffer {
    this.#part()
    const all = Buffer.concat(this.#parts)
    this.#parts = []
    this.#length = 0
    return all
  }

  #part(): void {
    if (this.#to > this.#from) this.#parts.push(this.#block.subarray(this.#from, this.#to))
    this.#from = this.#to
  }
}
