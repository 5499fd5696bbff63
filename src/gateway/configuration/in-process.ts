// Tools and servers of this process: the values that a user of the library may pass, and their JSON Schema. Schemas are
// read through the Standard Schema interfaces, and those of zod versions without JSON Schema as the MCP SDK does.

import { toJsonSchemaCompat } from '@modelcontextprotocol/sdk/server/zod-json-schema-compat.js'
import { type Awaitable, after, awaitableOf } from '../../awaitable/index.js'
import type { JsonSchema } from '../../bindings/index.js'

/**
 * A schema of zod (3.25 and later, 4), or of another library that implements the same standard and can be written as
 * JSON Schema.
 *
 * @example
 * import type { StandardSchema } from 'starbind'
 * import { z } from 'zod'
 *
 * export const inputSchema: StandardSchema = z.object({ path: z.string(), depth: z.int().min(0).default(1) })
 */
export interface StandardSchema {
  readonly '~standard': {
    validate(value: unknown): StandardResult | Promise<StandardResult>
    readonly jsonSchema?: {
      input(options: { readonly target: 'draft-2020-12' }): Record<string, unknown>
      output(options: { readonly target: 'draft-2020-12' }): Record<string, unknown>
    }
  }
}

/**
 * The result of validating a value.
 *
 * @example
 * import type { StandardResult, StandardSchema } from 'starbind'
 *
 * const validate = (value: unknown): StandardResult =>
 *   typeof value === 'object' ? { value } : { issues: [{ message: 'no object' }] }
 * export const anyObject: StandardSchema = { '~standard': { validate } }
 */
export interface StandardResult {
  readonly value?: unknown
  readonly issues?: readonly StandardIssue[] | undefined
}

interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/**
 * The context of a tool of this process, beside its arguments.
 *
 * @example
 * import type { InProcessCall } from 'starbind'
 *
 * export const page = {
 *   call: async (args: unknown, { signal }: InProcessCall) => {
 *     const { url } = args as { url: string }
 *     return (await fetch(url, { signal })).text()
 *   },
 * }
 */
export interface InProcessCall {
  /** Aborts when the result is no longer needed. */
  readonly signal: AbortSignal
  /** The headers of the caller's request that the entry's `passHeaders` lists, and those of its trace. */
  readonly headers: Readonly<Record<string, string>>
  /** Tells whoever made the call how far it is; `message`: its first 200 characters. */
  tellProgress(progress: { readonly progress: number; readonly total?: number; readonly message?: string }): void
}

/**
 * A tool that is a function of this process.
 *
 * @example
 * import { CodeMode, type InProcessTool } from 'starbind'
 * import { z } from 'zod'
 *
 * const add: InProcessTool = {
 *   description: 'Adds two numbers.',
 *   inputSchema: z.object({ a: z.number(), b: z.number() }),
 *   annotations: { readOnlyHint: true },
 *   call: ({ a, b }: { a: number; b: number }) => a + b,
 * }
 * await using codeMode = await CodeMode.open({ servers: { calculator: { inProcess: { add } } } })
 * console.log((await codeMode.run('result = calculator.add(a=20, b=22)')).result)
 */
export interface InProcessTool {
  readonly title?: string
  readonly description?: string
  /** The schema of the arguments, an object: a zod schema, or JSON Schema. Absent: any arguments. */
  readonly inputSchema?: StandardSchema | Readonly<Record<string, unknown>>
  /** The schema of the return value of `call`, which need not be an object. */
  readonly outputSchema?: StandardSchema | Readonly<Record<string, unknown>>
  readonly annotations?: {
    readonly title?: string
    readonly readOnlyHint?: boolean
    readonly destructiveHint?: boolean
    readonly idempotentHint?: boolean
    readonly openWorldHint?: boolean
  }
  /**
   * Performs the call. The result is a text, a JSON value, nothing, or an MCP result with its `content`. An exception
   * is the tool's error, reported by its message. `args` are the output of the schema's library: with defaults,
   * transformed.
   */
  // A method, so that a tool may declare narrower arguments than `unknown`, which its schema ensures.
  call(args: unknown, context: InProcessCall): unknown
}

/**
 * Tools by name.
 *
 * @example
 * import { CodeMode, type InProcessTools } from 'starbind'
 *
 * const inProcess: InProcessTools = {
 *   today: { description: 'The date.', call: () => new Date().toISOString().slice(0, 10) },
 *   fail: { call: () => Promise.reject(new Error('as it was asked to')) },
 * }
 * await using codeMode = await CodeMode.open({ servers: { calendar: { inProcess } } })
 */
export type InProcessTools = Readonly<Record<string, InProcessTool>>

/**
 * An MCP server object of the TypeScript SDK that is not connected to anything yet.
 *
 * @example
 * import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
 * import { CodeMode, type McpServerObject } from 'starbind'
 *
 * const server = new McpServer({ name: 'clock', version: '1.0.0' })
 * server.registerTool('now', {}, async () => ({ content: [{ type: 'text', text: new Date().toISOString() }] }))
 * const inProcess: McpServerObject = server
 * await using codeMode = await CodeMode.open({ servers: { clock: { inProcess } } })
 */
