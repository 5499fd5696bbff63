// The block `agents`: agents that programs and models call as tools of a server `agents`.

import { z } from 'zod'

/**
 * One entry of `agents` as a person writes it.
 *
 * @example
 * import type { AgentEntry } from 'starbind'
 *
 * export const reader: AgentEntry = {
 *   description: 'Finds out what the wiki says about something.',
 *   model: 'local',
 *   servers: ['wiki'],
 *   maxTurns: 5,
 * }
 */
export interface AgentEntry {
  /** What it can do, for those who call it. */
  readonly description: string
  /** A system message in front of every task. */
  readonly instructions?: string | undefined
  /** The name of its model in `models`. */
  readonly model: string
  /** How it reaches tools: `code`, `direct`, `both` or `auto`. Default: as its model says, or `auto`. */
  readonly mode?: 'code' | 'direct' | 'both' | 'auto' | undefined
  /** The servers whose tools it may call. Default: all. */
  readonly servers?: readonly string[] | undefined
  /** The tools that it may call, as `server/tool`, with globs. Default: all. */
  readonly tools?: readonly string[] | undefined
  /** True: it may also call tools that are not declared read-only. Default false. */
  readonly writes?: boolean | undefined
  /** How deep it may be in calls of agents by agents; 1: only programs, models and people call it. Default 1. */
  readonly maxDepth?: number | undefined
  /** Replies with calls whose calls are made. Default 10. */
  readonly maxTurns?: number | undefined
  /** Input and output tokens of all replies together. Default: none. */
  readonly maxTokens?: number | undefined
  /** The longest time of one call of a tool, in milliseconds. Default: as for programs. */
  readonly toolTimeoutMs?: number | undefined
}

const text = z.string({ error: 'a string' })
const someText = text.min(1, { error: 'a string that is not empty' })
const names = z.array(someText, { error: 'a list of names' })
const amount = z.int({ error: 'a whole number' })
const atLeastOne = amount.min(1, { error: 'at least 1' })

const agentEntry: z.ZodObject<{ [K in keyof AgentEntry]-?: z.ZodType<AgentEntry[K]> }> = z.strictObject(
  {
    description: someText,
    instructions: text.optional(),
    model: someText,
    mode: z.enum(['code', 'direct', 'both', 'auto'], { error: '"code", "direct", "both" or "auto"' }).optional(),
    servers: names.optional(),
    tools: names.optional(),
    writes: z.boolean({ error: 'true or false' }).optional(),
    maxDepth: atLeastOne.optional(),
    maxTurns: amount.min(0, { error: 'at least 0' }).optional(),
    maxTokens: atLeastOne.optional(),
    toolTimeoutMs: atLeastOne.optional(),
  },
  { error: 'an object that describes one agent' },
)

export const agentsEntry = z.record(z.string(), agentEntry, { error: 'an object with one entry for each agent' })
