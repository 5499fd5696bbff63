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
  /** Saved programs are tools of their own. Default: false. */
  readonly programs?: boolean
  readonly resources: boolean
  readonly prompts: boolean
  /** This process was started by an entry of its own configuration, so it serves nothing. Default: false. */
  readonly inside?: boolean
  /** The time after which a program is answered with a task, if the caller supports tasks. Default: 5,000 ms. */
  readonly taskAfterMs?: number | undefined
  /** The instructions for callers' models. Default: none. */
  readonly instructions?: string | undefined
}

/** Callers request every announced list, so empty ones are not announced. */
export function capabilitiesOf({ directTools, programs = false, resources, prompts, inside = false }: Offers) {
  return {
    experimental: selfMark(inside),
    tools: directTools || programs ? { listChanged: true } : {},
    ...(directTools ? { logging: {} } : {}),
    ...(resources ? { resources: { subscribe: true, listChanged: true } } : {}),
    ...(prompts ? { prompts: { listChanged: true } } : {}),
    ...(resources || prompts ? { completions: {} } : {}),
  }
}
