// The client side of revision 2026-07-28: no handshake, no sessions, no requests from the server. Loaded when a server
// may support it.

export { askRevision, type Discovered, notModern } from './discovery.js'
export { ModernPeer } from './modern-peer.js'
