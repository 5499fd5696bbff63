// An error as the protocol carries it. The SDK's own class writes its code into the message, and again wherever it
// passes; this one does not.

export class ProtocolError extends Error {
  readonly code: number
  readonly data?: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.name = 'ProtocolError'
    this.code = code
    if (data !== undefined) this.data = data
  }
}
