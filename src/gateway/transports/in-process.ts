// The transport to a server in this process: functions, an SDK server or an SDK client.
// Invariant: messages are copied, so that neither side can change the other's data.

import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type ListToolsResult,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { type Awaitable, after, awaitableOf, settled } from '../../awaitable/index.js'
import { exactText } from '../../bindings/index.js'
import {
  acceptArguments,
  describeTool,
  givesObject,
  type InProcess,
  type InProcessCall,
  type InProcessTool,
  type InProcessTools,
  isMcpClient,
  isMcpServer,
} from '../configuration/index.js'
import { noValidator } from '../no-validator.js'
import { LONE_VALUE } from '../tool-answer.js'
import { messageText } from './exact-message.js'
import type { UpstreamTransport } from './transport.js'

/** A result that a tool has made for this process alone. It is passed on without a copy. */
export class FinishedResult {
  readonly result: CallToolResult

  constructor(result: CallToolResult) {
    this.result = result
  }
}

/** `instructions` are those of a set of functions. */
export function inProcessTransport(inProcess: InProcess, instructions?: string): UpstreamTransport {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const start = ours.start.bind(ours)
  ours.start = async () => {
    await serverOf(inProcess, instructions).connect(theirs as Transport)
    await start()
  }
  for (const end of [ours, theirs]) {
    const send = end.send.bind(end)
    end.send = async (message, options) => send(JSON.parse(messageText(message)), options)
  }
  return {
    sdk: ours as Transport,
    lastWords: () => '',
    hasSession: () => false,
    showsItsEnd: true,
    mayBeModern: false,
    ...(isMcpServer(inProcess) || isMcpClient(inProcess) ? {} : { call: callerOf(inProcess) }),
    stop: () => ours.close(),
  }
}

/** Calls a function with a copy of the arguments and returns a copy of its result. */
function callerOf(tools: InProcessTools): NonNullable<UpstreamTransport['call']> {
  return (name, args, context) => {
    const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
    if (tool === undefined) throw new Error(`there is no tool ${name}`)
    return callTool(tool, JSON.parse(exactText(JSON.stringify(args))), context)
  }
}

interface Connectable {
  connect(transport: Transport): Promise<void>
}

function serverOf(inProcess: InProcess, instructions: string | undefined): Connectable {
  if (isMcpServer(inProcess)) return inProcess as Connectable
  return isMcpClient(inProcess) ? relayTo(inProcess as unknown as ClientObject) : serverOfTools(inProcess, instructions)
}

// Functions.

function serverOfTools(tools: InProcessTools, instructions: string | undefined): Server {
  const server = new Server(
    { name: 'in-process', version: '1.0.0' },
    { capabilities: { tools: {} }, ...(instructions === undefined ? {} : { instructions }), ...noValidator },
  )
  const described = Object.entries(tools).map(([name, tool]) => describeTool(name, tool))
  // The other side validates the list, like every list of tools.
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: described }) as unknown as ListToolsResult)
  return server
}

function callTool(tool: InProcessTool, args: unknown, context: InProcessCall): Awaitable<CallToolResult> {
  const returned = (): Awaitable<unknown> =>
    after(acceptArguments(tool, args), (accepted) => awaitableOf(tool.call(accepted, context)))
  return settled(
    () => after(returned(), (value) => resultOf(tool, value)),
    (result) => result,
    (error): CallToolResult => {
      const text = error instanceof Error ? error.message : String(error)
      return { isError: true, content: [{ type: 'text', text }] }
    },
  )
}

const mcpResult = z.looseObject({ content: z.array(z.looseObject({ type: z.string() })) })

function resultOf(tool: InProcessTool, returned: unknown): CallToolResult {
  if (returned instanceof FinishedResult) return returned.result
  if (isRecord(returned) && Array.isArray(returned.content) && mcpResult.safeParse(returned).success)
    return copyOf(returned) as CallToolResult
  const json = returned === undefined ? 'null' : JSON.stringify(returned)
  const value: unknown = JSON.parse(json)
  const undeclared = tool.outputSchema === undefined
  const text = typeof value === 'string' ? value : json
  const isNothing = returned === undefined || (undeclared && value === null)
  const content: CallToolResult['content'] = isNothing ? [] : [{ type: 'text', text }]
  if (undeclared && (typeof value === 'number' || typeof value === 'boolean'))
    return { content, _meta: { [LONE_VALUE]: value } }
  if (!givesObject(tool)) return { content, structuredContent: { result: value } }
  return isRecord(value) ? { content, structuredContent: value } : { content }
}

// A client that is already connected.

/**
 * The part of the SDK's client that is needed here. That client makes the requests, so its own version of the SDK
 * parses the answers.
 */
interface ClientObject {
  onclose?: (() => void) | undefined
  getServerCapabilities(): { readonly tools?: unknown } | undefined
  getInstructions(): string | undefined
  request(request: object, schema: z.ZodType, options: object): Promise<Record<string, unknown>>
  setNotificationHandler(schema: typeof ToolListChangedNotificationSchema, handler: () => void): void
}

const anyResult = z.looseObject({})
/** The other side has the deadline, and this one must never come first. */
const PATIENT_MS = 2 ** 31 - 1

function relayTo(client: ClientObject): Server {
  const instructions = client.getInstructions()
  const server = new Server(
    { name: 'in-process', version: '1.0.0' },
    {
      capabilities: { tools: { listChanged: true } },
      ...(instructions === undefined ? {} : { instructions }),
      ...noValidator,
    },
  )
  server.setRequestHandler(ListToolsRequestSchema, async ({ method, params = {} }, { signal }) => {
    if (client.getServerCapabilities()?.tools === undefined) return { tools: [] }
    return (await client.request({ method, params }, anyResult, {
      signal,
      timeout: PATIENT_MS,
    })) as unknown as ListToolsResult
  })
  server.setRequestHandler(CallToolRequestSchema, async ({ method, params }, { signal }) => {
    return (await client.request({ method, params }, anyResult, { signal, timeout: PATIENT_MS })) as CallToolResult
  })
  client.setNotificationHandler(
    ToolListChangedNotificationSchema,
    () => void server.sendToolListChanged().catch(() => {}),
  )
  const before = client.onclose
  client.onclose = () => {
    before?.()
    void server.close()
  }
  server.onclose = () => {
    if (before === undefined) delete client.onclose
    else client.onclose = before
  }
  return server
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Throws if the value has no JSON form. */
function copyOf<T>(value: T): T {
  return JSON.parse(JSON.stringify(value))
}
