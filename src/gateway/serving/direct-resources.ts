// Resources and prompts of servers, passed through to callers. Answers are passed on unchanged.
// Invariant: every listed name or URI can be resolved again.

import { DiagnosticError } from '../../diagnostics/index.js'
import type { Gate } from '../gate.js'
import { notHere } from '../messages.js'
import { readPages } from '../pages.js'
import type { Params } from '../params.js'
import type { CallOptions } from '../upstream.js'

/** The lists besides tools that callers may request. */
export const directMethods = [
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
] as const

export type DirectMethod = (typeof directMethods)[number]

/** A server's names for the current caller. */
export interface Naming {
  nameOf(server: string, own: string): string
  uriOf(server: string, own: string): string
  /** The server that a name or URI belongs to, and its own name or URI there. */
  ownName(name: string): Owned | undefined
  ownUri(uri: string): Owned | undefined
}

export interface Owned {
  readonly server: string
  readonly own: string
}

/** The names of one server, as it gives them. */
export function ownNaming(server: string): Naming {
  const owned = (own: string): Owned => ({ server, own })
  const same = (_: string, own: string) => own
  return { nameOf: same, uriOf: same, ownName: owned, ownUri: owned }
}

/** Names and URIs of several servers: `server_name`, and `mcp://server/` before the URI. */
export function prefixedNaming(servers: () => readonly string[]): Naming {
  const find = (text: string, prefixOf: (server: string) => string): Owned | undefined => {
    // The longest prefix wins, so that a name of `a_b` is not taken for one of `a`.
    const owners = servers().filter((server) => text.startsWith(prefixOf(server)))
    const [server] = owners.sort((a, b) => b.length - a.length)
    return server === undefined ? undefined : { server, own: text.slice(prefixOf(server).length) }
  }
  const uriPrefix = (server: string) => `mcp://${encodeURIComponent(server)}/`
  const namePrefix = (server: string) => `${server}_`
  return {
    nameOf: (server, own) => namePrefix(server) + own,
    uriOf: (server, own) => uriPrefix(server) + own,
    ownName: (name) => find(name, namePrefix),
    ownUri: (uri) => find(uri, uriPrefix),
  }
}

export interface ResourceView {
  readonly gate: Gate
  readonly naming: Naming
  /** The maximum size of a server's list, in bytes. */
  listMaxBytes(server: string): number
  /** Receives the omissions of a list, in words for people. */
  onCut(server: string, what: string): void
  /** The servers with resources, or prompts, that the caller may use. */
  servers(kind: 'resources' | 'prompts'): readonly string[]
  /** Whether the caller may use a server's resources or prompts. */
  opens(kind: 'resources' | 'prompts', server: string): boolean
}

/** For all pages of one list. */
const LIST_MS = 60_000

/**
 * Answers one request of a caller. Rejects with a DiagnosticError if the target does not exist or no answer arrives.
 */
export function answerDirectly(
  method: DirectMethod,
  params: Params,
  view: ResourceView,
  options: CallOptions,
): Promise<unknown> {
  switch (method) {
    case 'resources/list':
      return listAll(method, 'resources', view, options)
    case 'resources/templates/list':
      return listAll(method, 'resourceTemplates', view, options)
    case 'prompts/list':
      return listAll(method, 'prompts', view, options)
    case 'resources/read':
      return read(params, view, options)
    case 'resources/subscribe':
    case 'resources/unsubscribe': {
      const { server, own } = resource(params.uri, view)
      return view.gate.request(server, method, { ...params, uri: own }, options)
    }
    case 'prompts/get': {
      const { server, own } = prompt(params.name, view)
      return view.gate.request(server, method, { ...params, name: own }, options)
    }
    case 'completion/complete':
      return complete(params, view, options)
  }
}

/**
 * Everything of one kind that servers list, on one page: their cursors mean nothing to others. A server that fails is
 * left out.
 */
async function listAll(
  method: DirectMethod,
  key: 'resources' | 'resourceTemplates' | 'prompts',
  view: ResourceView,
  options: CallOptions,
): Promise<unknown> {
  const servers = view.servers(key === 'prompts' ? 'prompts' : 'resources')
  const lists = servers.map((server) => listOne(server, { method, key }, view, options).catch(() => []))
  return { [key]: (await Promise.all(lists)).flat() }
}

async function listOne(
  server: string,
  { method, key }: { readonly method: DirectMethod; readonly key: string },
  { gate, naming, listMaxBytes, onCut }: ResourceView,
  options: CallOptions,
): Promise<Params[]> {
  const ask = (params: object, timeoutMs: number) =>
    gate.request(server, method, { ...params }, { ...options, timeoutMs: Math.ceil(timeoutMs) })
  const { timeoutMs = LIST_MS } = options
  const { entries, cut } = await readPages(ask, key, { maxBytes: listMaxBytes(server), timeoutMs })
  if (cut !== undefined) onCut(server, `the list of its ${key} ${cut}`)
  return entries.map((entry) => renamed(record(entry), server, naming))
}

function renamed(entry: Params, server: string, naming: Naming): Params {
  return {
    ...entry,
    ...(typeof entry.name === 'string' ? { name: naming.nameOf(server, entry.name) } : {}),
    ...(typeof entry.uri === 'string' ? { uri: naming.uriOf(server, entry.uri) } : {}),
    ...(typeof entry.uriTemplate === 'string' ? { uriTemplate: naming.uriOf(server, entry.uriTemplate) } : {}),
  }
}

async function read(params: Params, view: ResourceView, options: CallOptions): Promise<unknown> {
  const { server, own } = resource(params.uri, view)
  const answer = record(await view.gate.request(server, 'resources/read', { ...params, uri: own }, options))
  const contents = Array.isArray(answer.contents) ? answer.contents.map(record) : []
  const named = contents.map((one) =>
    typeof one.uri === 'string' ? { ...one, uri: view.naming.uriOf(server, one.uri) } : one,
  )
  return { ...answer, contents: named }
}

async function complete(params: Params, view: ResourceView, options: CallOptions): Promise<unknown> {
  const ref = record(params.ref)
  const { server, own } = ref.type === 'ref/prompt' ? prompt(ref.name, view) : resource(ref.uri, view)
  const ownRef = ref.type === 'ref/prompt' ? { ...ref, name: own } : { ...ref, uri: own }
  return view.gate.request(server, 'completion/complete', { ...params, ref: ownRef }, options)
}

function resource(uri: unknown, { naming, opens }: ResourceView): Owned {
  const owned = typeof uri === 'string' ? naming.ownUri(uri) : undefined
  if (owned !== undefined && opens('resources', owned.server)) return owned
  throw new DiagnosticError(notHere('resource', String(uri)))
}

function prompt(name: unknown, { naming, opens }: ResourceView): Owned {
  const owned = typeof name === 'string' ? naming.ownName(name) : undefined
  if (owned !== undefined && opens('prompts', owned.server)) return owned
  throw new DiagnosticError(notHere('prompt', String(name)))
}

function record(value: unknown): Params {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Params) : {}
}
