// The wire to a server at a URL.

import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Connection } from '../configuration/index.js'
import { exactFetch } from './exact-message.js'
import { type Wire, within } from './wire.js'

const ASK_MS = 700

export function httpWire(connection: Extract<Connection, { type: 'http' }>): Wire {
  const transport = new StreamableHTTPClientTransport(new URL(connection.url), {
    requestInit: { headers: { ...connection.headers } },
    fetch: exactFetch(fetch),
  })
  return {
    // The SDK's class declares `sessionId` in a way that exactOptionalPropertyTypes does not accept as a Transport.
    transport: transport as Transport,
    lastWords: () => '',
    hasSession: () => transport.sessionId !== undefined,
    showsItsEnd: false,
    stop: async () => {
      // A server without sessions, or one that is gone, has nothing to terminate.
      await within(
        ASK_MS,
        transport.terminateSession().catch(() => {}),
      )
      await transport.close()
    },
  }
}
