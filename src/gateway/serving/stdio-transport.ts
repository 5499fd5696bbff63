// An SDK transport over stdin and stdout.
// Invariant: each byte is scanned once, however long its line; a message that is too long is refused to its sender, and
// others continue.

import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ErrorCode, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { insteadOf, isLong, readLongMessage, readMessage } from '../reading/read-message.js'
import { LineReader } from '../transports/line-reader.js'
import { mebibytes } from '../transports/transport.js'

export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #maxBytes: number
  #isOver = false

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  async start(): Promise<void> {
    process.stdin.on('error', (error) => this.onerror?.(error))
    void this.#read()
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const line = `${JSON.stringify(message)}\n`
    if (!process.stdout.write(line)) await new Promise((resolve) => process.stdout.once('drain', resolve))
  }

  async close(): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    process.stdin.pause()
    this.onclose?.()
  }

  async #read(): Promise<void> {
    const lines: { readonly text: string; readonly isWhole: boolean }[] = []
    const reader = new LineReader(this.#maxBytes, (text, isWhole) => lines.push({ text, isWhole }))
    const ends = new Promise<void>((resolve) => process.stdin.once('end', resolve))
    let taking: Promise<void> = Promise.resolve()
    process.stdin.on('data', (chunk: Buffer) => {
      reader.take(chunk)
      const taken = lines.splice(0)
      const isQuick = taken.every(({ text, isWhole }) => isWhole && !isLong(text))
      taking = taking.then(() => this.#takeAll(taken))
      if (isQuick) return
      process.stdin.pause()
      void taking.then(() => {
        if (!this.#isOver) process.stdin.resume()
      })
    })
    await ends
  }

  async #takeAll(lines: readonly { readonly text: string; readonly isWhole: boolean }[]): Promise<void> {
    for (const { text, isWhole } of lines) {
      if (this.#isOver) return
      try {
        if (!isWhole) this.#refuse(text)
        else this.onmessage?.(isLong(text) ? await readLongMessage(text, this.#maxBytes) : readMessage(text))
      } catch (error) {
        this.onerror?.(error as Error)
      }
    }
  }

  #refuse(text: string): void {
    const what = `a message of more than ${mebibytes(this.#maxBytes)}`
    const { id } = insteadOf(text.replaceAll('"method"', '""'), what)
    const error = { code: ErrorCode.InvalidRequest, message: `this is ${what}` }
    void this.send({ jsonrpc: '2.0', id: id!, error }).catch(() => {})
  }
}
