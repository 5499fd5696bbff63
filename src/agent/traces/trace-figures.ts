import type { ModelUsage } from '../agent-result.js'

type Usage = Readonly<Record<string, ModelUsage>>

/** Both together, by the names of models. */
export function sumByModel(a: Usage, b: Usage): Usage {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  return Object.fromEntries(names.map((name) => [name, sumOf([a[name], b[name]].filter((one) => one !== undefined))]))
}

/**
 * The sums over all models.
 *
 * @example
 * import { figuresOf, type ModelUsage } from 'starbind/agent'
 *
 * export const tokens = (usage: Record<string, ModelUsage>) => figuresOf(usage).inputTokens
 */
export function figuresOf(usage: Usage): ModelUsage {
  return sumOf(Object.values(usage))
}

function sumOf(all: readonly ModelUsage[]): ModelUsage {
  const total = (of: (one: ModelUsage) => number) => all.reduce((sum, one) => sum + of(one), 0)
  return {
    generations: total((one) => one.generations),
    generationsWithTools: total((one) => one.generationsWithTools),
    turns: total((one) => one.turns),
    toolCalls: total((one) => one.toolCalls),
    inputTokens: total((one) => one.inputTokens),
    outputTokens: total((one) => one.outputTokens),
    cachedTokens: total((one) => one.cachedTokens),
    reasoningTokens: total((one) => one.reasoningTokens),
    ...(all.some(({ cost }) => cost !== undefined) ? { cost: total(({ cost = 0 }) => cost) } : {}),
  }
}

/**
 * What a conversation took, in one line: `3 tool calls in 2 turns, 1,234 tokens (1,000 in, 234 out)`.
 *
 * @example
 * import { type AgentResult, figuresText } from 'starbind/agent'
 *
 * export const footer = ({ usage }: AgentResult) => console.log(figuresText(usage))
 */
export function figuresText(usage: Usage): string {
  const { toolCalls, turns, inputTokens, outputTokens } = figuresOf(usage)
  const tokens = inputTokens + outputTokens
  const parts = [
    `${counted(toolCalls, 'tool call')} in ${counted(turns, 'turn')}`,
    ...(tokens === 0 ? [] : [`${number(tokens)} tokens (${number(inputTokens)} in, ${number(outputTokens)} out)`]),
  ]
  return parts.join(', ')
}

function counted(count: number, what: string): string {
  return `${number(count)} ${what}${count === 1 ? '' : 's'}`
}

function number(value: number): string {
  return value.toLocaleString('en')
}
