// The conversation to go on with: one that is kept as a trace.

import { listTraces, showTrace, type TraceFacts } from '../../agent/index.js'
import type { Session } from '../../index.js'
import { wrongUsage } from '../failure.js'
import { withNamedRun } from '../named-run.js'
import { CHAT, type Earlier } from './chat-turns.js'

const LISTS = 'starbind traces lists the traces that are kept'

export interface EarlierOptions {
  /** The last conversation. */
  readonly continue?: true
  /** The one of this name. */
  readonly resume?: string
  /** New instructions, in place of its own. */
  readonly system?: string
}

/** Undefined: a new conversation. */
export async function earlier(session: Session, options: EarlierOptions): Promise<Earlier | undefined> {
  const { continue: isLast, resume, system } = options
  if (!isLast && resume === undefined) return undefined
  const name = resume ?? (await listTraces(session)).find(isWhole)?.traceId
  if (name === undefined) throw wrongUsage('there is no conversation to continue', LISTS)
  const { messages, trace, omitted } = await withNamedRun(showTrace(session, name))
  if (trace !== 'all_messages' || omitted > 0)
    throw wrongUsage(`${name} can't be continued, because it was not kept whole`, LISTS)
  const hasOwn = system !== undefined && messages[0]?.role === 'system'
  return { name, messages: hasOwn ? messages.slice(1) : messages }
}

function isWhole({ traceId, trace, omitted }: TraceFacts): boolean {
  return traceId.startsWith(CHAT) && trace === 'all_messages' && omitted === 0
}