export interface McpServerObject {
  /** Called once, when a CodeMode opens. */
  connect(transport: never): Promise<void>
}

/**
 * A connected MCP client object of the TypeScript SDK. Its creator closes it.
 *
 * @example
 * import { Client } from '@modelcontextprotocol/sdk/client/index.js'
 * import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
 * import { CodeMode, type McpClientObject } from 'starbind'
 *
 * const client = new Client({ name: 'mine', version: '1.0.0' })
 * await client.connect(new StdioClientTransport({ command: 'my-mcp-server' }))
 * const inProcess: McpClientObject = client
 * await using codeMode = await CodeMode.open({ servers: { files: { inProcess } } })
 */
export interface McpClientObject {
  /** Lists tools and reads resources. */
  request(...args: never[]): Promise<unknown>
  /** Calls a tool; rejects with the reason of a failure. */
  callTool(...args: never[]): Promise<unknown>
}

/**
 * A server without a process or an address.
 *
 * @example
 * import { Server } from '@modelcontextprotocol/sdk/server/index.js'
 * import { CodeMode, type InProcess } from 'starbind'
 *
 * const clock = new Server({ name: 'clock', version: '1.0.0' }, { capabilities: { tools: {} } })
 * const inProcess: InProcess = clock
 * await using codeMode = await CodeMode.open({ servers: { clock: { inProcess } } })
 */
export type InProcess = InProcessTools | McpServerObject | McpClientObject

export function isMcpClient(value: InProcess): value is McpClientObject {
  return 'callTool' in value && typeof value.callTool === 'function'
}

export function isMcpServer(value: InProcess): value is McpServerObject {
  return !isMcpClient(value) && 'connect' in value && typeof value.connect === 'function'
}

/** True if the value may be an `inProcess`, as far as that is visible. */
export function isInProcess(value: unknown): value is InProcess {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  if (isMcpClient(value as InProcess) || isMcpServer(value as InProcess)) return true
  return Object.values(value).every((tool) => typeof (tool as InProcessTool | null)?.call === 'function')
}

/** One tool in the form of `tools/list`. */
interface DescribedTool {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  readonly annotations?: NonNullable<InProcessTool['annotations']>
}

/** Throws an Error with the mistake in the tool's schemas. */
export function describeTool(name: string, tool: InProcessTool): DescribedTool {
  const { title, description, inputSchema, outputSchema, annotations } = tool
  const output = outputSchema === undefined ? undefined : jsonSchemaOf(outputSchema, 'output')
  return {
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    inputSchema: inputSchema === undefined ? { type: 'object' } : jsonSchemaOf(inputSchema, 'input'),
    ...(output === undefined ? {} : { outputSchema: isOfObject(output) ? output : wrapped(output) }),
    ...(annotations === undefined ? {} : { annotations }),
  }
}

/** True if the result itself is an object, as MCP requires; other results are put under the key `result`. */
export function givesObject({ outputSchema }: InProcessTool): boolean {
  if (outputSchema === undefined) return true
  const known = objectOutputs.get(outputSchema)
  if (known !== undefined) return known
  const isObject = isOfObject(jsonSchemaOf(outputSchema, 'output'))
  objectOutputs.set(outputSchema, isObject)
  return isObject
}

/** Whether schemas describe objects, cached: writing one as JSON Schema takes longer than most calls. */
const objectOutputs = new WeakMap<object, boolean>()

/** The output of the tool's schema for the arguments. Throws or rejects with an Error that names the wrong ones. */
export function acceptArguments({ inputSchema }: InProcessTool, args: unknown): Awaitable<unknown> {
  if (inputSchema === undefined || !isStandard(inputSchema)) return args
  return after(awaitableOf(inputSchema['~standard'].validate(args)), ({ issues, value }) => {
    if (issues !== undefined) throw new Error(issues.map(issueText).join('; '))
    return value
  })
}

function issueText({ message, path = [] }: StandardIssue): string {
  const place = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.')
  return place === '' ? message : `${place}: ${message}`
}

function isStandard(schema: object): schema is StandardSchema {
  return '~standard' in schema
}

function jsonSchemaOf(
  schema: StandardSchema | Readonly<Record<string, unknown>>,
  side: 'input' | 'output',
): Record<string, unknown> {
  if (!isStandard(schema)) return schema
  const { jsonSchema } = schema['~standard']
  if (jsonSchema !== undefined) return jsonSchema[side]({ target: 'draft-2020-12' })
  if (!isOfZod(schema)) throw new Error('its schema library does not write JSON Schema')
  return toJsonSchemaCompat(schema, { target: 'draft-2020-12', pipeStrategy: side })
}

/** zod 3, and the first versions of zod 4. */
function isOfZod(schema: StandardSchema): schema is StandardSchema & Parameters<typeof toJsonSchemaCompat>[0] {
  return '_def' in schema
}

function isOfObject(schema: Readonly<Record<string, unknown>>): boolean {
  return schema.type === 'object'
}

function wrapped({ $schema, $defs, ...schema }: Readonly<Record<string, unknown>>): JsonSchema {
  return {
    ...($schema === undefined ? {} : { $schema }),
    type: 'object',
    properties: { result: schema },
    required: ['result'],
    ...($defs === undefined ? {} : { $defs }),
  }
}
