// Agents as tools: each is a function of the server `agents`, which programs and models call like any other tool.
// Invariant: an agent reads only, unless its entry says otherwise, and agents that call agents come to an end.

import type {
  CodeMode,
  Configuration,
  InProcessCall,
  InProcessTool,
  ModelConfig,
  ServerStatus,
  Session,
} from '../index.js'
import { createAgent } from './agent.js'
import type { AgentEvent } from './agent-event.js'
import type { SubAgent } from './agent-options.js'
import type { AgentResult } from './agent-result.js'
import { checkSubAgents } from './check-options.js'
import type { ModelEndpoint, ModelFunction } from './model.js'

const SERVER = 'agents'
/** How many agents are above a call. */
const DEPTH = 'x-starbind-agent-depth'
/** Agents take longer than other tools. */
const TIMEOUT_MS = 600_000

/**
 * Adds agents as tools of a server `agents`, or replaces those that are there. Rejects with a DiagnosticError if they are
 * wrong.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { addAgents } from 'starbind/agent'
 *
 * await using codeMode = await CodeMode.open({ servers: { wiki: { command: 'my-mcp-server' } } })
 * const model = { baseUrl: 'http://127.0.0.1:11434/v1', name: 'qwen3' }
 * const { tools } = await addAgents(codeMode, { reader: { description: 'Reads the wiki.', model } })
 * console.log(tools)
 */
export async function addAgents(codeMode: CodeMode, agents: Readonly<Record<string, SubAgent>>): Promise<ServerStatus> {
  checkSubAgents(agents)
  const inProcess = Object.fromEntries(
    Object.entries(agents).map(([name, agent]) => [name, agentTool(name, agent, codeMode)]),
  )
  // A server of that name that is somebody else's is not replaced.
  const isOurs = holders.has(codeMode) && codeMode.servers.status().some(({ name }) => name === SERVER)
  const status = await codeMode.servers[isOurs ? 'update' : 'add'](SERVER, {
    inProcess,
    passHeaders: [DEPTH],
    timeoutMs: TIMEOUT_MS,
  })
  holders.add(codeMode)
  return status
}

/** Those whose server `agents` is ours. */
const holders = new WeakSet<CodeMode>()

/**
 * The agents of a configuration, with their models, for `addAgents`.
 *
 * @example
 * import { CodeMode, readConfiguration } from 'starbind'
 * import { addAgents, agentsOf } from 'starbind/agent'
 *
 * const configuration = readConfiguration('starbind.json')
 * await using codeMode = await CodeMode.open({ configuration })
 * await addAgents(codeMode, agentsOf(configuration))
 */
export function agentsOf({
  agents = {},
  models = [],
}: Pick<Configuration, 'agents' | 'models'>): Record<string, SubAgent> {
  return Object.fromEntries(
    Object.entries(agents).map(([name, { model: wanted, ...agent }]) => {
      const config = models.find((one) => one.name === wanted)
      return [name, { ...agent, model: modelOf(wanted, config), mode: agent.mode ?? config?.mode }]
    }),
  )
}

/** A model that can't be used is one that fails with the reason. */
function modelOf(name: string, config: ModelConfig | undefined): ModelFunction | ModelEndpoint {
  const [fault] = config?.faults ?? []
  if (config === undefined || fault !== undefined)
    return () => Promise.reject(new Error(fault?.message ?? `there is no model ${name}`))
  const { baseUrl, apiKey, model, headers } = config
  return { baseUrl, apiKey, name: model, headers }
}

function agentTool(name: string, agent: SubAgent, codeMode: Session): InProcessTool {
  const { description, writes = false } = agent
  return {
    description,
    inputSchema: {
      type: 'object',
      properties: { task: { type: 'string', description: 'What to do, with everything that it has to know.' } },
      required: ['task'],
      additionalProperties: false,
    },
    ...(writes ? {} : { annotations: { readOnlyHint: true } }),
    call: ({ task }: { readonly task: string }, context: InProcessCall) =>
      answerOf({ name, agent, codeMode, context }, task),
  }
}

interface AgentCall {
  readonly name: string
  readonly agent: SubAgent
  readonly codeMode: Session
  readonly context: InProcessCall
}

async function answerOf({ name, agent, codeMode, context }: AgentCall, task: string): Promise<string> {
  const { description: _, servers, tools, writes = false, maxDepth = 1, ...options } = agent
  const depth = depthIn(context.headers) + 1
  if (depth > maxDepth)
    throw new Error(`it may be called by ${maxDepth - 1} agents above it, and there are ${depth - 1}`)
  const session = codeMode.session({
    name: `${SERVER}.${name}`,
    filters: {
      ...(servers === undefined ? {} : { servers }),
      ...(tools === undefined ? {} : { toolsToExecute: tools }),
      // What it could not call anyway is not offered.
      ...(depth < maxDepth ? {} : { toolsToDeny: [SERVER] }),
    },
    readOnly: !writes,
  })
  const { signal } = context
  const headers = { [DEPTH]: String(depth) }
  const onEvent = tellSteps(context)
  return textIn(await createAgent({ ...options, codeMode: session }).run(task, { signal, headers, onEvent }))
}

/** The calls of an agent, and their progress, as progress of the call that it is. */
function tellSteps(context: InProcessCall): (event: AgentEvent) => void {
  let progress = 0
  return (event) => {
    if (event.type === 'tool_call') context.tellProgress({ progress: ++progress, message: event.name })
    if (event.type === 'progress' && event.message !== undefined)
      context.tellProgress({ progress: ++progress, message: `${event.name}: ${event.message}` })
  }
}

function depthIn(headers: InProcessCall['headers']): number {
  const text = headers[DEPTH] ?? ''
  return /^\d{1,3}$/.test(text) ? Number(text) : 0
}

/** Throws where the agent has no answer. */
function textIn({ why, text, error, pending }: AgentResult): string {
  if (why === 'answered' || why === 'turns') return text
  const waits = pending.map(({ call }) => call.function.name).join(', ')
  throw new Error(
    error?.message ??
      (why === 'pending' ? `nobody approves its calls of ${waits}` : `it ended without an answer: ${why}`),
  )
}
