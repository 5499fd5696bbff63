// The agent's door: what a caller holds.

import { randomUUID } from 'node:crypto'
import { DiagnosticError, Trace } from '../index.js'
import type { AgentMode, AgentOptions, AgentRunOptions } from './agent-options.js'
import type { AgentResult } from './agent-result.js'
import { answerInstruction } from './answer-schema.js'
import { type Bounds, boundsOf } from './bounds.js'
import { endpointModel } from './chat-completions.js'
import { checkAgentOptions, checkMessages, checkRunOptions } from './check-options.js'
import {
  conversationOf,
  type Message,
  type MessageInput,
  problemsOf,
  type ToolCall,
  type ToolMessage,
  textOf,
} from './conversation.js'
import { Loop } from './loop.js'
import { callersToolsClash, conversationWrong, traceNotKept } from './messages.js'
import type { ToolDefinition } from './model.js'
import { callersTool, type OfferedTool, type Offers, offersFor, Views } from './offers.js'
import { checkToolSets, ownName, sessionFor, toolSetNamed } from './tool-sets.js'
import { keepTrace } from './traces/kept-trace.js'
import { agentSpan } from './traces/spans.js'

/**
 * A tool that an agent offers to its model. `kind`: one of the four meta-tools, or a tool of a server.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { type AgentTool, createAgent } from 'starbind/agent'
 *
 * await using codeMode = await CodeMode.open()
 * const model = { baseUrl: 'http://127.0.0.1:11434/v1', name: 'qwen3' }
 * const tools: readonly AgentTool[] = await createAgent({ codeMode, model, mode: 'direct' }).tools()
 * console.log(tools.filter(({ needsApproval }) => needsApproval).map(({ name }) => name))
 */
export interface AgentTool extends ToolDefinition {
  readonly kind: 'meta-tool' | 'tool'
  /** The server's name in the configuration and the tool's at its server; absent for meta-tools. */
  readonly server?: string | undefined
  readonly tool?: string | undefined
  /** True: a person is asked before each call. */
  readonly needsApproval: boolean
}

/**
 * A loop over a model and tools. It holds nothing between runs, costs nothing to make and needs no closing.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { type Agent, createAgent } from 'starbind/agent'
 *
 * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } } })
 * const agent: Agent = createAgent({ codeMode, model: { baseUrl: 'http://127.0.0.1:11434/v1', name: 'qwen3' } })
 * const first = await agent.run('Which files are there?')
 * const second = await agent.run([...first.messages, { role: 'user', content: 'And the largest?' }])
 * console.log(second.text)
 */
export interface Agent<Answer = never> {
  /**
   * Lets the model work until it answers, or a bound ends it. Rejects with a DiagnosticError only if the options or the
   * messages are wrong.
   */
  run(messages: string | readonly MessageInput[], options?: AgentRunOptions): Promise<AgentResult<Answer>>
  /** Makes one call of a model that nobody made, approved or not needing it: for callers with their own approvals. */
  execute(call: ToolCall, options?: AgentRunOptions): Promise<ToolMessage>
  /** What the model is offered now. */
  tools(options?: Pick<AgentRunOptions, 'toolSet'>): Promise<readonly AgentTool[]>
  /** Checks all tool sets. Rejects with a DiagnosticError that lists every mistake. */
  check(): Promise<void>
}

/** From here on programs take fewer tokens than definitions; docs/agents.md has the measurement. */
const AUTO_TOKENS = 6000

/**
 * Makes an agent. Throws a DiagnosticError if the options are wrong.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { createAgent } from 'starbind/agent'
 *
 * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } } })
 * const model = { baseUrl: 'https://api.openai.com/v1', apiKey: process.env.OPENAI_API_KEY, name: 'gpt-5.4' }
 * const agent = createAgent({ codeMode, model, maxTurns: 5 })
 * const { text, why, usage } = await agent.run('How many files are there?')
 * console.log(text, why, usage)
 */
