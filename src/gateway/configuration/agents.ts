// The block `agents`: agents that programs and models call as tools of a server `agents`.

import { z } from 'zod'
import { atLeastNone, atLeastOne, type Declared, listOf, oneOf, recordOf, someText, text, yesOrNo } from './declared.js'

const names = listOf(someText, 'a list of names')

const agentEntry = z.strictObject(
  {
    /** Its abilities, for its callers. */
    description: someText,
    /** A system message in front of every task. */
    instructions: text.optional(),
    /** The name of its model in `models`. */
    model: someText,
    /** How it reaches tools: `code`, `direct`, `both` or `auto`. Default: as its model says, or `auto`. */
    mode: oneOf('code', 'direct', 'both', 'auto').optional(),
    /** The servers whose tools it may call. Default: all. */
    servers: names.optional(),
    /** The tools that it may call, as `server/tool`, with globs. Default: all. */
    tools: names.optional(),
    /** True: it may also call tools that are not declared read-only. Default false. */
    writes: yesOrNo.optional(),
    /** How deep it may be in calls of agents by agents; 1: only programs, models and people call it. Default 1. */
    maxDepth: atLeastOne.optional(),
    /** Replies with calls whose calls are made. Default 10. */
    maxTurns: atLeastNone.optional(),
    /** Input and output tokens of all replies together. Default: none. */
    maxTokens: atLeastOne.optional(),
    /** The longest time of one call of a tool, in milliseconds. Default: as for programs. */
    toolTimeoutMs: atLeastOne.optional(),
  },
  { error: 'an object that describes one agent' },
)

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
export interface AgentEntry extends Declared<typeof agentEntry> {}

export const agentsEntry = recordOf<AgentEntry>(agentEntry, 'an object with one entry for each agent')
