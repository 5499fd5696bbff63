import type { AgentBounds } from './agent-options.js'

/** The bounds as they are when nothing else is said. */
const usualBounds = {
  maxTurns: 10,
  maxCallsPerTurn: 64,
  maxArgumentChars: 1_000_000,
  maxReplyChars: 1_000_000,
  maxAnswerChars: 24_000,
}

/** The bounds of one run. */
export type Bounds = Pick<AgentBounds, 'maxTokens' | 'maxCost' | 'toolTimeoutMs'> & {
  readonly [Name in keyof typeof usualBounds]: number
}

/** The first of these that sets a bound counts. */
export function boundsOf(...given: readonly AgentBounds[]): Bounds {
  const first = <Name extends keyof AgentBounds>(name: Name) => given.find((one) => one[name] !== undefined)?.[name]
  const usual = Object.entries(usualBounds) as [keyof typeof usualBounds, number][]
  return {
    ...(Object.fromEntries(usual.map(([name, value]) => [name, first(name) ?? value])) as typeof usualBounds),
    maxTokens: first('maxTokens'),
    maxCost: first('maxCost'),
    toolTimeoutMs: first('toolTimeoutMs'),
  }
}
