// Looks up servers and tools by name.
// Invariant: a look-up takes constant time; the lists that it indexes never change.

import { nearestNames } from '../diagnostics/index.js'
import type { BoundServer, BoundTool } from './bound.js'

/** The meaning of a name. */
export type Found<T> =
  | { readonly found: T }
  | { readonly found: undefined; readonly near: readonly string[]; readonly ambiguous: boolean }

interface OwnNames {
  readonly server: string
  readonly tool: string
}

const MOST_AMBIGUOUS = 20

interface Index {
  readonly byName: ReadonlyMap<string, object>
  readonly byOriginal: ReadonlyMap<string, object>
  readonly byFolded: ReadonlyMap<string, ReadonlySet<{ readonly name: string }>>
}

const indexes = new WeakMap<readonly object[], Index>()

/** A tool by its own name and that of its server. */
export function toolCalled(servers: readonly BoundServer[], names: OwnNames): BoundTool | undefined {
  const bound = serverCalled(servers, names.server)
  return bound && (indexOf(bound.tools, originalOfTool).byOriginal.get(names.tool) as BoundTool | undefined)
}

/** The guest names of a tool; its own names where it has gone. */
export function guestNames(servers: readonly BoundServer[], names: OwnNames): OwnNames {
  const server = serverCalled(servers, names.server)?.name ?? names.server
  return { server, tool: toolCalled(servers, names)?.name ?? names.tool }
}

function serverCalled(servers: readonly BoundServer[], original: string): BoundServer | undefined {
  return indexOf(servers, originalOfServer).byOriginal.get(original) as BoundServer | undefined
}

/** A server by guest name or own name, without regard to case if that is unambiguous. */
export function findServer(servers: readonly BoundServer[], name: string): Found<BoundServer> {
  return find(name, servers, originalOfServer)
}

/** A tool of a server by guest name or own name, without regard to case if that is unambiguous. */
export function findTool({ tools }: BoundServer, name: string): Found<BoundTool> {
  return find(name, tools, originalOfTool)
}

function originalOfServer({ source }: BoundServer): string {
  return source.name
}

function originalOfTool({ tool }: BoundTool): string {
  return tool.name
}

function find<T extends { readonly name: string }>(
  name: string,
  all: readonly T[],
  originalOf: (one: T) => string,
): Found<T> {
  const { byName, byOriginal, byFolded } = indexOf(all, originalOf)
  const exact = byName.get(name) ?? byOriginal.get(name)
  if (exact !== undefined) return { found: exact as T }
  const like = [...(byFolded.get(foldName(name)) ?? [])]
  if (like.length === 1) return { found: like[0] as T }
  if (like.length > 1)
    return { found: undefined, near: like.slice(0, MOST_AMBIGUOUS).map((one) => one.name), ambiguous: true }
  const names = byName.keys() as Iterable<string>
  return { found: undefined, near: nearestNames(name, names), ambiguous: false }
}

function indexOf<T extends { readonly name: string }>(all: readonly T[], originalOf: (one: T) => string): Index {
  const known = indexes.get(all)
  if (known !== undefined) return known
  const byName = new Map<string, T>()
  const byOriginal = new Map<string, T>()
  const byFolded = new Map<string, Set<T>>()
  for (const one of all) {
    const original = originalOf(one)
    if (!byName.has(one.name)) byName.set(one.name, one)
    if (!byOriginal.has(original)) byOriginal.set(original, one)
    for (const folded of [foldName(one.name), foldName(original)]) {
      const like = byFolded.get(folded) ?? new Set()
      byFolded.set(folded, like.add(one))
    }
  }
  const index = { byName, byOriginal, byFolded }
  indexes.set(all, index)
  return index
}

/** Equal for names that differ only in case or in separators that identifiers can't contain. */
function foldName(name: string): string {
  return name.toLowerCase().replace(/[-. ]/g, '_')
}
