// Answers the questions of the module `runtime` about servers and tools. It sees only the caller's servers and tools,
// and calls no tool.
// Invariant: it never throws, and its answers contain only names, counts and words that a stub could show.

import { nearestNames } from '../diagnostics/index.js'
import type { ForeignReply } from '../interpreter/index.js'
import type { Bindings } from './bindings.js'
import type { BoundServer, BoundTool } from './bound.js'
import { readCall } from './call-text.js'
import { errorReply } from './convert-outcome.js'
import { identifierFor } from './identifiers.js'
import { messages } from './messages.js'
import { describedIn } from './notation.js'
import type { Pieces } from './pieces.js'
import { commentText, cutAtWord, firstSentence } from './quoting.js'
import { readyToDescribe } from './stub.js'
import { type Notation, quotedName, valueText, wordIn } from './value-words.js'

interface DiscoveryOptions {
  /** The guest names of servers that can't be reached now, each with the reason. */
  readonly unavailable: Readonly<Record<string, string>>
  readonly longestReply: number
  /** The notation of signatures and documentation. Default: Python's. */
  readonly notation?: Notation
}

/** A question of a program: the module that it is for, and its content. */
export interface ProgramQuestion {
  readonly module: 'runtime' | 'results' | 'artifacts' | 'memory.'
  readonly member: string
  readonly args: Readonly<Record<string, unknown>>
}