export function createAgent<Answer = never>(options: AgentOptions<Answer>): Agent<Answer> {
  checkAgentOptions(options)
  const { codeMode, toolSets = {}, traces: mode = 'none' } = options
  const desks = new Desks(options)
  const lasting = lastingParts(options)
  const instructions = instructionsOf(options)
  const partsOf = async (run: AgentRunOptions, callers: readonly OfferedTool[]) => {
    const { offered, bounds } = await desks.at(run.toolSet, run.signal)
    const { signal = new AbortController().signal, runId = `agent-${randomUUID()}` } = run
    return { ...lasting, bounds, run, runId, offers: offersWith(offered, callers), signal }
  }
  return {
    async run(given, run = {}) {
      checkRunOptions(run)
      checkMessages(given)
      const conversation = withInstructions(conversationOf(given), instructions)
      const problems = problemsOf(conversation)
      if (problems.length > 0) throw new DiagnosticError(conversationWrong(problems))
      const parts = await partsOf(run, (run.tools ?? []).map(callersTool))
      const startedAt = Date.now()
      return agentSpan(run.trace, { ...parts, model: options.model }, async (trace) => {
        const loop = new Loop(conversation, { ...parts, trace })
        const result = await loop.run()
        const isNamed = run.runId !== undefined
        const kept = mode === 'none' ? undefined : keepTrace(codeMode, result, { mode, startedAt, isNamed })
        await kept?.catch((error: unknown) => loop.warn(traceNotKept(error)))
        return result
      })
    },
    async execute(call, run = {}) {
      checkRunOptions(run)
      const parts = await partsOf(run, [])
      return new Loop<Answer>([], { ...parts, trace: Trace.of(run.trace) }).execute(call)
    },
    async tools({ toolSet } = {}) {
      const { offered } = await desks.at(toolSet)
      return offered.map(agentTool)
    },
    async check() {
      await codeMode.listed()
      checkToolSets(toolSets, codeMode)
    },
  }
}

function lastingParts<Answer>(options: AgentOptions<Answer>) {
  const { model, prices, name = model.name } = options
  if (typeof model === 'function') return { options, prices, model, modelName: name }
  const { maxReplyChars } = boundsOf(options)
  return { options, prices: prices ?? model.prices, model: endpointModel(model, maxReplyChars), modelName: name }
}

function instructionsOf({ instructions = '', answer }: AgentOptions<unknown>): string {
  return [instructions, answer === undefined ? '' : answerInstruction(answer)].filter((one) => one !== '').join('\n\n')
}

function agentTool({ definition, kind, server, tool, needsApproval }: OfferedTool): AgentTool {
  return {
    ...definition,
    kind: kind === 'meta-tool' ? kind : 'tool',
    server,
    tool,
    needsApproval: needsApproval(),
  }
}

/** The tools of each set, in the agent's mode. The mode of a set is decided once, so that prompt caches hold. */
class Desks {
  readonly #options: AgentOptions<unknown>
  readonly #desks = new Map<string | undefined, { readonly views: Views; readonly mode: Exclude<AgentMode, 'auto'> }>()

  constructor(options: AgentOptions<unknown>) {
    this.#options = options
  }

  /** Rejects with a DiagnosticError if there is no such set, or something is wrong with it. */
  async at(
    name = this.#options.toolSet,
    signal?: AbortSignal,
  ): Promise<{ readonly offered: OfferedTool[]; readonly bounds: Bounds }> {
    const { codeMode, toolSets = {}, mode } = this.#options
    // Programs start the servers that they name; a model can't name a tool that it does not see.
    if (mode === 'direct' || mode === 'both' || name !== undefined) await codeMode.listed({ signal })
    const set = name === undefined ? undefined : toolSetNamed(name, toolSets, codeMode)
    let desk = this.#desks.get(name)
    if (desk === undefined) {
      const views = new Views(set === undefined ? codeMode : sessionFor(codeMode, set))
      desk = { views, mode: modeFor(this.#options, views) }
      this.#desks.set(name, desk)
    }
    const { maxTurns, toolTimeoutMs } = set ?? {}
    return {
      offered: offersFor(desk.views, desk.mode, set === undefined ? undefined : ownName),
      bounds: boundsOf({ maxTurns, toolTimeoutMs }, this.#options),
    }
  }
}

/** Throws a DiagnosticError if a name is taken. */
function offersWith(offered: readonly OfferedTool[], callers: readonly OfferedTool[]): Offers {
  const offers = new Map<string, OfferedTool>()
  const taken: string[] = []
  for (const tool of [...offered, ...callers]) {
    if (offers.has(tool.definition.name)) taken.push(tool.definition.name)
    offers.set(tool.definition.name, tool)
  }
  if (taken.length > 0) throw new DiagnosticError(callersToolsClash(taken))
  return offers
}

function modeFor({ mode = 'auto', autoTokens = AUTO_TOKENS }: AgentOptions<unknown>, views: Views) {
  if (mode !== 'auto') return mode
  return views.areListed() && views.directTokens() <= autoTokens ? 'direct' : 'code'
}

function withInstructions(messages: readonly Message[], instructions: string): readonly Message[] {
  const [first] = messages
  const isThere = first?.role === 'system' && textOf(first) === instructions
  return instructions === '' || isThere
    ? messages
    : [{ role: 'system', content: [{ type: 'text', text: instructions }] }, ...messages]
}
