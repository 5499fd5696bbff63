// Questions to the host that are not calls of tools.

import { settleAll } from '../host/pending.js'
import { receive } from '../host/replies.js'
import { hostCall } from '../host/sandbox-functions.js'
import { encodeJson } from '../json/encode.js'
import type { Value } from '../values/values.js'

/** Asks the host, after all earlier reads. `names` are the names of the arguments. Absent arguments are omitted. */
export function askHost(
  space: string,
  member: string,
  names: readonly string[],
  args: readonly (Value | undefined)[],
): Value {
  let text = ''
  for (let i = 0; i < names.length; i++) {
    const value = args[i]
    if (value !== undefined) text += `${text === '' ? '' : ','}${encodeJson(names[i]!)}:${encodeJson(value)}`
  }
  settleAll()
  return receive(hostCall(`{"namespace":"${space}","member":"${member}","positional":[],"named":{${text}}}`))
}
