// A server's resources and prompts as read-only tools. Programs call them like the server's own, so names, checks,
// filters, approvals, read-ahead and the ledger are the same.
// Invariant: a tool of the server wins over one of these of the same name.

import type { Tool } from '../bindings/index.js'
import { DiagnosticError } from '../diagnostics/index.js'
import type { ServerConfig } from './configuration/index.js'
import { type CalledTool, templateMalformed, templateUnfilled } from './messages.js'
import { type PageBounds, readPages } from './pages.js'

type Entry = Readonly<Record<string, unknown>>
type Kind = 'resources' | 'prompts'

/** Sends a request to the server. */
type AskServer = (method: string, params: Entry) => Promise<unknown>

const text = { type: 'string' } as const
const values = { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } } as const
const nothing = { type: 'object', properties: {}, additionalProperties: false } as const
const record = { type: 'object' } as const
const records = { ...record, properties: { result: { type: 'array', items: record } }, required: ['result'] } as const

function reads(tool: Omit<Tool, 'annotations' | 'isProvided'>): Tool {
  return { ...tool, annotations: { readOnlyHint: true }, isProvided: true }
}

// Their results are described in words: types for each key would be written out once for each server.
const toolsOf: Readonly<Record<Kind, readonly Tool[]>> = {
  resources: [
    reads({
      name: 'resources',
      description: 'Lists resources: uri, name, and where known title, description, mimeType, size.',
      inputSchema: nothing,
      outputSchema: records,
    }),
    reads({
      name: 'resource_templates',
      description: 'Lists templates of URIs for read_resource: uriTemplate, name, title, description, mimeType.',
      inputSchema: nothing,
      outputSchema: records,
    }),
    reads({
      name: 'read_resource',
      description:
        'Reads a resource as text, as data where it is JSON, or as a record with a path. ' +
        'The URI may be a template whose variables are given as arguments.',
      inputSchema: { ...record, properties: { uri: text, arguments: values }, required: ['uri'] },
    }),
  ],
  prompts: [
    reads({
      name: 'prompts',
      description: 'Lists prompts: name, title, description, arguments (name, description, required).',
      inputSchema: nothing,
      outputSchema: records,
    }),
    reads({
      name: 'get_prompt',
      description: 'Fills in a prompt: its description and its messages (role, content).',
      inputSchema: { ...record, properties: { name: text, arguments: values }, required: ['name'] },
      outputSchema: record,
    }),
  ],
}

const kindOf = new Map(
  Object.entries(toolsOf).flatMap(([kind, tools]) => tools.map((tool): [Tool, Kind] => [tool, kind as Kind])),
)

/** True for a tool of `withResourceTools` that is not the server's own. */
export function isResourceTool(tool: Tool | undefined): boolean {
  return tool !== undefined && kindOf.has(tool)
}

/** Whether a server's entry gives such a tool to programs. True for every other tool. */
export function leavesToPrograms(config: Pick<ServerConfig, Kind>, tool: Tool): boolean {
  const kind = kindOf.get(tool)
  return kind === undefined || config[kind] !== false
}

/** The lists of a server that have entries, by their keys in the protocol. */
export type Readable = readonly (keyof typeof lists)[]

const lists = {
  resources: { kind: 'resources', method: 'resources/list' },
  resourceTemplates: { kind: 'resources', method: 'resources/templates/list' },
  prompts: { kind: 'prompts', method: 'prompts/list' },
} as const

/** Requests the first page of each list that a server declares. A failed list counts as empty. */
export async function readableOf(capabilities: Entry, ask: (method: string) => Promise<unknown>): Promise<Readable> {
  const keys = (Object.keys(lists) as (keyof typeof lists)[]).filter(
    (key) => capabilities[lists[key].kind] !== undefined,
  )
  const found = keys.map(async (key) => {
    const page = await ask(lists[key].method).catch(() => undefined)
    const listed = isRecord(page) ? page[key] : undefined
    return Array.isArray(listed) && listed.length > 0 ? [key] : []
  })
  return (await Promise.all(found)).flat()
}

/** The tools that need a list with entries; the others need any list of their kind. */
const needed: Readonly<Record<string, keyof typeof lists>> = {
  resources: 'resources',
  resource_templates: 'resourceTemplates',
}

/** A server's tools, and those for its resources and prompts. */
export function withResourceTools(tools: readonly Tool[], readable: Readable): readonly Tool[] {
  if (readable.length === 0) return tools
  const own = new Set(tools.map(({ name }) => name))
  const kinds = new Set<string>(readable.map((key) => lists[key].kind))
  const added = [...kindOf].filter(
    ([{ name }, kind]) =>
      kinds.has(kind) && !own.has(name) && (needed[name] === undefined || readable.includes(needed[name])),
  )
  return [...tools, ...added.map(([tool]) => tool)]
}

