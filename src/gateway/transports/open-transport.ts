import { DiagnosticError } from '../../diagnostics/index.js'
import type { Connection } from '../configuration/index.js'
import type { TransportOptions, UpstreamTransport } from './transport.js'

/** Starts to load the code of a transport, without waiting for it. */
export function expectTransport({ type }: Connection): void {
  if (type === 'stdio') void import('./child-process.js').then(({ expectChild }) => expectChild())
  else if (type === 'http') void import('./http.js')
}

/** Prepares a transport. The client that uses it starts it. Rejects with an Error that states the reason. */
export async function openTransport(connection: Connection, options: TransportOptions): Promise<UpstreamTransport> {
  switch (connection.type) {
    case 'stdio': {
      const { childProcessTransport } = await import('./child-process.js')
      return childProcessTransport(connection, options)
    }
    case 'http': {
      const { httpTransport } = await import('./http.js')
      await options.logins?.fresh(connection.url)
      return httpTransport(connection, options)
    }
    case 'in-process': {
      const { inProcessTransport } = await import('./in-process.js')
      return inProcessTransport(connection.inProcess)
    }
    case 'builtin': {
      const { builtinTransport } = await import('./builtin.js')
      return builtinTransport(connection.settings)
    }
    case 'unusable':
      throw new DiagnosticError(connection.faults)
  }
}
