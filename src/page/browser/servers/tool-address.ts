// Where a tool is on the page: its server, and its name there. Slashes in either are escaped, so that the first one
// divides them.

import { addressOf, readId } from '../frame/route.js'

export const serverAddress = (server: string): string => addressOf('servers', encodeURIComponent(server))

export const toolAddress = (server: string, tool: string): string =>
  addressOf('servers', `${encodeURIComponent(server)}/${encodeURIComponent(tool)}`)

/** The parts of the view's id. */
export function partsOf(id: string | undefined): readonly [server?: string, tool?: string] {
  if (id === undefined) return []
  const [server, tool] = id.split('/').map(readId)
  return tool === undefined ? [server!] : [server!, tool]
}
