import { guestError } from '../values/errors.js'
import { strict } from '../values/mode.js'
import { asName, inQuotes, said } from '../values/said.js'

/** The failure of reading a variable that has no value. A `free` variable belongs to an enclosing function. */
export function unassigned(name: string, kind: 'global' | 'free' | 'local'): never {
  if (strict) {
    const owner = kind === 'global' ? 'global' : 'local'
    throw guestError('NameError', said`${owner} variable ${asName(name)} referenced before assignment`, {
      code: 'unassigned-name',
    })
  }
  const hint =
    kind === 'global'
      ? said`assign ${asName(name)} before this line runs`
      : said`assign ${asName(name)} on every path before this line`
  const extras = { code: 'unassigned-name', hint }
  const nowhere = 'where it is not associated with a value'
  if (kind === 'global') throw guestError('NameError', said`name ${inQuotes(name)} is not defined`, extras)
  if (kind === 'free') {
    throw guestError(
      'NameError',
      said`cannot access free variable ${inQuotes(name)} ${nowhere} in enclosing scope`,
      extras,
    )
  }
  throw guestError('UnboundLocalError', said`cannot access local variable ${inQuotes(name)} ${nowhere}`, extras)
}
