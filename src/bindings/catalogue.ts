// Validates the tools of `tools/list` answers, live or saved, one by one.
// Invariant: a malformed tool is reported with a reason and does not affect the others.

import { z } from 'zod'
import { DiagnosticError } from '../diagnostics/index.js'
import type { Tool, ToolServer } from './tool.js'

/**
 * A tool that a server offers and that can't be used.
 *
 * @example
 * import { CodeMode, type QuarantinedTool } from 'starbind'
 *
 * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } } })
 * const unusable: QuarantinedTool[] = codeMode.status().flatMap(({ quarantined }) => quarantined)
 * for (const { name, reason } of unusable) console.error(`${name}: ${reason}`)
 */
export interface QuarantinedTool {
  readonly name: string
  /** Without a full stop. */
  readonly reason: string
}

export interface Catalogue {
  readonly server: ToolServer
  readonly quarantined: readonly QuarantinedTool[]
}

const schema = z.looseObject(
  { type: z.literal('object', { error: '"object"' }).optional() },
  { error: 'an object schema' },
)
const annotations = z.looseObject({
  title: z.string().optional(),
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  idempotentHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
})

const toolEntry = z.looseObject(
  {
    name: z.string({ error: 'a string' }).min(1, { error: 'a name' }),
    inputSchema: schema,
    title: z.string().optional().catch(undefined),
    description: z.string().optional().catch(undefined),
    // Malformed descriptive fields are dropped; the tool works without them.
    outputSchema: z.looseObject({}).optional().catch(undefined),
    annotations: annotations.optional().catch(undefined),
  },
  { error: 'an object' },
)

/**
 * Splits a server's list into usable tools and the rest with reasons. For a part of a longer list, `from` is its offset
 * there, and `known` has the names of earlier tools.
 */
export function sortOut(
  raw: readonly unknown[],
  from = 0,
  known: { has(name: string): boolean } = new Set<string>(),
): { tools: Tool[]; quarantined: QuarantinedTool[] } {
  const tools = new Map<string, Tool>()
  const quarantined: QuarantinedTool[] = []
  raw.forEach((entry, index) => {
    const parsed = toolEntry.safeParse(entry)
    if (!parsed.success) {
      const issue = parsed.error.issues[0]
      const name = (entry as { name?: unknown } | null)?.name
      quarantined.push({
        name: typeof name === 'string' && name !== '' ? name : `number ${from + index + 1}`,
        reason: `its ${issue?.path.join('.') || 'entry'} is not ${issue?.message}`,
      })
    } else if (tools.has(parsed.data.name) || known.has(parsed.data.name)) {
      quarantined.push({ name: parsed.data.name, reason: 'another tool of this server has the same name' })
    } else {
      tools.set(parsed.data.name, toTool(parsed.data))
    }
  })
  return { tools: [...tools.values()], quarantined }
}

function toTool({ name, inputSchema, title, description, outputSchema, annotations }: z.infer<typeof toolEntry>): Tool {
  return {
    name,
    inputSchema,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(annotations === undefined ? {} : { annotations: annotations as NonNullable<Tool['annotations']> }),
  }
}

/**
 * Reads a saved `tools/list` answer: the result, the whole JSON-RPC message, or the bare list. Throws a DiagnosticError
 * that names the file if it is none of these.
 */
export function readCatalogue(text: string, server: string, file: string): Catalogue {
  const refuse = (reason: string): never => {
    throw new DiagnosticError({ class: 'host error', code: 'wrong-catalogue', message: `${file}: ${reason}` })
  }
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch {
    return refuse('this is not JSON; want a saved tools/list answer')
  }
  const list = toolsIn(raw) ?? refuse('there is no list "tools"; want a saved tools/list answer')
  const { tools, quarantined } = sortOut(list)
  return { server: { name: server, tools }, quarantined }
}

function toolsIn(raw: unknown): readonly unknown[] | undefined {
  if (Array.isArray(raw)) return raw
  if (typeof raw !== 'object' || raw === null) return undefined
  const { tools, result } = raw as { tools?: unknown; result?: unknown }
  return Array.isArray(tools) ? tools : result === undefined ? undefined : toolsIn(result)
}
