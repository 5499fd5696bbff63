// Which wire a connection takes.

import type { Connection } from '../configuration/index.js'
import { childProcessWire } from './child-process.js'
import { httpWire } from './http.js'
import { inProcessWire } from './in-process.js'
import type { ReadMessage } from './spelling.js'
import type { Wire } from './wire.js'

export interface WireOptions {
  /** Is given whole lines. */
  readonly onStderr: (line: string) => void
  readonly read: ReadMessage
}

/** Prepares a wire; its transport is started by the client that uses it. Throws an Error with the reason. */
export function openWire(connection: Connection, { onStderr, read }: WireOptions): Wire {
  switch (connection.type) {
    case 'stdio':
      return childProcessWire(connection, onStderr, read)
    case 'http':
      return httpWire(connection, read)
    case 'in-process':
      return inProcessWire(connection.inProcess)
  }
}
