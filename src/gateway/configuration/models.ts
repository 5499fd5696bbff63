// The block `models`: the models that `starbind serve` offers to chat clients, and where each is reached.

import { z } from 'zod'
import type { Diagnostic } from '../../diagnostics/index.js'

/**
 * One entry of `models` as a person writes it. Strings may hold `${NAME}` and `${NAME:-default}`.
 *
 * @example
 * import { type ModelEntry, modelsOf } from 'starbind'
 *
 * const local: ModelEntry = { baseUrl: 'http://localhost:11434/v1', name: 'qwen3:8b', mode: 'code' }
 * console.log(modelsOf({ local }).map(({ name, model }) => `${name} is ${model}`))
 */
export interface ModelEntry {
  /** The base URL of an API in OpenAI's format, such as `https://api.openai.com/v1`. */
  readonly baseUrl: string
  /** The key for that API. Default: none is sent. */
  readonly apiKey?: string | undefined
  /** The model's name at that API. Default: the name of this entry. */
  readonly name?: string | undefined
  /** Sent with every request to that API. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * How the model reaches tools: through programs (`code`), each tool as itself (`direct`), `both`, or directly while
   * there are few (`auto`). Default `auto`.
   */
  readonly mode?: 'code' | 'direct' | 'both' | 'auto' | undefined
  /** The tools of a request that names none: all that its key may call, or none. Default `all`. */
  readonly tools?: 'all' | 'none' | undefined
  /** Whether streams carry tool events although the request does not ask for them. Default false. */
  readonly events?: boolean | undefined
  /** The maximum number of replies with tool calls in one request. Default 10. */
  readonly maxTurns?: number | undefined
}

/**
 * One model of a configuration, checked.
 *
 * @example
 * import { type ModelConfig, readConfiguration } from 'starbind'
 *
 * const models: readonly ModelConfig[] = readConfiguration('starbind.json').models ?? []
 * for (const { name, baseUrl } of models) console.log(name, baseUrl)
 */
export interface ModelConfig extends Omit<ModelEntry, 'name' | 'headers'> {
  /** Its name here. */
  readonly name: string
  /** Its name at its API. */
  readonly model: string
  readonly headers: Readonly<Record<string, string>>
  /** Texts that must not appear anywhere. */
  readonly credentials: readonly string[]
  /** The reasons why it can't be used; empty if it can. */
  readonly faults: readonly Diagnostic[]
}

const someText = z.string({ error: 'a string' }).min(1, { error: 'a string that is not empty' })

const modelEntry: z.ZodObject<{ [K in keyof ModelEntry]-?: z.ZodType<ModelEntry[K]> }> = z.strictObject(
  {
    baseUrl: someText,
    apiKey: z.string({ error: 'a string' }).optional(),
    name: someText.optional(),
    headers: z
      .record(z.string(), z.string({ error: 'a string' }), { error: 'an object whose values are strings' })
      .optional(),
    mode: z.enum(['code', 'direct', 'both', 'auto'], { error: '"code", "direct", "both" or "auto"' }).optional(),
    tools: z.enum(['all', 'none'], { error: '"all" or "none"' }).optional(),
    events: z.boolean({ error: 'true or false' }).optional(),
    maxTurns: z.int({ error: 'a whole number' }).min(1, { error: 'at least 1' }).optional(),
  },
  { error: 'an object that describes one model' },
)

export const modelsEntry = z.record(z.string(), modelEntry, { error: 'an object with one entry for each model' })