/** The question in a guest's call; undefined for a tool call. */
export function readQuestion(callText: string): ProgramQuestion | undefined {
  if (!/^\{"namespace":"(?:runtime|results|artifacts|memory\.)",/.test(callText)) return undefined
  const read = readCall(callText)
  if (read.kind !== 'call') return undefined
  const { namespace, member, named } = read.call
  return { module: namespace as ProgramQuestion['module'], member, args: named }
}

/** Answers a question of the module `runtime`, a tool in each piece. */
export function* answering(
  question: ProgramQuestion,
  bindings: Bindings,
  options: DiscoveryOptions,
): Pieces<ForeignReply> {
  try {
    const { member, args } = question
    if (member === 'help') return `T${yield* help(bindings, args, options)}`
    const reply: ForeignReply = `J${JSON.stringify(yield* answer(member, args, bindings, options))}`
    return reply.length > options.longestReply
      ? errorReply(messages.responseTooLong(`runtime.${member}`, reply.length, options.longestReply))
      : reply
  } catch (error) {
    if (error instanceof Refusal) return errorReply(error.reason)
    throw error
  }
}

class Refusal extends Error {
  readonly reason: Parameters<typeof errorReply>[0]
  constructor(reason: Parameters<typeof errorReply>[0]) {
    super(reason.message)
    this.reason = reason
  }
}

function* answer(
  member: string,
  args: ProgramQuestion['args'],
  bindings: Bindings,
  options: DiscoveryOptions,
): Pieces<unknown> {
  const { servers } = bindings
  const { unavailable } = options
  const brief = (tool: BoundTool) => summary(tool, bindings, options)
  switch (member) {
    case 'discovered_servers':
      return [...servers.map((server) => server.name), ...Object.keys(unavailable)].sort()
    case 'list_servers':
      return servers.map((server) => server.name)
    case 'names':
      return yield* each(servers, ({ name, source, tools }) => [
        name,
        source.name,
        tools.map((tool) => [tool.name, tool.tool.name]),
      ])
    case 'list_loaded_server_metadata':
      return servers.map(metadata)
    case 'describe_server': {
      const reason = Object.hasOwn(unavailable, String(args.server)) ? unavailable[String(args.server)] : undefined
      if (reason !== undefined) return { name: args.server, available: false, reason }
      const server = serverOf(bindings, args.server, options)
      return { ...metadata(server), available: true, tools: server.tools.map((tool) => tool.name) }
    }
    case 'list_tools':
      return yield* each(serverOf(bindings, args.server, options).tools, brief)
    case 'query_tool_docs':
      return yield* docsOf(args, bindings, options)
    case 'search_tool_docs':
      return yield* docsFound(args, bindings, options)
    case 'capability_summary':
      return capabilities(servers, unavailable)
    default:
      throw new Refusal(messages.malformedCall())
  }
}

/** The documentation of one tool of a server, or of all. */
function* docsOf(args: ProgramQuestion['args'], bindings: Bindings, options: DiscoveryOptions): Pieces<unknown> {
  const describe = describer(args, bindings, options)
  const server = serverOf(bindings, args.server, options)
  if (args.detail === 'full') yield* readyToDescribe(server, bindings.observations)
  return args.tool === undefined || args.tool === null
    ? yield* each(server.tools, describe)
    : describe(toolOf(bindings, server, args.tool, options))
}

/** The documentation of the tools that match a query. */
function* docsFound(args: ProgramQuestion['args'], bindings: Bindings, options: DiscoveryOptions): Pieces<unknown> {
  const limit = typeof args.limit === 'number' && args.limit >= 1 ? Math.floor(args.limit) : 5
  const query = text('query', args.query, options)
  const describe = describer(args, bindings, options)
  yield* bindings.readyToSearch()
  const hits = bindings.search(query, limit)
  if (args.detail === 'full') for (const { tool } of hits) yield* readyToDescribe(tool.server, bindings.observations)
  return yield* each(hits, (hit) => describe(hit.tool))
}

/** One in each piece. */
function* each<T, R>(all: readonly T[], make: (one: T) => R): Pieces<R[]> {
  const made: R[] = []
  for (const one of all) {
    made.push(make(one))
    yield
  }
  return made
}

function metadata(server: BoundServer) {
  const { name, source, tools } = server
  const description = firstSentence(source.description ?? '', 200)
  return {
    name,
    original_name: source.name,
    ...(description === '' ? {} : { description }),
    tool_count: tools.length,
  }
}

function summary(tool: BoundTool, bindings: Bindings, options: DiscoveryOptions) {
  const { annotations } = tool.tool
  return {
    server: tool.server.name,
    name: tool.name,
    signature: describedIn(notationIn(options)).signature(tool, bindings.observations),
    description: firstSentence(tool.tool.description ?? tool.tool.title ?? '', 200),
    ...(annotations?.readOnlyHint === undefined ? {} : { read_only: annotations.readOnlyHint }),
  }
}

function describer(
  args: ProgramQuestion['args'],
  bindings: Bindings,
  options: DiscoveryOptions,
): (tool: BoundTool) => object {
  const detail = args.detail ?? 'summary'
  if (detail !== 'summary' && detail !== 'full')
    throw new Refusal(messages.wrongQuestion('detail', valueText(detail, notationIn(options)), '"summary" or "full"'))
  if (detail === 'summary') return (tool) => summary(tool, bindings, options)
  return (tool) => ({
    ...summary(tool, bindings, options),
    docs: describedIn(notationIn(options)).docs(tool, bindings.observations),
    input_schema: tool.tool.inputSchema,
    ...(tool.tool.outputSchema === undefined ? {} : { output_schema: tool.tool.outputSchema }),
  })
}

function capabilities(servers: readonly BoundServer[], unavailable: Readonly<Record<string, string>>): string {
  const lines = servers.map(({ name, tools }) => {
    const names = tools.slice(0, 8).map((tool) => tool.name)
    return `${name}: ${names.join(', ')}${tools.length > 8 ? ` and ${tools.length - 8} more` : ''}`
  })
  const absent = Object.entries(unavailable).map(([name, reason]) => `${name} can't be reached: ${reason}`)
  return [...lines, ...absent].join('\n')
}

/** The output of `help(server)` and `help(server.tool)`. */
function* help(bindings: Bindings, args: ProgramQuestion['args'], options: DiscoveryOptions): Pieces<string> {
  const server = serverOf(bindings, args.server, options)
  const { signature, docs } = describedIn(notationIn(options))
  if (args.tool !== undefined) {
    const tool = toolOf(bindings, server, args.tool, options)
    yield* readyToDescribe(server, bindings.observations)
    return docs(tool, bindings.observations)
  }
  const words = cutAtWord(commentText(server.source.description ?? ''), 500)
  const lines = yield* each(server.tools, (tool) => signature(tool, bindings.observations))
  return [...(words === '' ? [] : [words]), ...lines].join('\n')
}

function notationIn({ notation = 'python' }: DiscoveryOptions): Notation {
  return notation
}

function serverOf(bindings: Bindings, raw: unknown, options: DiscoveryOptions): BoundServer {
  const name = text('server', raw, options)
  const found = bindings.findServer(name)
  if (found.found !== undefined) return found.found
  const { unavailable } = options
  const own = identifierFor(name)
  if (Object.hasOwn(unavailable, own)) throw new Refusal(messages.serverUnavailable(own, unavailable[own]!))
  const names = bindings.servers.map((server) => server.name)
  const quoted = quotedName(name, notationIn(options))
  throw new Refusal(messages.unknownServer(quoted, nearestNames(name, names), names))
}

function toolOf(bindings: Bindings, server: BoundServer, raw: unknown, options: DiscoveryOptions): BoundTool {
  const name = text('tool', raw, options)
  const found = bindings.findTool(server, name)
  if (found.found !== undefined) return found.found
  throw new Refusal(messages.unknownTool(server.name, quotedName(name, notationIn(options)), found.near))
}

function text(name: string, raw: unknown, options: DiscoveryOptions): string {
  if (typeof raw === 'string') return raw
  const notation = notationIn(options)
  throw new Refusal(messages.wrongQuestion(name, valueText(raw, notation), wordIn(notation, 'str')))
}
