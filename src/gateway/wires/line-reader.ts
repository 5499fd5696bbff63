// Lines out of the pieces that a pipe delivers them in. Knows bytes and line breaks. Invariant: each byte is looked at once and copied once,
// however many pieces a line comes in.

const NEWLINE = 10
const RETURN = 13

export class LineReader {
  readonly #maxBytes: number
  readonly #onLine: (line: string) => void
  #pieces: Buffer[] = []
  #length = 0
  /** In the middle of a line that is too long. */
  #isSkipping = false

  /** Lines are given without their line break. */
  constructor(maxBytes: number, onLine: (line: string) => void) {
    this.#maxBytes = maxBytes
    this.#onLine = onLine
  }

  /** False when a line is longer than is allowed: the rest of that line is left out. */
  take(chunk: Buffer): boolean {
    let start = 0
    let isShort = true
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      isShort = this.#add(chunk.subarray(start, end)) && isShort
      this.finish()
      start = end + 1
    }
    return this.#add(chunk.subarray(start)) && isShort
  }

  /** Gives what there is of a last line. */
  finish(): void {
    const line = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces)
    const hasLine = this.#length > 0
    this.#pieces = []
    this.#length = 0
    this.#isSkipping = false
    if (hasLine) this.#onLine(line.toString('utf8', 0, line.at(-1) === RETURN ? line.length - 1 : line.length))
  }

  #add(piece: Buffer): boolean {
    if (this.#isSkipping) return true
    if (piece.length === 0) return true
    const room = this.#maxBytes - this.#length
    const isShort = piece.length <= room
    this.#pieces.push(isShort ? piece : piece.subarray(0, room))
    this.#length += Math.min(piece.length, room)
    this.#isSkipping = !isShort
    return isShort
  }
}
