// What a command says, within a bound: its beginning and its end.

import type { Readable } from 'node:stream'

const HALF = 512 * 1024

export class BoundedOutput {
  #start: Buffer | undefined
  /** What comes after the start; its oldest bytes are written over. */
  #ring: Buffer | undefined
  #bytes = 0

  /** Resolves when there is no more. */
  take(stream: Readable): Promise<void> {
    stream.on('data', (chunk: Buffer) => this.#add(chunk))
    return new Promise((resolve) => stream.once('close', resolve))
  }

  get leftOut(): number {
    return Math.max(0, this.#bytes - 2 * HALF)
  }

  text(): string {
    const start = this.#start?.subarray(0, this.#bytes) ?? Buffer.alloc(0)
    const ring = this.#ring ?? Buffer.alloc(0)
    const after = Math.max(0, this.#bytes - HALF)
    if (this.leftOut === 0) return Buffer.concat([start, ring.subarray(0, after)]).toString()
    const oldest = after % HALF
    const end = Buffer.concat([ring.subarray(oldest), ring.subarray(0, oldest)])
    return `${start}\n… ${this.leftOut} bytes left out …\n${end}`
  }

  #add(chunk: Buffer): void {
    const room = Math.max(0, HALF - this.#bytes)
    if (room > 0) {
      this.#start ??= Buffer.allocUnsafe(HALF)
      chunk.copy(this.#start, this.#bytes, 0, room)
    }
    for (let at = room; at < chunk.length; ) {
      this.#ring ??= Buffer.allocUnsafe(HALF)
      const place = (this.#bytes + at - HALF) % HALF
      at += chunk.copy(this.#ring, place, at)
    }
    this.#bytes += chunk.length
  }
}
