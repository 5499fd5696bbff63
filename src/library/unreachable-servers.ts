// Reports unreachable servers to programs and models.
// Invariant: a missing tool of an unreachable server is never reported as unknown.

import { identifierFor } from '../bindings/index.js'
import type { ServerStatus, UpstreamState } from '../gateway/index.js'
import type { Answer } from '../meta-tools/index.js'

const UNREACHED: ReadonlySet<UpstreamState> = new Set(['idle', 'failed', 'connecting', 'needs-auth'])

/** Servers that have shown no tools and can't be reached now. */
function absent(servers: readonly ServerStatus[]): ServerStatus[] {
  return servers.filter(({ state, tools }) => UNREACHED.has(state) && tools.length === 0)
}

/**
 * The names of servers that programs can't reach, each with the reason. `direct`: the servers whose tools are called
 * directly.
 */
export function unreachable(servers: readonly ServerStatus[], direct: readonly string[]): Record<string, string> {
  return Object.fromEntries([
    ...absent(servers).map((server) => [identifierFor(server.name), server.reason]),
    ...direct.map((name) => [identifierFor(name), NOT_BY_PROGRAMS]),
  ])
}

const NOT_BY_PROGRAMS = 'its tools are called directly and not by programs'

/**
 * Lists the servers that can't be reached now, so that models do not conclude that these are missing or that their
 * tools are ready. `asked`: the server that the answer is about, if it is about one.
 */
export function withUnreachable(answer: Answer, servers: readonly ServerStatus[], asked?: unknown): Answer {
  const about = servers.filter(({ name }) => name === asked || identifierFor(name) === asked)
  const lines = (about.length === 0 ? servers : about)
    .filter(({ reason }) => !(answer.isError && answer.text.includes(reason)))
    .filter(({ state, tools }) => UNREACHED.has(state) && !(state === 'idle' && tools.length > 0))
    .map(({ name, state, tools, reason }) =>
      tools.length === 0 && state !== 'idle' && state !== 'connecting'
        ? `# ${name} is not available: ${reason}`
        : `# ${name} is not connected now: ${reason}`,
    )
  return { ...answer, text: [answer.text, ...lines].join('\n') }
}

/** The servers that a text names: in their own names, or as programs spell them. */
export function namedIn(text: string, servers: readonly string[]): string[] {
  const words = new Set(text.match(/[\p{ID_Start}_$][\p{ID_Continue}$]*/gu)?.map(folded))
  return servers.filter((name) => words.has(folded(identifierFor(name))) || (/\W/.test(name) && text.includes(name)))
}

/** JavaScript may spell names in camel case. */
function folded(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}
