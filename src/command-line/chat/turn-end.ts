// How a turn of a conversation ended, in words and as an exit status.

import type { AgentResult } from '../../agent/index.js'
import { renderDiagnostics } from '../../index.js'
import { paintFailure } from '../paint.js'
import { show } from '../print.js'

type Ended = Pick<AgentResult, 'why' | 'error' | 'pending'>

const KEY = 'set OPENAI_API_KEY, or apiKey of this model in the configuration'

/** Says on stderr why there is no whole answer. */
export function tellEnd({ why, error, pending }: Ended): void {
  const say = (text: string) => show(process.stderr, text, paintFailure)
  switch (why) {
    case 'answered':
      return
    case 'failed': {
      const { code = 'failed', message = 'the run failed', hint, source } = error ?? {}
      const told = code === 'model-key-refused' ? KEY : hint
      const kind = source === 'tool' ? 'tool error' : 'host error'
      return say(renderDiagnostics([{ class: kind, code, message, ...(told === undefined ? {} : { hint: told }) }]))
    }
    case 'pending':
      return say(`not called, as nobody has approved it: ${pending.map(({ call }) => call.function.name).join(', ')}`)
    case 'turns':
      return say('the turns with tool calls were used up, so the model had to answer')
    case 'tokens':
    case 'cost':
      return say(`ended: its bound of ${why} is reached`)
    case 'length':
      return say('the answer is cut off: no more tokens are allowed')
    case 'filtered':
      return say('the provider of the model refused to answer')
    case 'misfit':
      return say('no answer fitted the schema')
    case 'cancelled':
      return say('interrupted')
  }
}

/** 0 with an answer, 3 if calls wait for a person, else 1. */
export function turnStatus({ why }: Ended): number {
  return why === 'answered' || why === 'turns' ? 0 : why === 'pending' ? 3 : 1
}
