// Named choices of tools.
// Invariant: in a set that passes the check, a name means one tool.

import { type Diagnostic, DiagnosticError, type ServerStatus, type Session } from '../index.js'
import type { ToolSet } from './agent-options.js'
import { toolSetClashes, toolSetServers, toolSetTools, toolSetUnknown, toolSetUnready } from './messages.js'

type ToolSets = Readonly<Record<string, ToolSet>>

/** Throws a DiagnosticError if there is no such set, or with everything that is wrong with it. */
export function toolSetNamed(name: string, sets: ToolSets, session: Session): ToolSet {
  const set = Object.hasOwn(sets, name) ? sets[name] : undefined
  const faults = set === undefined ? [toolSetUnknown(name, Object.keys(sets))] : faultsOf(name, set, session.status())
  if (set === undefined || faults.length > 0) throw new DiagnosticError(faults)
  return set
}

/** Throws a DiagnosticError with everything that is wrong with any set. */
export function checkToolSets(sets: ToolSets, session: Session): void {
  const status = session.status()
  const faults = Object.entries(sets).flatMap(([name, set]) => faultsOf(name, set, status))
  if (faults.length > 0) throw new DiagnosticError(faults)
}

function faultsOf(name: string, { servers, tools: wanted }: ToolSet, status: readonly ServerStatus[]): Diagnostic[] {
  const known = new Map(status.map((one) => [one.name, one]))
  const unknown = servers.filter((server) => !known.has(server))
  const there = servers.flatMap((server) => known.get(server) ?? [])
  const unready = there.filter(({ state, tools }) => state !== 'ready' && tools.length === 0)
  const homes = new Map<string, string[]>()
  for (const { name: server, tools } of there)
    for (const tool of tools) homes.set(tool, [...(homes.get(tool) ?? []), server])
  const missing = unready.length > 0 ? [] : (wanted ?? []).filter((tool) => !homes.has(tool))
  const clashes = [...homes]
    .filter(([tool, at]) => at.length > 1 && wanted?.includes(tool) !== false)
    .map(([tool, at]) => `${tool} (${at.join(', ')})`)
  return [
    ...(unknown.length > 0 ? [toolSetServers(name, unknown, [...known.keys()])] : []),
    ...unready.map((one) => toolSetUnready(name, one.name, one.reason ?? one.state)),
    ...(missing.length > 0 ? [toolSetTools(name, missing, servers)] : []),
    ...(clashes.length > 0 ? [toolSetClashes(name, clashes)] : []),
  ]
}

/** The part of a session that a set leaves. */
export function sessionFor(session: Session, { servers, tools }: ToolSet): Session {
  const toolsToExecute = tools && servers.flatMap((server) => tools.map((tool) => `${server}/${tool}`))
  return session.session({
    filters: { servers, ...(toolsToExecute === undefined ? {} : { toolsToExecute }) },
    results: 'shared',
  })
}

/** The tool's own name, where models accept it. */
export function ownName(_server: string, tool: string): string | undefined {
  return /^[A-Za-z0-9_-]{1,64}$/.test(tool) ? tool : undefined
}
