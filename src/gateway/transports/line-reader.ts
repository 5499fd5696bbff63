// Splits the chunks of a pipe into lines.
// Invariant: each byte is scanned once and copied once, however many chunks a line arrives in.

const NEWLINE = 10
const RETURN = 13
/** The number of bytes that are kept from the end of a line that is too long. */
const END_BYTES = 200

export class LineReader {
  readonly #maxBytes: number
  readonly #onLine: (line: string, isWhole: boolean) => void
  #pieces: Buffer[] = []
  #length = 0
  /** True inside a line that is too long. Only its last bytes are kept. */
  #isSkipping = false
  #end = Buffer.alloc(0)

  /** `onLine` receives each line without its line break. A line above the limit lacks its middle. */
  constructor(maxBytes: number, onLine: (line: string, isWhole: boolean) => void) {
    this.#maxBytes = maxBytes
    this.#onLine = onLine
  }

  /** True at the start of a line. */
  get isBetween(): boolean {
    return this.#length === 0
  }

  take(chunk: Buffer): void {
    for (let start = 0; start < chunk.length; ) {
      // Empty lines are ignored.
      while (this.#length === 0 && chunk[start] === NEWLINE) start++
      const found = chunk.indexOf(NEWLINE, start)
      const end = found < 0 ? chunk.length : found
      this.#add(chunk.subarray(start, end))
      if (found >= 0) this.finish()
      start = end + 1
    }
  }

  /** Passes on an unfinished last line. */
  finish(): void {
    const isWhole = !this.#isSkipping
    if (!isWhole) this.#pieces.push(this.#end)
    const line = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces)
    const hasLine = this.#length > 0
    this.#pieces = []
    this.#length = 0
    this.#isSkipping = false
    this.#end = Buffer.alloc(0)
    if (!hasLine) return
    this.#onLine(line.toString('utf8', 0, line.at(-1) === RETURN ? line.length - 1 : line.length), isWhole)
  }

  #add(piece: Buffer): void {
    if (piece.length === 0) return
    const room = this.#isSkipping ? 0 : this.#maxBytes - this.#length
    if (room > 0) this.#pieces.push(piece.subarray(0, room))
    this.#length += Math.min(piece.length, room)
    if (piece.length <= room) return
    this.#isSkipping = true
    this.#end = Buffer.concat([this.#end, piece.subarray(Math.max(room, piece.length - END_BYTES))]).subarray(
      -END_BYTES,
    )
  }
}
