// Which wire a connection takes.

import type { Connection } from '../configuration/index.js'
import { childProcessWire } from './child-process.js'
import { httpWire } from './http.js'
import { inProcessWire } from './in-process.js'
import type { Wire } from './wire.js'

/** Prepares a wire; its transport is started by the client that uses it. `onStderr` is given whole lines. Throws an Error with the reason. */
export function openWire(connection: Connection, onStderr: (line: string) => void): Wire {
  switch (connection.type) {
    case 'stdio':
      return childProcessWire(connection, onStderr)
    case 'http':
      return httpWire(connection)
    case 'in-process':
      return inProcessWire(connection.inProcess)
  }
}
