// Which wire a connection takes.

import type { Connection } from '../configuration/index.js'
import { childProcessWire } from './child-process.js'
import { httpWire } from './http.js'
import { inProcessWire } from './in-process.js'
import type { Wire, WireOptions } from './wire.js'

/** Prepares a wire; its transport is started by the client that uses it. Throws an Error with the reason. */
export function openWire(connection: Connection, options: WireOptions): Wire {
  switch (connection.type) {
    case 'stdio':
      return childProcessWire(connection, options)
    case 'http':
      return httpWire(connection, options)
    case 'in-process':
      return inProcessWire(connection.inProcess)
  }
}
