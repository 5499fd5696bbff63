// Tools passed through to callers that call them without programs.
// Invariant: a name means one tool, even if the current filter hides tools, and depends on the set of servers and
// tools, not on their order.

import { createHash } from 'node:crypto'
import type { ToolServer } from '../../bindings/index.js'
import { SPELLING } from '../reading/spelling.js'

/**
 * A tool under the name by which a caller calls it.
 *
 * @example
 * import { CodeMode, type DirectTool } from 'starbind'
 *
 * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server', codeMode: false } } })
 * const tools: readonly DirectTool[] = await codeMode.direct.tools()
 * for (const { name, server, tool } of tools) console.log(name, server, tool)
 */
export interface DirectTool {
  readonly name: string
  /** The server's name in the configuration and the tool's at its server. */
  readonly server: string
  readonly tool: string
}

/** The longest name that all interfaces of models accept. */
const LONGEST_NAME = 64

/** Names every tool `server_tool`. */
export function directTools(servers: readonly ToolServer[], taken: readonly string[]): DirectTool[] {
  const used = new Set(taken)
  const all = servers.flatMap((server) => server.tools.map((tool) => ({ server: server.name, tool: tool.name })))
  const ordered = [...all].sort((a, b) => compare(a.server, b.server) || compare(a.tool, b.tool))
  const names = new Map<string, string>()
  for (const one of ordered) {
    const plain = `${one.server}_${one.tool}`
    const safe = plain.replace(/[^A-Za-z0-9_-]/g, '_')
    const isPlain = safe === plain && safe.length <= LONGEST_NAME && !used.has(safe)
    // A digest of both names distinguishes tools with equal plain names.
    const name = isPlain ? safe : `${safe.slice(0, LONGEST_NAME - 9)}_${digest([one.server, one.tool])}`
    used.add(name)
    names.set(keyOf(one), name)
  }
  return all.map((one) => ({ ...one, name: names.get(keyOf(one))! }))
}

function keyOf({ server, tool }: { readonly server: string; readonly tool: string }): string {
  return JSON.stringify([server, tool])
}

function digest(names: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(names)).digest('hex').slice(0, 8)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

type Entry = Readonly<Record<string, unknown>>

/**
 * A server's definition of a tool, under another name. Callers refuse a whole list for one malformed part, so such
 * parts are dropped.
 */
export function definitionOf(name: string, entry: Entry): Entry {
  const kept = Object.entries(entry).filter(([key, value]) => WELL_FORMED[key]?.(value) ?? true)
  const inputSchema = { ...(entry.inputSchema as Entry), type: 'object' }
  return { ...Object.fromEntries(kept), name, inputSchema }
}

const WELL_FORMED: Readonly<Record<string, (value: unknown) => boolean>> = {
  title: isString,
  description: isString,
  outputSchema: (value) => isRecord(value) && value.type === 'object',
  annotations: isRecord,
  _meta: isRecord,
  execution: isRecord,
  icons: (value) => Array.isArray(value) && value.every((icon) => isRecord(icon) && isString(icon.src)),
}

/**
 * A server's answer in the form that callers accept: with a list of contents, and structured content only if it is an
 * object.
 */
export function resultOf(raw: unknown): Entry {
  const { content, structuredContent, [SPELLING]: _, ...rest } = isRecord(raw) ? raw : {}
  return {
    ...rest,
    content: Array.isArray(content) ? content : [],
    ...(isRecord(structuredContent) ? { structuredContent } : {}),
  }
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
