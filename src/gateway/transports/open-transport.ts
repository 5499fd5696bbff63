import { DiagnosticError } from '../../diagnostics/index.js'
import type { Connection } from '../configuration/index.js'
import { childProcessTransport } from './child-process.js'
import { httpTransport } from './http.js'
import { inProcessTransport } from './in-process.js'
import type { TransportOptions, UpstreamTransport } from './transport.js'

/** Prepares a transport, which is started by the client that uses it. Throws an Error with the reason. */
export function openTransport(connection: Connection, options: TransportOptions): UpstreamTransport {
  switch (connection.type) {
    case 'stdio':
      return childProcessTransport(connection, options)
    case 'http':
      return httpTransport(connection, options)
    case 'in-process':
      return inProcessTransport(connection.inProcess)
    case 'unusable':
      throw new DiagnosticError(connection.faults)
  }
}