interface ResourceCall {
  readonly ask: AskServer
  readonly bounds: PageBounds
  /** Receives the omissions of a list, in words for people. */
  readonly onCut: (what: string) => void
}

/** The answer of such a tool, in the form of a server's answer. Rejects with a DiagnosticError. */
export async function callResourceTool(called: CalledTool, args: Entry, call: ResourceCall): Promise<unknown> {
  switch (called.tool) {
    case 'resources':
      return listed('resources', call)
    case 'resource_templates':
      return listed('resourceTemplates', call)
    case 'prompts':
      return listed('prompts', call)
    case 'read_resource':
      return contentsOf(await call.ask('resources/read', { uri: await filledIn(called, args) }))
    default:
      return promptOf(await call.ask('prompts/get', { name: args.name, arguments: asTexts(args.arguments) }))
  }
}

const LISTED = ['uri', 'uriTemplate', 'name', 'title', 'description', 'mimeType', 'size', 'arguments']

async function listed(key: keyof typeof lists, { ask, bounds, onCut }: ResourceCall): Promise<Entry> {
  const { entries, cut } = await readPages((params) => ask(lists[key].method, { ...params }), key, bounds)
  if (cut !== undefined) onCut(`the list of its ${key} ${cut}`)
  const plain = entries.filter(isRecord).map((entry) => pick(entry, LISTED))
  return { content: [], structuredContent: { result: plain } }
}

function pick(entry: Entry, names: readonly string[]): Entry {
  return Object.fromEntries(names.filter((name) => entry[name] != null).map((name) => [name, entry[name]]))
}

/** The URI of a template with its arguments (RFC 6570). */
async function filledIn(called: CalledTool, { uri, arguments: args }: Entry): Promise<string> {
  const given = asTexts(args)
  const { UriTemplate } = await import('@modelcontextprotocol/sdk/shared/uriTemplate.js')
  if (!UriTemplate.isTemplate(String(uri)) && Object.keys(given).length === 0) return String(uri)
  let template: InstanceType<typeof UriTemplate>
  try {
    template = new UriTemplate(String(uri))
  } catch (error) {
    throw new DiagnosticError(templateMalformed(called, String(uri), (error as Error).message))
  }
  const names = template.variableNames
  const missing = names.filter((name) => !Object.hasOwn(given, name))
  const unknown = Object.keys(given).filter((name) => !names.includes(name))
  if (missing.length + unknown.length > 0)
    throw new DiagnosticError(templateUnfilled(called, String(uri), { names, missing, unknown }))
  return template.expand(given)
}

function asTexts(args: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(isRecord(args) ? args : {}).map(([name, value]) => [name, String(value)]))
}

/** One text is text for the program; anything else becomes a record for each part. */
function contentsOf(raw: unknown): unknown {
  const contents = isRecord(raw) && Array.isArray(raw.contents) ? raw.contents : undefined
  if (contents === undefined) return raw
  const [only] = contents
  if (contents.length === 1 && isRecord(only) && typeof only.text === 'string')
    return { content: [{ type: 'text', text: only.text }] }
  return { content: contents.map(blockOf) }
}

function blockOf(one: unknown): unknown {
  const { mimeType, blob } = isRecord(one) ? one : {}
  const media = /^(image|audio)\//.exec(String(mimeType))?.[1]
  if (media !== undefined && typeof blob === 'string') return { type: media, mimeType, data: blob }
  return { type: 'resource', resource: one }
}

/** Messages without the bytes of pictures and files. */
function promptOf(raw: unknown): unknown {
  if (!isRecord(raw) || !Array.isArray(raw.messages)) return raw
  const messages = raw.messages.filter(isRecord).map(({ role, content }) => ({ role, content: withoutBytes(content) }))
  return { content: [], structuredContent: { ...pick(raw, ['description']), messages } }
}

function withoutBytes(content: unknown): unknown {
  if (!isRecord(content)) return content
  const { data, resource, ...rest } = content
  const { blob, ...left } = isRecord(resource) ? resource : {}
  return {
    ...rest,
    ...(typeof data === 'string' ? { size: Buffer.byteLength(data, 'base64') } : {}),
    ...(resource === undefined ? {} : { resource: left }),
    ...(typeof blob === 'string' ? { size: Buffer.byteLength(blob, 'base64') } : {}),
  }
}

function isRecord(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
