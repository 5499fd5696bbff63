// Finds the reachable tools that need approval. Knows names and the policy's answer for each.

import type { Bindings } from '../../bindings/index.js'
import type { Reach } from '../../interpreter/index.js'
import { type AsksAbout, asksNobody } from './held-calls.js'

/** In guest names: `server.tool`, in the order of the bindings. `all`: every tool that a program could call. */
export function askingTools({ servers }: Bindings, asks: AsksAbout, reach: Reach | 'all'): string[] {
  if (asks === asksNobody) return []
  return servers.flatMap((server) =>
    server.tools
      .filter((tool) => isReached(reach, server.name, tool.name) && asks(server.source.name, tool.tool))
      .map((tool) => `${server.name}.${tool.name}`),
  )
}

/** The tools in a program's reach, as programs call them and in the order of the bindings. */
export function reachedTools({ servers }: Bindings, reach: Reach): string[] {
  return servers.flatMap((server) =>
    server.tools
      .filter((tool) => isReached(reach, server.name, tool.name))
      .map((tool) => `${server.name}.${tool.name}`),
  )
}

/** The servers of the tools in a program's reach, by their names in the configuration; only those that it names. */
export function namedServers({ servers }: Bindings, { tools, widened }: Reach): string[] {
  const named = new Set([...tools.map(({ namespace }) => namespace), ...(widened === 'all' ? [] : widened)])
  return servers.filter(({ name }) => named.has(name)).map(({ source }) => source.name)
}

function isReached(reach: Reach | 'all', namespace: string, member: string): boolean {
  if (reach === 'all' || reach.widened === 'all' || reach.widened.includes(namespace)) return true
  return reach.tools.some((tool) => tool.namespace === namespace && tool.member === member)
}
