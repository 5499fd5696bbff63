import { selfMark } from '../itself.js'

/**
 * The offers to a caller besides the meta-tools.
 *
 * @example
 * import { type Offers, offersOf, readConfiguration } from 'starbind'
 *
 * const offers: Offers = offersOf(readConfiguration('starbind.json'))
 * if (!offers.directTools) console.log('callers get the four meta-tools and nothing else')
 */
export interface Offers {
  readonly directTools: boolean
  readonly resources: boolean
  readonly prompts: boolean
  /** This starbind was started by its own configuration, and serves nothing. Default: false. */
  readonly inside?: boolean
  /** The time after which a program answers with a task, for callers that know tasks. Default: 5,000 ms. */
  readonly taskAfterMs?: number | undefined
  /** The instructions for callers' models. Default: none. */
  readonly instructions?: string | undefined
}

/** Callers request every announced list, whether it is useful to them or not. */
export function capabilitiesOf({ directTools, resources, prompts, inside = false }: Offers) {
  return {
    experimental: selfMark(inside),
    tools: directTools ? { listChanged: true } : {},
    ...(directTools ? { logging: {} } : {}),
    ...(resources ? { resources: { subscribe: true, listChanged: true } } : {}),
    ...(prompts ? { prompts: { listChanged: true } } : {}),
    ...(resources || prompts ? { completions: {} } : {}),
  }
}
