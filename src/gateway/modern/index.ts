// Revision 2026-07-28 at upstreams: no handshake, no session, no requests of the server's own. Loaded where a server
// may speak it.

export { askRevision, type Discovered, notModern } from './discovery.js'
export { ModernPeer } from './modern-peer.js'
