/** The revision of the protocol without handshakes and sessions. */
export const REVISION = '2026-07-28'

/** The protocol's own keys in `_meta`, by which each message of that revision says what earlier ones agreed on once. */
export const metaKey = {
  version: 'io.modelcontextprotocol/protocolVersion',
  client: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  server: 'io.modelcontextprotocol/serverInfo',
  subscription: 'io.modelcontextprotocol/subscriptionId',
} as const
