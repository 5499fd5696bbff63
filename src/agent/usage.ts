// What a run takes of each model.

import type { ModelUsage } from './agent-result.js'
import type { ModelReply, ModelRequest, Prices, ReplyTokens } from './model.js'

type Counts = { -readonly [K in keyof ModelUsage]: ModelUsage[K] }

const CHARACTERS_PER_TOKEN = 4

/** The tokens of a reply; estimated from the characters where the endpoint does not say them. */
export function tokensOf({ messages, tools }: ModelRequest, { tokens, message }: ModelReply): ReplyTokens {
  if (tokens !== undefined) return tokens
  const tokensIn = (value: unknown) => Math.ceil(JSON.stringify(value).length / CHARACTERS_PER_TOKEN)
  return { input: tokensIn([messages, tools]), output: tokensIn(message) }
}

export class UsageCount {
  readonly #byModel = new Map<string, Counts>()
  readonly #prices: Prices | undefined

  constructor(prices: Prices | undefined) {
    this.#prices = prices
  }

  add(
    model: string,
    reply: { readonly tokens: ReplyTokens; readonly calls: number; readonly hadTools: boolean },
  ): void {
    const counts = this.#byModel.get(model) ?? { ...nothing, ...(this.#prices === undefined ? {} : { cost: 0 }) }
    this.#byModel.set(model, counts)
    const { input, output, cached = 0, reasoning = 0 } = reply.tokens
    counts.generations++
    if (reply.hadTools) counts.generationsWithTools++
    if (reply.calls > 0) counts.turns++
    counts.toolCalls += reply.calls
    counts.inputTokens += input
    counts.outputTokens += output
    counts.cachedTokens += cached
    counts.reasoningTokens += reasoning
    if (counts.cost !== undefined) counts.cost += this.#costOf({ input, output, cached })
  }

  #costOf({ input, output, cached }: Required<Omit<ReplyTokens, 'reasoning'>>): number {
    const prices = this.#prices!
    return ((input - cached) * prices.input + cached * (prices.cached ?? prices.input) + output * prices.output) / 1e6
  }

  get tokens(): number {
    return this.#sum(({ inputTokens, outputTokens }) => inputTokens + outputTokens)
  }

  get cost(): number {
    return this.#sum(({ cost = 0 }) => cost)
  }

  #sum(of: (counts: Counts) => number): number {
    return [...this.#byModel.values()].reduce((sum, counts) => sum + of(counts), 0)
  }

  byModel(): Record<string, ModelUsage> {
    return Object.fromEntries([...this.#byModel].map(([name, counts]) => [name, { ...counts }]))
  }
}

const nothing: ModelUsage = {
  generations: 0,
  generationsWithTools: 0,
  turns: 0,
  toolCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  reasoningTokens: 0,
}
