// The block `models`: the models that `starbind serve` offers to chat clients, and where each is reached.

import { z } from 'zod'
import type { Diagnostic } from '../../diagnostics/index.js'
import { atLeastOne, type Declared, oneOf, recordOf, someText, text, yesOrNo } from './declared.js'

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

const modelEntry = z.strictObject(
  {
    /** The base URL of an API in OpenAI's format, such as `https://api.openai.com/v1`. */
    baseUrl: someText,
    /** The key for that API. Default: none is sent. */
    apiKey: text.optional(),
    /** The model's name at that API. Default: the name of this entry. */
    name: someText.optional(),
    /** Sent with every request to that API. */
    headers: recordOf(text, 'an object whose values are strings').optional(),
    /**
     * How the model reaches tools: through programs (`code`), each tool as itself (`direct`), `both`, or directly while
     * there are few (`auto`). Default `auto`.
     */
    mode: oneOf('code', 'direct', 'both', 'auto').optional(),
    /** The tools of a request that names none: all that its key may call, or none. Default `all`. */
    tools: oneOf('all', 'none').optional(),
    /** Whether streams carry tool events although the request does not ask for them. Default false. */
    events: yesOrNo.optional(),
    /** The maximum number of replies with tool calls in one request. Default 10. */
    maxTurns: atLeastOne.optional(),
  },
  { error: 'an object that describes one model' },
)

/**
 * One entry of `models` as a person writes it. Strings may hold `${NAME}` and `${NAME:-default}`.
 *
 * @example
 * import { type ModelEntry, modelsOf } from 'starbind'
 *
 * const local: ModelEntry = { baseUrl: 'http://localhost:11434/v1', name: 'qwen3:8b', mode: 'code' }
 * console.log(modelsOf({ local }).map(({ name, model }) => `${name} is ${model}`))
 */
export interface ModelEntry extends Declared<typeof modelEntry> {}

export const modelsEntry = recordOf<ModelEntry>(modelEntry, 'an object with one entry for each model')
