// The tools that a model is offered in one run, and how each is called.
// Invariant: exactly the offered tools can be called, and the offer is the same in all requests of a run.

import type { Answer, CallOptions, RunEvent, Session } from '../index.js'
import type { AgentMode, OnAgentApproval } from './agent-options.js'
import type { ToolDefinition } from './model.js'
import { blocksOfAnswer, blocksOfResult, type ToolAnswer } from './tool-answer.js'

/** The circumstances of one call. */
interface CallContext extends Pick<CallOptions, 'headers' | 'trace'> {
  readonly callId: string
  readonly signal: AbortSignal
  readonly timeoutMs?: number | undefined
  readonly onApproval: OnAgentApproval | undefined
  /** Takes the events of a program. */
  readonly onRunEvent: (event: RunEvent) => void
  readonly onProgress: (progress: Readonly<Record<string, unknown>>) => void
}

export interface OfferedTool {
  readonly definition: ToolDefinition
  readonly kind: 'meta-tool' | 'tool' | 'caller'
  readonly server?: string | undefined
  readonly tool?: string | undefined
  /** Asked at each call, because configurations change. */
  needsApproval(): boolean
  call(args: Readonly<Record<string, unknown>>, context: CallContext): Promise<ToolAnswer>
}

export type Offers = ReadonlyMap<string, OfferedTool>

/** The average of JSON in real catalogues. */
const CHARACTERS_PER_TOKEN = 4.4

/** The two views of a session: every tool through programs, and every tool directly. */
export class Views {
  readonly #session: Session
  #code: Session | undefined
  #direct: Session | undefined

  constructor(session: Session) {
    this.#session = session
  }

  get code(): Session {
    this.#code ??= this.#session.session({ codeMode: true, results: 'shared' })
    return this.#code
  }

  get direct(): Session {
    this.#direct ??= this.#session.session({ codeMode: false, results: 'shared' })
    return this.#direct
  }

  /** False if a server has not said its tools yet: programs start it when they name it. */
  areListed(): boolean {
    return this.#session
      .status()
      .every(({ state, tools }) => tools.length > 0 || (state !== 'idle' && state !== 'connecting'))
  }

  /** The approximate tokens of the definitions of all tools. */
  directTokens(): number {
    return JSON.stringify(this.direct.direct.definitions()).length / CHARACTERS_PER_TOKEN
  }
}

/** `nameOf`: the model's name of a tool, where it is not that of direct calls. */
export function offersFor(
  views: Views,
  mode: Exclude<AgentMode, 'auto'>,
  nameOf?: (server: string, tool: string) => string | undefined,
): OfferedTool[] {
  return [
    ...(mode === 'direct' ? [] : metaToolsOf(views.code)),
    ...(mode === 'code' ? [] : directToolsOf(views.direct, nameOf)),
  ]
}

function metaToolsOf(session: Session): OfferedTool[] {
  return session.tools('openai').map(({ function: definition }) => ({
    definition,
    kind: 'meta-tool',
    needsApproval: () => false,
    async call(args, { callId, signal, onApproval, onRunEvent, headers, trace }) {
      const answer: Answer = await session.call(definition.name, args, {
        signal,
        onEvent: onRunEvent,
        parentId: callId,
        onApproval,
        headers,
        trace,
      })
      return { blocks: blocksOfAnswer(answer), isError: answer.isError }
    },
  }))
}

function directToolsOf(session: Session, nameOf = (_server: string, _tool: string): string | undefined => undefined) {
  const entries = new Map(session.direct.definitions().map((entry) => [entry.name, entry]))
  return session.direct.tools().flatMap(({ name, server, tool }): OfferedTool[] => {
    const entry = entries.get(name)
    if (entry === undefined) return []
    const { description, inputSchema } = entry
    return [
      {
        definition: {
          name: nameOf(server, tool) ?? name,
          ...(typeof description === 'string' ? { description } : {}),
          parameters: inputSchema as ToolDefinition['parameters'],
        },
        kind: 'tool',
        server,
        tool,
        needsApproval: () => session.needsApproval(server, tool),
        async call(args, { signal, timeoutMs, onProgress, headers, trace }) {
          const options = { signal, timeoutMs, onProgress, headers, ...(trace === undefined ? {} : { trace }) }
          return blocksOfResult(await session.direct.call(name, { arguments: args }, options))
        },
      },
    ]
  })
}

/** A tool that the caller calls itself. */
export function callersTool(definition: ToolDefinition): OfferedTool {
  return {
    definition,
    kind: 'caller',
    needsApproval: () => false,
    call: () => Promise.reject(new Error('a tool of the caller is called by the caller')),
  }
}
